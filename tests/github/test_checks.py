from __future__ import annotations

import dataclasses

import pytest

from bot.demo.simulator import Faults
from bot.demo.simulator.records import CheckRun
from bot.errors import ForbiddenError, GitHubError
from bot.github.app import AppClient, PrivateKey
from bot.github.client import InstalledGitHub
from bot.github.types import Annotation, Button, Conclusion
from tests.github.conftest import Room, check


def _runs(room: Room) -> list[CheckRun]:
    return room.github.check_runs("alice/calc", room.head())


def _annotation(line: int) -> Annotation:
    return Annotation("calc.py", line, line, "warning", f"line {line} is not executed", "Untested")


def test_a_check_in_progress_and_then_concluded_is_one(room: Room) -> None:
    repository, head = room.repository(), room.head()
    first = repository.put_check(check(head, title="Judging"))
    (run,) = _runs(room)
    assert (run.status, run.name, run.external_id) == (
        "in_progress",
        "fixgate",
        "verify:alice/calc:1:0",
    )
    button = Button("Re-run", "Judge again", "rerun")
    done = check(head, conclusion=Conclusion.SUCCESS, buttons=(button,), text="Details")
    assert repository.put_check(done) == first == run.id
    (run,) = _runs(room)
    assert (run.status, run.conclusion, run.title) == ("completed", "success", "Fixes #1")
    assert run.text == "Details"
    assert run.actions == [{"label": "Re-run", "description": "Judge again", "identifier": "rerun"}]


def test_another_client_finds_the_same_check(room: Room) -> None:
    first = room.repository().put_check(check(room.head()))
    again = room.repository().put_check(check(room.head(), conclusion=Conclusion.NEUTRAL))
    assert first == again
    assert len(_runs(room)) == 1


def test_another_round_is_another_check(room: Room) -> None:
    repository, head = room.repository(), room.head()
    ids = {repository.put_check(check(head, key=f"round {number}")) for number in range(3)}
    assert len(ids) == 3
    assert repository.put_check(check(head, key="round 0")) == min(ids)


def test_a_concluded_check_does_not_go_back(room: Room) -> None:
    repository, head = room.repository(), room.head()
    done = check(head, conclusion=Conclusion.FAILURE, title="Refused")
    number = repository.put_check(done)
    assert repository.put_check(check(head, title="Judging")) == number
    (run,) = _runs(room)
    assert (run.conclusion, run.title) == ("failure", "Refused")


@pytest.mark.parametrize("seed", range(6))
def test_a_check_that_ends_while_a_change_is_tried_again_stays_so(room: Room, seed: int) -> None:
    repository, ended = room.repository(), list[float]()
    repository.put_check(check(room.head(), title="Judging"))

    def end_it(seconds: float) -> None:
        ended.append(seconds)
        room.github.use(Faults())
        repository.put_check(check(room.head(), conclusion=Conclusion.SUCCESS))

    connection = dataclasses.replace(room.connection, sleep=end_it)
    late = InstalledGitHub(room.minter(), connection)
    room.github.use(Faults(seed=seed, lost=0.5))
    late.repository(room.studio.installation, room.studio.repository).put_check(
        check(room.head(), title="Waiting")
    )
    (run,) = _runs(room)
    assert (run.status == "completed") is bool(ended)


@pytest.mark.parametrize("count", [0, 1, 49, 50, 51, 120])
def test_annotations_come_in_portions_and_once(room: Room, count: int) -> None:
    repository = room.repository()
    many = tuple(_annotation(line) for line in range(1, count + 1))
    done = check(room.head(), conclusion=Conclusion.SUCCESS, annotations=many)
    repository.put_check(done)
    repository.put_check(done)
    (run,) = _runs(room)
    assert [one["start_line"] for one in run.annotations] == list(range(1, count + 1))
    assert (run.conclusion, run.title) == ("success", "Fixes #1")
    more = (*many, _annotation(999))
    repository.put_check(check(room.head(), conclusion=Conclusion.SUCCESS, annotations=more))
    assert len(run.annotations) == count + 1


def test_only_the_last_portion_concludes(room: Room) -> None:
    many = tuple(_annotation(line) for line in range(1, 102))
    repository = room.repository()
    repository.put_check(check(room.head(), conclusion=Conclusion.SUCCESS, annotations=many))
    room.github.settle()
    names = room.studio.receiver.names()
    assert names.count("check_run.completed") == 1
    assert room.asked("POST", "/check-runs") == 1
    assert room.asked("PATCH", f"/check-runs/{_runs(room)[0].id}") == 2


def test_what_is_too_long_is_cut(room: Room) -> None:
    long = Annotation("calc.py", 1, 2, "notice", "𝄞" * 70_000, "t" * 300)
    words = {"title": "t" * 300, "summary": "s" * 70_000, "text": "x" * 70_000}
    buttons = tuple(Button("l" * 30, "d" * 50, f"button {at}") for at in range(4))
    done = check(room.head(), annotations=(long,), buttons=buttons, **words)
    for _ in "ab":
        room.repository().put_check(done)
    (run,) = _runs(room)
    assert len(run.annotations) == 1
    assert [one["identifier"] for one in run.actions] == ["button 0", "button 1", "button 2"]
    assert len(run.summary or "") == len(run.text or "") == 65_535


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_faults_leave_one_check_without_doubled_annotations(room: Room, seed: int) -> None:
    repository = room.repository()
    many = tuple(_annotation(line) for line in range(1, 71))
    room.github.use(Faults(seed=seed, errors=0.1, dropped=0.1, lost=0.2))
    repository.put_check(check(room.head(), title="Judging"))
    repository.put_check(check(room.head(), conclusion=Conclusion.SUCCESS, annotations=many))
    (run,) = _runs(room)
    assert [one["start_line"] for one in run.annotations] == list(range(1, 71))
    assert run.conclusion == "success"
    assert room.waits


def test_checks_of_other_apps_are_left_alone(room: Room) -> None:
    other = room.github.create_app(
        "other", {"checks": "write"}, [], owner="alice", webhook_url=room.studio.receiver.url
    )
    installation = room.studio.alice.install(other.app_id)
    key = PrivateKey(other.private_key.encode(), "other")
    app = AppClient(other.client_id, key, room.connection)
    value = app.create_token(installation, "alice/calc", {"checks": "write"}).value.reveal()
    made = room.studio.anonymous(
        "POST",
        "/repos/alice/calc/check-runs",
        headers={"Authorization": f"Bearer {value}"},
        json={"name": "fixgate", "head_sha": room.head(), "external_id": "verify:alice/calc:1:0"},
    )
    assert made.status_code == 201
    mine = room.repository().put_check(check(room.head()))
    assert mine != made.json()["id"]


def test_who_may_only_read_makes_no_check(room: Room) -> None:
    with pytest.raises(ForbiddenError, match="Resource not accessible by integration"):
        room.repository(write=False).put_check(check(room.head()))


def test_an_unknown_head_is_told(room: Room) -> None:
    with pytest.raises(GitHubError, match="No commit found for SHA"):
        room.repository().put_check(check("0" * 40))
