from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from typing import Any

import pytest

from bot.demo.simulator import Faults
from bot.errors import ForbiddenError, GitHubError, NotFoundError, RateLimitedError
from bot.github.api import Api, Connection, InvalidError, UncertainError
from bot.github.models import Payload
from bot.github.retrying import ApiRetryPolicy, is_limit, seconds_to_wait
from generator.model.secret import Secret
from tests.github.conftest import Room


def _api(room: Room, **policy: Any) -> Api:
    """With one token, so that faults hit only what is asked."""
    token = Secret(room.studio.token(), "the test")
    given = {"attempts": 3, **policy}
    connection = Connection(room.github.api_url, ApiRetryPolicy(**given), sleep=room.waits.append)
    return Api(connection, lambda: token)


class Named(Payload):
    name: str


class Found(Payload):
    class Repository(Payload):
        id: str

    repository: Repository


def test_faults_that_pass_are_not_seen(room: Room) -> None:
    api = _api(room, attempts=10)
    room.github.use(Faults(seed=5, errors=0.2, dropped=0.2))
    for _ in range(10):
        assert api.get(Named, "/repos/alice/calc").name == "calc"
    assert set(room.waits) >= {1.0, 2.0}


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        (Faults(errors=1), "GET /repos/alice/calc: 50[02] Server Error"),
        (Faults(dropped=1), "GET /repos/alice/calc: GitHub cannot be reached: ConnectionError"),
    ],
)
def test_faults_that_stay_are_told_after_some_attempts(
    room: Room, faults: Faults, told: str
) -> None:
    api = _api(room, attempts=5, longest_wait=6)
    room.github.use(faults)
    with pytest.raises(UncertainError, match=told):
        api.get(Named, "/repos/alice/calc")
    assert room.waits == [1.0, 2.0, 4.0, 6.0]


def test_what_must_not_be_done_twice_is_not(room: Room) -> None:
    api = _api(room)
    room.studio.bob.open_issue("alice/calc", "It breaks")
    room.github.use(Faults(lost=1))
    with pytest.raises(UncertainError):
        api.send("POST", "/repos/alice/calc/issues/1/comments", {"body": "x"}, repeatable=False)
    assert len(room.github.repository("alice/calc").issues[1].comments) == 1
    assert room.waits == []


def test_a_short_limit_is_waited_for(room: Room) -> None:
    api = _api(room, attempts=20, longest_wait=60)
    room.github.use(Faults(seed=3, limited=0.6, retry_after=7))
    for _ in range(5):
        api.get(Named, "/repos/alice/calc")
    assert set(room.waits) == {7.0}


def test_a_long_limit_is_told_with_its_seconds(room: Room) -> None:
    api = _api(room, longest_wait=60)
    room.github.use(Faults(limited=1, retry_after=61))
    with pytest.raises(RateLimitedError, match="come back in 61 s") as caught:
        api.get(Named, "/repos/alice/calc")
    assert caught.value.seconds == 61
    assert room.waits == []


def test_the_hourly_limit_is_told_with_its_reset(tight_room: Room) -> None:
    repository = tight_room.repository()
    assert {repository.default_branch() for _ in range(6)} == {"main"}
    with pytest.raises(RateLimitedError) as caught:
        repository.default_branch()
    assert 3_500 < caught.value.seconds < 3_610
    assert tight_room.waits == []


@pytest.mark.parametrize(
    ("headers", "attempt", "seconds"),
    [
        ({"retry-after": "5", "x-ratelimit-remaining": "0"}, 0, 5),
        ({"retry-after": "0"}, 3, 0),
        ({"retry-after": "soon"}, 0, 60),
        ({"x-ratelimit-remaining": "7", "x-ratelimit-reset": "9999999999"}, 0, 60),
        ({"x-ratelimit-remaining": "0"}, 0, 60),
        ({}, 0, 60),
        ({}, 1, 120),
        ({}, 3, 480),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], attempt: int, seconds: float) -> None:
    assert seconds_to_wait(headers, attempt) == seconds


def test_resets_are_measured_by_githubs_clock() -> None:
    there = time.time() + 5_000
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(there) + 100)}
    assert 99 < seconds_to_wait({**headers, "date": formatdate(there, usegmt=True)}, 0) < 103
    assert 5_098 < seconds_to_wait(headers, 0) < 5_103
    assert 5_098 < seconds_to_wait({**headers, "date": "yesterday"}, 0) < 5_103


@pytest.mark.parametrize(
    ("status", "headers", "body", "limit"),
    [
        (429, {}, "", True),
        (403, {"retry-after": "1"}, "", True),
        (403, {"x-ratelimit-remaining": "0"}, "", True),
        (403, {}, "You have exceeded a secondary rate limit.", True),
        (403, {}, "You have triggered an abuse detection mechanism", True),
        (403, {"x-ratelimit-remaining": "12"}, "Resource not accessible by integration", False),
        (404, {"x-ratelimit-remaining": "0"}, "rate limit", False),
        (500, {"retry-after": "1"}, "", False),
    ],
)
def test_what_is_a_limit(status: int, headers: dict[str, str], body: str, limit: bool) -> None:
    assert is_limit(status, headers, body) is limit


def test_refusals_tell_what_github_said(room: Room) -> None:
    api = _api(room)
    with pytest.raises(NotFoundError, match=r"GET /repos/alice/none: 404 Not Found \("):
        api.get(Named, "/repos/alice/none")
    room.studio.bob.open_issue("alice/calc", "It breaks")
    with pytest.raises(InvalidError, match=r'422 Validation Failed \[\{"resource": "IssueComment"'):
        api.send("POST", "/repos/alice/calc/issues/1/comments", {"body": " "})
    stale = Api(room.connection, lambda: Secret("ghs_notatoken", "the test"))
    with pytest.raises(GitHubError, match="401 Bad credentials") as caught:
        stale.get(Named, "/repos/alice/calc")
    assert not isinstance(caught.value, ForbiddenError)


def test_queries(room: Room) -> None:
    api = _api(room)
    text = (
        "query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }"
    )
    assert api.query(Found, text, owner="alice", name="calc").repository.id
    with pytest.raises(NotFoundError, match="Could not resolve to a Repository"):
        api.query(Found, text, owner="alice", name="none")
    with pytest.raises(GitHubError, match="GraphQL: Syntax Error"):
        api.query(Found, "query {")


def test_a_github_enterprise(enterprise_room: Room) -> None:
    room = enterprise_room
    issue = room.studio.bob.open_issue("alice/calc", "It breaks")
    number = room.studio.pull(body=f"Fixes #{issue}")
    for _ in range(101):
        room.studio.bob.comment("alice/calc", issue, "+1")
    repository = room.repository()
    assert room.github.api_url.endswith("/api/v3")
    assert repository.issues_closed_by(number) == (issue,)
    first = repository.put_comment(issue, "<!-- m -->", "a")
    assert repository.put_comment(issue, "<!-- m -->", "b") == first
    url, _ = repository.clone_source()
    assert url == f"{room.github.web_url}/alice/calc.git"


def test_threads_may_share_a_client(room: Room) -> None:
    repository = room.repository()
    numbers = [room.studio.bob.open_issue("alice/calc", f"Issue {at}") for at in range(12)]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(repository.issue, numbers))
    assert [one.title for one in found] == [f"Issue {at}" for at in range(12)]


def test_nobody_listens() -> None:
    api = Api(
        Connection("http://127.0.0.1:9", ApiRetryPolicy(attempts=2), sleep=lambda _: None), None
    )
    with pytest.raises(UncertainError, match="cannot be reached"):
        api.get(Named, "/app")
