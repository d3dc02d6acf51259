"""Issues, pull requests and repositories as GitHub writes them, in payloads and answers alike."""

from __future__ import annotations

from bot.github.reading import Fields
from bot.github.types import Issue, Pull, RepositoryId

GHOST = "ghost"
"""GitHub's name for authors whose account is gone."""


def login(fields: Fields, name: str = "user") -> str:
    """Who did something. Raises PayloadError."""
    return fields.inside(name).text("login") if fields.has(name) else GHOST


def is_bot(fields: Fields, name: str = "user") -> bool:
    """Whether it was done by an App or another machine. Raises PayloadError."""
    return fields.has(name) and fields.inside(name).text("type", "User") == "Bot"


def issue(fields: Fields) -> Issue:
    """An issue; events about pinning leave its state out. Raises PayloadError."""
    state = fields.text("state", "closed" if fields.has("closed_at") else "open")
    return Issue(
        number=fields.number("number"),
        title=fields.text("title"),
        text=fields.text("body", ""),
        author=login(fields),
        labels=tuple(label.text("name") for label in fields.objects("labels")),
        is_open=state == "open",
    )


def pull(fields: Fields) -> Pull:
    """A pull request. Raises PayloadError."""
    head, base = fields.inside("head"), fields.inside("base")
    return Pull(
        number=fields.number("number"),
        title=fields.text("title"),
        text=fields.text("body", ""),
        author=login(fields),
        head_sha=head.sha("sha"),
        head_branch=head.text("ref"),
        base_branch=base.text("ref"),
        base_sha=base.sha("sha"),
        from_fork=_from_fork(head, base),
        is_draft=fields.truth("draft", default=False),
        is_open=fields.text("state") == "open",
    )


def _from_fork(head: Fields, base: Fields) -> bool:
    """A head whose repository is gone was a fork's: the base's own cannot go alone."""
    if not head.has("repo"):
        return True
    return head.inside("repo").number("id") != base.inside("repo").number("id")


def repository(fields: Fields) -> RepositoryId:
    """The repository of a payload, with the installation. Raises PayloadError."""
    return RepositoryId(
        fields.inside("installation").number("id"),
        fields.inside("repository").full_name("full_name"),
    )
