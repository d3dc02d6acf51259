"""Comments: the answer to an issue, with a test or without, and the answers to commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from bot.messages.markdown import code, fenced, fitted, folded, plain, table
from bot.store.tables import StoredVerdict
from bot.store.verdicts import Precision
from evaluator import Refusal
from generator.writer import Written

_PARTS = re.compile(r"; (?=the test fails|\d+ tests fail|the issue |it fails in|it uses)")
"""Where one reason for a test ends and the next begins."""
_WORKING = "fixgate is trying to reproduce this. This comment will show the result."


def issue_marker(number: int) -> str:
    """The hidden line by which the App finds its one comment on an issue again."""
    return f"<!-- fixgate:issue:{number} -->"


def working(number: int) -> str:
    """What the comment says while work goes on."""
    return f"{issue_marker(number)}\n{_WORKING}"


def reproduction(number: int, written: Written, *, commit: str, command: str) -> str:
    """What the comment says in the end. `command` runs the tests by hand at `commit`."""
    parts = _reproduced(written, commit, command) if written.patch else _not(written, commit)
    return fitted([issue_marker(number), *parts])


def _reproduced(written: Written, commit: str, command: str) -> Iterator[str]:
    at = code(commit[:12])
    yield f"**Reproduced** at {at}. This test fails, and should pass once the problem is solved:"
    yield fenced(written.patch, "diff")
    why = "\n".join(f"- {plain(part, 400)}" for part in _PARTS.split(written.reason))
    yield f"**Why this is the reported problem:**\n\n{why}"
    yield f"**How sure:** {_sure(written.confidence)}."
    yield folded("How to run it", fenced(f"git apply test.patch\n{command}", "sh"))
    yield (
        "<sub>Machine-written. `/fixgate wrong` says that this is not the reported problem; "
        "`/fixgate help` lists what else can be asked.</sub>"
    )


def _sure(confidence: float) -> str:
    words = "very likely right" if confidence >= 0.8 else "likely right"
    words = words if confidence >= 0.5 else "a proposal: please look at it closely"
    return f"{words} ({100 * confidence:.0f} %)"


def _not(written: Written, commit: str) -> Iterator[str]:
    at = code(commit[:12])
    yield f"fixgate **could not reproduce** this at {at}: {_obstacle(written)}."
    yield (
        "What helps most: a few lines of code that show the problem when they are run, what they "
        "print or raise now, and what they should. Then write `/fixgate reproduce` in a comment."
    )
    if written.considered or written.problem:
        yield folded("What was tried", plain(written.reason, 1000))
    yield "<sub>Machine-written. `/fixgate help` lists what else can be asked.</sub>"


def _obstacle(written: Written) -> str:
    """What kept the last of the tests that were tried from standing for the issue."""
    refusals = [one.admission.refusal for one in written.considered if one.admission.refusal]
    if refusals:
        return _OBSTACLES[refusals[-1]]
    return "the work was not finished" if written.problem else "it holds nothing to make a test of"


_OBSTACLES: Mapping[Refusal, str] = {
    Refusal.NO_TEST: "no test could be made of it",
    Refusal.PASSES: "its code runs here without the reported problem",
    Refusal.FLAKY: "the problem shows up only now and then",
    Refusal.OUTSIDE_CALL: "the code cannot be run here as it stands in the issue",
    Refusal.BROKEN_TEST: "the code fails here for another reason than the reported one",
    Refusal.CUT_SHORT: "the code does not come to its end here",
    Refusal.UNREPORTED: "the code fails here for another reason than the reported one",
}


def marker(name: str) -> str:
    """The hidden line of the App's one comment of a kind."""
    return f"<!-- fixgate:{name} -->"


def help_text() -> str:
    """What can be asked for."""
    rows = [
        ["`/fixgate reproduce`", "on an issue: write a test that shows it"],
        ["`/fixgate verify`", "on a pull request: judge it again"],
        ["`/fixgate explain`", "why the last verdict came out as it did"],
        ["`/fixgate wrong`", "the last verdict was wrong: recorded and counted"],
        ["`/fixgate pause`, `/fixgate resume`", "be silent here, speak again"],
        ["`/fixgate help`", "this list"],
    ]
    note = "Commands stand at the start of a line, by people who may push to this repository."
    return fitted([marker("help"), table(["command", "what it does"], rows), note])


def explanation(verdict: StoredVerdict | None, precision: Precision) -> str:
    """The last verdict of a pull request with its reasons and tests, and how often ones hold."""
    if verdict is None:
        return fitted([marker("explain"), "There is no verdict on this yet."])
    details = json.loads(verdict.details)
    reasons = "\n".join(
        f"- {plain(r['reason'], 600)} ({code(r['rule'])})" for r in details["reasons"]
    )
    rows = [
        [code(test["test"], 160), plain(test["kind"], 20), plain(test.get("reason") or "", 160)]
        for test in details["tests"][:50]
    ]
    return fitted(
        [
            marker("explain"),
            f"**{plain(verdict.title)}** at {code(verdict.head_sha[:12])}",
            reasons,
            *([table(["test", "without -> with", "how it failed"], rows)] if rows else []),
            _counted(precision),
        ]
    )


def _counted(precision: Precision) -> str:
    if precision.value is None:
        return "No verdict of fixgate has taken a side in this repository yet."
    return (
        f"In this repository {precision.decided} verdicts took a side; "
        f"{precision.wrong} of them were called wrong."
    )
