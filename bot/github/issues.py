"""Issues, comments, reactions and labels.

https://docs.github.com/rest/issues
"""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote

from bot.errors import NotFoundError
from bot.github.api import Api
from bot.github.models import Comment, Issue
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
