"""Verifies a change in a local repository: its own tests and given ones, without it and with it."""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.admission import Strength
from evaluator.admission.match import match, matches_issue
from evaluator.admission.report import read_report
from evaluator.diff import Source, apply, is_test_file
from evaluator.environment.discover import discover_recipe
from evaluator.errors import PatchError
from evaluator.evaluation import ChangedLine, LineState
from evaluator.execution import Subject
from evaluator.judge import Judgement, judge
from evaluator.verdict import Evidence, Generated, Verdict, decide
from evaluator.verification.change import Change
from evaluator.verification.executable_lines import executable_lines
from evaluator.workspace import Workspace, rejections

WRITER = "fixgate"
"""Who generated the tests for an issue: there is one set of them."""


@dataclass(frozen=True)
class GivenTests:
    """Tests that do not come from the change: a patch and the name it is told by.

    Tests that were generated for an issue have its text: they are believed as far as they fail as
    it reports. Without it they are believed as they are.
    """

    name: str
    patch: str
    issue: str = ""


@dataclass(frozen=True)
class Verification:
    """What verifying a change told.

    `lines` are the changed lines with what the tests that fail without the change do with them.
    `symptoms` maps a reproducing test to whether its failure is the one that the issue reports
    (empty without an issue).
    """

    change: Change
    own: Judgement
    given: Mapping[str, Judgement]
    verdict: Verdict
    evidence: Evidence
    lines: tuple[ChangedLine, ...]
    symptoms: Mapping[str, bool]


def verify(
    workspace: Workspace,
    change: Change,
    *,
    given: Sequence[GivenTests] = (),
    issue: str = "",
    reruns: int = 2,
) -> Verification:
    """Judge the tests of a change and the given ones on both sides of its code, and decide.

    Raises CheckoutError, EnvironmentBuildError, SandboxError, or PatchError when given tests
    cannot be applied.
    """
    subject = workspace.subject(change.repo, change.base, change.code, discover_recipe)
    own = judge(
        workspace.executor, subject, apply(change.tests, subject.source).changes, reruns=reruns
    )
    judged = {tests.name: _judge_given(workspace, subject, tests, reruns) for tests in given}
    evidence = Evidence(
        given=tuple(judged[tests.name] for tests in given if not tests.issue),
        generated=tuple(
            _generated(tests, judged[tests.name], subject) for tests in given if tests.issue
        ),
        own=own,
        configuration=steering_files(change, subject),
    )
    return Verification(
        change=change,
        own=own,
        given=judged,
        verdict=decide(evidence),
        evidence=evidence,
        lines=_lines(subject, evidence),
        symptoms=_symptoms(evidence, issue),
    )


def _judge_given(
    workspace: Workspace, subject: Subject, tests: GivenTests, reruns: int
) -> Judgement:
    application = apply(tests.patch, subject.source, keep=is_test_file)
    if not application.well_formed:
        raise PatchError(f"{tests.name}: cannot be applied: {'; '.join(rejections(application))}")
    return judge(workspace.executor, subject, application.changes, reruns=reruns)


def _generated(tests: GivenTests, judgement: Judgement, subject: Subject) -> Generated:
    """Generated tests, with how well their failures without the change fit their issue."""
    base = judgement.attempts[0].base.outcomes
    failing = [base[t.test] for t in judgement.transitions if t.before.status.fails]
    source = apply(tests.patch, subject.source, keep=is_test_file).changes.contents.get
    report = read_report(tests.issue)
    strengths = [match(outcome, report, source).strength for outcome in failing]
    return Generated(judgement, max(strengths, default=Strength.NONE), WRITER, issue=tests.name)


def _symptoms(evidence: Evidence, issue: str) -> Mapping[str, bool]:
    if not issue:
        return {}
    return {t.test: matches_issue(t.before.failure, issue) for t in evidence.reproducing}


def _lines(subject: Subject, evidence: Evidence) -> tuple[ChangedLine, ...]:
    """Each changed line of the code, and which tests that fail without the change execute it."""
    reproducing = {t.test for t in evidence.reproducing}
    tests: dict[tuple[str, str, int], set[str]] = {}
    for judgement in evidence.judgements:
        for line in judgement.coverage.lines:
            key = (line.side, line.path, line.line)
            tests.setdefault(key, set()).update(reproducing.intersection(line.tests))
    return tuple(_told(line, tests) for line in executable_lines(subject))


def _told(line: ChangedLine, tests: Mapping[tuple[str, str, int], set[str]]) -> ChangedLine:
    executing = tuple(sorted(tests.get((line.side, line.path, line.line), ())))
    state = LineState.COVERED if executing else line.state
    return ChangedLine(line.path, line.line, line.side, state, line.text, executing)


_ALWAYS_STEERS = frozenset(
    {"conftest.py", "pytest.ini", ".pytest.ini", "sitecustomize.py", "usercustomize.py"}
)
_SECTIONS = ("pytest", "tool:pytest", "coverage", "testenv")


def steering_files(change: Change, subject: Subject) -> tuple[str, ...]:
    """The changed files that steer how tests run: conftest.py, settings, start-up hooks."""
    tests = apply(change.tests, subject.source).changes.contents
    return steering({**tests, **subject.fix.contents}, subject.source)


def steering(changed: Mapping[str, bytes | None], source: Source) -> tuple[str, ...]:
    """Those of the files with new contents that steer how tests run."""
    return tuple(sorted(p for p, new in changed.items() if _steers(p, source, new)))


def _steers(path: str, source: Source, new: bytes | None) -> bool:
    name = PurePosixPath(path).name
    if name in _ALWAYS_STEERS or name.endswith(".pth"):
        return True
    read = {"pyproject.toml": _pyproject, "setup.cfg": _sections, "tox.ini": _sections}.get(name)
    return read is not None and read(source(path) or b"") != read(new or b"")


def _pyproject(content: bytes) -> object:
    try:
        return tomllib.loads(content.decode()).get("tool", {}).get("pytest")
    except (ValueError, AttributeError):
        return content


def _sections(content: bytes) -> object:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(content.decode())
    except (configparser.Error, ValueError):
        return content
    return {s: dict(parser[s]) for s in parser.sections() if s.startswith(_SECTIONS)}


def local_repository(directory: Path) -> Path:
    """The git directory of a checkout (`DIR/.git`), or a bare repository as it is."""
    dot_git = directory / ".git"
    return dot_git if dot_git.exists() else directory
