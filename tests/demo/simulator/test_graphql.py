from __future__ import annotations

from typing import Any

import pytest

from tests.demo.simulator.conftest import Studio

QUERY = """
query ($owner: String!, $name: String!, $number: Int!, $first: Int, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: $first, after: $after) {
        nodes { number repository { nameWithOwner } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""


def _ask(studio: Studio, number: int, **more: Any) -> dict[str, Any]:
    variables = {"owner": "alice", "name": "calc", "number": number, "first": 10, **more}
    body = {"query": QUERY, "variables": variables}
    answer = studio.call()("POST", studio.github.graphql_url, json=body)
    assert answer.status_code == 200
    told: dict[str, Any] = answer.json()
    return told


def _references(told: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = told["data"]["repository"]["pullRequest"]["closingIssuesReferences"]
    return found


def _numbers(told: dict[str, Any]) -> list[int]:
    return [one["number"] for one in _references(told)["nodes"]]


@pytest.mark.parametrize(
    ("body", "closed"),
    [
        ("Fixes #1", [1]),
        ("fix #1, closes: #2", [1, 2]),
        ("RESOLVED alice/calc#2", [2]),
        ("This fixes nothing: #1", []),
        ("Prefixes #1", []),
        ("Fixes #99", []),
    ],
)
def test_keywords(studio: Studio, body: str, closed: list[int]) -> None:
    for title in ("one", "two"):
        studio.bob.open_issue("alice/calc", title)
    number = studio.pull(body=body)
    assert _numbers(_ask(studio, number)) == closed


def test_links_by_hand_are_told_too(studio: Studio) -> None:
    for title in ("one", "two"):
        studio.bob.open_issue("alice/calc", title)
    number = studio.pull(body="Fixes #2")
    studio.bob.link_issue("alice/calc", number, 1)
    assert _numbers(_ask(studio, number)) == [2, 1]
    first = _references(_ask(studio, number, first=1))
    assert first["pageInfo"]["hasNextPage"]
    after = first["pageInfo"]["endCursor"]
    assert _numbers(_ask(studio, number, first=1, after=after)) == [1]


def test_keywords_count_only_for_the_default_branch(studio: Studio) -> None:
    studio.bob.open_issue("alice/calc", "one")
    studio.bob.push("alice/calc", "next", {"other.py": "\n"})
    studio.bob.push("alice/calc", "fix", {"calc.py": "\n"})
    number = studio.bob.open_pull("alice/calc", "fix", "Fix", "Fixes #1", base="next")
    assert _numbers(_ask(studio, number)) == []


@pytest.mark.parametrize(
    ("variables", "kind", "message"),
    [
        ({"name": "nothing"}, "NOT_FOUND", "Could not resolve to a Repository"),
        ({"number": 99}, "NOT_FOUND", "Could not resolve to a PullRequest with the number of 99."),
        ({"first": None}, "MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last`"),
        ({"first": 101}, "EXCESSIVE_PAGINATION", "exceeds the `first` limit of 100"),
        ({"number": "x"}, None, "Int cannot represent"),
    ],
)
def test_errors(studio: Studio, variables: dict[str, Any], kind: str | None, message: str) -> None:
    number = studio.pull()
    error = _ask(studio, **{"number": number, **variables})["errors"][0]
    assert error.get("type") == kind
    assert message in error["message"]


def test_unknown_fields_and_wrong_requests(studio: Studio) -> None:
    call, url = studio.call(), studio.github.graphql_url
    told = call("POST", url, json={"query": "{ viewer { login } }"}).json()
    assert "Cannot query field 'viewer'" in told["errors"][0]["message"]
    assert call("POST", url, json={}).status_code == 400
    assert call("POST", url, data="{").status_code == 400
    assert studio.anonymous("POST", url, json={"query": "{ __typename }"}).status_code == 401


def test_permissions_are_needed(studio: Studio) -> None:
    number = studio.pull()
    body = {
        "query": 'query($n: Int!) { repository(owner: "alice", name: "calc") '
        "{ pullRequest(number: $n) { number } } }",
        "variables": {"n": number},
    }
    call = studio.call(permissions={"issues": "read"})
    error = call("POST", studio.github.graphql_url, json=body).json()["errors"][0]
    assert error["type"] == "FORBIDDEN"
    assert error["message"] == "Resource not accessible by integration"
