"""Success against what it took: samples and rounds, calls, money, time, and stated confidence."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable, Mapping, Sequence

from evaluator.experiments.comparisons import Provenances, Results
from evaluator.experiments.provenance import Effort
from evaluator.experiments.table import Cell, Table
from evaluator.model import Evaluation, State
from evaluator.swtbench.metrics import estimate

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
