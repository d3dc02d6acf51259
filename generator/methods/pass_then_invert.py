"""`pass-then-invert`: a test that passes and shows the wrong behaviour, then turned round.

The idea of AssertFlip (https://arxiv.org/abs/2507.17542).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.candidate import Candidate
from generator.conversations.conversation import SAMPLING
from generator.conversations.inversion import (
    CONFIRMED,
    DOUBTED,
    NAME,
    candidate,
    flipped_candidate,
    inverted,
    judged,
)
from generator.conversations.passing import GaveUpError, passing_test
from generator.errors import LimitReachedError, ModelError
from generator.loop import LONGEST_REPLY
from generator.method import SINGLE_WRITER, Choice, Considered, MethodContext, last_admitted
from generator.model.protocol import Parameters

PROPOSALS = 3
"""How many tests are begun, each after one that came to nothing or was doubted."""
_DOUBT = 0.2


class PassThenInvert:
    """Write a test that passes and shows the bug, then invert its assertions and nothing else."""

    name = NAME
    needs_model = True
    replay_only = False

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """The inverted tests of each proposal, until the judge sees the issue in one."""
        complaint = ""
        for number in range(work.settings.samples or PROPOSALS):
            parameters = Parameters(SAMPLING if number else 0.0, LONGEST_REPLY, number)
            proposal = _Proposal(work, parameters)
            yield from proposal.candidates(complaint)
            complaint = proposal.complaint
            if not complaint:
                return

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one in which the judge sees the issue, else the last one that is admitted."""
        confirmed = [one for one in considered if one.candidate.origin == CONFIRMED]
        return last_admitted(confirmed, SINGLE_WRITER) or last_admitted(considered, _DOUBT)


class _Proposal:
    """One test from its beginning; `complaint` is what the next one should do better."""

    def __init__(self, work: MethodContext, parameters: Parameters) -> None:
        self._work = work
        self._parameters = parameters
        self.complaint = ""

    def candidates(self, complaint: str) -> Iterator[Candidate]:
        work = self._work
        try:
            passing = passing_test(work, complaint, self._parameters)
        except GaveUpError as error:
            self._complain(str(error))
            return
        try:
            one = inverted(work, passing, self._parameters)
        except GaveUpError as error:
            self._complain(str(error))
            yield flipped_candidate(work, passing, str(error))
            return
        except (LimitReachedError, ModelError) as error:
            yield flipped_candidate(work, passing, str(error))
            raise
        try:
            judgement = judged(work, one, self._parameters)
        except (LimitReachedError, ModelError) as error:
            yield candidate(work, one.tests, DOUBTED, f"not judged: {error}")
            raise
        self._complain("" if judgement.holds else judgement.reason or "it does not show the issue")
        origin = CONFIRMED if judgement.holds else DOUBTED
        yield candidate(work, one.tests, origin, judgement.reason)

    def _complain(self, complaint: str) -> None:
        self.complaint = complaint
        if complaint:
            self._work.trajectory.note(f"{NAME}: {complaint}")
