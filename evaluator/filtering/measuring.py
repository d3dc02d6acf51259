"""Runs generated tests on the base commit and with each fix, and weighs what they show."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.admission import Admission, Refusal, admit
from evaluator.diff import ChangedLines, Changes, apply, split
from evaluator.execution import Executor, Subject
from evaluator.filtering.inputs import Fix, writer_of
from evaluator.filtering.results import FixResult, FixState, SetOutcome
from evaluator.judge import Judgement, files_to_run, judge
from evaluator.languages import is_test_file
from evaluator.model import Instance, Prediction, Revision
from evaluator.swtbench.trial import base_subject, fixed_subject
from evaluator.verdict import Evidence, Generated, Vote, decide, vote_of
from evaluator.verification.judged_tests import JudgedTests
from evaluator.verification.safeguards import safeguarded, with_existing_tests
from evaluator.verification.thoroughness import Thoroughness
from evaluator.workspace import Workspace, rejections


@dataclass(frozen=True)
class Given:
    """One set of generated tests: who wrote it, the files that it changes, and its admission."""

    name: str
    writer: str
    tests: Changes
    admission: Admission


@dataclass(frozen=True)
class Measured:
    """A fix as it was applied, the admitted tests, and what they told of it, by their name."""

    fix: Fix
    subject: Subject
    tests: Mapping[str, Changes]
    told: Mapping[str, Generated]


def admit_all(
    workspace: Workspace, instance: Instance, predictions: Sequence[Prediction], *, times: int
) -> Iterator[Given]:
    """Run each prediction up to `times` times on the base commit, and hold it against the issue.

    Raises CheckoutError, EnvironmentBuildError or SandboxError.
    """
    base = base_subject(workspace, instance)
    for prediction in predictions:
        yield _admitted(workspace.executor, base, instance, prediction, times)


def _admitted(
    executor: Executor, base: Subject, instance: Instance, prediction: Prediction, times: int
) -> Given:
    application = apply(prediction.patch, base.source, keep=is_test_file)
    if not application.well_formed:
        why = "; ".join(rejections(application)) or "there is nothing to apply"
        refused = Admission(Refusal.NO_TEST, why)
        return Given(prediction.name, writer_of(prediction), Changes(), refused)
    tests, files = application.changes, files_to_run(application.changes)
    standing = tuple(path for path in files if base.source(path) is not None)
    admission = admit(
        lambda number: executor.run(base, Revision.BASE, tests, files, attempt=number),
        instance.problem_statement,
        standing=executor.run(base, Revision.BASE, Changes(), standing) if standing else None,
        tests=tests,
        times=times,
    )
    return Given(prediction.name, writer_of(prediction), tests, admission)


def measure(
    workspace: Workspace, instance: Instance, fix: Fix, given: Sequence[Given], *, reruns: int
) -> Measured:
    """Apply the code part of a fix and run every admitted set of tests without it and with it.

    Raises PatchError where the fix does not apply or changes no code, CheckoutError,
    EnvironmentBuildError or SandboxError.
    """
    subject = fixed_subject(workspace, instance, split(fix.patch, is_test_file).code)
    subject = _traced_where_fixed(subject)
    admitted = [one for one in given if one.admission.admitted]
    told = {
        one.name: Generated(
            judge(workspace.executor, subject, one.tests, reruns=reruns),
            one.admission.strength,
            one.writer,
            only_negative=one.admission.only_negative,
        )
        for one in admitted
    }
    return Measured(fix, subject, {one.name: one.tests for one in admitted}, told)


def _traced_where_fixed(subject: Subject) -> Subject:
    """The same with R's lines not traced, where the fix adds lines by which it can be told.

    Then the runs on R are the same for all fixes, and are made once.
    """
    added = subject.lines.added
    if not any(added.values()):
        return subject
    return dataclasses.replace(subject, lines=ChangedLines({}, added))


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


_THOROUGHNESS = Thoroughness(isolated=False, other_examples=False, mutants=False)
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
