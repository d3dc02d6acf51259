"""What keeps a change from a wrong acceptance: rules on its files, further runs, existing tests."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from evaluator.diff import Changes
from evaluator.execution import Executor, Subject
from evaluator.regressions.run import find_regressions
from evaluator.verdict import Decision, Evidence, decide
from evaluator.verdict.trials import Reactions
from evaluator.verification.change_files import examined
from evaluator.verification.judged_tests import JudgedTests
from evaluator.verification.mutation import parts_tested
from evaluator.verification.reruns import dependent, sensitivity
from evaluator.verification.thoroughness import THOROUGH, Thoroughness
from evaluator.workspace import Workspace


def safeguarded(
    evidence: Evidence,
    executor: Executor,
    subject: Subject,
    *,
    others: Sequence[JudgedTests],
    own: JudgedTests | None = None,
    issue: str = "",
    thoroughness: Thoroughness = THOROUGH,
) -> Evidence:
    """The evidence with what the change does to how it is tested, by its code.

    Where it would be accepted, its tests are run once more, as their own control. `own` are the
    tests that the change brings along, `others` all that it does not; `issue` is what they are
    about, `thoroughness` says which safeguards run. Raises SandboxError.
    """
    brought = own.tests if own else Changes()
    sets = [*((own,) if own else ()), *others]
    examples = [file for each in sets for file in each.tests.contents.items()]
    found = examined(evidence, subject, brought, examples, issue)
    if thoroughness.isolated and decide(found).decision is Decision.ACCEPT:
        found = _isolated(found, executor, subject, sets)
    if thoroughness.sensitivity and decide(found).decision is Decision.ACCEPT:
        found = _controlled(found, executor, subject, sets)
    if thoroughness.mutants and decide(found).decision is Decision.ACCEPT:
        found = dataclasses.replace(found, parts=parts_tested(executor, subject, sets))
    return found


def _isolated(
    evidence: Evidence, executor: Executor, subject: Subject, sets: Iterable[JudgedTests]
) -> Evidence:
    found = (dependent(executor, subject, each.tests, each.judgement) for each in sets)
    return dataclasses.replace(evidence, dependent=tuple(itertools.chain.from_iterable(found)))


def _controlled(
    evidence: Evidence, executor: Executor, subject: Subject, sets: Iterable[JudgedTests]
) -> Evidence:
    reactions = (
        Reactions(each.judgement, sensitivity(executor, subject, each.tests, each.judgement))
        for each in sets
    )
    return dataclasses.replace(evidence, reactions=tuple(reactions))


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
