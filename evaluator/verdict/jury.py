"""What the writers of generated tests say of a change, each with one vote.

Samples of one writer make the same mistakes, so that counting them all would let it outvote the
others; and a test whose failure does not fit the issue says little beside one whose failure does.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluator.admission import Strength
from evaluator.judge import Judgement
from evaluator.model import Transition
from evaluator.transitions import is_success
from evaluator.verdict.basis import fails_alike
from evaluator.verdict.evidence import Evidence, Generated


class Vote(enum.Enum):
    """What tests say of a change: SILENT ones do not fail without it, nor with it."""

    FIXED = enum.auto()
    NOT_FIXED = enum.auto()
    UNSURE = enum.auto()
    SILENT = enum.auto()


@dataclass(frozen=True)
class WriterOpinion:
    """What all tests of one writer for one issue come to.

    `strength` is that of the best sets of tests which say so (NONE where these only deny what was
    reported, and find it gone), `agreeing` and `dissenting` how many
    sets say so and otherwise, and `failing` are their tests that fail with the change.
    """

    name: str
    vote: Vote
    strength: Strength
    agreeing: int
    dissenting: int
    failing: tuple[Transition, ...]


@dataclass(frozen=True)
class Jury:
    """The writers of tests for one issue."""

    writers: tuple[WriterOpinion, ...]

    def saying(self, *votes: Vote) -> tuple[WriterOpinion, ...]:
        """The writers who say this."""
        return tuple(writer for writer in self.writers if writer.vote in votes)

    @property
    def affirming(self) -> tuple[WriterOpinion, ...]:
        """The writers whose tests say how it should be, and find it so."""
        return tuple(w for w in self.saying(Vote.FIXED) if w.strength > Strength.NONE)

    @property
    def agreement(self) -> int:
        """How many sets of tests of two or more writers affirm the fix; 0 where any dissents."""
        if len(self.affirming) < 2 or any(writer.dissenting for writer in self.writers):
            return 0
        return sum(writer.agreeing for writer in self.affirming)


def juries(evidence: Evidence) -> Iterator[Jury]:
    """One jury for each issue that tests were generated for."""
    for issue in dict.fromkeys(tests.issue for tests in evidence.generated):
        about = [tests for tests in evidence.generated if tests.issue == issue]
        names = dict.fromkeys(tests.writer for tests in about)
        yield Jury(tuple(_writer(name, [t for t in about if t.writer == name]) for name in names))


def vote_of(judgement: Judgement) -> Vote:
    """What one set of tests says."""
    new = [t for t in judgement.transitions if not t.preexisting]
    if is_success(new):
        return Vote.FIXED
    if any(t.kind == "F->F" and not t.flaky and fails_alike(t) for t in new):
        return Vote.NOT_FIXED
    return Vote.UNSURE if any(t.after.status.fails for t in new) else Vote.SILENT


def strongest(strengths: Iterable[Strength]) -> Strength:
    """The strongest of them; NONE where there are none."""
    return max(strengths, default=Strength.NONE)


@dataclass(frozen=True)
class _Sample:
    """One set of tests, what it says, and how far that can be believed."""

    vote: Vote
    strength: Strength
    failing: tuple[Transition, ...]


def _sample(tests: Generated) -> _Sample:
    said, strength = vote_of(tests.judgement), tests.strength
    if said is Vote.FIXED and tests.only_negative:
        strength = Strength.NONE
    failing = tuple(
        t for t in tests.judgement.transitions if t.after.status.fails and not t.preexisting
    )
    return _Sample(said, strength, failing)


def _writer(name: str, generated: Sequence[Generated]) -> WriterOpinion:
    """What most samples say, of those that fit the issue where any does."""
    samples = [s for s in map(_sample, generated) if s.vote is not Vote.SILENT]
    heard = [s for s in samples if s.strength >= Strength.FAIR] or samples
    majority = _majority([sample.vote for sample in heard])
    agreeing = [s for s in heard if majority in (s.vote, Vote.UNSURE)]
    return WriterOpinion(
        name,
        majority,
        strongest(sample.strength for sample in agreeing),
        agreeing=len(agreeing),
        dissenting=sum(sample.vote is not majority for sample in samples),
        failing=tuple(t for sample in agreeing for t in sample.failing),
    )


def _majority(votes: Sequence[Vote]) -> Vote:
    """What more than half say; UNSURE without a majority, SILENT where nobody says anything."""
    if not votes:
        return Vote.SILENT
    most, count = Counter(votes).most_common(1)[0]
    return most if 2 * count > len(votes) else Vote.UNSURE
