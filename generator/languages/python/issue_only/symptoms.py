"""Finds in a replay what the issue reports: the exception, the wrong output.

Each rule yields symptoms that did occur on the base commit; a report of which nothing occurs
yields none. Rules say how sure they are by the precision that was measured for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.languages.python.issue_only.program import Program
from generator.languages.python.issue_only.replaying import StepResult
from generator.report_text import SAID_TO_WORK, IssueReport
from generator.rules import Denial


@dataclass(frozen=True)
class Runs:
    """The step must run without an exception; its value, too, where it is shown in a way."""

    shown_by: str = ""


@dataclass(frozen=True)
class Raises:
    """The step must raise an exception of this name."""

    exception: str


@dataclass(frozen=True)
class Differs:
    """What the step gives, looked at in a way, must not be what it is on the base commit."""

    way: str
    actual: str


@dataclass(frozen=True)
class AnyDiffers:
    """Of what several steps give, not all may be what it is on the base commit.

    `looks` are (step, demand) in the order of the steps, the last being the symptom's own.
    """

    looks: tuple[tuple[int, Differs], ...]


@dataclass(frozen=True)
class Equals:
    """The step must give what a piece of code gives; `array` compares element by element."""

    expected: str
    array: bool = False


@dataclass(frozen=True)
class Reads:
    """What the step gives, looked at in a way, must read so, but for white space."""

    way: str
    expected: str


OfOne = Runs | Raises | Differs | Equals | Reads
"""What a single step must do."""

Demand = OfOne | AnyDiffers

LAST_OUTPUT = "output_last"
"""The rule for the last output that is shown: that it is the wrong one is a guess."""
OWN_ASSERTION = "own_assertion"
"""The rule for an assertion that stands in the issue, which says what is right."""


@dataclass(frozen=True)
class Symptom:
    """What is reported of a step and did occur, and what a right fix makes of it.

    `step` is the place among the program's steps. `rule` names what found it, `words` say it.
    `readings` are the rules by which the report was read for it: how its output was recognized, and
    where it says what should come out.
    """

    rule: str
    step: int
    demand: Demand
    confidence: float
    words: str
    readings: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """All rules that it rests on."""
        return (self.rule, *self.readings)

    @property
    def denies(self) -> Denial:
        """What a test for it says only that it must not be."""
        match self.demand:
            case Runs():
                said = {OWN_ASSERTION, SAID_TO_WORK} & {*self.rules}
                return Denial.NOTHING if said else Denial.EXCEPTION
            case Differs(way="value", actual="True" | "False") if self.rule != LAST_OUTPUT:
                return Denial.NOTHING
            case Differs() | AnyDiffers():
                return Denial.OUTPUT
        return Denial.NOTHING


@dataclass(frozen=True)
class ReplayedReport:
    """A report, what of it was run, and what came out."""

    report: IssueReport
    program: Program
    outcomes: Sequence[StepResult]

    def __iter__(self) -> Iterator[tuple[int, StepResult]]:
        yield from enumerate(self.outcomes)
