"""Pairs in batches: in an order of their own in each epoch, padded to the longest of a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch

from generator.tuning.data.encoding import EncodedPair

IGNORED = -100
"""The label of what no loss is computed for, as in PyTorch."""


class Pairs(Protocol):
    """Encoded pairs by their number."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> EncodedPair: ...


@dataclass(frozen=True)
class PairBatch:
    """Tensors of int64 of B pairs, padded on the right: (B, T) for tokens, (B, C) for contexts.

    Masks are 1 where something stands; labels are tokens where a loss is computed, else IGNORED.
    """

    tokens: Any
    mask: Any
    labels: Any
    context: Any
    context_mask: Any

    def to(self, device: Any) -> PairBatch:
        """The same on another device."""
        parts = (self.tokens, self.mask, self.labels, self.context, self.context_mask)
        return PairBatch(*(part.to(device) for part in parts))


def collate(pairs: Sequence[EncodedPair]) -> PairBatch:
    """One batch of some pairs."""
    tokens, mask = padded([[*pair.prompt, *pair.target] for pair in pairs])
    labels, _ = padded(
        [[*[IGNORED] * len(pair.prompt), *pair.target] for pair in pairs], filling=IGNORED
    )
    context, context_mask = padded([pair.context for pair in pairs])
    return PairBatch(tokens, mask, labels, context, context_mask)


def padded(rows: Sequence[Sequence[int]], filling: int = 0) -> tuple[Any, Any]:
    """Rows as one tensor (rows, longest) filled up on the right, and its mask."""
    longest = max(map(len, rows))
    filled = [[*row, *[filling] * (longest - len(row))] for row in rows]
    mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
    return (
        torch.tensor(filled, dtype=torch.int64).view(len(rows), longest),
        torch.tensor(mask, dtype=torch.int64).view(len(rows), longest),
    )


def epoch_order(count: int, seed: int, epoch: int) -> Sequence[int]:
    """The numbers below `count` in the order of an epoch, the same whenever it is asked for."""
    order: list[int] = np.random.default_rng([seed, epoch]).permutation(count).tolist()
    return order


def batches_of(
    pairs: Pairs, order: Sequence[int], size: int, *, part: int = 0, parts: int = 1
) -> Iterator[PairBatch]:
    """Batches of `size` pairs in an order; of several processes, each takes its part of a batch."""
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        own = chosen[part::parts] or chosen[:1]
        yield collate([pairs[index] for index in own])
