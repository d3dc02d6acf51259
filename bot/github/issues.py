"""Issues, comments, reactions and labels; pull requests, and the issues that they close.

https://docs.github.com/rest/issues
https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import quote

from pydantic import Field

from bot.errors import NotFoundError
from bot.github.api import Api
from bot.github.models import Comment, Issue, Many, Payload, Pull
from bot.github.tokens import Identity


def issue(api: Api, root: str, number: int) -> Issue:
    """An issue. Raises NotFoundError, for the number of a pull request too."""
    found = api.get(Issue, f"{root}/issues/{number:d}")
    if found.is_pull:
        raise NotFoundError(f"{root}/issues/{number} is a pull request, not an issue")
    return found


def put_comment(
    api: Api, root: str, identity: Identity, number: int, marker: str, body: str
) -> int:
    """Make or edit the one comment of the App with this marker; its id. Raises GitHubError.

    Comments of others that copy the marker are left alone, and so are the App's own that quote it:
    only what a comment begins with is its marker.
    """
    text = body if body.startswith(marker) else f"{marker}\n{body}"
    return api.until_certain(lambda: _put_comment(api, root, identity, number, marker, text))


def _put_comment(
    api: Api, root: str, identity: Identity, number: int, marker: str, text: str
) -> int:
    comments = f"{root}/issues/{number:d}/comments"
    ours = [one for one in api.pages(Comment, comments) if _is_ours(one, identity, marker)]
    if not ours:
        return api.post(Comment, comments, {"body": text}, repeatable=False).id
    first, *others = ours
    if first.text != text:
        api.send("PATCH", f"{root}/issues/comments/{first.id}", {"body": text})
    for other in others:
        # Of a process that was killed while its request was on the way.
        with suppress(NotFoundError):
            api.send("DELETE", f"{root}/issues/comments/{other.id}")
    return first.id


def _is_ours(comment: Comment, identity: Identity, marker: str) -> bool:
    by_us = comment.user.is_bot and comment.user.login == identity.bot
    return by_us and comment.text.startswith(marker)


def open_issues(api: Api, root: str, most: int) -> tuple[Issue, ...]:
    """So many of the open issues at most, those that changed last first. Raises GitHubError."""
    found = api.pages(Issue, f"{root}/issues", state="open", sort="updated", direction="desc")
    return tuple(itertools.islice((one for one in found if not one.is_pull), most))


def put_issue(
    api: Api, root: str, identity: Identity, marker: str, title: str, body: str
) -> int | None:
    """Make or edit the one issue of the App with this marker; its number.

    None where somebody closed it: then it stays as it is. Raises GitHubError.
    """
    text = f"{marker}\n{body}"
    found = own_issue(api, root, identity, marker)
    if found is None:
        sent = {"title": title, "body": text}
        return api.post(Issue, f"{root}/issues", sent, repeatable=False).number
    if not found.is_open:
        return None
    if found.text != text:
        api.send("PATCH", f"{root}/issues/{found.number}", {"body": text})
    return found.number


def own_issue(api: Api, root: str, identity: Identity, marker: str) -> Issue | None:
    """The oldest issue of the App that begins with a marker; None without. Raises GitHubError."""
    creator = {"creator": identity.bot, "state": "all"}
    found = api.pages(Issue, f"{root}/issues", sort="created", direction="asc", **creator)
    return next((one for one in found if one.text.startswith(marker)), None)


def react(api: Api, root: str, comment: int, content: str) -> None:
    """React to a comment; GitHub keeps one reaction of a kind. Raises GitHubError."""
    api.send("POST", f"{root}/issues/comments/{comment:d}/reactions", {"content": content})


def set_label(api: Api, root: str, number: int, label: str, *, present: bool) -> None:
    """Add a label, which GitHub makes where it does not exist, or remove it. Raises GitHubError."""
    labels = f"{root}/issues/{number:d}/labels"
    if present:
        api.send("POST", labels, {"labels": [label]})
        return
    with suppress(NotFoundError):
        api.send("DELETE", f"{labels}/{quote(label, safe='')}")


_KEYWORD = re.compile(
    r"""
    (?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+
    (?:(?P<name>[\w.-]+/[\w.-]+)?\#|https?://[\w.:-]+/(?P<linked>[\w.-]+/[\w.-]+)/issues/)
    (?P<number>[0-9]{1,9})\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Templates hold their examples in comments, and GitHub takes no keyword from code.
_SILENT = re.compile(
    r"<!--.*?(?:-->|\Z)|^[ ]{0,3}(?P<fence>```+|~~~+).*?(?:^[ ]{0,3}(?P=fence)|\Z)|(`+)(?!`).*?\2",
    re.DOTALL | re.MULTILINE,
)
_LINKED = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: 100, after: $after) {
        nodes { number repository { nameWithOwner } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""
_MOST_PAGES = 10


class _Repository(Payload):
    full_name: str = Field(alias="nameWithOwner")


class _LinkedIssue(Payload):
    number: int
    repository: _Repository


class _Page(Payload):
    has_next: bool = Field(alias="hasNextPage")
    end: str = Field(default="", alias="endCursor")


class _References(Payload):
    nodes: Many[_LinkedIssue] = ()
    page: _Page = Field(alias="pageInfo")


class _LinkingPull(Payload):
    references: _References = Field(alias="closingIssuesReferences")


class _LinkingRepository(Payload):
    pull: _LinkingPull = Field(alias="pullRequest")


class _Linked(Payload):
    """What the query gives."""

    repository: _LinkingRepository


def pull(api: Api, root: str, number: int) -> Pull:
    """A pull request. Raises NotFoundError."""
    return api.get(Pull, f"{root}/pulls/{number:d}")


def pulls_of(api: Api, root: str, sha: str) -> tuple[int, ...]:
    """The open pull requests whose head is a commit. Raises GitHubError.

    GitHub's own search by commit does not look into forks, so all open ones are gone through,
    those that changed last first.
    """
    found = api.pages(Pull, f"{root}/pulls", state="open", sort="updated", direction="desc")
    return tuple(sorted(pull.number for pull in found if pull.head.sha == sha))


def closed_by(api: Api, root: str, full_name: str, default_branch: str, number: int) -> list[int]:
    """The issues of this repository that a pull request closes, in order. Raises GitHubError.

    Keywords count only for pull requests onto the default branch; what was linked by hand,
    only GraphQL knows.
    """
    asked = pull(api, root, number)
    linked = set(_linked(api, full_name, number))
    on_default = asked.base.ref == default_branch
    named = set(keywords(asked.text, full_name)) if on_default else set()
    return sorted(linked | {one for one in named - linked if _is_issue(api, root, one)})


def keywords(text: str, full_name: str) -> tuple[int, ...]:
    """The issues of a repository that a text closes by keyword, outside code and comments."""
    found = []
    for match in _KEYWORD.finditer(_SILENT.sub(" ", text)):
        named = match["name"] or match["linked"] or full_name
        if named.lower() == full_name.lower():
            found.append(int(match["number"]))
    return tuple(dict.fromkeys(found))


def _is_issue(api: Api, root: str, number: int) -> bool:
    try:
        issue(api, root, number)
    except NotFoundError:
        return False
    return True


def _linked(api: Api, full_name: str, number: int) -> Iterator[int]:
    owner, _, name = full_name.partition("/")
    place: dict[str, str | int] = {"owner": owner, "name": name, "number": number}
    for _ in range(_MOST_PAGES):
        found = api.query(_Linked, _LINKED, **place).repository.pull.references
        for issue in found.nodes:
            if issue.repository.full_name.lower() == full_name.lower():
                yield issue.number
        if not found.page.has_next:
            return
        place["after"] = found.page.end
