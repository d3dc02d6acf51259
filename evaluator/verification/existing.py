"""What existing tests, which the change neither brings along nor edits, add to the evidence."""

from __future__ import annotations

import dataclasses

from evaluator.diff import Changes
from evaluator.execution import Subject
from evaluator.regressions.run import find_regressions
from evaluator.verdict import Decision, Evidence, decide
from evaluator.workspace import Workspace


def with_existing_tests(
    evidence: Evidence,
    workspace: Workspace,
    subject: Subject,
    *,
    seconds: float,
    brought: Changes | None = None,
) -> Evidence:
    """The evidence with what existing tests show within some seconds.

    Where the change is rejected without them they are not run. `brought` is what the change does
    to tests. Raises SandboxError.
    """
    if decide(evidence).decision is Decision.REJECT:
        return evidence
    found = find_regressions(
        workspace.executor,
        workspace.contexts,
        subject,
        seconds=seconds,
        brought=brought,
        judged={file for judgement in evidence.judgements for file in judgement.files},
    )
    return dataclasses.replace(evidence, regressions=found)
