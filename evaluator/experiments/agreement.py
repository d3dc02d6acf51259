"""What predictions solve together, and whether tests and fixes succeed on the same instances."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.experiments.comparisons import Results
from evaluator.experiments.table import Cell, Table
from evaluator.model import State
from evaluator.swtbench.overlap import overlap


def shared(results: Results) -> Table:
    """How much of one prediction's successes another one has too, and what all reach together."""
    found = overlap(results)
    names = sorted(found.successes)
    rows: list[tuple[Cell, ...]] = [
        (
            one,
            len(found.successes[one]),
            len(found.unique[one]),
            *(len(found.successes[one] & found.successes[other]) for other in names),
        )
        for one in names
    ]
    best = len(found.successes[found.best])
    more = f", {100 * (len(found.union) / best - 1):.0f} % more than the best" if best else ""
    note = f"Counts of successes; all together {len(found.union)}{more} ({found.best})."
    headings = ("prediction", "S", "alone", *(f"with {name}" for name in names))
    return Table("Overlap of methods", headings, tuple(rows), note)


@dataclass(frozen=True)
class Contingency:
    """Instances by whether the tests succeed and whether the fix is right."""

    both: int
    tests_only: int
    fix_only: int
    neither: int

    @property
    def p_value(self) -> float:
        """Fisher's exact test, two-sided: how likely so uneven a table is without any relation.

        Sums the probabilities of all tables with the same margins that are no likelier (Fisher
        1922); a small slack keeps equal probabilities equal in floating point.
        """
        right, tested = self.both + self.fix_only, self.both + self.tests_only
        total = right + self.tests_only + self.neither
        possible = range(max(0, tested + right - total), min(tested, right) + 1)
        chances = {k: self._chance(k, tested, right, total) for k in possible}
        return min(
            1.0, math.fsum(c for c in chances.values() if c <= chances[self.both] * (1 + 1e-9))
        )

    @staticmethod
    def _chance(both: int, tested: int, right: int, total: int) -> float:
        ways = math.comb(right, both) * math.comb(total - right, tested - both)
        return ways / math.comb(total, tested)


def independence(results: Results, resolved: Mapping[str, Mapping[str, bool]]) -> Table:
    """For each prediction and each run of fixes: do they succeed on the same instances?

    `resolved` maps the name of a run of fixes to instance -> whether its fix is right. Over the
    instances that ran and have a fix (SWT-Bench, section 5.4: repair and test generation).
    """
    rows = [
        (name, run, *_row(_contingency({e.instance_id: e.success for e in ran}, fixes)))
        for name, found in results.items()
        if (ran := [e for e in found if e.state is State.GRADED])
        for run, fixes in resolved.items()
    ]
    headings = ("tests", "fixes", "both", "tests only", "fix only", "neither", "expected both", "p")
    note = "Counts of instances; p by Fisher's exact test: a large one speaks for independence."
    return Table("Test generation and repair", headings, tuple(rows), note)


def _contingency(tests: Mapping[str, bool], fixes: Mapping[str, bool]) -> Contingency:
    pairs = [(tests[name], fixes[name]) for name in tests.keys() & fixes.keys()]
    return Contingency(
        both=pairs.count((True, True)),
        tests_only=pairs.count((True, False)),
        fix_only=pairs.count((False, True)),
        neither=pairs.count((False, False)),
    )


def _row(counts: Contingency) -> tuple[int | str, ...]:
    total = counts.both + counts.tests_only + counts.fix_only + counts.neither
    expected = (counts.both + counts.tests_only) * (counts.both + counts.fix_only) / (total or 1)
    return (
        counts.both,
        counts.tests_only,
        counts.fix_only,
        counts.neither,
        f"{expected:.1f}",
        f"{counts.p_value:.3g}",
    )
