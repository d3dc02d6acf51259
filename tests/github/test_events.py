from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.github.models import (
    CheckRunEvent,
    CheckSuiteEvent,
    CommentEvent,
    Event,
    IssueEvent,
    MergeGroupEvent,
    PayloadError,
    PullEvent,
)
from bot.github.types import Button, Conclusion, RepositoryId, Webhook
from bot.handlers import read_event
from tests.github.conftest import Room, check

READ: Mapping[str, type[Event]] = {
    "issues": IssueEvent,
    "issue_comment": CommentEvent,
    "pull_request": PullEvent,
    "check_run": CheckRunEvent,
    "check_suite": CheckSuiteEvent,
    "merge_group": MergeGroupEvent,
}


def _read(name: str, payload: Mapping[str, Any]) -> Any:
    webhook = Webhook("guid", name, str(payload.get("action", "")), json.dumps(payload))
    return read_event(READ[name], webhook)


def _heard(room: Room, name: str, action: str) -> Any:
    room.github.settle()
    hook = room.studio.receiver.named(name, action)[-1]
    return _read(hook.event, hook.payload)


def test_issues(room: Room) -> None:
    number = room.studio.bob.open_issue("alice/calc", "It breaks", "Help")
    opened = _heard(room, "issues", "opened")
    assert (opened.action, opened.delivery) == ("opened", "guid")
    assert opened.place == RepositoryId(room.studio.installation, "alice/calc")
    assert (opened.repository.default_branch, opened.sender.login) == ("main", "bob")
    issue = opened.issue
    assert (issue.number, issue.title, issue.text) == (number, "It breaks", "Help")
    assert (issue.user.login, issue.label_names, issue.is_open) == ("bob", (), True)
    room.studio.alice.label("alice/calc", number, "bug")
    labeled = _heard(room, "issues", "labeled")
    assert (labeled.label.name, labeled.issue.label_names, labeled.sender.login) == (
        "bug",
        ("bug",),
        "alice",
    )


def test_comments(room: Room) -> None:
    issue = room.studio.bob.open_issue("alice/calc", "It breaks")
    identity = room.studio.alice.comment("alice/calc", issue, "/fixgate verify")
    heard = _heard(room, "issue_comment", "created")
    comment = heard.comment
    assert (comment.id, comment.text) == (identity, "/fixgate verify")
    assert (comment.user.login, comment.user.is_bot) == ("alice", False)
    assert (heard.issue.number, heard.issue.is_pull) == (issue, False)
    pull = room.studio.pull()
    room.studio.alice.comment("alice/calc", pull, "x")
    heard = _heard(room, "issue_comment", "created")
    assert (heard.issue.number, heard.issue.is_pull) == (pull, True)
    room.repository().put_comment(pull, "<!-- m -->", "x")
    heard = _heard(room, "issue_comment", "created")
    assert (heard.comment.user.login, heard.comment.user.is_bot) == ("fixgate[bot]", True)
    assert (heard.sender.login, heard.sender.is_bot) == ("fixgate[bot]", True)


def test_pulls(room: Room) -> None:
    number = room.studio.pull(body="Fixes #1")
    opened = _heard(room, "pull_request", "opened")
    assert opened.pull == room.repository().pull(number)
    assert opened.changed == frozenset()
    sha = room.studio.bob.push("alice/calc", "fix", {"calc.py": "newer\n"})
    assert _heard(room, "pull_request", "synchronize").pull.head.sha == sha
    room.studio.bob.edit_pull("alice/calc", number, body="Fixes #2")
    assert _heard(room, "pull_request", "edited").changed == {"body"}


def test_checks(room: Room) -> None:
    head = room.head()
    button = Button("Afresh", "Write tests anew", "afresh")
    done = check(head, conclusion=Conclusion.SUCCESS, buttons=(button,))
    run = room.repository().put_check(done)
    room.studio.bob.press_button("alice/calc", run, "afresh")
    pressed = _heard(room, "check_run", "requested_action")
    assert (pressed.check_run.id, pressed.check_run.external_id) == (run, done.key)
    assert (pressed.check_run.head_sha, pressed.pulls) == (head, ())
    assert (pressed.requested_action.identifier, pressed.sender.login) == ("afresh", "bob")
    room.studio.bob.request_rerun_all("alice/calc", run)
    assert _heard(room, "check_suite", "rerequested").check_suite.head_sha == head


def test_merge_groups(room: Room) -> None:
    number = room.studio.pull()
    sha = room.studio.bob.enqueue("alice/calc", number)
    heard = _heard(room, "merge_group", "checks_requested").merge_group
    assert (heard.head_sha, heard.base_sha) == (sha, room.head())
    room.studio.bob.leave_queue("alice/calc", number)
    assert _heard(room, "merge_group", "destroyed").merge_group == heard


_SHA = "a" * 40
_ISSUE = {
    "action": "opened",
    "installation": {"id": 1},
    "repository": {"full_name": "alice/calc", "default_branch": "main"},
    "sender": {"login": "bob", "type": "User"},
    "issue": {
        "number": 3,
        "title": "It breaks",
        "body": None,
        "user": None,
        "labels": [{"name": "bug"}],
        "state": "open",
    },
}


def test_deleted_authors_and_empty_bodies() -> None:
    read = _read("issues", _ISSUE)
    assert (read.issue.user.login, read.issue.text) == ("ghost", "")


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("installation", None, "installation is missing"),
        ("installation.id", "1", "installation.id should be a whole number from 0, not the string"),
        ("installation.id", True, "installation.id should be a whole number from 0, not True"),
        ("installation.id", -1, "installation.id should be a whole number from 0, not -1"),
        ("repository", [], "repository should be an object, not a list"),
        ("repository.full_name", "../../etc", "repository.full_name should be owner/name"),
        ("repository.full_name", "a/b/c", "repository.full_name should be owner/name"),
        ("repository.full_name", "-a/b", "repository.full_name should be owner/name"),
        ("repository.full_name", "a/..", "repository.full_name should be owner/name"),
        ("issue.title", None, "issue.title is missing"),
        ("issue.labels", {}, "issue.labels should be a list, not an object"),
        (
            "issue.labels",
            [{"name": "a"}, {"name": 1}],
            r"issue.labels\[1\].name should be a string",
        ),
        ("issue.labels", ["bug"], r"issue.labels\[0\] should be an object, not the string 'bug'"),
        ("issue.body", 1, "issue.body should be a string, not 1"),
        ("action", None, "action is missing"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: object, told: str) -> None:
    payload = copy.deepcopy(_ISSUE)
    *above, last = path.split(".")
    place: Any = payload
    for step in above:
        place = place[step]
    place[last] = value
    with pytest.raises(PayloadError, match=told) as caught:
        _read("issues", payload)
    assert caught.value.field.startswith(path)


@pytest.mark.parametrize("sha", ["a" * 39, "A" * 40, f"{_SHA}\n", "--upload-pack=x", 7])
def test_commits_that_are_none(sha: object) -> None:
    run = {"id": 1, "name": "x", "external_id": "", "app": {"id": 1}, "head_sha": sha}
    payload = {**_ISSUE, "action": "rerequested", "check_run": run}
    with pytest.raises(PayloadError, match=r"check_run\.head_sha should be"):
        _read("check_run", payload)


def _refusal(name: str, payload: Mapping[str, Any]) -> PayloadError | None:
    """None where it was read."""
    try:
        _read(name, payload)
    except PayloadError as error:
        return error
    return None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(name=st.sampled_from(sorted(READ)), payload=st.dictionaries(st.text(max_size=8), _JSON))
def test_any_object_is_read_or_refused(name: str, payload: dict[str, Any]) -> None:
    told = _refusal(name, payload)
    assert told is None or told.field in str(told)


@given(data=st.data())
def test_any_change_to_a_payload_is_read_or_refused(data: st.DataObject) -> None:
    payload = copy.deepcopy(_ISSUE)
    place: Any = payload
    while isinstance(place, dict) and place:
        key = data.draw(st.sampled_from(sorted(place)))
        if not isinstance(place[key], dict) or data.draw(st.booleans()):
            place[key] = data.draw(_JSON)
            break
        place = place[key]
    told = _refusal("issues", payload)
    assert told is None or told.field.split(".")[0] in _ISSUE


@pytest.mark.network
def test_all_real_payloads(webhook_examples: list[tuple[str, dict[str, Any]]]) -> None:
    """As they are, they are read or refused with a reason; as an App gets them, they are read."""
    assert len(webhook_examples) >= 329
    examples = [(name, example) for name, example in webhook_examples if name in READ]
    refused = [_refusal(name, example) for name, example in examples]
    assert {one.field for one in refused if one} == {"installation"}
    for name, example in examples:
        as_app = {**example, "installation": {"id": 1, **(example.get("installation") or {})}}
        assert _refusal(name, as_app) is None, example
