"""Which instances several predictions solve together, in pairs and alone (paper, section 5.4)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluator.model import Evaluation, State

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
    successes = {name: _successes(evaluations) for name, evaluations in methods.items()}
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
