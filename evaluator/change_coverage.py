"""Change coverage: which changed lines of a fix the tests execute (SWT-Bench, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evaluator.execution import RunPair, Subject
from evaluator.model import ChangeCoverage, ChangedLine, LineHits, LineState, Revision, Run

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
