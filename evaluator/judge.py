"""The judge: runs tests on R and on R∘X, and says what changed and which lines were executed.

Both ways into fixgate, replay and verification, call `judge`; nothing is judged in two ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from evaluator.diff import Changes
from evaluator.execution import Executor, RunPair, Subject
from evaluator.first_runs import first_runs
from evaluator.languages import runnable_test_files
from evaluator.model import (
    ChangeCoverage,
    ChangedLine,
    LineHits,
    LineState,
    Revision,
    Run,
    Transition,
)
from evaluator.test_names import steady_name
from evaluator.transitions import transitions

Lines = Mapping[str, Mapping[int, str]]


def change_coverage(
    subject: Subject, tests: RunPair, before_tests: RunPair | None, golden: RunPair | None
) -> ChangeCoverage:
    """The state of each changed line: removed lines on R, added lines on R∘X.

    A line is executable when T^R (`before_tests`) or T* (`golden`) executes it on its side; it is
    covered when its number of executions rises from T^R to T^R and T together.
    """
    sides = ((Revision.BASE, subject.lines.removed), (Revision.FIXED, subject.lines.added))
    return ChangeCoverage(
        tuple(
            line
            for revision, lines in sides
            for line in _side(revision, lines, tests, before_tests, golden)
        )
    )


def _side(
    revision: Revision,
    lines: Lines,
    tests: RunPair,
    before_tests: RunPair | None,
    golden: RunPair | None,
) -> Iterator[ChangedLine]:
    run = tests.on(revision)
    before = before_tests.on(revision).hits if before_tests else {}
    reference = golden.on(revision).hits if golden else {}
    for path, numbers in sorted(lines.items()):
        for number, text in sorted(numbers.items()):
            executable = _count(before, path, number) or _count(reference, path, number)
            rises = _count(run.hits, path, number) > _count(before, path, number)
            state = _state(executable=bool(executable), rises=rises)
            yield ChangedLine(path, number, revision, state, text, _tests(run, path, number))


def _count(hits: LineHits, path: str, line: int) -> int:
    return hits.get(path, {}).get(line, 0)


def _state(*, executable: bool, rises: bool) -> LineState:
    if not executable:
        return LineState.NOT_EXECUTABLE
    return LineState.COVERED if rises else LineState.UNCOVERED


def _tests(run: Run, path: str, line: int) -> tuple[str, ...]:
    return tuple(sorted(t for t, lines in run.contexts.items() if line in lines.get(path, ())))


NO_RUNS = RunPair(Run({}), Run({}))


@dataclass(frozen=True)
class Judgement:
    """What the runs of some tests showed.

    `attempts` holds the first runs of the tests and their reruns, `before_tests` those of the same
    files as they stood before (None where all are new). Without a test file that a framework can
    run, nothing is covered and there is no attempt.
    """

    files: tuple[str, ...] = ()
    transitions: tuple[Transition, ...] = ()
    coverage: ChangeCoverage = field(default_factory=ChangeCoverage)
    attempts: tuple[RunPair, ...] = ()
    before_tests: RunPair | None = None

    @property
    def hung(self) -> bool:
        """Whether a run of the tests hung without the change."""
        return any(attempt.hung for attempt in self.attempts)


def judge(
    executor: Executor,
    subject: Subject,
    tests: Changes,
    *,
    golden: RunPair | None = None,
    reruns: int = 0,
    rerun_all: bool = True,
    files: tuple[str, ...] = (),
) -> Judgement:
    """Judge tests T against a fix X, given as contents of the files that they change.

    What runs are those `files`, by default those of T that a framework can run.

    With `golden`, the runs of the golden tests (T*), a changed line is executable when T^R or T*
    executes it. Unless `rerun_all`, reruns leave out the tests that passed on both sides the first
    time. Every run is made once for the same content. Raises SandboxError when the sandbox cannot
    be used.
    """
    files = files or files_to_run(tests)
    if not files:
        coverage = change_coverage(subject, NO_RUNS, None, golden)
        return Judgement(coverage=coverage)
    runs = first_runs(executor, subject, tests, files)
    first = runs.tests
    again, only = (files, frozenset[str]()) if rerun_all else _unsettled(files, first)
    attempts = [first]
    # What hangs on both sides would do so again, for as long, and nothing comes of it.
    for number in range(1, reruns + 1) if again and not first.cut else ():
        hung = any(attempt.hung for attempt in attempts)
        rerun = executor.both(
            *(subject, tests, again),
            attempt=number,
            only=only,
            without=runs.without,
            hung_before=hung,
        )
        attempts.append(runs.completed(rerun))
    return Judgement(
        files=files,
        transitions=transitions(attempts, runs.before),
        coverage=change_coverage(subject, first, runs.before, golden),
        attempts=tuple(attempts),
        before_tests=runs.before,
    )


def _unsettled(files: tuple[str, ...], first: RunPair) -> tuple[tuple[str, ...], frozenset[str]]:
    """The tests that failed on a side, or are on one only: their files and their names.

    Where a name may differ from run to run, or its file is not known, all tests are meant.
    """
    found = [t for t in transitions([first]) if t.kind not in ("P->P", "-->-")]
    if any(steady_name(t.test) != t.test or t.file not in files for t in found):
        return files, frozenset()
    return tuple(dict.fromkeys(t.file for t in found)), frozenset(t.test for t in found)


def files_to_run(tests: Changes) -> tuple[str, ...]:
    """The files of T that a framework can run: neither deleted nor data."""
    kept = sorted(path for path, content in tests.contents.items() if content is not None)
    return runnable_test_files(kept)
