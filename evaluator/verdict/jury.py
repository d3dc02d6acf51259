"""What the writers of generated tests say of a change, each with one voice.

Samples of one writer make the same mistakes, so that counting them all would let it outvote the
others; and a test whose failure does not fit the issue says little beside one whose failure does.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluator.admission import Strength
from evaluator.evaluation import Transition
from evaluator.judge import Judgement
from evaluator.transitions import is_success
from evaluator.verdict.evidence import Evidence, Generated
from evaluator.verdict.sameness import fails_alike


class Voice(enum.Enum):
    """What tests say of a change: SILENT ones do not fail without it, nor with it."""

    FIXED = enum.auto()
    NOT_FIXED = enum.auto()
    UNSURE = enum.auto()
    SILENT = enum.auto()


@dataclass(frozen=True)
class Writer:
    """What all tests of one writer for one issue come to.

    `strength` is that of the best of them which say so, and `failing` are their tests that fail
    with the change.
    """

    name: str
    voice: Voice
    strength: Strength
    failing: tuple[Transition, ...]


@dataclass(frozen=True)
class Jury:
    """The writers of tests for one issue."""

    writers: tuple[Writer, ...]

    def saying(self, *voices: Voice) -> tuple[Writer, ...]:
        """The writers who say this."""
        return tuple(writer for writer in self.writers if writer.voice in voices)


def juries(evidence: Evidence) -> Iterator[Jury]:
    """One jury for each issue that tests were generated for."""
    for issue in dict.fromkeys(tests.issue for tests in evidence.generated):
        about = [tests for tests in evidence.generated if tests.issue == issue]
        names = dict.fromkeys(tests.writer for tests in about)
        yield Jury(tuple(_writer(name, [t for t in about if t.writer == name]) for name in names))


def voice(judgement: Judgement) -> Voice:
    """What one set of tests says."""
    told = [t for t in judgement.transitions if not t.preexisting]
    if is_success(told):
        return Voice.FIXED
    if any(t.kind == "F->F" and not t.flaky and fails_alike(t) for t in told):
        return Voice.NOT_FIXED
    return Voice.UNSURE if any(t.after.status.fails for t in told) else Voice.SILENT


def strongest(strengths: Iterable[Strength]) -> Strength:
    """The strongest of them; NONE where there are none."""
    return max(strengths, default=Strength.NONE)


def _writer(name: str, samples: Sequence[Generated]) -> Writer:
    """The majority of the samples, of those that fit the issue where any does."""
    fitting = [sample for sample in samples if sample.strength >= Strength.FAIR]
    said = [(voice(sample.judgement), sample) for sample in fitting or samples]
    majority = _majority([each for each, _ in said if each is not Voice.SILENT])
    agreeing = [sample for each, sample in said if majority in (each, Voice.UNSURE)]
    failing = (t for s in agreeing for t in s.judgement.transitions if t.after.status.fails)
    strength = strongest(sample.strength for sample in agreeing)
    return Writer(name, majority, strength, tuple(t for t in failing if not t.preexisting))


def _majority(voices: Sequence[Voice]) -> Voice:
    """What more than half say; UNSURE without a majority, SILENT where nobody says anything."""
    if not voices:
        return Voice.SILENT
    most, count = Counter(voices).most_common(1)[0]
    return most if 2 * count > len(voices) else Voice.UNSURE
