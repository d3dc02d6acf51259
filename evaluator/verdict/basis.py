"""What an acceptance rests on: a test of the issue, or the change's own tests alone.

| without the change | basis |
| --- | --- |
| a given test fails, or a generated one as its issue reports | issue |
| a test of the change fails as the issue reports | issue |
| a test of the change fails otherwise, or there is no issue | own tests |

A test that fails only because something that the change adds does not exist yet counts for neither,
unless the issue reports just that.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from evaluator.admission import Strength
from evaluator.judge import Judgement
from evaluator.model import Transition
from evaluator.verdict.evidence import Evidence, reproduces
from evaluator.verdict.failures import lacks_something


class Basis(enum.StrEnum):
    """Whose tests an acceptance rests on."""

    ISSUE = "issue"
    OWN_TESTS = "own tests"


def basis_of(evidence: Evidence) -> Basis:
    """Whose tests speak for the change, provided that some do."""
    own = list(own_reproducing(evidence))
    issue = any(counting(evidence, judgement) for judgement in _of_the_issue(evidence))
    if issue or not own or any(t.test in evidence.reported for t in own):
        return Basis.ISSUE
    return Basis.OWN_TESTS


def own_reproducing(evidence: Evidence) -> tuple[Transition, ...]:
    """The tests of the change itself that fail without it because of behaviour."""
    return () if evidence.own is None else counting(evidence, evidence.own)


def counting(evidence: Evidence, judgement: Judgement) -> tuple[Transition, ...]:
    """The tests that fail without the change because of behaviour, and pass with it."""
    found = (t for t in judgement.transitions if reproduces(t))
    return tuple(t for t in found if not lacks_something(evidence, t))


def _of_the_issue(evidence: Evidence) -> Iterator[Judgement]:
    yield from evidence.given
    yield from (g.judgement for g in evidence.generated if g.strength >= Strength.FAIR)
