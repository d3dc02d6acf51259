"""Weighs what the admitted tests of an instance told of one fix."""

from __future__ import annotations

from collections.abc import Mapping

from evaluator.filtering.measuring import Measured
from evaluator.filtering.results import FixResult, FixState, SetOutcome
from evaluator.judge import Judgement
from evaluator.verdict import Evidence, Vote, decide, vote_of
from evaluator.verification.judged_tests import JudgedTests
from evaluator.verification.safeguards import safeguarded, with_existing_tests
from evaluator.verification.thoroughness import Thoroughness
from evaluator.workspace import Workspace


def weigh(
    workspace: Workspace, measured: Measured, *, witnesses: int = 1, regression_seconds: float = 0.0
) -> FixResult:
    """The verdict on a fix. `witnesses` writers must find the bug fixed for an acceptance.

    Existing tests run for `regression_seconds`. Raises SandboxError.
    """
    fix = measured.fix
    evidence = Evidence(generated=tuple(measured.told.values()), witnesses=witnesses)
    tried = [
        JudgedTests(measured.tests[name], each.judgement) for name, each in measured.told.items()
    ]
    evidence = safeguarded(
        evidence,
        workspace.executor,
        measured.subject,
        others=tried,
        thoroughness=_THOROUGHNESS,
    )
    evidence = with_existing_tests(
        evidence, workspace, measured.subject, seconds=regression_seconds
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
        outcomes={name: outcome(tests.judgement) for name, tests in measured.told.items()},
    )


_THOROUGHNESS = Thoroughness(isolated=False, mutants=False)
"""Admission ran the tests several times, in several orders; what parts matter is for reviewers."""
_OUTCOMES: Mapping[Vote, SetOutcome] = {
    Vote.FIXED: SetOutcome.SATISFIED,
    Vote.NOT_FIXED: SetOutcome.STILL_FAILS,
    Vote.UNSURE: SetOutcome.FAILS_DIFFERENTLY,
    Vote.SILENT: SetOutcome.SILENT,
}


def outcome(judgement: Judgement) -> SetOutcome:
    """What one set of tests says of one fix."""
    if any(t.kind == "P->F" and not t.flaky for t in judgement.transitions):
        return SetOutcome.BREAKS
    return _OUTCOMES[vote_of(judgement)]
