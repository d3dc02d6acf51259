"""What people can say of a test, and ask for: retiring it, requests of reporters, edits."""

from __future__ import annotations

import pytest

from bot.handlers import handle
from bot.store.figures import Figures

from .conftest import EVERYTHING, REPOSITORY, SCRIPT
from .test_stories import ISSUE, opened, the_check

pytestmark = pytest.mark.bubblewrap
VAGUE = "It is slow, and I do not know why."
MENDED = SCRIPT.replace("exactly nine", "9")


@pytest.fixture
def reproduced(story):
    """The number of an issue that has a test."""
    number = story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.work()
    assert story.services.store.tests.newest(REPOSITORY, number) is not None
    return number


def says(story, person, number, words):
    person.comment(REPOSITORY, number, words)
    story.work()


def answer_on(story, number):
    (found,) = [text for text in story.comments(number) if "<!-- fixgate:answer" in text]
    return found


def labels(story, number):
    return {label.name for label in story.github.repository(REPOSITORY).issues[number].labels}


def jobs(story):
    return len(story.services.store.jobs.latest())


def conclusions(story, head):
    return [check["conclusion"] for check in story.checks(head)]


def test_a_test_that_is_called_wrong_is_retired_with_its_label_and_verdicts(story, reproduced):
    fixed, head = opened(story, "fixes/shorten.patch", branch="fix")
    wrong, other = opened(story, "fixes/shorten-wrong.patch", branch="wrong")
    story.work()
    assert (conclusions(story, head), conclusions(story, other)) == (["success"], ["failure"])
    story.alice.close_pull(REPOSITORY, wrong)
    says(story, story.alice, reproduced, "/fixgate wrong")
    (comment,) = [text for text in story.comments(reproduced) if "<!-- fixgate:issue" in text]
    assert "`alice` called the test that stood here **wrong**" in comment
    assert "reproduced" not in labels(story, reproduced)
    assert conclusions(story, head) == ["success", "neutral"]
    again = story.checks(head)[1]
    assert "was called wrong, so it does not judge this change" in again["summary"]
    assert conclusions(story, other) == ["failure"], "it is closed, and nobody waits for it"
    assert fixed != wrong


def test_tests_that_were_called_wrong_are_counted(story, reproduced):
    _, head = opened(story, "fixes/shorten.patch")
    story.work()
    store = story.services.store
    assert store.verdicts.precision(REPOSITORY).wrong == 0
    says(story, story.alice, reproduced, "/fixgate wrong")
    precision = store.verdicts.precision(REPOSITORY)
    assert (precision.decided, precision.wrong) == (1, 1)
    (figures,) = Figures(store.database).repositories()
    assert (figures.tests, figures.wrong_tests) == (1, 1)
    assert Figures(store.database).called_wrong() == {"verdict": 0, "test": 1}
    assert conclusions(story, head)[-1] == "neutral"


def test_the_same_test_does_not_come_again(story, reproduced):
    says(story, story.alice, reproduced, "/fixgate wrong")
    says(story, story.alice, reproduced, "/fixgate reproduce")
    (comment,) = [text for text in story.comments(reproduced) if "<!-- fixgate:issue" in text]
    assert "I found only the test again that was called wrong" in comment
    assert story.services.store.tests.newest(REPOSITORY, reproduced) is None


def test_a_command_that_comes_again_judges_again_once(story, reproduced):
    _, head = opened(story, "fixes/shorten.patch")
    story.work()
    story.alice.comment(REPOSITORY, reproduced, "/fixgate wrong")
    story.github.settle()
    story.events = [event for event in story.events if event.event == "issue_comment"] * 2
    story.work()
    assert conclusions(story, head) == ["success", "neutral"]


def test_a_test_that_is_called_wrong_while_it_judges_decides_nothing(
    story, reproduced, monkeypatch
):
    _, head = opened(story, "fixes/shorten.patch")
    verdicts, tests = story.services.store.verdicts, story.services.store.tests
    add = verdicts.add

    def add_late(*arguments, **more):
        tests.retire(REPOSITORY, reproduced, "alice")
        add(*arguments, **more)

    monkeypatch.setattr(verdicts, "add", add_late)
    story.work()
    assert conclusions(story, head) == ["neutral"]
    assert "called wrong meanwhile" in the_check(story, head)["title"]


def test_without_a_test_there_is_nothing_to_call_wrong(story):
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    says(story, story.alice, number, "/fixgate wrong")
    assert "There is no test of fixgate here" in answer_on(story, number)


def test_who_may_not_push_cannot_call_a_test_wrong(story, reproduced):
    says(story, story.bob, reproduced, "/fixgate wrong")
    assert "for people who may push" in answer_on(story, reproduced)
    assert story.services.store.tests.newest(REPOSITORY, reproduced) is not None


def test_reporters_may_ask_for_a_test_of_their_own_issue_but_not_too_often(story):
    limited = f"{EVERYTHING}limits:\n  requests_per_reporter: 2\n"
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": limited})
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    for asked in (2, 3, 3):
        says(story, story.bob, number, "/fixgate reproduce")
        assert jobs(story) == asked
    assert "as often as this repository allows" in answer_on(story, number)
    says(story, story.alice, number, "/fixgate reproduce")
    assert jobs(story) == 4


@pytest.mark.parametrize(
    "settings", ["reproduce: {when: never}\n", "limits: {requests_per_reporter: 0}\n"]
)
def test_a_repository_can_keep_reporters_out(story, settings):
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": settings})
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    says(story, story.bob, number, "/fixgate reproduce")
    assert "for people who may push" in answer_on(story, number)
    assert jobs(story) == 0


def test_reporters_cannot_replace_a_test_nor_ask_on_issues_of_others(story, reproduced):
    before = jobs(story)
    says(story, story.bob, reproduced, "/fixgate reproduce")
    assert "This issue has a test already" in answer_on(story, reproduced)
    other = story.alice.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    says(story, story.bob, other, "/fixgate reproduce")
    assert "for people who may push" in answer_on(story, other)
    assert jobs(story) == before + 1


def test_a_reporters_command_that_is_handled_again_is_no_second_request(story):
    limited = f"{EVERYTHING}limits:\n  requests_per_reporter: 1\n"
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": limited})
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    story.bob.comment(REPOSITORY, number, "/fixgate reproduce")
    story.github.settle()
    (event,) = [one for one in story.events if one.event == "issue_comment"]
    story.work()
    handle(event, story.services)
    assert not [text for text in story.comments(number) if "<!-- fixgate:answer" in text]


def test_an_edit_that_says_more_is_looked_at(story):
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    story.bob.edit_issue(REPOSITORY, number, title=ISSUE[0], body=SCRIPT)
    story.work()
    assert jobs(story) == 2
    (comment,) = story.comments(number)
    assert "**Reproduced**" in comment


@pytest.mark.parametrize(
    "body", [f"<!-- from the form -->\n{VAGUE}", f"{VAGUE}  \n\n", VAGUE + "\n<!-- seen -->"]
)
def test_an_edit_that_changes_nothing_that_matters_is_passed_over(story, body):
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    story.bob.edit_issue(REPOSITORY, number, body=body)
    story.work()
    assert jobs(story) == 1


def test_an_edit_does_not_replace_a_test_that_is_confirmed(story, reproduced):
    story.bob.edit_issue(REPOSITORY, reproduced, body=MENDED)
    story.work()
    assert jobs(story) == 1


def test_an_edit_of_an_issue_that_nobody_answered_is_no_new_issue(story):
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": "reproduce: {when: label}\n"})
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": EVERYTHING})
    story.bob.edit_issue(REPOSITORY, number, body=SCRIPT)
    story.work()
    assert jobs(story) == 0


@pytest.mark.parametrize(
    ("word", "meant"), [("expalin", "explain"), ("reproduc", "reproduce"), ("merge", "")]
)
def test_an_unknown_command_is_answered_with_what_was_probably_meant(story, word, meant):
    number = story.bob.open_issue(REPOSITORY, "It is slow", VAGUE)
    story.work()
    says(story, story.bob, number, f"/fixgate {word}")
    said = story.comments(number)[-1]
    assert f"There is no command `/fixgate {word}`." in said
    assert (f"Did you mean `/fixgate {meant}`?" in said) == bool(meant)
    assert "|" not in said, "one sentence, and no table"
