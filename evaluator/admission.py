"""Admission: whether tests fail on the base commit, every time, for the reason that is reported.

The one piece of code that decides it, for whoever proposes tests.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.outcome import Phase, Run, Status, TestOutcome
from evaluator.verification.symptom import matches_issue

TIMES = 3
"""How often candidate tests are run: each time in a clean process with another hash seed."""

_BROKEN = frozenset(
    {
        "AttributeError",
        "ImportError",
        "ModuleNotFoundError",
        "NameError",
        "UnboundLocalError",
        "SyntaxError",
        "IndentationError",
        "TabError",
        "FixtureLookupError",
    }
)
"""Exceptions that a badly written test raises; they count only where the issue names them."""


class Refusal(enum.StrEnum):
    """Why tests are not admitted."""

    NO_TEST = "no_test"
    PASSES = "passes"
    FLAKY = "flaky"
    OUTSIDE_CALL = "outside_call"
    BROKEN_TEST = "broken_test"
    CUT_SHORT = "cut_short"
    UNREPORTED = "unreported"


@dataclass(frozen=True)
class Admission:
    """What the runs on the base commit told. `refusal` is None where the tests are admitted.

    `failing` are the tests that make the point, with how they failed; `reason` says it in words.
    """

    refusal: Refusal | None
    reason: str
    failing: tuple[TestOutcome, ...] = ()

    @property
    def admitted(self) -> bool:
        """Whether the tests may stand for the issue."""
        return self.refusal is None


def admit(
    run: Callable[[int], Run], issue: str, *, standing: Run | None = None, times: int = TIMES
) -> Admission:
    """Run tests up to `times` times on the base commit and tell whether they are admitted.

    `run` makes the run with a number; `standing` is a run of the same files as they stood before,
    whose failures are nobody's merit. Ends at the first run that settles it.
    """
    first = run(0)
    failing = _new_failures(first, standing)
    refused = _refused(first, failing, issue)
    if refused is not None:
        return refused
    for number in range(1, times):
        if _endings(_new_failures(run(number), standing)) != _endings(failing):
            return Admission(Refusal.FLAKY, "does not end the same way when run again", failing)
    return Admission(None, _told(failing, times), failing)


def _new_failures(run: Run, standing: Run | None) -> tuple[TestOutcome, ...]:
    before = {} if standing is None else standing.outcomes
    return tuple(
        outcome
        for test, outcome in sorted(run.outcomes.items())
        if outcome.status.fails and not (test in before and before[test].status.fails)
    )


def _endings(failing: Sequence[TestOutcome]) -> list[tuple[str, Status, str]]:
    return [(o.test, o.status, o.failure.exception_type if o.failure else "") for o in failing]


def _refused(run: Run, failing: tuple[TestOutcome, ...], issue: str) -> Admission | None:
    if not run.outcomes:
        return Admission(Refusal.NO_TEST, "holds no test that could be run")
    if not failing:
        return Admission(Refusal.PASSES, "passes on the code as it is")
    for outcome in failing:
        refusal, reason = _judged(outcome, issue)
        if refusal is not None:
            return Admission(refusal, f"{outcome.test}: {reason}", failing)
    return None


def _judged(outcome: TestOutcome, issue: str) -> tuple[Refusal | None, str]:
    failure = outcome.failure
    reported = matches_issue(failure, issue)
    if outcome.status in (Status.TIMEOUT, Status.CRASHED):
        return Refusal.CUT_SHORT, f"ends as {outcome.status}"
    name = failure.exception_type.rpartition(".")[2] if failure else ""
    if outcome.phase is not Phase.CALL and not reported:
        return Refusal.OUTSIDE_CALL, f"fails in {outcome.phase} with {name}, before its own code"
    if name in _BROKEN and not reported:
        return Refusal.BROKEN_TEST, f"fails with {name}, which the issue does not report"
    return None, ""


def _told(failing: Sequence[TestOutcome], times: int) -> str:
    failure = failing[0].failure
    how = f"{failure.exception_type}: {failure.message}".strip() if failure else "a failure"
    what = failing[0].test if len(failing) == 1 else f"{len(failing)} tests"
    return f"{what} failed {times} of {times} times: {how.splitlines()[0][:300]}"
