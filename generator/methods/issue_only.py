"""The method that needs no model: what the issue itself shows, replayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.method import Choice, Considered, MethodContext
from generator.task import Candidate


class IssueOnly:
    """No model: replays the code in the issue and tests for what is reported; else abstains."""

    name = "issue-only"
    needs_model = False
    replay_only = False

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """Tests for the symptoms that did occur on the base commit, the surest first."""
        yield from work.language.reproducers(work.task, work.runner)

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The surest candidate that was admitted."""
        for one in considered:
            if one.admission.admitted:
                confidence, _, words = one.candidate.note.partition(" ")
                return Choice(one, f"the reported symptom occurs: {words}", float(confidence))
        return None
