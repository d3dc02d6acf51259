"""Weighs what the admitted tests of an instance told of one fix."""

from __future__ import annotations

from evaluator.filtering.measuring import Measured
from evaluator.filtering.results import FixResult, FixState, Outcome
from evaluator.judge import Judgement
from evaluator.transitions import is_success
from evaluator.verdict import Evidence, decide
from evaluator.verification.verify import steering


def weigh(measured: Measured, *, witnesses: int = 1) -> FixResult:
    """The verdict on a fix: every admitted set of tests is a given one.

    `witnesses` of them must reproduce the bug for an acceptance.
    """
    fix, subject = measured.fix, measured.subject
    evidence = Evidence(
        given=tuple(measured.judgements.values()),
        configuration=steering(subject.fix.contents, subject.source),
        witnesses=witnesses,
        strengths=tuple(measured.strengths[name] for name in measured.judgements),
    )
    verdict = decide(evidence)
    return FixResult(
        instance_id=fix.instance_id,
        name=fix.name,
        resolved=fix.resolved,
        state=FixState.JUDGED,
        decision=verdict.decision,
        reasons=verdict.reasons,
        findings=verdict.findings,
        outcomes={name: outcome(found) for name, found in measured.judgements.items()},
    )


def outcome(judgement: Judgement) -> Outcome:
    """What one set of tests says of one fix."""
    if any(t.kind == "P->F" and not t.flaky for t in judgement.transitions):
        return Outcome.BREAKS
    if is_success(judgement.transitions):
        return Outcome.SATISFIED
    own = [t for t in judgement.transitions if not t.preexisting]
    return Outcome.STILL_FAILS if any(t.after.status.fails for t in own) else Outcome.SILENT
