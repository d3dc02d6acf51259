"""The issue that lists bug reports: off unless wanted, right after each change, boxes that work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.demo.simulator.operations.issues import edit_issue
from bot.jobs.run import run_job
from bot.messages.dashboard import ReportRow, ReportState, dashboard, ticked

from .conftest import EVERYTHING, REPOSITORY, SCRIPT
from .test_stories import ISSUE

pytestmark = pytest.mark.bubblewrap
WANTED = f"{EVERYTHING}dashboard_issue: true\n"
VAGUE = ("It is slow", "I do not know why.")


@pytest.fixture
def listed(story):
    """An issue with a test and one without; a story whose jobs are done as workers do them."""
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": WANTED})
    reproduced = story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    vague = story.bob.open_issue(REPOSITORY, *VAGUE)
    work(story)
    return reproduced, vague


def work(story):
    while story.plan():
        run_job(story.services, story.queue.keys.pop(0))


def lists(story):
    issues = story.github.repository(REPOSITORY).issues.values()
    return [issue for issue in issues if "<!-- fixgate:dashboard" in (issue.body or "")]


def the_list(story):
    (found,) = lists(story)
    return found


def tick(story, person, number):
    body = the_list(story).body.replace(f"[ ] <!-- retry:{number} ", f"[x] <!-- retry:{number} ")
    assert "[x]" in body
    person.edit_issue(REPOSITORY, the_list(story).number, body=body)
    work(story)


def jobs(story):
    return len(story.services.store.jobs.latest())


def test_without_the_key_there_is_none(story):
    story.bob.open_issue(REPOSITORY, *VAGUE)
    work(story)
    assert lists(story) == []


def test_it_lists_what_became_of_each_and_is_no_report_itself(story, listed):
    reproduced, vague = listed
    body = the_list(story).body
    assert f"### A test shows the problem\n\n- [ ] <!-- retry:{reproduced} -->" in body
    assert "(confidence" in body
    assert f"### Could not be reproduced\n\n- [ ] <!-- retry:{vague} -->#{vague}" in body
    assert jobs(story) == 2


def test_a_box_has_it_tried_again_once(story, listed):
    _, vague = listed
    tick(story, story.alice, vague)
    assert jobs(story) == 3
    assert "[x]" not in the_list(story).body
    work(story)
    assert jobs(story) == 3


def test_closed_issues_are_left_out_until_they_are_open_again(story, listed):
    _, vague = listed
    story.alice.close_issue(REPOSITORY, vague)
    work(story)
    assert f"retry:{vague} " not in the_list(story).body
    story.alice.reopen_issue(REPOSITORY, vague)
    work(story)
    assert f"retry:{vague} " in the_list(story).body


def test_a_test_that_is_called_wrong_moves(story, listed):
    reproduced, _ = listed
    story.alice.comment(REPOSITORY, reproduced, "/fixgate wrong")
    work(story)
    assert (
        f"### The test was called wrong\n\n- [ ] <!-- retry:{reproduced} " in the_list(story).body
    )


def test_who_closes_it_hears_no_more_of_it(story, listed):
    number = the_list(story).number
    story.alice.close_issue(REPOSITORY, number)
    before = the_list(story).body
    story.bob.open_issue(REPOSITORY, *VAGUE)
    work(story)
    assert (the_list(story).body, the_list(story).state) == (before, "closed")


def test_who_may_not_push_ticks_in_vain(story, listed):
    story.github.grant(REPOSITORY, "bob", "triage")
    number = the_list(story).number
    body = the_list(story).body.replace("[ ]", "[x]")
    issue = story.github.repository(REPOSITORY).issues[number]
    with story.github.world.lock:  # triage may edit what others wrote
        edit_issue(story.github.world, issue, story.bob.account, body=body)
    work(story)
    assert jobs(story) == 2
    assert "[x]" not in the_list(story).body


def test_a_copy_of_it_by_somebody_is_an_issue_like_any_other(story, listed):
    story.bob.open_issue(REPOSITORY, "mine", the_list(story).body.replace("[ ]", "[x]"))
    work(story)
    assert jobs(story) == 3


@given(st.sets(st.integers(1, 10**6), max_size=8), st.sampled_from(ReportState))
def test_what_is_ticked_is_read_from_what_is_written(numbers, state):
    text = dashboard([ReportRow(number, state) for number in sorted(numbers)])
    assert ticked(text) == []
    expected = [] if state is ReportState.IN_WORK else sorted(numbers)
    assert ticked(text.replace("[ ]", "[x]")) == expected
