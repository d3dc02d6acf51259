"""What people see, from the issue to the verdict."""

from __future__ import annotations

import pytest

from bot.web.evidence import evidence_of
from evaluator import LineState
from evaluator.demo.sample import commit_patch, git, patch

from .conftest import REPOSITORY, SCRIPT

pytestmark = pytest.mark.bubblewrap

ISSUE = ("shorten cuts texts that fit", patch("instances/shorten.issue.md"))


def changed(story, *names):
    """The files that some of the sample's patches change, with their new contents."""
    commit_patch(story.tree, "change", *names)
    paths = git(story.tree, "diff", "--name-only", "main", "change").split()
    return {path: git(story.tree, "show", f"change:{path}") for path in paths}


def opened(story, *names, body="Fixes #1", branch="fix", person=None):
    (person or story.alice).push(REPOSITORY, branch, changed(story, *names))
    number = story.alice.open_pull(REPOSITORY, branch, "Fix shorten", body)
    return number, story.github.repository(REPOSITORY).git.resolve(branch)


def the_check(story, commit):
    (check,) = story.checks(commit)
    return check


def test_an_issue_gets_a_reproducing_test(story):
    number = story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.work()
    (comment,) = story.comments(number)
    assert "**Reproduced**" in comment
    assert "just fits" in comment
    labels = story.github.repository(REPOSITORY).issues[number].labels
    assert "reproduced" in {getattr(label, "name", label) for label in labels}


def test_an_issue_without_code_gets_an_honest_answer(story):
    number = story.bob.open_issue(REPOSITORY, "It is slow", "Everything takes long, @alice.")
    story.work()
    (comment,) = story.comments(number)
    assert "could not reproduce" in comment


def test_a_right_fix_is_accepted_by_the_test_of_its_issue(story):
    story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.work()
    _, head = opened(story, "fixes/shorten.patch")
    story.work()
    check = the_check(story, head)
    assert check["conclusion"] == "success", check
    assert "Fixes #1: 1 test fails without this change" in str(check)
    (verdict,) = story.services.store.verdicts.latest(frozenset({REPOSITORY}))
    evidence = evidence_of(verdict.details)
    states = {state for line in evidence.diff for state in line.states}
    assert LineState.COVERED in states
    assert {line.kind for line in evidence.diff} >= {"file", "hunk", "added", "removed"}
    logs = evidence.logs
    assert {(log["source"], log["side"]) for log in logs} >= {
        ("test for #1", "before"),
        ("test for #1", "after"),
    }
    assert "just f..." in next(log["text"] for log in logs if log["side"] == "before")


def test_a_quick_verdict_says_what_it_left_out(story):
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": "verify: {quick: true}\n"})
    names = ("fixes/shorten.patch", "instances/shorten.tests.patch")
    _, head = opened(story, *names, body="")
    story.work()
    check = the_check(story, head)
    assert check["conclusion"] == "success", check
    left_out = "some or all reruns, each reproducing test alone, the tests with other examples"
    assert f"Not run: {left_out}, the tests on parts of the change" in str(check["text"])


def test_a_wrong_fix_is_rejected_by_the_test_of_its_issue(story):
    story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.work()
    _, head = opened(story, "fixes/shorten-wrong.patch")
    story.work()
    assert the_check(story, head)["conclusion"] == "failure"


def test_a_change_without_any_test_is_neutral(story):
    _, head = opened(story, "fixes/shorten.patch", body="")
    story.work()
    assert the_check(story, head)["conclusion"] == "neutral"


def test_a_push_supersedes_the_work_for_the_older_head(story):
    _, old = opened(story, "fixes/shorten-wrong.patch", body="")
    story.plan()
    story.alice.push(REPOSITORY, "fix", changed(story, "fixes/shorten.patch"))
    new = story.github.repository(REPOSITORY).git.resolve("fix")
    story.work()
    assert the_check(story, old)["conclusion"] == "cancelled"
    assert the_check(story, new)["conclusion"] == "neutral"
    assert len(story.queue.stopped) == 1


def test_a_fork_is_judged(story):
    story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.work()
    fork = story.bob.fork(REPOSITORY)
    head = story.bob.push(fork, "fix", changed(story, "fixes/shorten.patch"))
    story.bob.open_pull(REPOSITORY, "fix", "Fix", "Closes #1", fork=fork)
    story.work()
    assert the_check(story, head)["conclusion"] == "success", the_check(story, head)["summary"]


@pytest.mark.parametrize("way", ["request_rerun", "request_rerun_all"])
def test_a_rerun_makes_one_more_check(story, way):
    _, head = opened(story, "fixes/shorten.patch", body="")
    story.work()
    run = story.checks(head)[0]
    getattr(story.alice, way)(REPOSITORY, run["id"])
    story.work()
    checks = story.checks(head)
    assert [check["conclusion"] for check in checks] == ["neutral"] * len(checks)
    assert len(checks) == 2


def test_a_button_adds_the_tests(story):
    story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.work()
    _, head = opened(story, "fixes/shorten.patch")
    story.work()
    run = the_check(story, head)
    story.alice.press_button(REPOSITORY, run["id"], "add-tests")
    story.work()
    new = story.github.repository(REPOSITORY).git.resolve("fix")
    assert new != head
    assert the_check(story, new)["conclusion"] == "success"


def test_tests_that_cannot_be_pushed_are_shown(story):
    story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.work()
    fork = story.bob.fork(REPOSITORY)
    head = story.bob.push(fork, "fix", changed(story, "fixes/shorten.patch"))
    number = story.bob.open_pull(REPOSITORY, "fix", "Fix", "Closes #1", fork=fork)
    story.work()
    story.alice.press_button(REPOSITORY, the_check(story, head)["id"], "add-tests")
    story.work()
    (comment,) = [text for text in story.comments(number) if "git apply" in text]
    assert "```diff" in comment


def test_a_merge_group_is_answered(story):
    number, _ = opened(story, "fixes/shorten.patch", "instances/shorten.tests.patch", body="")
    story.work()
    head = story.alice.enqueue(REPOSITORY, number)
    story.work()
    assert the_check(story, head)["conclusion"] == "success", the_check(story, head)["summary"]


def test_commands_need_the_permission(story):
    number, head = opened(story, "fixes/shorten.patch", body="")
    story.work()
    story.bob.comment(REPOSITORY, number, "/fixgate verify")
    story.work()
    assert len(story.checks(head)) == 1
    story.alice.comment(REPOSITORY, number, "please\n/fixgate verify\n")
    story.work()
    assert len(story.checks(head)) == 2


def test_a_command_that_does_nothing_is_answered_in_one_sentence(story):
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": "reproduce: {when: never}\n"})
    number = story.bob.open_issue(REPOSITORY, *ISSUE)
    said = {}
    for person, words in (
        (story.bob, "/fixgate reproduce"),
        (story.alice, "/fixgate verify"),
        (story.alice, "/fixgate expalin"),
    ):
        person.comment(REPOSITORY, number, words)
        story.work()
        said[words] = story.comments(number)[-1]
        assert len([text for text in story.comments(number) if "<!-- fixgate:answer" in text]) == 1
    answered = next(text for text in story.comments(number) if "<!-- fixgate:answer" in text)
    assert "`/fixgate verify` judges pull requests" in answered
    assert "There is no command `/fixgate expalin`." in said["/fixgate expalin"]
    assert story.services.store.jobs.latest() == []


def test_explain_wrong_and_help(story):
    number, head = opened(story, "fixes/shorten.patch", "instances/shorten.tests.patch", body="")
    story.work()
    assert the_check(story, head)["conclusion"] == "success", the_check(story, head)["summary"]
    for words in ("/fixgate explain", "/fixgate wrong", "/fixgate what", "/fixgate help"):
        story.alice.comment(REPOSITORY, number, words)
        story.work()
    said = [c for c in story.comments(number) if "fixgate:" in c]
    assert len(said) == 2
    assert the_check(story, head)["conclusion"] == "neutral"
    assert story.services.store.verdicts.precision(REPOSITORY).wrong == 1
    story.alice.comment(REPOSITORY, number, "/fixgate verify")
    story.work()
    assert {check["conclusion"] for check in story.checks(head)} == {"neutral"}


def test_silence_can_be_asked_for(story):
    number, old = opened(story, "fixes/shorten-wrong.patch", body="")
    story.work()
    story.alice.comment(REPOSITORY, number, "/fixgate pause")
    story.work()
    story.alice.push(REPOSITORY, "fix", changed(story, "fixes/shorten.patch"))
    new = story.github.repository(REPOSITORY).git.resolve("fix")
    story.work()
    assert story.checks(new) == []
    assert len(story.checks(old)) == 1


def test_a_mistake_in_the_configuration_is_told_on_the_pull_request_that_makes_it(story):
    story.alice.push(REPOSITORY, "bad", {".github/fixgate.yml": "verify:\n  gate: hard\n"})
    story.alice.open_pull(REPOSITORY, "bad", "Stricter")
    head = story.github.repository(REPOSITORY).git.resolve("bad")
    story.work()
    assert "line 2" in str(the_check(story, head))
    assert "advisory, required" in str(the_check(story, head))


def test_an_event_that_comes_twice_is_handled_once(story):
    number = story.bob.open_issue(REPOSITORY, ISSUE[0], SCRIPT)
    story.github.settle()
    story.events = [event for event in story.events for _ in range(3)]
    story.work()
    assert len(story.comments(number)) == 1
    assert len(story.services.store.jobs.latest()) == 1


CRASH = """`parse_ranges` fails for a single number:

```python
from wordtools.ranges import parse_ranges
parse_ranges("5")
```

```
Traceback (most recent call last):
  File "try.py", line 2, in <module>
    parse_ranges("5")
ValueError: invalid literal for int() with base 10: ''
```
"""
"""An issue that shows an exception, and does not say what should come instead."""


def test_a_crash_without_a_word_on_what_is_right_is_confirmed_without_a_test(story):
    number = story.bob.open_issue(REPOSITORY, "parse_ranges fails", CRASH)
    story.work()
    (comment,) = story.comments(number)
    assert "**The code fails as reported**" in comment
    assert "denials: [exception]" in comment
    assert story.services.store.tests.newest(REPOSITORY, number) is None


@pytest.mark.parametrize(
    ("code", "conclusion", "words"),
    [
        ("last = str(int(last))", "failure", "still fails"),
        ("return []", "neutral", "not that what is there now is right"),
    ],
)
def test_a_test_that_wants_an_exception_to_be_gone_can_speak_against_a_change_only(
    story, code, conclusion, words
):
    allowed = "reproduce: {when: all, denials: [exception]}\n"
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": allowed})
    number = story.bob.open_issue(REPOSITORY, "parse_ranges fails", CRASH)
    story.work()
    (comment,) = story.comments(number)
    assert "**Reproduced**" in comment
    ranges = (story.tree / "wordtools" / "ranges.py").read_text("utf-8")
    loop = '        first, _, last = part.partition("-")\n'
    early = f"{loop}        if not last:\n            {code}\n"
    story.alice.push(REPOSITORY, "fix", {"wordtools/ranges.py": ranges.replace(loop, early)})
    story.alice.open_pull(REPOSITORY, "fix", "Single numbers", f"Fixes #{number}")
    story.work()
    head = story.github.repository(REPOSITORY).git.resolve("fix")
    check = the_check(story, head)
    assert check["conclusion"] == conclusion, check
    assert words in str(check)
