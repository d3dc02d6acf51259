"""What an acceptance rests on, and what failures say.

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
import re
from collections.abc import Iterator

from evaluator.admission import Strength
from evaluator.judge import Judgement
from evaluator.languages import is_test_file, language_of
from evaluator.model import Phase, Transition
from evaluator.verdict.evidence import Evidence, reproduces

_ACCIDENTAL = re.compile(r"\b0x[0-9a-fA-F]+\b|/(?:var/)?tmp/[\w./-]+")


def fails_alike(transition: Transition) -> bool:
    """Whether both sides failed with the same exception and message.

    Addresses and temporary files in it may differ; other values may be what the change is about.
    """
    before, after = transition.before.failure, transition.after.failure
    if before is None or after is None:
        return transition.before.status is transition.after.status
    messages = [_ACCIDENTAL.sub("*", failure.message) for failure in (before, after)]
    return before.exception_type == after.exception_type and messages[0] == messages[1]


def lacks_something(evidence: Evidence, transition: Transition) -> bool:
    """Whether a failure without the change says nothing of behaviour.

    It does where the issue reports just this failure.
    """
    if transition.test in evidence.reported:
        return False
    return transition.test in evidence.missing or _lacks_a_name(transition)


def _lacks_a_name(transition: Transition) -> bool:
    """Whether a test failed on R before it came to say anything about behaviour.

    A name that the project's own code misses is a fault of that code.
    """
    failure = transition.before.failure
    if transition.before.phase is Phase.COLLECTION:
        return True
    if failure is None or (failure.frame and not is_test_file(failure.frame.path)):
        return False
    return language_of((transition.file,)).failures.lacks_a_name(failure)


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
