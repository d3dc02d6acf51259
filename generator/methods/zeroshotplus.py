"""`zeroshotplus`: one question, answered in a format that forgives (SWT-Bench, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.candidate import Candidate
from generator.choosing import last_admitted
from generator.method import Choice, Considered, Work
from generator.methods._single_shot import SingleShot


class ZeroShotPlus:
    """Ask once, with retrieved code, for tests in the block format (SWT-Bench's ZeroShotPlus)."""

    name = "zeroshotplus"
    needs_model = True
    replay_only = False
    asking = SingleShot("zeroshotplus", name)

    def candidates(self, work: Work) -> Iterator[Candidate]:
        """The blocks of one reply at temperature 0, or those of several at 0.7."""
        return self.asking.candidates(work)

    def choose(self, work: Work, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one that was admitted."""
        return last_admitted(considered)
