"""Success by instance, by what it took, and by who else succeeds (SWT-Bench, section 5.4)."""

from __future__ import annotations

import datetime
import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.experiments.comparisons import Cell, Provenances, Results, Table
from evaluator.experiments.provenance import Effort
from evaluator.model import Evaluation, State
from evaluator.swtbench.metrics import (
    Estimate,
    estimate,
    length_edges,
    overlap,
    success_by_issue_length,
    success_by_repository,
)

_HEADINGS = ("prediction", "slice", "ran", "S", "from", "to")
_NOTE = "S over the instances that ran, in percent, with its 95 % bootstrap interval."


def by_issue_length(results: Results, bins: int = 5) -> Table:
    """S in bins of issue length, in words, about equally full."""
    edges = length_edges([e for found in results.values() for e in found], bins)
    rows = [
        (name, f"{part.low} to {part.high} words", *_figures(part.success))
        for name, found in results.items()
        for part in success_by_issue_length(found, edges)
    ]
    return Table("Success by issue length", _HEADINGS, tuple(rows), _NOTE)


def by_repository(results: Results) -> Table:
    """S in each repository."""
    rows = [
        (name, repo, *_figures(success))
        for name, found in results.items()
        for repo, success in success_by_repository(found).items()
    ]
    return Table("Success by repository", _HEADINGS, tuple(rows), _NOTE)


def by_date(
    results: Results, created: Mapping[str, datetime.datetime], date: datetime.datetime
) -> Table:
    """S of instances from before a date and from then on: what a model may have seen, and not.

    `created` maps an instance to its date; instances without one are left out and counted.
    """
    rows = [
        (name, label, *_figures(_success(found, created, date, before=before)))
        for name, found in results.items()
        for label, before in ((f"before {date:%Y-%m-%d}", True), ("from then on", False))
    ]
    unknown = {e.instance_id for found in results.values() for e in found} - created.keys()
    note = f"{_NOTE} {len(unknown)} instances have no date and are left out." if unknown else _NOTE
    return Table("Success before and after a date", _HEADINGS, tuple(rows), note)


def _success(
    found: Sequence[Evaluation],
    created: Mapping[str, datetime.datetime],
    date: datetime.datetime,
    *,
    before: bool,
) -> Estimate:
    return estimate(
        e.success
        for e in found
        if e.state is State.GRADED
        and e.instance_id in created
        and (created[e.instance_id] < date) is before
    )


def _figures(success: Estimate) -> tuple[Cell, ...]:
    return (success.denominator, success.value, success.low, success.high)


BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def by_effort(results: Results, provenances: Provenances) -> Table:
    """One row a prediction: its samples and rounds, S, and what an instance took on average."""
    rows = [
        (name, p.samples or "default", p.rounds or "default", *_taken(p.efforts, results[name]))
        for name, p in sorted(provenances.items())
        if name in results
    ]
    headings = ("prediction", "samples", "rounds", "ran", "S", "calls", "USD", "seconds")
    note = "Calls, USD and seconds are means over instances; USD is - where a price is not known."
    return Table("Samples, rounds, cost and time", headings, tuple(rows), note)


def by_confidence(results: Results, provenances: Provenances) -> Table:
    """Precision of what was submitted, in bins of the confidence that was stated with it."""
    rows = [
        (name, f"{low:.1f} to {high:.1f}", *_precision(found, provenances[name].efforts, low, high))
        for name, found in results.items()
        if name in provenances
        for low, high in itertools.pairwise(BINS)
    ]
    note = "Precision: S among the submitted ones that ran, in percent; empty bins are left out."
    headings = ("prediction", "confidence", "submitted", "precision")
    return Table("Confidence", headings, tuple(row for row in rows if row[2]), note)


def _taken(efforts: Mapping[str, Effort], found: Sequence[Evaluation]) -> tuple[Cell, ...]:
    success = estimate(e.success for e in found if e.state is State.GRADED)
    taken = [efforts[e.instance_id] for e in found if e.instance_id in efforts]
    costs = [effort.cost_usd for effort in taken]
    known = [cost for cost in costs if cost is not None]
    return (
        success.denominator,
        success.value,
        _mean(effort.calls for effort in taken),
        _mean(known) if len(known) == len(costs) else None,
        _mean(effort.seconds for effort in taken),
    )


def _mean(values: Iterable[float]) -> Cell:
    """To three significant digits; a text, since it is no share."""
    figures = list(values)
    return f"{statistics.fmean(figures):.3g}" if figures else None


def _precision(
    found: Sequence[Evaluation], efforts: Mapping[str, Effort], low: float, high: float
) -> tuple[Cell, ...]:
    inside = [
        e.success
        for e in found
        if e.state is State.GRADED and _falls(efforts.get(e.instance_id), low, high)
    ]
    return (len(inside), estimate(inside).value)


def _falls(effort: Effort | None, low: float, high: float) -> bool:
    """Whether a submission's confidence lies in a bin; the last bin holds its upper end too."""
    if effort is None or not effort.submitted:
        return False
    return low <= effort.confidence < high or effort.confidence == high == BINS[-1]


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
