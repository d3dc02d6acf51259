"""How much fits into a soft token (RQ3, thesis, p. 34): texts that prefixes learn by heart.

A prefix of k soft tokens is trained for one text alone, with the language model frozen, until the
model reproduces the text behind it. What is recalled is an upper bound of what a prompt generator
could pass on in as many soft tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from generator.tuning.data.batches import PairBatch, collate
from generator.tuning.data.encoding import EncodedPair
from generator.tuning.devices import compute_device
from generator.tuning.models.loading import LoadedModel
from generator.tuning.models.prefixes import PrefixShape
from generator.tuning.models.tuned import TunedModel, read_behind


@dataclass(frozen=True)
class RecallSettings:
    """How prefixes are trained: steps of Adam at a rate, begun with small random numbers."""

    steps: int = 300
    rate: float = 0.05
    seed: int = 0
    deviation: float = 0.02


@dataclass(frozen=True)
class Recall:
    """What `soft` tokens recalled of texts of `length` tokens: mean share and mean loss in nats."""

    soft: int
    length: int
    recalled: float
    loss: float


class _Recited(TunedModel):
    """A frozen model behind a prefix (B, k, W) for each text."""

    def __init__(self, language_model: Any, texts: int, soft: int, deviation: float) -> None:
        super().__init__(language_model.requires_grad_(False).eval())
        self.shape = PrefixShape.of(language_model.config)
        self.prefix = torch.nn.Parameter(torch.randn(texts, soft, self.shape.width) * deviation)

    def read(self, batch: PairBatch, **options: Any) -> Any:
        """The language model's output behind the prefixes."""
        return read_behind(self.language_model, self.shape, self.prefix, batch, **options)


def recall(
    model: LoadedModel, texts: Sequence[Sequence[int]], soft: int, settings: RecallSettings
) -> Recall:
    """Train a prefix for each text; texts have the same number of tokens.

    Raises PositionsExceededError where soft tokens and a text do not fit into the model.
    """
    length = len(texts[0])
    model.check_room(length + 1, soft)
    torch.manual_seed(settings.seed)
    recited = _Recited(model.model, len(texts), soft, settings.deviation).to(compute_device())
    pairs = [EncodedPair((model.tokenizer.end,), text) for text in texts]
    batch = collate(pairs).to(compute_device())
    optimizer = torch.optim.Adam([recited.prefix], lr=settings.rate)
    for _ in range(settings.steps):
        losses, counts = recited.losses(batch)
        # Each text has a prefix of its own: their gradients do not meet.
        (losses / counts).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    return Recall(soft, length, *_recalled(recited, batch))


@torch.no_grad()
def _recalled(recited: _Recited, batch: PairBatch) -> tuple[float, float]:
    found = recited.read(batch).logits[:, :-1].argmax(-1)
    losses, counts = recited.losses(batch)
    right = (found == batch.labels[:, 1:]).float().mean()
    return float(right), float((losses / counts).mean())
