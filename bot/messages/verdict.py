"""The check of a pull request: the verdict, its tests and reasons, or why it cannot be judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.configuration import Gate
from bot.github.types import Button, Check, Conclusion
from bot.jobs.types import JobRequest
from bot.messages.findings import decisive, in_words, remarks
from bot.messages.markdown import code, fenced, fitted, folded, plain, shortened, table
from evaluator import (
    Basis,
    ChangedLine,
    CheckoutError,
    Decision,
    EnvironmentBuildError,
    Finding,
    FixgateError,
    InputError,
    Judgement,
    LineState,
    PatchError,
    SandboxError,
    Side,
    Status,
    Transition,
    Verification,
    is_success,
)
from evaluator.diff import Source
from evaluator.report.verification import existing_tests, hunks_tested, left_out, untested

MOST_TESTS = 100
MOST_REASONS = 10
LONGEST_TITLE = 120
"""Characters that GitHub shows in one line."""
_ORDER = {"P->F": 0, "F->P": 1, "F->F": 2}
"""Which tests come first in the table."""
_WORDS = {
    Decision.ACCEPT: "Accepted",
    Decision.REJECT: "Rejected",
    Decision.ABSTAIN: "fixgate cannot tell",
}
_MARKS = {
    Status.PASSED: "✅ passed",
    Status.FAILED: "❌ failed",
    Status.ERROR: "❌ error",
    Status.TIMEOUT: "❌ timed out",
    Status.CRASHED: "❌ crashed",
    Status.MISSING: "not there",
}

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
        annotations=remarks(verification, head),
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
    decision = verification.verdict.decision
    if decision is Decision.ACCEPT:
        return f"{_accepted(verification, issues)}{_executed(verification.lines)}"
    found = decisive(verification.verdict.findings, decision)
    if decision is Decision.ABSTAIN:
        return f"Cannot tell: {in_words(found[0])}" if found else "Cannot tell"
    if found[0].rule in ("passing_test_breaks", "regression"):
        count = len(found[0].tests)
        what = "1 test that passes" if count == 1 else f"{count} tests that pass"
        return f"Breaks {what} without it"
    failing = _listed(n for n, tests in _judged(verification, issues) if _fails(tests))
    return f"Does not fix {failing or 'what its tests show'}: {in_words(found[0])}"


def _accepted(verification: Verification, issues: Sequence[int]) -> str:
    if verification.verdict.basis is Basis.OWN_TESTS:
        return "Its own tests fail without this change and pass with it"
    fixed = _listed(n for n, tests in _judged(verification, issues) if is_success(tests))
    return f"Fixes {fixed}: {_counted(verification)}" if fixed else _counted(verification)


def _judged(
    verification: Verification, issues: Sequence[int]
) -> Iterator[tuple[int, Sequence[Transition]]]:
    """Each issue with how its tests ended."""
    judgements = verification.given.values()
    yield from ((n, j.transitions) for n, j in zip(issues, judgements, strict=False))


def _fails(tests: Sequence[Transition]) -> bool:
    return any(t.after.status.fails and not t.preexisting for t in tests)


def _listed(issues: Iterable[int]) -> str:
    return ", ".join(f"#{number}" for number in issues)


def _counted(verification: Verification) -> str:
    count = len({test.test for test in verification.evidence.reproducing})
    tests, fail, passes = ("test", "fails", "passes") if count == 1 else ("tests", "fail", "pass")
    own = " of its own" if verification.verdict.basis is Basis.OWN_TESTS else ""
    return f"{count} {tests}{own} {fail} without this change and {passes} with it"


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
        yield table(["test", "from", "without", "with", "how it failed"], rows[:MOST_TESTS])
    if len(rows) > MOST_TESTS:
        yield f"and {len(rows) - MOST_TESTS} more tests"


def _headline(verification: Verification) -> str:
    """The decision, and what led to it."""
    words = _WORDS[verification.verdict.decision]
    reasons = _reasons(verification)
    if len(reasons) == 1:
        return f"**{words}**: {reasons[0]}."
    return "\n".join([f"**{words}**:\n", *(f"- {reason}" for reason in reasons)])


def _reasons(verification: Verification) -> list[str]:
    """Where it abstains, what speaks for the change too."""
    verdict = verification.verdict
    found = list(decisive(verdict.findings, verdict.decision))
    if verdict.decision is Decision.ABSTAIN:
        found += decisive(verdict.findings, Decision.ACCEPT)
    reasons = dict.fromkeys(_reason(finding, verification) for finding in found)
    return list(reasons)[:MOST_REASONS]


def _reason(finding: Finding, verification: Verification) -> str:
    if finding.rule == "reproduced":
        speaks = verification.verdict.decision is Decision.ABSTAIN
        return f"{'in its favour: ' if speaks else ''}{_counted(verification)}"
    return in_words(finding) if finding.tests else plain(finding.reason, 600)


def _named(verification: Verification) -> list[tuple[str, Judgement]]:
    """All judgements with where their tests come from."""
    return [*verification.given.items(), ("this change", verification.own)]


def _rows(verification: Verification) -> Iterator[list[str]]:
    """The tests that say something: broken and reproducing ones first."""
    shown = [
        (origin, transition)
        for origin, judgement in _named(verification)
        for transition in judgement.transitions
        if _says_something(transition)
    ]
    for origin, t in sorted(shown, key=lambda pair: _ORDER.get(pair[1].kind, len(_ORDER))):
        yield [code(t.test, 160), plain(origin, 60), _ended(t.before), _ended(t.after), _why(t)]


def _says_something(transition: Transition) -> bool:
    """Whether it says something of the change; tests that stood there before only if they break."""
    if transition.preexisting:
        return transition.kind == "P->F"
    return transition.kind != "P->P" or transition.flaky


def _ended(side: Side) -> str:
    return _MARKS.get(side.status, side.status.value)


def _why(transition: Transition) -> str:
    failure = transition.after.failure or transition.before.failure
    if failure is None:
        return ""
    name = failure.exception_type.rpartition(".")[2]
    if failure.message:
        return code(f"{name}: {failure.message}" if name else failure.message, 160)
    return f"{code(name)} without a message" if name else ""


def _text(verification: Verification) -> Iterator[str]:
    runs = {
        f"{name}, {side}": run
        for name, judgement in _named(verification)
        for pair in judgement.attempts[:1]
        for side, run in (("without the change", pair.base), ("with it", pair.fixed))
        if run.command
    }
    if runs:
        lines = "\n".join(
            f"- {plain(name, 80)}: {code(r.command, 500)}" for name, r in runs.items()
        )
        yield folded("How to run these tests by hand", lines)
    parts = verification.evidence.parts
    if parts:
        yield f"Of this change, {hunks_tested(parts)}."
    if unnoticed := untested(parts):
        lines = "\n".join(f"- {code(name, 160)}" for name in unnoticed[:MOST_REASONS])
        yield folded("What no test notices when it is taken back or changed", lines)
    if verification.evidence.regressions.budget:
        yield f"{existing_tests(verification.evidence.regressions).capitalize()}."
    if verification.left_out:
        yield f"Left out: {left_out(verification.left_out)}."
    times = max((len(j.attempts) for _, j in _named(verification)), default=0)
    if times:
        often = "once" if times == 1 else f"{times} times"
        yield f"Each side ran {often}: the base with these tests, and the same with this change."


CANNOT_RUN: Final = (CheckoutError, EnvironmentBuildError, InputError, PatchError, SandboxError)
"""What says something about the machine, the environment or the patch; trying again is in vain."""

_WHAT: Final = {
    EnvironmentBuildError: "the environment could not be built",
    InputError: "a file of this repository cannot be read",
    PatchError: "the change could not be applied here",
    CheckoutError: "the commits could not be laid out",
    SandboxError: "the tests could not be run here",
}
_ADVICE: Final = (
    "How this repository is installed can be said in `.github/fixgate.yml`, table `environment`."
)


def cannot_run(
    request: JobRequest, error: FixgateError, *, gate: Gate, notes: Sequence[str] = ()
) -> Check:
    """The concluded check of a change that could not be judged for one of `CANNOT_RUN`.

    `notes` are remarks in plain text.
    """
    what = next((words for kind, words in _WHAT.items() if isinstance(error, kind)), str(error))
    return Check(
        key=request.key,
        head_sha=request.head_sha,
        title=f"Cannot tell: {what}",
        summary=fitted(_obstacle(error, what, notes)),
        conclusion=conclusion(Decision.ABSTAIN, gate),
        buttons=(RERUN,),
    )


def _obstacle(error: FixgateError, what: str, notes: Sequence[str]) -> Iterator[str]:
    yield f"**fixgate cannot tell**: {what}."
    yield from (f"> {plain(note, 1000)}" for note in notes)
    log = error.log if isinstance(error, EnvironmentBuildError) else ""
    yield fenced(f"{error}\n{log}".strip(), longest=8000)
    if isinstance(error, EnvironmentBuildError | InputError):
        yield _ADVICE
