"""Deliveries that come late, in another order, or are handled again after a kill."""

from __future__ import annotations

import threading

import pytest

from bot.github.api import Api
from bot.github.client import InstalledRepository
from bot.handlers import handle
from bot.jobs.run import conclude_job, run_job
from bot.jobs.types import JobState

from .conftest import REPOSITORY

pytestmark = pytest.mark.bubblewrap


def pushed(story, text, branch="fix"):
    return story.alice.push(REPOSITORY, branch, {"notes.txt": text})


def opened(story):
    head = pushed(story, "first")
    return story.alice.open_pull(REPOSITORY, "fix", "Notes"), head


def taken(story, name):
    """The events of a name that wait, oldest first; others are dropped."""
    story.github.settle()
    found = [event for event in story.events if event.event == name]
    story.events.clear()
    return found


def conclusions(story, head):
    return [check["conclusion"] for check in story.checks(head)]


def states(story):
    return {row.head_sha: row.state for row in reversed(story.services.store.jobs.latest())}


def test_the_newest_head_is_judged_though_its_event_came_first(story):
    _, old = opened(story)
    new = pushed(story, "second")
    for event in reversed(taken(story, "pull_request")):
        handle(event, story.services)
    assert conclusions(story, new) == [None]
    assert conclusions(story, old) == ["cancelled"]
    assert states(story) == {new: JobState.QUEUED}


def test_a_late_event_of_a_head_that_was_judged_changes_nothing(story):
    _, old = opened(story)
    first = taken(story, "pull_request")
    handle(first[0], story.services)
    story.work()
    judged = conclusions(story, old)
    new = pushed(story, "second")
    story.work()
    handle(first[0], story.services)
    assert conclusions(story, old) == judged == ["neutral"]
    assert len(story.checks(new)) == 1


def test_a_close_that_comes_late_ends_nothing_of_a_pull_that_is_open_again(story):
    number, head = opened(story)
    story.plan()
    story.alice.close_pull(REPOSITORY, number)
    story.alice.reopen_pull(REPOSITORY, number)
    for event in reversed(taken(story, "pull_request")):
        handle(event, story.services)
    assert states(story) == {head: JobState.QUEUED}


def test_an_event_that_comes_after_the_pull_was_closed_is_answered_too(story):
    number, head = opened(story)
    story.alice.close_pull(REPOSITORY, number)
    for event in reversed(taken(story, "pull_request")):
        handle(event, story.services)
    assert conclusions(story, head) == ["cancelled"]
    assert states(story) == {}
    story.alice.reopen_pull(REPOSITORY, number)
    story.work()
    assert conclusions(story, head) == ["neutral"]


def test_a_pull_that_is_opened_again_is_judged_after_all(story):
    number, head = opened(story)
    story.plan()
    story.alice.close_pull(REPOSITORY, number)
    story.plan()
    assert conclusions(story, head) == ["cancelled"]
    story.alice.reopen_pull(REPOSITORY, number)
    for event in taken(story, "pull_request") * 2:
        handle(event, story.services)
    story.work()
    assert conclusions(story, head) == ["cancelled", "neutral"]


@pytest.mark.parametrize("word", ["verify", "reproduce"])
def test_a_command_that_is_handled_again_is_one_command(story, word):
    number = opened(story)[0]
    if word == "reproduce":
        number = story.bob.open_issue(REPOSITORY, "It is slow", "Everything.")
    story.work()
    before = len(story.services.store.jobs.latest())
    story.alice.comment(REPOSITORY, number, f"/fixgate {word}")
    (event,) = taken(story, "issue_comment")
    handle(event, story.services)
    story.work()
    handle(event, story.services)
    story.work()
    assert len(story.services.store.jobs.latest()) == before + 1


def test_a_button_that_is_handled_again_is_pressed_once(story):
    _, head = opened(story)
    story.work()
    story.alice.request_rerun(REPOSITORY, story.checks(head)[0]["id"])
    (event,) = [one for one in taken(story, "check_run") if one.action == "rerequested"]
    for _ in "ab":
        handle(event, story.services)
        story.work()
    assert conclusions(story, head) == ["neutral", "neutral"]


def test_an_issue_that_was_asked_about_before_its_own_event_came_is_answered_once(story):
    number = story.bob.open_issue(REPOSITORY, "It is slow", "Everything.")
    (event,) = taken(story, "issues")
    story.alice.comment(REPOSITORY, number, "/fixgate reproduce")
    story.plan()
    handle(event, story.services)
    assert [row.state for row in story.services.store.jobs.latest()] == [JobState.QUEUED]


def test_two_workers_that_plan_for_one_pull_make_one_check(story):
    _, head = opened(story)
    (event,) = taken(story, "pull_request")
    story.github.world.chance.faults.slow = 0.5
    story.github.world.chance.faults.slow_seconds = 0.2
    threads = [threading.Thread(target=handle, args=(event, story.services)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert conclusions(story, head) == [None]


def test_a_job_whose_planner_was_killed_has_its_check_in_the_end(story, monkeypatch):
    """It was written down, but neither shown nor queued; then the head moved on."""
    _, old = opened(story)
    (event,) = taken(story, "pull_request")
    with monkeypatch.context() as killed:
        killed.setattr(InstalledRepository, "put_check", raise_keyboard_interrupt)
        with pytest.raises(KeyboardInterrupt):
            handle(event, story.services)
    (row,) = story.services.store.jobs.latest()
    assert story.queue.keys == []
    assert row.not_before is not None
    new = pushed(story, "second")
    story.plan()
    conclude_job(story.services, row.key)
    assert conclusions(story, old) == ["cancelled"]
    assert conclusions(story, new) == [None]


def test_a_check_that_is_shown_as_waiting_late_does_not_take_back_how_it_ended(story, monkeypatch):
    """The event came twice, and GitHub was slow to take the second word of waiting."""
    _, head = opened(story)
    (event,) = taken(story, "pull_request")
    handle(event, story.services)
    (key,) = story.queue.keys
    before_changes(monkeypatch, lambda: run_job(story.services, key))
    handle(event, story.services)
    monkeypatch.undo()
    story.work()
    assert conclusions(story, head) == ["neutral"]
    assert story.services.store.jobs.get(key).state == JobState.DONE


def test_a_check_that_is_shown_as_waiting_while_somebody_stops_its_job_ends(story, monkeypatch):
    _, head = opened(story)
    (event,) = taken(story, "pull_request")
    handle(event, story.services)
    (key,) = story.queue.keys
    concluding = threading.Thread(target=conclude_job, args=(story.services, key))

    def stop():
        story.services.store.jobs.finish(key, JobState.FAILED, "stopped by alice")
        concluding.start()
        concluding.join(0.5)

    before_changes(monkeypatch, stop)
    handle(event, story.services)
    concluding.join()
    assert conclusions(story, head) == ["neutral"]


def before_changes(monkeypatch, do):
    """Do something just before the first change of a check is sent."""
    send, done = Api.send, list[str]()

    def slow(api, verb, path, body=None, *, repeatable=True):
        if verb == "PATCH" and not done:
            done.append(path)
            do()
        return send(api, verb, path, body, repeatable=repeatable)

    monkeypatch.setattr(Api, "send", slow)


def raise_keyboard_interrupt(*_):
    raise KeyboardInterrupt
