"""Divides a dataset by repository into training, validation and test data (thesis, p. 14)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from evaluator.benchmarks.tests4j.dataset import RepositorySnapshot, SplitName, Tests4JDataset

TARGETS: Final[Mapping[SplitName, float]] = {
    SplitName.TRAIN: 0.7,
    SplitName.VALIDATION: 0.1,
    SplitName.TEST: 0.2,
}
"""Shares of the tests that splits are to have."""


def split_dataset(dataset: Tests4JDataset, seed: int) -> Tests4JDataset:
    """The dataset with each repository in one split, the same for the same seed and repositories.

    In random order, each goes to a random split that can take all of its tests without exceeding
    its target. Those that fit nowhere go, in the same order, to the split farthest from its target.
    """
    chosen = _chosen({each.name: each.test_count for each in dataset.repositories}, seed)
    repositories = tuple(_in_split(each, chosen[each.name]) for each in dataset.repositories)
    return dataset.model_copy(update={"repositories": repositories})


def _in_split(repository: RepositorySnapshot, split: SplitName) -> RepositorySnapshot:
    return repository.model_copy(update={"split": split})


def _chosen(counts: Mapping[str, int], seed: int) -> Mapping[str, SplitName]:
    randomness = random.Random(seed)  # noqa: S311 - no secret
    room = {split: share * sum(counts.values()) for split, share in TARGETS.items()}
    order = sorted(counts)
    randomness.shuffle(order)
    chosen: dict[str, SplitName] = {}
    left_over = []
    for name in order:
        fitting = [split for split, free in room.items() if counts[name] <= free]
        if fitting:
            chosen[name] = randomness.choice(fitting)
            room[chosen[name]] -= counts[name]
        else:
            left_over.append(name)
    for name in left_over:
        chosen[name] = max(room, key=lambda split: room[split])
        room[chosen[name]] -= counts[name]
    return chosen
