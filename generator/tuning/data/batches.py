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
    prompts = torch.tensor([len(pair.prompt) for pair in pairs])[:, None]
    learned = (mask == 1) & (torch.arange(tokens.shape[1]) >= prompts)
    context, context_mask = padded([pair.context for pair in pairs])
    return PairBatch(tokens, mask, tokens.where(learned, IGNORED), context, context_mask)


def padded(rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Rows as one tensor (rows, longest) filled up on the right with zeros, and its mask."""
    filled = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(filled)
    for place, row in enumerate(rows):
        filled[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return torch.tensor(filled), torch.tensor(mask)


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
