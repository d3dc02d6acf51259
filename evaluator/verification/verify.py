"""Verifies a change in a local repository: its own tests and given ones, without it and with it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.admission.match import combined, match, read_report
from evaluator.checkout.submodules import empty_submodules
from evaluator.diff import Changes, apply, split
from evaluator.environment.types import AbsentService, Addition, Uncompiled
from evaluator.errors import PatchError
from evaluator.execution import Executor, Subject
from evaluator.judge import Judgement, files_to_run, judge
from evaluator.languages import Language, is_test_file, language_of
from evaluator.model import ChangedLine, LineState, Revision, Run
from evaluator.repair import Repaired, repaired
from evaluator.steps import JudgingStep
from evaluator.transitions import outcome_before
from evaluator.verdict import Evidence, Generated, Verdict, decide
from evaluator.verification.change import Change
from evaluator.verification.executed import Executed, executable_lines, executed_lines
from evaluator.verification.expectations import unmet_expectations
from evaluator.verification.judged_tests import JudgedTests, lacking, symptoms, unloaded
from evaluator.verification.readers import readers_of_new_tests
from evaluator.verification.reruns import confirmed
from evaluator.verification.safeguards import safeguarded, with_existing_tests
from evaluator.verification.thoroughness import THOROUGH, Safeguard, Thoroughness
from evaluator.workspace import RecipeFor, Workspace, rejections

WRITER = "fixgate"
"""Who generated the tests for an issue: there is one set of them."""


@dataclass(frozen=True)
class GivenTests:
    """Tests that do not come from the change: a patch, and a name for it.

    Tests that were generated for an issue have its text: they are believed as far as they fail as
    it reports. Without it they are believed as they are.
    """

    name: str
    patch: str
    issue: str = ""


@dataclass(frozen=True)
class Verification:
    """What verifying a change showed.

    `lines` are the changed lines with what the tests that fail without the change do with them.
    `symptoms` maps a reproducing test to whether its failure is the one that the issue reports
    (empty without an issue). `left_out` are the safeguards that did not run, or not on everything.
    `executed` are the lines that each reproducing test executes with the change, if recorded.
    `added` is what was added to the environment so that tests could be loaded, `unbuilt` and
    `uncompiled` what it lacks because it could not be built, `absent` the services that tests did
    without.
    """

    change: Change
    own: Judgement
    given: Mapping[str, Judgement]
    verdict: Verdict
    evidence: Evidence
    lines: tuple[ChangedLine, ...]
    symptoms: Mapping[str, bool]
    left_out: tuple[Safeguard, ...] = ()
    executed: Executed = field(default_factory=dict)
    added: tuple[Addition, ...] = ()
    unbuilt: tuple[str, ...] = ()
    uncompiled: tuple[Uncompiled, ...] = ()
    absent: tuple[AbsentService, ...] = ()


def verify(
    workspace: Workspace,
    change: Change,
    *,
    given: Sequence[GivenTests] = (),
    issue: str = "",
    thoroughness: Thoroughness = THOROUGH,
    record: bool = False,
) -> Verification:
    """Judge the tests of a change and the given ones on both sides of its code, and decide.

    With `record`, reproducing tests run once more to record which lines they execute. Raises
    CheckoutError, EnvironmentBuildError, SandboxError, or PatchError when given tests cannot be
    applied.

    A change of more than files is not run: only files are laid out.
    """
    if change.beyond:
        return _not_run(change)
    prepared = _prepared(workspace, change, given)
    subject = prepared.subject
    environment = subject.environments[Revision.BASE]
    judged = _judged(workspace.executor, subject, change, given, thoroughness)
    reports = [text for text in (issue, *(tests.issue for tests in given)) if text]
    evidence = _evidence(workspace, subject, judged, reports, thoroughness)
    return Verification(
        change=change,
        own=judged.own.judgement,
        given={tests.name: each.judgement for tests, each in judged.given},
        verdict=decide(evidence),
        evidence=evidence,
        lines=_lines(subject, evidence),
        symptoms=_symptoms(evidence) if issue else {},
        left_out=_left_out(thoroughness, evidence),
        executed=_executed(workspace.executor, subject, judged, evidence) if record else {},
        added=tuple(each for each in prepared.added if not each.leaves_out),
        unbuilt=environment.unbuilt,
        uncompiled=environment.uncompiled,
        absent=environment.absent,
    )


def _not_run(change: Change) -> Verification:
    """What is said of a change that cannot be laid out whole."""
    own = Judgement()
    evidence = Evidence(own=own, beyond=change.beyond)
    return Verification(change, own, {}, decide(evidence), evidence, lines=(), symptoms={})


@dataclass(frozen=True)
class _Judged:
    """The tests that a change brings along and the given ones, with what they showed."""

    own: JudgedTests
    given: tuple[tuple[GivenTests, JudgedTests], ...]

    @property
    def others(self) -> tuple[JudgedTests, ...]:
        return tuple(judged for _, judged in self.given)

    @property
    def sets(self) -> tuple[JudgedTests, ...]:
        return (self.own, *self.others)

    def evidence(self) -> Evidence:
        """What all of them showed, by how far they are believed."""
        return Evidence(
            given=tuple(judged.judgement for tests, judged in self.given if not tests.issue),
            generated=tuple(_generated(*pair) for pair in self.given if pair[0].issue),
            own=self.own.judgement,
        )


def _prepared(workspace: Workspace, change: Change, given: Sequence[GivenTests]) -> Repaired:
    """The two sides of a change, with what the base lacks for its tests to be loaded.

    The runs are those with which judging begins: they are made once.
    """

    def prepare(recipe_for: RecipeFor) -> Subject:
        code, lines = change.code, change.lines
        return workspace.exact_subject(change.repo, change.base, code, lines, recipe_for)

    def run(subject: Subject) -> list[Run]:
        sets = [change.tests, *(_applied(tests, subject) for tests in given)]
        wanted = [(tests, files_to_run(tests)) for tests in sets]
        with workspace.observe(JudgingStep.TESTS):
            return [workspace.executor.both(subject, *each).base for each in wanted if each[1]]

    return repaired(prepare, _language(change, given).environments.discover, run)


def _language(change: Change, given: Sequence[GivenTests]) -> Language:
    """The language of a change with all tests for it."""
    parts = [split(tests.patch, is_test_file) for tests in given]
    brought = [path for part in parts for path in part.test_files]
    return language_of([*change.code.contents, *change.tests.contents, *brought])


def _judged(
    executor: Executor,
    subject: Subject,
    change: Change,
    given: Sequence[GivenTests],
    thoroughness: Thoroughness,
) -> _Judged:
    def judged(tests: Changes, files: tuple[str, ...] = ()) -> JudgedTests:
        reruns = thoroughness.reruns
        found = judge(executor, subject, tests, reruns=reruns, rerun_all=False, files=files)
        found = confirmed(executor, subject, tests, found) if reruns else found
        return JudgedTests(tests, found)

    applied = [(tests, _applied(tests, subject)) for tests in given]
    with executor.observe(JudgingStep.TESTS):
        own = judged(change.tests)
        if not own.reproducing and not given:
            readers = readers_of_new_tests(subject, change.tests, own.judgement)
            by_readers = (judged(change.tests, (reader,)) for reader in readers)
            own = next((found for found in by_readers if found.reproducing), own)
        return _Judged(own, tuple((tests, judged(changes)) for tests, changes in applied))


def _evidence(
    workspace: Workspace,
    subject: Subject,
    judged: _Judged,
    reports: Sequence[str],
    thoroughness: Thoroughness,
) -> Evidence:
    """What was judged, what the safeguards found, and what existing tests show."""
    brought = judged.own.tests
    evidence = safeguarded(
        _explained(workspace.executor, subject, judged, reports),
        workspace.executor,
        subject,
        others=judged.others,
        own=judged.own,
        issue="\n".join(reports),
        thoroughness=thoroughness,
    )
    seconds = thoroughness.regression_budget(sum(each.seconds for each in judged.sets))
    return with_existing_tests(evidence, workspace, subject, seconds=seconds, brought=brought)


def _explained(
    executor: Executor, subject: Subject, judged: _Judged, reports: Sequence[str]
) -> Evidence:
    """What was judged, with why its tests fail and with what existing tests no longer get."""
    own = judged.own
    return dataclasses.replace(
        judged.evidence(),
        issue=bool(reports),
        symptoms=symptoms(judged.sets, subject, reports),
        missing=lacking(judged.sets, subject),
        unloaded=unloaded(own, judged.others, subject),
        empty_submodules=empty_submodules(subject.pristine),
        unmet=unmet_expectations(executor, subject, own.tests, own.judgement),
    )


def _executed(
    executor: Executor, subject: Subject, judged: _Judged, evidence: Evidence
) -> Executed:
    tests = frozenset(test.test for test in evidence.reproducing)
    with executor.observe(JudgingStep.EXECUTED_LINES):
        return executed_lines(executor, subject, judged.sets, tests)


def _left_out(thoroughness: Thoroughness, evidence: Evidence) -> tuple[Safeguard, ...]:
    found = thoroughness.left_out
    cut = evidence.regressions.budget and not evidence.regressions.complete
    return (*found, Safeguard.REGRESSIONS) if cut else found


def _applied(tests: GivenTests, subject: Subject) -> Changes:
    application = apply(tests.patch, subject.source, keep=is_test_file)
    if not application.well_formed:
        raise PatchError(f"{tests.name}: cannot be applied: {'; '.join(rejections(application))}")
    return application.changes


def _generated(tests: GivenTests, judged: JudgedTests) -> Generated:
    """Tests kept for an issue, with how well their failures without the change fit it."""
    report = read_report(tests.issue, language_of(judged.tests.contents))
    failing = [t for t in judged.judgement.transitions if t.before.status.fails]
    source = judged.tests.contents.get
    found = combined([match(outcome_before(t), report, source) for t in failing])
    return Generated(
        judged.judgement,
        found.strength,
        WRITER,
        issue=tests.name,
        only_negative=found.only_negative,
        frozen=True,
    )


def _symptoms(evidence: Evidence) -> Mapping[str, bool]:
    return {t.test: t.test in evidence.reported for t in evidence.reproducing}


def _lines(subject: Subject, evidence: Evidence) -> tuple[ChangedLine, ...]:
    """Each changed line of the code, and which tests that fail without the change execute it."""
    reproducing = {t.test for t in evidence.reproducing}
    tests: dict[tuple[str, str, int], set[str]] = {}
    for judgement in evidence.judgements:
        for line in judgement.coverage.lines:
            key = (line.side, line.path, line.line)
            tests.setdefault(key, set()).update(reproducing.intersection(line.tests))
    return tuple(_with_tests(line, tests) for line in executable_lines(subject))


def _with_tests(line: ChangedLine, tests: Mapping[tuple[str, str, int], set[str]]) -> ChangedLine:
    executing = tuple(sorted(tests.get((line.side, line.path, line.line), ())))
    state = LineState.COVERED if executing else line.state
    return ChangedLine(line.path, line.line, line.side, state, line.text, executing)


def local_repository(directory: Path) -> Path:
    """The git directory of a checkout (`DIR/.git`); as it is, a bare repository or linked tree.

    In the latter, `.git` is a file that says where the git directory is.
    """
    dot_git = directory / ".git"
    return dot_git if dot_git.is_dir() else directory
