"""What keeps a change from an acceptance that it brought about by other means than a fix."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from evaluator.diff import Changes
from evaluator.execution import Executor, Subject
from evaluator.verdict import Decision, Evidence, decide
from evaluator.verdict.trials import Reactions
from evaluator.verification.change_files import examined
from evaluator.verification.isolated import dependent
from evaluator.verification.mutation import parts_tested
from evaluator.verification.sensitivity import sensitivity
from evaluator.verification.thoroughness import THOROUGH, Thoroughness
from evaluator.verification.tried import Tried


def safeguarded(
    evidence: Evidence,
    executor: Executor,
    subject: Subject,
    *,
    others: Sequence[Tried],
    own: Tried | None = None,
    issue: str = "",
    thoroughness: Thoroughness = THOROUGH,
) -> Evidence:
    """The evidence with what the change does to how it is tested, told from its code.

    Where it would be accepted, its tests are run once more, as their own control. `own` are the
    tests that the change brings along, `others` all that it does not; `issue` is what they are
    about, `thoroughness` says which safeguards run. Raises SandboxError.
    """
    brought = own.tests if own else Changes()
    tried = [*((own,) if own else ()), *others]
    examples = [file for each in tried for file in each.tests.contents.items()]
    found = examined(evidence, subject, brought, examples, issue)
    if thoroughness.alone and decide(found).decision is Decision.ACCEPT:
        found = _alone(found, executor, subject, tried)
    if thoroughness.sensitivity and decide(found).decision is Decision.ACCEPT:
        found = _controlled(found, executor, subject, tried)
    if thoroughness.mutants and decide(found).decision is Decision.ACCEPT:
        found = dataclasses.replace(found, parts=parts_tested(executor, subject, tried))
    return found


def _alone(
    evidence: Evidence, executor: Executor, subject: Subject, tried: Iterable[Tried]
) -> Evidence:
    found = (dependent(executor, subject, each.tests, each.judgement) for each in tried)
    return dataclasses.replace(evidence, dependent=tuple(itertools.chain.from_iterable(found)))


def _controlled(
    evidence: Evidence, executor: Executor, subject: Subject, tried: Iterable[Tried]
) -> Evidence:
    reactions = (
        Reactions(each.judgement, sensitivity(executor, subject, each.tests, each.judgement))
        for each in tried
    )
    return dataclasses.replace(evidence, reactions=tuple(reactions))
