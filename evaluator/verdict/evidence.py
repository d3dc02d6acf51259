"""What a fix is judged by, and what a rule says of it."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.admission import Strength
from evaluator.evaluation import Transition
from evaluator.judge import Judgement
from evaluator.transitions import is_success


class Decision(enum.StrEnum):
    """What is said of a fix."""

    ACCEPT = "accept"
    REJECT = "reject"
    ABSTAIN = "abstain"


@dataclass(frozen=True)
class Finding:
    """What one rule says: its name, the decision it pleads for, and why, in words."""

    rule: str
    decision: Decision
    reason: str


@dataclass(frozen=True)
class Evidence:
    """What a fix is judged by.

    `given` are judgements of tests that come from elsewhere (an issue, a maintainer), `own` that
    of the tests that the change brings along. `configuration` names the changed files that steer
    how tests are run. `witnesses` is how many of the judgements must hold a test that the change
    turns from failing to passing: more than one where tests are generated and may be wrong.
    `strengths` tells, for each of `given`, how well its failures without the change fit the issue;
    it is empty where nobody looked, as for tests of maintainers.
    """

    given: tuple[Judgement, ...] = ()
    own: Judgement | None = None
    configuration: tuple[str, ...] = ()
    witnesses: int = 1
    strengths: tuple[Strength, ...] = ()

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """All judgements, the given ones first."""
        return self.given if self.own is None else (*self.given, self.own)

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The transitions of all tests."""
        return tuple(t for judgement in self.judgements for t in judgement.transitions)

    @property
    def reproducing(self) -> tuple[Transition, ...]:
        """The stable tests that fail without the fix and pass with it."""
        return tuple(t for t in self.transitions if reproduces(t))

    @property
    def ranked(self) -> Sequence[tuple[Strength, Judgement]]:
        """The given judgements with how well their tests fit the issue, where that is known."""
        return list(zip(self.strengths, self.given, strict=False))

    @property
    def heard(self) -> tuple[Transition, ...]:
        """The given tests by which a change can be rejected.

        Tests whose failure fits the issue less well than that of tests which the change satisfies
        are left out: who is nearer to the report is believed.
        """
        satisfied = [s for s, judgement in self.ranked if is_success(judgement.transitions)]
        least = max(satisfied, default=Strength.NONE)
        heard = [j for s, j in self.ranked if s >= least] if self.strengths else self.given
        return tuple(t for j in heard for t in j.transitions if not t.preexisting)

    @property
    def outranked(self) -> tuple[Transition, ...]:
        """The given tests that are not heard: they cannot reject a change, but raise a doubt."""
        heard = {id(transition) for transition in self.heard}
        given = (t for judgement in self.given for t in judgement.transitions)
        return tuple(t for t in given if id(t) not in heard and not t.preexisting)


def reproduces(transition: Transition) -> bool:
    """Whether a stable test fails without the fix and passes with it."""
    return transition.kind == "F->P" and not transition.flaky
