"""The matrix of tests and surrogate fixes, and the choice among tests that it allows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator import Failure, TestOutcome
from evaluator.diff import Source, unified_diff
from evaluator.languages import is_test_file
from generator.method import SINGLE_WRITER, Choice, Considered

AGREED = 0.7
"""How often a submitted test is right that two writers agree on (SWT-Bench predictions)."""
PROVEN = 0.85
"""The same where it passes with every surrogate fix, too; an estimate."""
REFUTED = 0.2
"""The same where it fails with every surrogate fix; an estimate."""

_VALUE = re.compile(r"'[^']*'|\"[^\"]*\"|-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class MatrixRow:
    """An admitted candidate, and with which of the surrogate fixes it passes."""

    considered: Considered
    passes: tuple[bool, ...] = ()

    @property
    def writer(self) -> str:
        """Who wrote it, whatever the stage."""
        return self.considered.candidate.origin.partition("/")[0]


def best(rows: Sequence[MatrixRow], source: Source) -> Choice | None:
    """The best of admitted candidates; None where there is none.

    That its failure matches the issue is what admission asks for. Then, in this order: it passes
    with most surrogate fixes, most writers agree, its failure matches best, it has fewest tests,
    it is shortest.
    """
    if not rows:
        return None
    chosen = min(rows, key=lambda row: _rank(row, rows, source))
    return Choice(chosen.considered, _reason(chosen, rows), _confidence(chosen, rows))


def agree(one: MatrixRow, other: MatrixRow) -> bool:
    """Whether two writers say the same.

    They do when their tests pass with the same surrogate fixes, or, while they pass with none of
    them, when they fail in the same way on the base commit.
    """
    if one.writer == other.writer:
        return False
    if any(one.passes) or any(other.passes):
        return one.passes == other.passes
    return any(
        alike(mine, theirs)
        for mine in one.considered.admission.failing
        for theirs in other.considered.admission.failing
    )


def alike(one: TestOutcome, other: TestOutcome) -> bool:
    """Whether two tests fail in the same way: the same exception or place, or the same values."""
    mine, theirs = one.failure, other.failure
    if mine is None or theirs is None or mine.exception_type != theirs.exception_type:
        return False
    if mine.exception_type != "AssertionError":
        same_place = bool(_place(mine)) and _place(mine) == _place(theirs)
        return mine.message == theirs.message or same_place
    values = _values(mine)
    return bool(values) and values == _values(theirs)


def _place(failure: Failure) -> str:
    """The function of the project's own code in which it happened, "" where that is a test."""
    frame = failure.frame
    return "" if frame is None or is_test_file(frame.path) else f"{frame.path} {frame.function}"


def _values(failure: Failure) -> frozenset[str]:
    """The values that the message of an assertion compares, however it writes them."""
    line = failure.message.strip().partition("\n")[0]
    return frozenset(value.strip("'\"") for value in _VALUE.findall(line))


def _rank(row: MatrixRow, rows: Sequence[MatrixRow], source: Source) -> tuple[int, ...]:
    admission = row.considered.admission
    return (
        -sum(row.passes),
        -len(_agreeing(row, rows)),
        -admission.strength,
        len(admission.failing),
        len(unified_diff(row.considered.candidate.tests, source)),
    )


def _agreeing(row: MatrixRow, rows: Sequence[MatrixRow]) -> set[str]:
    return {other.writer for other in rows if agree(row, other)}


def _reason(row: MatrixRow, rows: Sequence[MatrixRow]) -> str:
    words = [f"chosen of {len(rows)} admitted"]
    if row.passes:
        words.append(f"passes with {sum(row.passes)} of {len(row.passes)} surrogate fixes")
    agreeing = sorted(_agreeing(row, rows))
    if agreeing:
        words.append(f"{row.writer} and {' and '.join(agreeing)} agree")
    return ", ".join(words)


def _confidence(row: MatrixRow, rows: Sequence[MatrixRow]) -> float:
    proven = bool(row.passes) and all(row.passes)
    agreed = bool(_agreeing(row, rows))
    if row.passes and not any(row.passes):
        return REFUTED
    if proven:
        return PROVEN if agreed else AGREED
    return AGREED if agreed else SINGLE_WRITER
