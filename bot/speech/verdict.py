"""The check of a pull request: the verdict in a line, its tests, its reasons, its annotations."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from bot.configuration import Gate
from bot.github.types import Annotation, Button, Check, Conclusion
from bot.jobs.types import JobRequest
from bot.speech.markdown import code, fitted, folded, plain, shortened, table
from evaluator.diff import Source
from evaluator.evaluation import ChangedLine, LineState, Revision, Side, Transition
from evaluator.verdict import Decision
from evaluator.verification.verify import Verification

MOST_ANNOTATIONS = 200
MOST_TESTS = 100
LONGEST_TITLE = 255

RERUN = Button("Run again", "Judge this pull request again", "rerun")
REWRITE = Button("Write tests anew", "Write new tests for the linked issues", "rewrite")
ADD_TESTS = Button("Add the tests", "Commit the tests to this pull request", "add-tests")


def verdict_check(
    request: JobRequest,
    verification: Verification,
    *,
    issues: Sequence[int],
    gate: Gate,
    head: Source,
    notes: Sequence[str] = (),
    details_url: str = "",
) -> Check:
    """The concluded check of a verification.

    `issues` are those whose tests were judged, `head` reads the pull request's files, `notes` are
    remarks in plain text (a configuration that cannot be used, say).
    """
    buttons = (RERUN, REWRITE, *((ADD_TESTS,) if verification.given else ()))
    return Check(
        key=request.key,
        head_sha=request.head_sha,
        title=shortened(_title(verification, issues), LONGEST_TITLE),
        summary=fitted(_summary(verification, notes)),
        text=fitted(_text(verification)),
        conclusion=conclusion(verification.verdict.decision, gate),
        annotations=tuple(itertools.islice(_annotations(verification, head), MOST_ANNOTATIONS)),
        buttons=buttons,
        details_url=details_url,
    )


def conclusion(decision: Decision, gate: Gate) -> Conclusion:
    """What a decision means for the pull request; `neutral` lets a required check pass."""
    if decision is Decision.ACCEPT:
        return Conclusion.SUCCESS
    if decision is Decision.REJECT:
        return Conclusion.FAILURE
    return Conclusion.ACTION_REQUIRED if gate is Gate.REQUIRED else Conclusion.NEUTRAL


def _title(verification: Verification, issues: Sequence[int]) -> str:
    verdict, tests = verification.verdict, verification.evidence.reproducing
    if verdict.decision is Decision.ABSTAIN:
        return f"Cannot tell: {verdict.reasons[0]}" if verdict.reasons else "Cannot tell"
    if verdict.decision is Decision.REJECT:
        return f"Does not hold: {verdict.reasons[0]}"
    what = f"Fixes {', '.join(f'#{n}' for n in issues)}: " if issues and verification.given else ""
    fail, passes = ("test fails", "passes") if len(tests) == 1 else ("tests fail", "pass")
    counted = f"{len(tests)} {fail} without this change and {passes} with it"
    return f"{what}{counted}{_executed(verification.lines)}"


def _executed(lines: Sequence[ChangedLine]) -> str:
    executable = [line for line in lines if line.state is not LineState.NOT_EXECUTABLE]
    covered = sum(line.state is LineState.COVERED for line in executable)
    if not executable:
        return ""
    return f", {covered} of {len(executable)} changed lines executed"


def _summary(verification: Verification, notes: Sequence[str]) -> Iterator[str]:
    yield _headline(verification)
    yield from (f"> {plain(note, 1000)}" for note in notes)
    rows = list(_rows(verification))
    if rows:
        yield table(["test", "from", "without", "with", "what failed"], rows[:MOST_TESTS])
    if len(rows) > MOST_TESTS:
        yield f"and {len(rows) - MOST_TESTS} more tests"


def _headline(verification: Verification) -> str:
    words = {
        Decision.ACCEPT: "**Accepted.**",
        Decision.REJECT: "**Rejected.**",
        Decision.ABSTAIN: "**fixgate cannot tell.**",
    }
    return words[verification.verdict.decision] + _reasons(verification)


def _reasons(verification: Verification) -> str:
    return "".join(
        f"\n- {plain(finding.reason, 600)}" for finding in verification.verdict.findings[:10]
    )


def _rows(verification: Verification) -> Iterator[list[str]]:
    """The tests that tell something: reproducing and failing ones first."""
    parts = [(name, j.transitions) for name, j in verification.given.items()]
    parts.append(("this change", verification.own.transitions))
    told = [
        (origin, transition)
        for origin, transitions in parts
        for transition in transitions
        if not (transition.preexisting or transition.kind == "P->P")
    ]
    for origin, t in sorted(told, key=lambda pair: pair[1].kind != "F->P"):
        yield [code(t.test, 160), plain(origin, 60), _ended(t.before), _ended(t.after), _why(t)]


def _ended(side: Side) -> str:
    marks = {"passed": "✅ passed", "failed": "❌ failed", "error": "❌ error"}
    return marks.get(side.status.value, side.status.value)


def _why(transition: Transition) -> str:
    failure = transition.after.failure or transition.before.failure
    if failure is None:
        return ""
    name = failure.exception_type.rpartition(".")[2]
    return code(f"{name}: {failure.message}" if failure.message else name, 160)


def _text(verification: Verification) -> Iterator[str]:
    runs = {
        f"{name}, {side}": run
        for name, judgement in {**verification.given, "this change": verification.own}.items()
        for pair in judgement.attempts[:1]
        for side, run in (("without the change", pair.base), ("with it", pair.fixed))
        if run.command
    }
    if runs:
        lines = "\n".join(
            f"- {plain(name, 80)}: {code(r.command, 500)}" for name, r in runs.items()
        )
        yield folded("How to run these tests by hand", lines)
    yield (
        "A test counts as reproducing when it fails on the base with the tests applied and passes "
        "once the code of this pull request is applied too; every side is run several times."
    )


def _annotations(verification: Verification, head: Source) -> Iterator[Annotation]:
    if verification.evidence.reproducing:
        yield from _unexecuted(verification.lines)
    for transition in verification.own.transitions:
        if transition.kind == "P->P" and not transition.preexisting:
            line = _line_of(transition, head)
            message = "This test passes without the change too, so it does not show what it fixes."
            yield Annotation(
                transition.file, line, line, "notice", message, "Passes without the fix"
            )


def _unexecuted(lines: Iterable[ChangedLine]) -> Iterator[Annotation]:
    """Runs of added lines that no reproducing test executes, each as one remark."""
    missed = sorted(
        (line.path, line.line)
        for line in lines
        if line.side is Revision.FIXED and line.state is LineState.UNCOVERED
    )
    for _, group in itertools.groupby(
        enumerate(missed), key=lambda item: (item[1][0], item[1][1] - item[0])
    ):
        places = [place for _, place in group]
        (path, first), (_, last) = places[0], places[-1]
        message = "No test that fails without this change executes this."
        yield Annotation(path, first, last, "warning", message, "Not executed")


def _line_of(transition: Transition, head: Source) -> int:
    """The line on which the test is defined, 1 where it is not found."""
    name = re.split(r"::|\.", transition.test.partition("[")[0])[-1]
    text = (head(transition.file) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf"\s*(async\s+)?def {re.escape(name)}\b", line):
            return number
    return 1
