"""Rules on what the writers of generated tests say, who may be wrong."""

from __future__ import annotations

from collections.abc import Iterable

from evaluator.admission import Strength
from evaluator.model import Transition
from evaluator.verdict.evidence import Decision, Evidence, Finding, reproduces
from evaluator.verdict.jury import Jury, Vote, WriterOpinion, juries, strongest
from evaluator.verdict.rules.wording import finding

_DOUBTS = (Vote.NOT_FIXED, Vote.UNSURE)
AGREEMENT = 4
"""How many sets of tests must agree where none fails as the issue reports: agreement of samples
separates right from wrong (LIBRO, section III-D), though less well than the report does."""


def writers_find_it_unfixed(evidence: Evidence) -> Finding | None:
    """Reject: more writers of generated tests find the issue unfixed than fixed.

    One of them must have a test that fails as the issue reports, or two must agree.
    """
    for jury in juries(evidence):
        against, fixed = jury.saying(Vote.NOT_FIXED), jury.saying(Vote.FIXED)
        if len(against) > len(fixed) and (len(against) > 1 or _as_reported(against)):
            return finding(
                "writers_find_it_unfixed",
                Decision.REJECT,
                "still fails in the same way",
                _failing(against),
            )
    return None


def writer_in_doubt(evidence: Evidence) -> Finding | None:
    """Abstain: tests of a writer fail with the fix, which is not enough to reject it.

    Where two writers disagree, one of them is wrong. A test that was taken from the issue outweighs
    one that is farther from it and fails as if there were no fix; not one that is as near, or that
    notices the fix and fails in another way. Several writers outweigh fewer doubts, where one of
    them took its test from the issue.
    """
    doubting = [writer for jury in juries(evidence) for writer in _not_outweighed(jury)]
    return finding(
        "writer_in_doubt", Decision.ABSTAIN, "fails with the change too", _failing(doubting)
    )


def _not_outweighed(jury: Jury) -> tuple[WriterOpinion, ...]:
    """The writers whose doubts the others do not outweigh."""
    doubting, strength = jury.saying(*_DOUBTS), _strength(jury)
    if strength < Strength.STRONG:
        return doubting
    if len(jury.affirming) > max(1, len(doubting)):
        return ()
    return tuple(w for w in doubting if w.vote is Vote.UNSURE or w.strength >= strength)


def too_few_witnesses(evidence: Evidence) -> Finding | None:
    """Abstain: fewer writers of generated tests than wanted find the issue fixed."""
    found = [len(jury.saying(Vote.FIXED)) for jury in juries(evidence)]
    few = [number for number in found if 0 < number < evidence.witnesses]
    if not few:
        return None
    reason = (
        f"tests of {min(few)} of the {evidence.witnesses} writers that are wanted find it fixed"
    )
    return Finding("too_few_witnesses", Decision.ABSTAIN, reason)


def not_as_reported(evidence: Evidence) -> Finding | None:
    """Abstain: what the generated tests want of the fix stands in the issue in part, or not at all.

    Then they say what their writer made of the issue, which a wrong fix may well satisfy, and
    others must agree: another writer, or many where nothing stands in the issue. It says nothing
    where other tests than generated ones reproduce the bug as well.
    """
    if any(reproduces(t) for judgement in evidence.trusted for t in judgement.transitions):
        return None
    doubtful = [j for j in juries(evidence) if j.saying(Vote.FIXED) and not _is_enough(j)]
    if not doubtful:
        return None
    reason = "the tests that find it fixed do not fail just as the issue reports, and too few agree"
    if not all(jury.affirming for jury in doubtful):
        reason = (
            "the tests show that what was reported is gone, not that what is there now is right"
        )
    return Finding("not_as_reported", Decision.ABSTAIN, reason)


def _failing(writers: Iterable[WriterOpinion]) -> list[Transition]:
    return [transition for writer in writers for transition in writer.failing]


def _as_reported(writers: Iterable[WriterOpinion]) -> bool:
    return strongest(writer.strength for writer in writers) >= Strength.FAIR


def _strength(jury: Jury) -> Strength:
    return strongest(writer.strength for writer in jury.affirming)


def _is_enough(jury: Jury) -> bool:
    match _strength(jury):
        case Strength.STRONG:
            return True
        case Strength.FAIR:
            return len(jury.affirming) > 1
    return jury.agreement >= AGREEMENT
