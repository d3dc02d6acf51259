"""Comments: the answer to an issue, with a test or without, and the answers to commands."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Iterator, Mapping, Sequence

from bot.messages import rendering
from bot.messages.commands import by_hand, checkout_of_commit
from bot.messages.markdown import code, fenced, plain
from bot.store.kept_tests import CONFIDENT
from bot.store.tables import StoredVerdict
from bot.store.verdicts import Precision
from evaluator import Refusal
from generator.rules import Denial
from generator.writer import Written

_PARTS = re.compile(r"; (?=the test fails|\d+ tests fail|the issue |it fails in|it uses)")
"""Where one reason for a test ends and the next begins."""
MOST_ROWS = 50


def issue_marker(number: int) -> str:
    """The hidden line by which the App finds its one comment on an issue again."""
    return marker(f"issue:{number}")


def marker(name: str) -> str:
    """The hidden line of the App's one comment of a kind."""
    return f"<!-- fixgate:{name} -->"


TESTS_MARKER = marker("tests")


def working(number: int) -> str:
    """What the comment says while work goes on."""
    return rendering.comment("comment_working", marker=issue_marker(number))


def unfinished(number: int, message: str) -> str:
    """What the comment says where the work was given up."""
    return rendering.comment("comment_unfinished", marker=issue_marker(number), message=message)


def reproduction(number: int, written: Written, *, commit: str, command: str) -> str:
    """What the comment says in the end. `command` runs the tests by hand at `commit`."""
    if not written.patch:
        withheld = next(_withheld(written), None)
        if withheld is not None and not written.problem:
            return _without_expectation(number, withheld, commit)
        return _not_reproduced(number, written, commit)
    block = by_hand(checkout_of_commit(commit), [written.patch], [command])
    return rendering.comment(
        "comment_reproduced",
        marker=issue_marker(number),
        commit=commit,
        patch=written.patch,
        reasons=_PARTS.split(written.reason),
        confidence=written.confidence,
        is_proposal=written.confidence < CONFIDENT,
        commands=fenced(block, "sh", longest=40_000),
    )


def _not_reproduced(number: int, written: Written, commit: str) -> str:
    return rendering.comment(
        "comment_not_reproduced",
        marker=issue_marker(number),
        commit=commit,
        obstacle=_obstacle(written),
        tried="\n".join(f"- {plain(line, 400)}" for line in dict.fromkeys(_tried(written))),
    )


def _withheld(written: Written) -> Iterator[Denial]:
    """What was seen as it is reported, where a test would have denied only that."""
    for one in written.considered:
        if one.candidate.denies is not Denial.NOTHING and not one.candidate.tests.contents:
            yield one.candidate.denies


def _without_expectation(number: int, denies: Denial, commit: str) -> str:
    return rendering.comment(
        "comment_without_expectation", marker=issue_marker(number), commit=commit, denies=denies
    )


def _tried(written: Written) -> Iterator[str]:
    """Why the last tests that were tried do not stand for the issue, and what ended the work."""
    if written.problem:
        yield written.problem
    for one in written.considered[-3:]:
        yield "it was admitted, but not chosen" if one.admission.admitted else one.admission.reason


SAME_AGAIN = "I found only the test again that was called wrong"


def _obstacle(written: Written) -> str:
    """What kept the last of the tests that were tried from standing for the issue."""
    if written.problem == SAME_AGAIN:
        return SAME_AGAIN
    refusals = [one.admission.refusal for one in written.considered if one.admission.refusal]
    if refusals:
        return OBSTACLES[refusals[-1]]
    if written.problem:
        return "the work was not finished"
    return "I found no runnable example in the report"


OBSTACLES: Mapping[Refusal, str] = {
    Refusal.NO_TEST: "no test could be made of it",
    Refusal.PASSES: "its code runs here without the reported problem",
    Refusal.FLAKY: "the problem shows up only now and then",
    Refusal.OUTSIDE_CALL: "the code cannot be run here as it stands in the issue",
    Refusal.BROKEN_TEST: "the code fails here for another reason than the reported one",
    Refusal.CUT_SHORT: "the code does not run to its end here",
    Refusal.UNREPORTED: "the code fails here for another reason than the reported one",
}


def retired(number: int, user: str, patch: str) -> str:
    """What the comment on an issue says once its test was called wrong."""
    return rendering.comment("comment_retired", marker=issue_marker(number), user=user, patch=patch)


def tests_to_apply(patches: Sequence[str]) -> str:
    """The tests of a pull request whose branch cannot be pushed to."""
    return rendering.comment("comment_tests", marker=TESTS_MARKER, patches=patches)


_COMMANDS: Sequence[Sequence[str]] = (
    ("`/fixgate reproduce`", "on an issue: write a test that shows the problem"),
    ("`/fixgate verify`", "on a pull request: judge it again"),
    ("`/fixgate explain`", "on a pull request: why it got its last verdict"),
    ("`/fixgate wrong`", "on a pull request: its verdict is wrong; on an issue: its test is"),
    ("`/fixgate pause`, `/fixgate resume`", "stop and resume work on this issue or pull request"),
    ("`/fixgate help`", "show this list"),
)


def help_text() -> str:
    """The commands."""
    return rendering.comment("comment_help", marker=marker("help"), rows=_COMMANDS)


def unknown_command(word: str, similar: str) -> str:
    """One sentence on a word that is no command, with one that looks like it, if there is one."""
    return rendering.comment("comment_unknown", marker=marker("help"), word=word, similar=similar)


class CommandAnswer(enum.StrEnum):
    """What is answered to a command that does nothing, or not for who gives it."""

    NO_PERMISSION = "no_permission"
    VERIFY_ON_ISSUE = "verify_on_issue"
    REPRODUCE_ON_PULL = "reproduce_on_pull"
    NO_TEST = "no_test"
    HAS_TEST = "has_test"
    TOO_OFTEN = "too_often"


ANSWER_MARKER = marker("answer")


def answer(kind: CommandAnswer, word: str) -> str:
    """One sentence on a command."""
    return rendering.comment(
        "comment_answer", marker=ANSWER_MARKER, answer=kind.value, command=f"/fixgate {word}"
    )


def explanation(verdict: StoredVerdict | None, precision: Precision) -> str:
    """The last verdict of a pull request with its reasons and tests, and how often ones hold."""
    details = json.loads(verdict.details) if verdict is not None else {}
    return rendering.comment(
        "comment_explanation",
        marker=marker("explain"),
        title=verdict.title if verdict is not None else "",
        commit=verdict.head_sha if verdict is not None else "",
        reasons=[one["reason"] for one in details.get("reasons", ())],
        rows=[_row(test) for test in details.get("tests", ())[:MOST_ROWS]],
        precision=precision,
    )


def _row(test: Mapping[str, str]) -> list[str]:
    ends = [plain(test.get(side) or "", 20) for side in ("before", "after")]
    return [code(test["test"], 160), *ends, code(test.get("reason") or "", 160)]
