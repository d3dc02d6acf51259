"""Runs tests on the base commit several times and decides whether they are admitted."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.admission.match import (
    Match,
    ReportedSymptoms,
    Strength,
    combined,
    match,
    read_report,
    says_message,
)
from evaluator.diff import Changes, Source
from evaluator.languages import is_test_file, language_of
from evaluator.languages.failures import described, exception_name, headline
from evaluator.model import Failure, Frame, Phase, Run, Status, TestOutcome
from evaluator.sandbox.protocol import ExitReason
from evaluator.test_names import aligned


class Refusal(enum.StrEnum):
    """Why tests are not admitted."""

    NO_TEST = "no_test"
    PASSES = "passes"
    FLAKY = "flaky"
    OUTSIDE_CALL = "outside_call"
    BROKEN_TEST = "broken_test"
    CUT_SHORT = "cut_short"
    UNREPORTED = "unreported"


_HANGING = (
    r"\bhangs?\b|\bhanging\b|\bhung\b|infinite(ly)? loop|\bforever\b|deadlock|time[sd]?[ -]?out"
    r"|never (return|terminat|finish|end|stop)"
)
_REPORTED_ENDINGS = {
    Status.TIMEOUT: re.compile(_HANGING, re.IGNORECASE),
    # What never ends may eat memory meanwhile, and be reported as the one or the other.
    Status.OUT_OF_MEMORY: re.compile(rf"{_HANGING}|memory|\boom\b", re.IGNORECASE),
    Status.CRASHED: re.compile(
        r"seg(mentation )?fault|core dumped|sigsegv|interpreter (crash|exit|die)|out of memory",
        re.IGNORECASE,
    ),
}


def refusal(outcome: TestOutcome, report: ReportedSymptoms) -> tuple[Refusal, str] | None:
    """Why a failure cannot stand for an issue, in a word and in words; None where it may."""
    if outcome.status in _REPORTED_ENDINGS:
        return _cut_short(outcome, report)
    failure = outcome.failure or Failure("", "")
    if _reports(failure, report):
        return None
    name = exception_name(failure) or "a failure"
    if outcome.phase is not Phase.CALL:
        return Refusal.OUTSIDE_CALL, _outside(outcome, name)
    if name in report.language.failures.broken_test or _is_misuse(failure, report):
        said = headline(failure.message)
        return Refusal.BROKEN_TEST, f"fails with {name}, which the issue does not report: {said}"
    return None


def _outside(outcome: TestOutcome, name: str) -> str:
    where = outcome.phase or "an unknown phase"
    if outcome.phase is Phase.TEARDOWN:
        return f"fails in {where} with {name}, after its own code passed"
    said = headline(outcome.failure.message.strip()) if outcome.failure else ""
    return f"fails in {where} with {name}, before its own code ran" + (f": {said}" if said else "")


def _cut_short(outcome: TestOutcome, report: ReportedSymptoms) -> tuple[Refusal, str] | None:
    patterns = [_REPORTED_ENDINGS[outcome.status]]
    patterns += [report.language.failures.crash] if outcome.status is Status.CRASHED else []
    if any(pattern.search(report.text) for pattern in patterns):
        return None
    return Refusal.CUT_SHORT, f"ends as {outcome.status}, which the issue does not report"


def _reports(failure: Failure, report: ReportedSymptoms) -> bool:
    """Whether the issue reports exactly this: the exception, and its message if that says much."""
    if exception_name(failure) not in report.words:
        return False
    return len(failure.message.split()) < 3 or says_message(failure, report)


def _is_misuse(failure: Failure, report: ReportedSymptoms) -> bool:
    """Whether a test's own lines raise, neither by an assertion nor by what the issue names.

    What the project's lines raise is its bug. An attribute or a parameter that is missing is what
    the issue may ask for.
    """
    words = report.language.failures
    if exception_name(failure) in {*words.uninformative, "", *report.words}:
        return False
    if failure.frame is None or not is_test_file(failure.frame.path):
        return False
    missing = words.missing_parts.search(failure.message)
    return missing is None or report.words.isdisjoint(missing.groups())


TIMES = 3
"""How often candidate tests are run: in clean processes, with other hash seeds and orders."""


@dataclass(frozen=True)
class Admission:
    """What the runs on the base commit showed. `refusal` is None where the tests are admitted.

    `failing` are the tests that make the point, with how they failed; `reason` says it in words.
    `strength` is how well the best of them fits what the issue reports, `only_negative` whether all
    of them say only what must not be.
    """

    refusal: Refusal | None
    reason: str
    failing: tuple[TestOutcome, ...] = ()
    strength: Strength = Strength.NONE
    only_negative: bool = False

    @property
    def admitted(self) -> bool:
        """Whether the tests may stand for the issue."""
        return self.refusal is None


def admit(
    run: Callable[[int], Run],
    issue: str,
    *,
    tests: Changes,
    standing: Run | None = None,
    times: int = TIMES,
) -> Admission:
    """Run tests up to `times` times on the base commit and decide whether they are admitted.

    `run` makes the run with a number, each in a clean process with another hash seed and order of
    tests; `standing` is a run of the same files as they stood before, whose failures are nobody's
    merit; in the files of `tests` is looked up what code they use. Ends at the
    first run that settles it. Every failing test must be fit to stand for the issue, since each
    will be held against a fix. Raises what `run` raises.
    """
    first = run(0)
    report = read_report(issue, language_of(tests.contents))
    failing = _new_failures(first, standing)
    refused = _refused(first, failing, standing, report)
    if refused is not None:
        return refused
    best = combined([match(outcome, report, tests.contents.get) for outcome in failing])
    if best.strength is Strength.NONE:
        return Admission(Refusal.UNREPORTED, f"{failing[0].test}: {best.reason}", failing)
    for number in range(1, times):
        if difference := _difference(failing, first, run(number), standing):
            reason = f"does not end the same way when run again: {difference}"
            return Admission(Refusal.FLAKY, reason, failing)
    reason = _reason(failing, times, best, tests.contents.get)
    return Admission(None, reason, failing, best.strength, best.only_negative)


def _new_failures(run: Run, standing: Run | None) -> tuple[TestOutcome, ...]:
    before = {} if standing is None else standing.outcomes
    return tuple(
        outcome
        for test, outcome in sorted(run.outcomes.items())
        if outcome.status.fails and not (test in before and before[test].status.fails)
    )


def _difference(
    failing: Sequence[TestOutcome], first: Run, again: Run, standing: Run | None
) -> str:
    """How a test ended in another way than the first time, "" where all ended alike.

    Messages may differ: directories, counters and times in them do. Other tests of the same files
    that were there before count for nothing, whatever they do in another order.
    """
    again, _ = aligned((again, first))
    for outcome in failing:
        other = again.outcomes.get(outcome.test)
        if other is None or _ending(other) != _ending(outcome):
            return _both_ends(outcome, other, again)
    known = {} if standing is None else standing.outcomes
    for test, other in sorted(again.outcomes.items()):
        before = first.outcomes.get(test)
        if other.status.fails and test not in known and not (before and before.status.fails):
            return _both_ends(before, other, again)
    return ""


def _ending(outcome: TestOutcome) -> tuple[Status, str]:
    return outcome.status, outcome.failure.exception_type if outcome.failure else ""


def _both_ends(first: TestOutcome | None, again: TestOutcome | None, run: Run) -> str:
    test = (first or again or TestOutcome("", "", Status.MISSING)).test
    repeated = f" (`{run.command}`)" if run.command else ""
    return f"{test}: first {_ended(first)}, then {_ended(again)}{repeated}"


def _ended(outcome: TestOutcome | None) -> str:
    if outcome is None:
        return "missing"
    if outcome.failure is None or not outcome.status.fails:
        return str(outcome.status)
    return f"{outcome.status} with {headline(described(outcome.failure))}"


def _refused(
    run: Run, failing: Sequence[TestOutcome], standing: Run | None, report: ReportedSymptoms
) -> Admission | None:
    if not run.outcomes:
        return Admission(Refusal.NO_TEST, _without_tests(run))
    if not failing:
        return _without_failure(run, standing)
    for outcome in failing:
        refused = refusal(outcome, report)
        if refused is not None:
            return Admission(refused[0], f"{outcome.test}: {refused[1]}", tuple(failing))
    return None


def _without_tests(run: Run) -> str:
    if run.ending is ExitReason.EXITED:
        return "holds no test that could be run"
    return f"no test came to an end: the run ended by {run.ending}"


def _without_failure(run: Run, standing: Run | None) -> Admission:
    """Why tests do not fail: they pass, unless they never ran."""
    known = {} if standing is None else standing.outcomes
    new = [o for test, o in run.outcomes.items() if test not in known] or [*run.outcomes.values()]
    unloaded = [o for o in run.outcomes.values() if o.status.fails and o.phase is Phase.COLLECTION]
    if any(o.status is Status.PASSED for o in new) or not (unloaded or all(map(_skipped, new))):
        return Admission(Refusal.PASSES, "passes on the code as it is")
    if unloaded:
        reason = (
            f"{unloaded[0].test}: cannot be loaded, and could not before: {_ended(unloaded[0])}"
        )
        return Admission(Refusal.OUTSIDE_CALL, reason)
    return Admission(Refusal.NO_TEST, f"{new[0].test}: is not run: {_why_skipped(new[0])}")


def _skipped(outcome: TestOutcome) -> bool:
    return outcome.status in (Status.SKIPPED, Status.XFAILED, Status.MISSING)


def _why_skipped(outcome: TestOutcome) -> str:
    said = headline(outcome.failure.message) if outcome.failure else ""
    return f"{outcome.status}: {said}" if said else str(outcome.status)


def _reason(failing: Sequence[TestOutcome], times: int, best: Match, source: Source) -> str:
    what = "the test fails" if len(failing) == 1 else f"{len(failing)} tests fail"
    return f"{what} {times} of {times} times ({_how(failing[0], source)}); {best.reason}"


def _how(outcome: TestOutcome, source: Source) -> str:
    """The exception with its message, else with the line of the test that raised it."""
    failure = outcome.failure
    if failure is None:
        return "without a message"
    message = failure.message.strip().partition("\n")[0]
    if message:
        return f"{failure.exception_type}: {message}"[:300]
    line = _line(failure.frame, source)
    return f"{failure.exception_type} {f'at: {line}' if line else 'without a message'}"


def _line(frame: Frame | None, source: Source) -> str:
    """The line of code at a place; "" where it is in none of the tests' files."""
    content = source(frame.path) if frame else None
    lines = (content or b"").decode("utf-8", "replace").splitlines()
    return lines[frame.line - 1].strip()[:200] if frame and frame.line <= len(lines) else ""
