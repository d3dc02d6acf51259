"""Pull requests, and the issues that they close.

https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.errors import NotFoundError
from bot.github import issues, records
from bot.github.api import Api
from bot.github.reading import Fields
from bot.github.types import Pull

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


def pull(api: Api, root: str, number: int) -> Pull:
    """A pull request. Raises NotFoundError."""
    return records.pull(api.get(f"{root}/pulls/{number:d}"))


def pulls_of(api: Api, root: str, sha: str) -> tuple[int, ...]:
    """The open pull requests whose head is a commit. Raises GitHubError.

    GitHub's own search by commit does not look into forks, so all open ones are gone through,
    those that changed last first.
    """
    found = api.pages(f"{root}/pulls", state="open", sort="updated", direction="desc")
    heads = ((one.number("number"), one.inside("head").text("sha")) for one in found)
    return tuple(sorted(number for number, head in heads if head == sha))


def closed_by(api: Api, root: str, full_name: str, default_branch: str, number: int) -> list[int]:
    """The issues of this repository that a pull request closes, in order. Raises GitHubError.

    Keywords count only for pull requests onto the default branch; what was linked by hand is told
    by GraphQL alone.
    """
    asked = pull(api, root, number)
    linked = set(_linked(api, full_name, number))
    on_default = asked.base_branch == default_branch
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
        issues.issue(api, root, number)
    except NotFoundError:
        return False
    return True


def _linked(api: Api, full_name: str, number: int) -> Iterator[int]:
    owner, _, name = full_name.partition("/")
    place: dict[str, str | int] = {"owner": owner, "name": name, "number": number}
    for _ in range(_MOST_PAGES):
        asked = api.query(_LINKED, **place).inside("repository").inside("pullRequest")
        references = asked.inside("closingIssuesReferences")
        yield from _here(references, full_name)
        page = references.inside("pageInfo")
        if not page.truth("hasNextPage"):
            return
        place["after"] = page.text("endCursor")


def _here(references: Fields, full_name: str) -> Iterator[int]:
    for node in references.objects("nodes"):
        if node.inside("repository").text("nameWithOwner").lower() == full_name.lower():
            yield node.number("number")
