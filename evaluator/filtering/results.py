"""What filtering tells of each fix and of each set of tests, and how it is kept."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from evaluator.admission import Refusal, Strength
from evaluator.verdict import Decision, Finding


class FixState(enum.StrEnum):
    """The one state in which a fix ends. Only JUDGED comes with a decision."""

    JUDGED = "judged"
    FIX_ERROR = "fix_error"
    CHECKOUT_ERROR = "checkout_error"
    INTERPRETER_MISSING = "interpreter_missing"
    ENVIRONMENT_ERROR = "environment_error"
    SANDBOX_ERROR = "sandbox_error"
    WORKER_LOST = "worker_lost"
    INTERNAL_ERROR = "internal_error"


class SetOutcome(enum.StrEnum):
    """What one set of tests says of one fix."""

    SATISFIED = "satisfied"
    STILL_FAILS = "still_fails"
    FAILS_DIFFERENTLY = "fails_differently"
    BREAKS = "breaks"
    SILENT = "silent"


@dataclass(frozen=True)
class TestSet:
    """One set of generated tests for an instance, and what admission said of it.

    `refusal` is None where they are admitted and judge the fixes.
    """

    __test__ = False

    name: str
    writer: str
    refusal: Refusal | None
    strength: Strength
    reason: str

    @property
    def admitted(self) -> bool:
        """Whether the tests may stand for the issue."""
        return self.refusal is None


@dataclass(frozen=True)
class FixResult:
    """What came of one fix.

    `outcomes` maps the admitted sets of tests to what they say of it. `decision` is None, and
    `reasons` say why, where it could not be judged.
    """

    instance_id: str
    name: str
    resolved: bool | None
    state: FixState
    decision: Decision | None = None
    reasons: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    outcomes: dict[str, SetOutcome] = field(default_factory=dict)


@dataclass(frozen=True)
class InstanceResult:
    """All tests and fixes of one instance."""

    instance_id: str
    repo: str
    tests: tuple[TestSet, ...]
    fixes: tuple[FixResult, ...]
