"""What came of trying the assertions of a test with other expected values."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from evaluator.judge import Judgement


class TrialOutcome(enum.StrEnum):
    """What a test does when its expected values are replaced."""

    NOTICED = "noticed"
    """Every assertion that could be tried fails with each of the other values."""
    HELD = "held"
    """Some assertion holds with another value, or the test passes whatever happens."""
    NOTHING = "nothing"
    """The test reaches no assertion that could be tried."""
    UNTRIED = "untried"
    """The test could not be run with other values, or ended otherwise than it does."""


@dataclass(frozen=True)
class Sensitivity:
    """How one test reacts. `assertions` is how many were tried, `place` where one held, if any."""

    test: str
    file: str
    reaction: TrialOutcome
    assertions: int = 0
    place: str = ""


@dataclass(frozen=True)
class Reactions:
    """How the tests of a judgement react that fail without the change and pass with it."""

    judgement: Judgement
    tests: tuple[Sensitivity, ...]


class PartState(enum.StrEnum):
    """What the tests say of a part of the change."""

    TESTED = "tested"
    """Some test fails where this part alone is taken back, or made another."""
    UNTESTED = "untested"
    """No test notices that, or none executes it."""
    INSEPARABLE = "inseparable"
    """Nothing can be loaded without it, which says nothing of the tests."""
    NOT_TRIED = "not tried"
    """There was no time left."""


class PartKind(enum.StrEnum):
    """What is done to a part of the change."""

    HUNK = "hunk"
    """It is taken back: the base's lines are in its place."""
    DETAIL = "detail"
    """A constant or a comparison in an added line is another."""


@dataclass(frozen=True)
class PartResult:
    """A part of the change, and the tests that notice when it is missing.

    `first` and `last` are lines of the changed file, counted from 1; `last` is below `first` where
    the part only removes lines, and both are 0 for a whole file. `what` describes a detail.
    """

    path: str
    first: int
    last: int
    kind: PartKind
    state: PartState
    tests: tuple[str, ...] = ()
    what: str = ""
