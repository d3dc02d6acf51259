from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.demo.simulator.conftest import Client, Studio

ACTIONS = [{"label": "Add tests", "description": "Commit the tests here", "identifier": "add"}]


def _annotation(line: int) -> dict[str, Any]:
    level = {"annotation_level": "warning", "message": "not executed"}
    return {"path": "calc.py", "start_line": line, "end_line": line, **level}


def _output(*lines: int) -> dict[str, Any]:
    return {"title": "t", "summary": "s", "annotations": [_annotation(one) for one in lines]}


def test_the_life_of_a_check_run(studio: Studio) -> None:
    studio.pull()
    head = studio.github.repository("alice/calc").git.resolve("fix")
    run = studio.repo().create_check_run(
        "fixgate", head, status="in_progress", started_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert (run.status, run.conclusion) == ("in_progress", None)
    run.edit(output=_output(*range(1, 51)))
    run.edit(output=_output(*range(51, 71)), conclusion="success", actions=ACTIONS)
    assert (run.status, run.conclusion, run.output.annotations_count) == (
        "completed",
        "success",
        70,
    )
    assert run.completed_at is not None
    lines = [one.start_line for one in run.get_annotations()]
    assert lines == list(range(1, 71))
    assert [one.number for one in run.pull_requests] == [1]
    studio.github.settle()
    assert [name for name in studio.receiver.names() if "check" in name] == [
        "check_suite.requested",
        "check_run.created",
        "check_run.completed",
    ]


def test_the_latest_run_of_a_name_counts(studio: Studio) -> None:
    head = studio.github.repository("alice/calc").git.resolve("main")
    repo = studio.repo()
    repo.create_check_run("fixgate", head, conclusion="failure")
    repo.create_check_run("fixgate", head, conclusion="neutral")
    repo.create_check_run("other", head, status="queued")
    path = f"/repos/alice/calc/commits/{head}/check-runs"
    call = studio.call()
    told = call("GET", path).json()
    assert [(one["name"], one["conclusion"]) for one in told["check_runs"]] == [
        ("fixgate", "neutral"),
        ("other", None),
    ]
    assert call("GET", f"{path}?filter=all").json()["total_count"] == 3
    assert call("GET", f"{path}?check_name=other").json()["total_count"] == 1


def test_reruns_and_buttons(studio: Studio) -> None:
    head = studio.github.repository("alice/calc").git.resolve("main")
    run = studio.repo().create_check_run("fixgate", head, conclusion="neutral", actions=ACTIONS)
    studio.github.settle()
    studio.receiver.hooks.clear()
    studio.bob.request_rerun("alice/calc", run.id)
    studio.bob.request_rerun_all("alice/calc", run.id)
    studio.bob.press_button("alice/calc", run.id, "add")
    with pytest.raises(ValueError, match="no button remove"):
        studio.bob.press_button("alice/calc", run.id, "remove")
    studio.github.settle()
    assert studio.receiver.names() == [
        "check_run.rerequested",
        "check_suite.rerequested",
        "check_run.requested_action",
    ]
    pressed = studio.receiver.hooks[-1].payload
    assert pressed["requested_action"] == {"identifier": "add"}
    assert pressed["sender"]["login"] == "bob"
    assert pressed["check_run"]["id"] == run.id
    suite = studio.receiver.hooks[1].payload["check_suite"]
    assert (suite["status"], suite["head_branch"]) == ("queued", "main")


def test_suites_of_forks_know_neither_branch_nor_pull(studio: Studio) -> None:
    studio.github.grant("alice/calc", "eve", "read")
    fork = studio.eve.fork("alice/calc")
    head = studio.eve.push(fork, "idea", {"calc.py": "\n"})
    studio.eve.open_pull("alice/calc", "idea", "Idea", fork=fork)
    run = studio.repo().create_check_run("fixgate", head, status="queued")
    studio.bob.request_rerun_all("alice/calc", run.id)
    studio.github.settle()
    suite = studio.receiver.named("check_suite", "rerequested")[0].payload["check_suite"]
    assert (suite["head_branch"], suite["pull_requests"]) == (None, [])


def test_a_run_belongs_to_the_app_that_made_it(studio: Studio) -> None:
    head = studio.github.repository("alice/calc").git.resolve("main")
    run = studio.repo().create_check_run("fixgate", head, status="queued")
    path = f"/repos/alice/calc/check-runs/{run.id}"
    studio.github.create_app(
        "other",
        {"checks": "write"},
        [],
        owner="alice",
        webhook_url="",
        private_key=studio.app.private_key,
    )
    other = studio.github.world.apps[max(studio.github.world.apps)]
    installation = studio.alice.install(other.id)
    token = _token(studio, other.client_id, installation)
    refused = Client(studio.github.api_url, token)("PATCH", path, json={"status": "in_progress"})
    assert refused.status_code == 403
    assert "only be modified by the GitHub App" in refused.json()["message"]


def _token(studio: Studio, client_id: str, installation: int) -> str:
    client = Client(studio.github.api_url, studio.jwt(iss=client_id))
    path = f"/app/installations/{installation}/access_tokens"
    token: str = client("POST", path).json()["token"]
    return token


def test_a_thousand_runs_of_a_name(studio: Studio) -> None:
    world = studio.github.world
    head = studio.github.repository("alice/calc").git.resolve("main")
    first = studio.repo().create_check_run("fixgate", head, conclusion="success")
    suite = studio.github.check_runs("alice/calc", head)[0].suite
    suite.runs += suite.runs * 999
    studio.repo().create_check_run("fixgate", head, conclusion="failure")
    with world.lock:
        assert len(suite.runs) == 1_000
    assert suite.runs[-1].id != first.id
