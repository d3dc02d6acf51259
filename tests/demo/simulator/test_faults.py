from __future__ import annotations

import time

import pytest
import requests

from bot.demo.simulator import ApiLimits, Faults, GitHubSimulator
from tests.demo.simulator.conftest import Receiver, Studio, build


def _statuses(studio: Studio, count: int = 40) -> list[int]:
    call = studio.call()
    studio.github.use(Faults(seed=7, errors=0.3, limited=0.2, retry_after=3))
    found = [call("GET", "/repos/alice/calc").status_code for _ in range(count)]
    studio.github.use(Faults())
    return found


def test_a_share_of_requests_fails(studio: Studio) -> None:
    found = _statuses(studio)
    assert {200, 500, 502, 403, 429} == set(found)
    assert 0.3 < sum(status != 200 for status in found) / len(found) < 0.65
    assert _statuses(studio) == found


def test_limits_on_purpose_say_when_to_come_back(studio: Studio) -> None:
    call = studio.call()
    studio.github.use(Faults(limited=1, retry_after=7))
    answer = call("GET", "/repos/alice/calc")
    assert answer.status_code in (403, 429)
    assert answer.headers["Retry-After"] == "7"


def test_dropped_requests_do_nothing_and_lost_ones_do(studio: Studio) -> None:
    studio.bob.open_issue("alice/calc", "It breaks")
    call = studio.call()
    for faults, comments in ((Faults(dropped=1), 0), (Faults(lost=1), 1)):
        studio.github.use(faults)
        with pytest.raises(requests.ConnectionError):
            call("POST", "/repos/alice/calc/issues/1/comments", json={"body": "x"})
        assert len(studio.github.repository("alice/calc").issues[1].comments) == comments


def test_slow_answers(studio: Studio) -> None:
    call = studio.call()
    studio.github.use(Faults(slow=1, slow_seconds=0.4))
    assert call("GET", "/repos/alice/calc").elapsed.total_seconds() >= 0.4


def test_duplicates_share_their_name(studio: Studio) -> None:
    studio.github.use(Faults(duplicated=1))
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    assert [hook.event for hook in studio.receiver.hooks] == ["issues", "issues"]
    assert len({hook.guid for hook in studio.receiver.hooks}) == 1


def test_events_overtake_each_other(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.demo.simulator.courier._HELD_SECONDS", 30.0)
    studio.github.use(Faults(reordered=1))
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.bob.comment("alice/calc", 1, "really")
    studio.github.settle()
    assert studio.receiver.names() == ["issue_comment.created", "issues.opened"]


def test_events_come_late_or_never(studio: Studio) -> None:
    studio.github.use(Faults(delayed=1, delay_seconds=0.5))
    began = time.monotonic()
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    assert time.monotonic() - began >= 0.5
    assert studio.receiver.names() == ["issues.opened"]
    studio.github.use(Faults(undelivered=1))
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    assert len(studio.receiver.hooks) == 1
    assert not studio.github.deliveries[-1].succeeded


def test_the_primary_limit(receiver: Receiver) -> None:
    with GitHubSimulator(limits=ApiLimits(requests_an_hour=3)) as github:
        studio = build(github, receiver)
        call = studio.call()
        left = [call("GET", "/repos/alice/calc").headers["X-RateLimit-Remaining"] for _ in "abc"]
        assert left == ["2", "1", "0"]
        refused = call("GET", "/repos/alice/calc")
        assert refused.status_code == 403
        assert "API rate limit exceeded for installation ID" in refused.json()["message"]
        assert refused.headers["X-RateLimit-Remaining"] == "0"
        assert call("POST", github.graphql_url, json={"query": "{ __typename }"}).ok
        github.advance(3_500)
        assert call("GET", "/repos/alice/calc").status_code == 403
        github.advance(101)
        assert studio.call()("GET", "/repos/alice/calc").status_code == 200


def test_writing_costs_five_points(receiver: Receiver) -> None:
    with GitHubSimulator(limits=ApiLimits(points_a_minute=20)) as github:
        studio = build(github, receiver)
        studio.bob.open_issue("alice/calc", "It breaks")
        call = studio.call()
        for _ in range(4):
            assert call("POST", "/repos/alice/calc/issues/1/comments", json={"body": "x"}).ok
        refused = call("GET", "/repos/alice/calc")
        assert (refused.status_code, refused.headers["Retry-After"]) == (403, "60")
        assert "secondary rate limit" in refused.json()["message"]
        assert refused.headers["X-RateLimit-Remaining"] != "0"
        github.advance(61)
        assert call("GET", "/repos/alice/calc").ok


def test_contents_are_limited_by_the_minute_and_the_hour(receiver: Receiver) -> None:
    with GitHubSimulator(limits=ApiLimits(contents_a_minute=2, contents_an_hour=3)) as github:
        studio = build(github, receiver)
        studio.bob.open_issue("alice/calc", "It breaks")
        call = studio.call()

        def post() -> requests.Response:
            return call("POST", "/repos/alice/calc/issues/1/comments", json={"body": "x"})

        assert [post().status_code for _ in range(3)] == [201, 201, 403]
        assert call("GET", "/repos/alice/calc").ok
        github.advance(61)
        assert post().headers["Retry-After"] == "3600"


def test_a_hundred_requests_at_once(receiver: Receiver) -> None:
    with GitHubSimulator(limits=ApiLimits(concurrent=0)) as github:
        studio = build(github, receiver)
        assert studio.as_app("GET", "/app").status_code == 403
