"""The metrics of the thesis (section 3.5, pp. 19 to 21), and a mutation score beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.results import MethodResult, TestResult
from evaluator.benchmarks.tests4j.samples import Fate

Covered = tuple[int, int]
"""Covered lines or branches of a method, and all of them."""

_STAGES = (Fate.UNPARSABLE, Fate.NOT_COMPILED, Fate.NOT_EXECUTED, Fate.EXECUTED, Fate.CORRECT)


@dataclass(frozen=True)
class UnitTestFigures:
    """What a repository, or all of them, come to.

    `unique` counts the different tests; `parsable` to `correct` are fractions of them that came
    this far, and `correct_by_name` counts those as correct that execute any overload of the MUT.
    MiLC and MiBC are covered lines and branches of all MUTs through all lines and branches; MaLC
    and MaBC the mean of each MUT's own share, of those that have any. Similarities are means over
    parsable tests. `mutation_score` is killed mutants through all. What cannot be computed, for
    want of tests, branches or mutants, is null.
    """

    methods: int
    unique: int
    parsable: float | None
    compilable: float | None
    executable: float | None
    correct: float | None
    milc: float | None
    malc: float | None
    mibc: float | None
    mabc: float | None
    bleu: float | None
    crystal_bleu: float | None
    mutation_score: float | None
    flaky: int
    correct_by_name: float | None = None


def figures(methods: Sequence[MethodResult]) -> UnitTestFigures:
    """The figures of some methods; not of those that could not be evaluated or built."""
    known = [each for each in methods if not each.error and not each.left_out]
    tests = [test for each in known for test in each.tests if test.fate in _STAGES]
    lines = [each.lines for each in known if each.lines is not None]
    branches = [each.branches for each in known if each.branches is not None]
    mutants = [each.mutants for each in known if each.mutants is not None]
    _, *reached = (_share(count, len(tests)) for count in stages(tests))
    parsable, compilable, executable, correct = reached
    by_name = sum(test.fate is Fate.CORRECT or test.calls_overload for test in tests)
    return UnitTestFigures(
        methods=len(known),
        unique=len(tests),
        parsable=parsable,
        compilable=compilable,
        executable=executable,
        correct=correct,
        milc=micro(lines),
        malc=macro(lines),
        mibc=micro(branches),
        mabc=macro(branches),
        bleu=_mean([test.bleu for test in tests if test.bleu is not None]),
        crystal_bleu=_mean([t.crystal_bleu for t in tests if t.crystal_bleu is not None]),
        mutation_score=micro([(each.killed, each.all) for each in mutants]),
        flaky=sum(test.flaky for test in tests),
        correct_by_name=_share(by_name, len(tests)),
    )


def stages(tests: Iterable[TestResult]) -> tuple[int, ...]:
    """How many tests are unique, parsable, compilable, executable and correct: never rising."""
    counts = Counter(test.fate for test in tests)
    return tuple(sum(counts[fate] for fate in _STAGES[at:]) for at in range(len(_STAGES)))


def micro(counts: Sequence[Covered]) -> float | None:
    """What is covered of everything together; None where there is nothing."""
    return _share(sum(covered for covered, _ in counts), sum(every for _, every in counts))


def macro(counts: Sequence[Covered]) -> float | None:
    """The mean share of those that have anything to cover; None where none has."""
    return _mean([covered / every for covered, every in counts if every])


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
