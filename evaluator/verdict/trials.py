"""What came of trying the assertions of a test with other expected values."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from evaluator.judge import Judgement


class Reaction(enum.StrEnum):
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
    reaction: Reaction
    assertions: int = 0
    place: str = ""


@dataclass(frozen=True)
class Reactions:
    """How the tests of a judgement react that fail without the change and pass with it."""

    judgement: Judgement
    tests: tuple[Sensitivity, ...]
