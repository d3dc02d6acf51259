"""The method that needs no model: what the issue itself shows, replayed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from generator.method import Choice, Considered, MethodContext
from generator.methods.oracle import golden, succeeds
from generator.task import Candidate, Correctness


class IssueOnly:
    """No model: replays the code in the issue and tests for what is reported; else abstains."""

    name = "issue-only"
    needs_model = False
    replay_only = False

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """Tests for the symptoms that do occur, the surest first, up to one that is admitted."""
        rules = work.settings.rules
        for candidate in work.language.reproducers(work.task, work.runner, rules):
            yield candidate
            if _is_admitted(work, candidate):
                return

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:
        """The surest candidate that was admitted."""
        for one in considered:
            found = one.candidate
            if one.admission.admitted and work.settings.rules.allow(found.denies):
                reason = f"the reported symptom occurs: {found.note}"
                return Choice(one, reason, found.confidence)
        return None


class IssueOnlyRules(IssueOnly):
    """Issue-only with each test tried on the true fix, for `fixgate experiments rules`."""

    name = "issue-only-rules"
    replay_only = True

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """Every test of every rule, with whether it is right. Raises InputError outside of replay.

        What is not admitted is never submitted, so that it is not tried.
        """
        fix = golden(work, self.name, "issue-only")
        every = dataclasses.replace(work.settings.rules, exhaustive=True)
        for candidate in work.language.reproducers(work.task, work.runner, every):
            if not _is_admitted(work, candidate):
                yield candidate
                continue
            right = succeeds(work, work.finished(candidate.tests), fix)
            verdict = Correctness.RIGHT if right else Correctness.WRONG
            yield dataclasses.replace(candidate, verdict=verdict)


def _is_admitted(work: MethodContext, candidate: Candidate) -> bool:
    """As it is admitted in the end; the same content is run only once."""
    tests = work.finished(candidate.tests)
    return bool(tests.contents) and work.admit(tests).admitted
