"""Wrong requests, and how each is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bot.demo.simulator import GitHubSimulator
from tests.demo.simulator.conftest import Studio, build, receiving

SHA = "a" * 40


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """One for all: what is refused changes nothing."""
    with receiving() as receiver, GitHubSimulator() as github:
        made = build(github, receiver)
        made.alice.open_issue("alice/calc", "It breaks", "", ["bug"])
        made.pull()
        yield made


OUTPUT = {"title": "t", "summary": "s"}


def _annotation(**more: Any) -> dict[str, Any]:
    plain = {"path": "a.py", "start_line": 1, "end_line": 1}
    return {**plain, "annotation_level": "warning", "message": "m", **more}


def _output(**more: Any) -> dict[str, Any]:
    return {"output": {**OUTPUT, **more}}


COMMENTS: list[tuple[Any, int, str]] = [
    ({}, 422, '"body" wasn\'t supplied.'),
    ({"body": 5}, 422, "5 is not a string"),
    ({"body": None}, 422, "null is not a string"),
    ({"body": " "}, 422, "Validation Failed"),
    ({"body": "y" * 65537}, 422, "Validation Failed"),
    ({"body": "x", "bodies": []}, 422, '"bodies" is not a permitted key.'),
    ("[]", 400, "Body should be a JSON object"),
    ("{", 400, "Problems parsing JSON"),
]


@pytest.mark.parametrize(("body", "status", "message"), COMMENTS)
def test_comments(studio: Studio, body: Any, status: int, message: str) -> None:
    sent = {"data": body} if isinstance(body, str) else {"json": body}
    answer = studio.call()("POST", "/repos/alice/calc/issues/1/comments", **sent)
    assert answer.status_code == status
    assert message in answer.json()["message"]
    assert studio.github.repository("alice/calc").issues[1].comments == []


CHECKS: list[tuple[dict[str, Any], str]] = [
    ({"name": None}, "null is not a string"),
    ({"head_sha": SHA}, f"No commit found for SHA: {SHA}"),
    ({"head_sha": "main"}, "does not fit"),
    ({"status": "completed"}, '"conclusion" wasn\'t supplied.'),
    ({"status": "done"}, "is not one of"),
    ({"conclusion": "good"}, "is not one of"),
    ({"conclusion": "stale"}, "is not one of"),
    ({"details_url": "ftp://x"}, "does not fit"),
    ({"started_at": "yesterday"}, "is not a valid date-time"),
    ({"started_at": "2026-01-01T00:00:00"}, "is not a valid date-time"),
    ({"output": {"title": "t"}}, '"summary" wasn\'t supplied.'),
    ({"output": {"summary": "s"}}, '"title" wasn\'t supplied.'),
    (_output(summary="x" * 65536), "Only 65535 characters are allowed; 65536 were supplied."),
    (_output(text="x" * 65536), "Only 65535 characters"),
    (_output(annotations=[_annotation()] * 51), "No more than 50 items are allowed; 51"),
    (_output(annotations=[_annotation(start_line=2)]), "start_line must be less"),
    (_output(annotations=[_annotation(end_line=2, start_column=1)]), "Columns are only allowed"),
    (_output(annotations=[_annotation(annotation_level="error")]), "is not one of"),
    (_output(annotations=[_annotation(title="x" * 256)]), "Only 255 characters"),
    (_output(annotations=[_annotation(message="x" * 65537)]), "message is too long"),
    (_output(annotations=[_annotation(raw_details="é" * 32769)]), "raw_details is too long"),
    (_output(annotations=[{"path": "a.py"}]), "wasn't supplied"),
    ({"actions": [{"label": "x" * 21, "description": "d", "identifier": "i"}]}, "Only 20"),
    ({"actions": [{"label": "l", "description": "x" * 41, "identifier": "i"}]}, "Only 40"),
    ({"actions": [{"label": "l", "description": "d", "identifier": "x" * 21}]}, "Only 20"),
    ({"actions": [{"label": "l", "description": "d"}]}, '"identifier" wasn\'t supplied.'),
    (
        {"actions": [{"label": "l", "description": "d", "identifier": "i"}] * 4},
        "No more than 3 items",
    ),
    ({"check_suite_id": 5}, "is not a permitted key"),
]


@pytest.mark.parametrize(("change", "message"), CHECKS)
def test_check_runs(studio: Studio, change: dict[str, Any], message: str) -> None:
    head = studio.github.repository("alice/calc").git.resolve("main")
    body = {"name": "fixgate", "head_sha": head, **change}
    answer = studio.call()("POST", "/repos/alice/calc/check-runs", json=body)
    assert answer.status_code == 422
    assert message in answer.json()["message"]
    assert studio.github.check_runs("alice/calc", head) == []


OTHERS: list[tuple[str, str, Any, int, str]] = [
    ("GET", "/nothing", None, 404, "Not Found"),
    ("PATCH", "/app-manifests/x/conversions", None, 404, "Not Found"),
    ("POST", "/app-manifests/x/conversions", None, 404, "Not Found"),
    ("GET", "/repos/alice/nothing", None, 404, "Not Found"),
    ("GET", "/repos/alice/calc/issues/99", None, 404, "Not Found"),
    ("GET", "/repos/alice/calc/pulls/1", None, 404, "Not Found"),
    ("GET", "/repos/alice/calc/pulls?state=broken", None, 422, "state"),
    ("GET", "/repos/alice/calc/pulls?stat=open", None, 422, "not a permitted parameter"),
    ("GET", "/repos/alice/calc/pulls?per_page=many", None, 422, "per_page"),
    ("PATCH", "/repos/alice/calc/issues/comments/5", {"body": "x"}, 404, "Not Found"),
    ("POST", "/repos/alice/calc/issues/1/labels", {"labels": "bug"}, 422, "is not an array"),
    ("POST", "/repos/alice/calc/issues/1/labels", {"labels": [1]}, 422, "1 is not a string"),
    ("DELETE", "/repos/alice/calc/issues/1/labels/none", None, 404, "Label does not exist"),
    (
        "POST",
        "/repos/alice/calc/issues/comments/5/reactions",
        {"content": "wow"},
        422,
        "is not one of",
    ),
    ("GET", "/repos/alice/calc/collaborators/nobody/permission", None, 404, "Not Found"),
    ("GET", "/repos/alice/calc/contents/none.py", None, 404, "Not Found"),
    ("GET", "/repos/alice/calc/contents/calc.py?ref=none", None, 404, "No commit found"),
    (
        "GET",
        "/repos/alice/calc/commits/none/check-runs",
        None,
        422,
        "No commit found for SHA: none",
    ),
    ("GET", "/repos/alice/calc/check-runs/5/annotations", None, 404, "Not Found"),
    ("PATCH", "/repos/alice/calc/git/refs/heads/main", {"sha": SHA}, 422, "Object"),
    ("PATCH", "/repos/alice/calc/git/refs/heads/none", {"sha": SHA}, 422, "does not exist"),
    ("GET", "/repos/alice/calc/git/ref/heads/none", None, 404, "Not Found"),
    ("GET", f"/repos/alice/calc/git/blobs/{SHA}", None, 404, "Not Found"),
    (
        "POST",
        "/repos/alice/calc/git/blobs",
        {"content": "*", "encoding": "base64"},
        422,
        "Base64",
    ),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "message"), OTHERS)
def test_others(
    studio: Studio, method: str, path: str, body: Any, status: int, message: str
) -> None:
    answer = studio.call()(method, path, json=body)
    told = answer.json()
    assert answer.status_code == status
    assert message in told["message"]
    assert told["documentation_url"].startswith("https://docs.github.com/rest")
    assert told["status"] == str(status)


NEEDS = [
    ("GET", "/issues/1", "issues"),
    ("POST", "/issues/1/comments", "issues"),
    ("GET", "/pulls", "pull_requests"),
    ("GET", "/contents/calc.py", "contents"),
    ("POST", "/git/blobs", "contents"),
    ("PATCH", "/git/refs/heads/main", "contents"),
    ("POST", "/check-runs", "checks"),
    ("GET", "/commits/main/check-runs", "checks"),
    ("GET", "/git/trees/main", "contents"),
]


@pytest.mark.parametrize(("method", "path", "permission"), NEEDS)
def test_each_permission_is_needed(studio: Studio, method: str, path: str, permission: str) -> None:
    others = {
        name: "read"
        for name in ("issues", "pull_requests", "contents", "checks")
        if name != permission and {name, permission} != {"issues", "pull_requests"}
    }
    refused = studio.call(permissions=others)(method, f"/repos/alice/calc{path}", json={})
    told = {one.partition("=")[0] for one in _accepted(studio, method, path).split("; ")}
    assert refused.status_code == 403
    assert refused.json()["message"] == "Resource not accessible by integration"
    assert permission in told or method != "GET"


def _accepted(studio: Studio, method: str, path: str) -> str:
    answer = studio.call()(method, f"/repos/alice/calc{path}", json={})
    return answer.headers.get("X-Accepted-GitHub-Permissions", "")


def test_writing_is_not_reading(studio: Studio) -> None:
    call = studio.call(permissions={"issues": "read", "checks": "read"})
    comment = call("POST", "/repos/alice/calc/issues/1/comments", json={"body": "x"})
    run = call("POST", "/repos/alice/calc/check-runs", json={})
    assert (comment.status_code, run.status_code) == (403, 403)


def test_a_token_for_pulls_does_not_write_on_issues(studio: Studio) -> None:
    issue, pull = 1, 2
    call = studio.call(permissions={"pull_requests": "write"})
    path = "/repos/alice/calc/issues/{}/comments"
    assert call("POST", path.format(pull), json={"body": "x"}).status_code == 201
    assert call("POST", path.format(issue), json={"body": "x"}).status_code == 403
