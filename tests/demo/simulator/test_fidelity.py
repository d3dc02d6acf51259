"""The simulator beside what GitHub publishes of itself."""

from __future__ import annotations

import inspect
import json
import os
import signal
import subprocess
import sys
from importlib import import_module
from typing import Any

import github as pygithub
import pytest
import requests

from bot.demo.simulator import MisfitError, description
from bot.demo.simulator.server import create_app
from tests.demo.simulator.conftest import Client, Studio

ACTED = {
    "issues": ("opened", "edited", "labeled", "reopened"),
    "issue_comment": ("created", "edited"),
    "pull_request": ("opened", "synchronize", "closed", "labeled", "reopened"),
    "check_run": ("created", "completed", "rerequested", "requested_action"),
    "check_suite": ("requested", "rerequested"),
    "installation": ("created", "suspend", "unsuspend", "deleted"),
    "push": (None,),
}
"""What `_story` makes happen, and the published examples show."""


def _routes() -> list[tuple[str, str, str]]:
    app = create_app(enterprise=False)
    found = []
    for rule in app.url_map.iter_rules():
        operation_of = getattr(app.view_functions[rule.endpoint], "operation", None)
        if operation_of and "/" in operation_of:
            method = next(iter((rule.methods or set()) - {"HEAD", "OPTIONS"}))
            found.append((operation_of, method, rule.rule))
    return found


def _parts(path: str) -> list[str]:
    """A path without the names of its parameters."""
    return ["*" if one.startswith(("<", "{")) else one for one in path.strip("/").split("/")]


def test_every_endpoint_is_one_of_githubs() -> None:
    routes = _routes()
    assert len(routes) > 25
    for operation, method, path in routes:
        category, name = operation.replace("-", "_").split("/")
        module = import_module(f"githubkit_schemas.v2026_03_10.rest.{category}")
        client = getattr(module, f"{category.title().replace('_', '')}Client")
        told = inspect.getdoc(getattr(client, name)) or ""
        published = told.split("\n")[2].strip()
        assert published.split(" ")[0] == method, operation
        assert _parts(published.split(" ")[1]) == _parts(
            f"{path}<>" if path[-1] == "/" else path
        ), operation


def test_an_answer_that_does_not_fit_is_a_fault_of_the_simulator() -> None:
    operation = description.operation("issues/get")
    assert operation is not None
    with pytest.raises(MisfitError, match="node_id: Field required"):
        operation.check_answer(b'{"id": 5}')
    with pytest.raises(MisfitError, match="issues opened"):
        description.check_event("issues", "opened", {"action": "opened"})


_OF_ONE_ACCOUNT = (".permissions.", ".milestone.", ".organization", ".issue.draft")
"""What examples show of the account in which they were taken."""


def _story(studio: Studio) -> None:
    who, at = studio.bob, "alice/calc"
    number = who.open_issue(at, "add is wrong", "1 + 1 = 0", ["bug"])
    who.comment(at, number, "/fixgate reproduce")
    studio.repo().get_issue(number).create_comment("working").edit("done")
    who.edit_issue(at, number, title="add subtracts")
    who.close_issue(at, number)
    who.reopen_issue(at, number)
    pull = studio.pull(body=f"Fixes #{number}")
    head = who.push(at, "fix", {"calc.py": "\n"})
    who.label(at, pull, "fixgate")
    who.edit_pull(at, pull, title="Fix it")
    who.close_pull(at, pull)
    who.reopen_pull(at, pull)
    button = {"label": "l", "description": "d", "identifier": "i"}
    run = studio.repo().create_check_run("fixgate", head, conclusion="success", actions=[button])
    who.request_rerun(at, run.id)
    who.request_rerun_all(at, run.id)
    who.press_button(at, run.id, "i")
    studio.alice.merge(at, pull)
    studio.alice.suspend(studio.installation)
    studio.alice.unsuspend(studio.installation)
    studio.alice.uninstall(studio.installation)
    studio.github.settle()


def _told(value: object, place: str = "") -> dict[str, bool]:
    """The places of all values below one (lists: items in one place); whether they hold any."""
    if isinstance(value, list):
        return {key: any_ for item in value for key, any_ in _told(item, f"{place}[]").items()}
    if not isinstance(value, dict):
        return {}
    here = {f"{place}.{name}": item not in (None, [], {}) for name, item in value.items()}
    for name, item in value.items():
        here |= _told(item, f"{place}.{name}")
    return here


def _keys(value: object) -> set[str]:
    return set(_told(value))


@pytest.mark.network
def test_events_have_all_keys_of_the_published_examples(
    studio: Studio, webhook_examples: list[tuple[str, dict[str, Any]]]
) -> None:
    _story(studio)
    sent: dict[tuple[str, str | None], dict[str, Any]] = {
        (one.parcel.event, one.parcel.action): one.parcel.payload
        for one in studio.github.deliveries
    }
    problems = []
    for event, actions in ACTED.items():
        for action in actions:
            shown = [
                e for name, e in webhook_examples if (name, e.get("action")) == (event, action)
            ]
            assert shown, (event, action)
            told = _told(sent[event, action])
            problems += [
                f"{event}.{action}: {key}"
                for key in sorted(set.intersection(*map(_keys, shown)) - told.keys())
                if not any(part in key for part in _OF_ONE_ACCOUNT)
                and told.get(key.rpartition(".")[0].removesuffix("[]"), True)
            ]
    assert not problems, "\n".join(problems)


@pytest.mark.network
def test_the_examples_are_there_for_whoever_parses(
    webhook_examples: list[tuple[str, dict[str, Any]]],
) -> None:
    assert len(webhook_examples) > 300
    assert {"issues", "pull_request", "check_run", "push"} <= {name for name, _ in webhook_examples}


def test_github_enterprise(enterprise: Studio) -> None:
    github = enterprise.github
    assert github.api_url.endswith("/api/v3")
    number = enterprise.pull(body="Fixes #9")
    pull = enterprise.repo().get_pull(number)
    assert pull.url.startswith(f"{github.api_url}/repos/")
    assert pull.html_url.startswith(f"{github.web_url}/alice/calc/pull/")
    query = '{ repository(owner: "alice", name: "calc") { nameWithOwner } }'
    told = enterprise.library().requester.graphql_query(query, {})[1]
    assert told["data"]["repository"]["nameWithOwner"] == "alice/calc"
    assert Client(github.web_url, enterprise.jwt())("GET", "/app").status_code == 404
    enterprise.github.settle()
    assert "X-GitHub-Enterprise-Host" in enterprise.receiver.hooks[0].headers


def test_it_runs_as_a_process() -> None:
    command = [
        sys.executable,
        "-m",
        "bot.demo.simulator",
        "--user",
        "mona",
        "--repository",
        "mona/art",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout is not None
        addresses = json.loads(process.stdout.readline())
        with requests.Session() as session:
            session.trust_env = False
            page = session.get(f"{addresses['web']}/mona/art", timeout=20)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    assert "mona/art" in page.text


def test_what_github_says_reaches_the_library(studio: Studio) -> None:
    with pytest.raises(pygithub.UnknownObjectException):
        studio.library().get_repo("alice/nothing")
    refused = pygithub.Github(
        base_url=studio.github.api_url, auth=pygithub.Auth.Token("ghs_x"), retry=None
    )
    with pytest.raises(pygithub.BadCredentialsException):
        refused.get_repo("alice/calc")


_WITHOUT = """
import sys
sys.modules["githubkit"] = sys.modules["pydantic"] = None
from bot.demo.simulator import GitHubSimulator, description
assert not description.installed()
import requests
with GitHubSimulator() as github, requests.Session() as session:
    session.trust_env = False
    alice = github.add_user("alice")
    github.add_repository("alice/calc", private=False)
    alice.open_issue("alice/calc", "It breaks")
    print(session.get(github.api_url + "/repos/alice/calc/issues/1").json()["title"])
    print(session.get(github.api_url + "/repos/alice/calc/issues/2").status_code)
"""


def test_it_runs_without_the_description() -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT], capture_output=True, text=True)
    assert done.stdout == "It breaks\n404\n", done.stderr
