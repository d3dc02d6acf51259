"""The figures of a replay: the columns of SWT-Bench's tables 2 and 3, and who solves the same.

Definitions are those of the paper (arXiv 2406.12952, sections 3.1, 3.3 and 5.1). T is the set of
tests that the prediction brings, so tests that stood in a touched file before it and end the same
without it are left aside, and so are flaky ones.

Denominators. A rate named `x_rate` is over the *graded* instances: what ran. A rate named
`x_rate_all` is over *all* instances, where one that did not run, or has no prediction, counts as
not successful; leaderboards count like that. Means of change coverage are over the graded
instances whose fix has executable changed lines.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from evaluator.model import Evaluation, State

RESAMPLES = 2000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean from 0 to 1 over `denominator` instances, with its 95 % bootstrap interval.

    All three figures are None where the denominator is 0.
    """

    value: float | None
    low: float | None
    high: float | None
    denominator: int


@dataclass(frozen=True)
class ReplaySummary:
    """What one prediction file reached; `estimates` has the names that `report.json` uses."""

    instances: int
    graded: int
    states: Mapping[State, int]
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True)
class LengthBin:
    """Instances whose issue has from `low` to `high` words, and how many of them succeeded."""

    low: int
    high: int
    success: Estimate


@dataclass(frozen=True)
class Agreement:
    """How S compares with the reference harness's published verdict, over graded instances.

    `both` and `neither` are agreements; the two sequences name the instances that differ.
    """

    both: int
    neither: int
    only_here: tuple[str, ...]
    only_reference: tuple[str, ...]

    @property
    def compared(self) -> int:
        """Number of graded instances with a reference verdict of resolved or unresolved."""
        return self.both + self.neither + len(self.only_here) + len(self.only_reference)

    @property
    def rate(self) -> float | None:
        """Share of the compared instances on which both say the same."""
        return (self.both + self.neither) / self.compared if self.compared else None


RATES: Mapping[str, Callable[[Evaluation], bool]] = {
    "well_formed_rate": lambda evaluation: evaluation.well_formed,
    "success_rate": lambda evaluation: evaluation.success,
    "fail_to_any_rate": lambda evaluation: evaluation.fail_to_any,
    "fail_to_pass_rate": lambda evaluation: evaluation.fail_to_pass,
    "pass_to_pass_rate": lambda evaluation: evaluation.pass_to_pass,
}
COVERAGES: Mapping[str, Callable[[Evaluation], bool]] = {
    "change_coverage_mean": lambda _evaluation: True,
    "change_coverage_mean_success": lambda evaluation: evaluation.success,
    "change_coverage_mean_failure": lambda evaluation: not evaluation.success,
}


def summarize(evaluations: Sequence[Evaluation]) -> ReplaySummary:
    """The figures of one prediction file, from one Evaluation per instance."""
    graded = _graded(evaluations)
    states = Counter(evaluation.state for evaluation in evaluations)
    estimates = {name: estimate([holds(e) for e in graded]) for name, holds in RATES.items()}
    for name, holds in RATES.items():
        everywhere = [e.state is State.GRADED and holds(e) for e in evaluations]
        estimates[f"{name}_all"] = estimate(everywhere)
    for name, holds in COVERAGES.items():
        estimates[name] = estimate(_coverages(e for e in graded if holds(e)))
    return ReplaySummary(len(evaluations), len(graded), dict(states), estimates)


def _graded(evaluations: Iterable[Evaluation]) -> list[Evaluation]:
    return [evaluation for evaluation in evaluations if evaluation.state is State.GRADED]


def _coverages(evaluations: Iterable[Evaluation]) -> list[float]:
    values = (evaluation.coverage.value for evaluation in evaluations)
    return [value for value in values if value is not None]


def estimate(values: Iterable[float]) -> Estimate:
    """The mean of values from 0 to 1 with its percentile bootstrap interval."""
    return _estimate(tuple(sorted(float(value) for value in values)))


@lru_cache(maxsize=4096)
def _estimate(values: tuple[float, ...]) -> Estimate:
    if not values:
        return Estimate(None, None, None, 0)
    low, high = _bootstrap_interval(values)
    return Estimate(math.fsum(values) / len(values), low, high, len(values))


def _bootstrap_interval(values: tuple[float, ...]) -> tuple[float, float]:
    """Percentile bootstrap (Efron 1979), seeded from the values: same values, same interval."""
    if values[0] == values[-1]:
        return values[0], values[0]
    generator = random.Random(hashlib.sha256(repr(values).encode()).digest())  # noqa: S311
    size = len(values)
    means = sorted(math.fsum(generator.choices(values, k=size)) / size for _ in range(RESAMPLES))
    tail = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    return means[tail], means[-tail - 1]


def success_by_repository(evaluations: Iterable[Evaluation]) -> dict[str, Estimate]:
    """S over the graded instances of each repository, in the order of their names."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for evaluation in _graded(evaluations):
        groups[evaluation.repo].append(evaluation.success)
    return {repo: estimate(groups[repo]) for repo in sorted(groups)}


def length_edges(evaluations: Iterable[Evaluation], bins: int = 5) -> tuple[int, ...]:
    """The largest issue length, in words, of each of `bins` about equally full bins.

    Counted over distinct instances, so that several predictions share the same bins. Fewer edges
    come back where lengths repeat.
    """
    lengths: dict[str, int] = {}
    for evaluation in evaluations:
        known = lengths.get(evaluation.instance_id, 0)
        lengths[evaluation.instance_id] = max(known, evaluation.issue_words)
    ordered = sorted(lengths.values())
    if not ordered:
        return ()
    ranks = (-(-len(ordered) * (index + 1) // bins) - 1 for index in range(bins))
    return tuple(sorted({ordered[max(rank, 0)] for rank in ranks}))


def success_by_issue_length(
    evaluations: Iterable[Evaluation], edges: Sequence[int]
) -> tuple[LengthBin, ...]:
    """S over the graded instances in each bin of issue length; `edges` from `length_edges`."""
    graded = _graded(evaluations)
    bins = []
    for low, high in zip((0, *(edge + 1 for edge in edges)), edges, strict=False):
        inside = [e.success for e in graded if low <= e.issue_words <= high]
        bins.append(LengthBin(low, high, estimate(inside)))
    return tuple(bins)


def agreement(evaluations: Iterable[Evaluation]) -> Agreement:
    """Compare S with `reference_verdict`; a reference `error` counts as no verdict."""
    compared = [e for e in _graded(evaluations) if e.reference_verdict in VERDICTS]
    pairs = [(e.instance_id, e.success, VERDICTS[e.reference_verdict]) for e in compared]
    return Agreement(
        both=sum(here and there for _, here, there in pairs),
        neither=sum(not here and not there for _, here, there in pairs),
        only_here=tuple(sorted(name for name, here, there in pairs if here and not there)),
        only_reference=tuple(sorted(name for name, here, there in pairs if there and not here)),
    )


VERDICTS: Mapping[str, bool] = {"resolved": True, "unresolved": False}


GOLD = "gold"


@dataclass(frozen=True)
class Combination:
    """The instances on which exactly these predictions succeed."""

    predictions: tuple[str, ...]
    instances: tuple[str, ...]


@dataclass(frozen=True)
class Overlap:
    """Successes of several predictions side by side.

    `pairs` counts the instances that both succeed on; `unique` names those that one alone
    succeeds on; `combinations` splits the union, largest part first.
    """

    successes: Mapping[str, frozenset[str]]
    unique: Mapping[str, frozenset[str]]
    pairs: Mapping[tuple[str, str], int]
    combinations: tuple[Combination, ...]

    @property
    def union(self) -> frozenset[str]:
        """The instances that at least one prediction succeeds on."""
        return frozenset().union(*self.successes.values())

    @property
    def best(self) -> str:
        """The prediction with most successes, the first by name among equals."""
        return min(self.successes, key=lambda name: (-len(self.successes[name]), name))


def overlap(results: Mapping[str, Sequence[Evaluation]]) -> Overlap:
    """Compare the successes of predictions.

    The golden tests succeed wherever they run, so that they are left out beside other predictions.
    """
    methods = {name: found for name, found in results.items() if name != GOLD} or results
    return compare({name: _successes(evaluations) for name, evaluations in methods.items()})


def compare(successes: Mapping[str, frozenset[str]]) -> Overlap:
    """Which successes, by their ids, are shared, and which are not."""
    split = _split(successes)
    return Overlap(
        successes=successes,
        unique={name: frozenset(split.get((name,), ())) for name in successes},
        pairs={
            (one, other): len(successes[one] & successes[other])
            for one, other in combinations(sorted(successes), 2)
        },
        combinations=tuple(
            Combination(names, tuple(ids))
            for names, ids in sorted(split.items(), key=lambda item: (-len(item[1]), item[0]))
        ),
    )


def _successes(evaluations: Sequence[Evaluation]) -> frozenset[str]:
    return frozenset(e.instance_id for e in evaluations if e.state is State.GRADED and e.success)


def _split(successes: Mapping[str, frozenset[str]]) -> dict[tuple[str, ...], list[str]]:
    parts: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for instance in sorted(frozenset().union(*successes.values())):
        parts[tuple(sorted(n for n, ids in successes.items() if instance in ids))].append(instance)
    return dict(parts)
