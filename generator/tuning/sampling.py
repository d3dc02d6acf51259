"""Samples of a tuned model: many at once from one prompt, each at a temperature of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import TopKLogitsWarper, TopPLogitsWarper

from generator.tuning.data.batches import collate
from generator.tuning.data.encoding import EncodedPair
from generator.tuning.models.tokens import TextTokenizer
from generator.tuning.models.tuned import TunedModel
from generator.unit_tests.writers.endpoint import Sampling

_GREEDY = 1e-4
"""Temperatures below are taken for this: nothing but the most likely token is left at it."""


@dataclass(frozen=True)
class DrawnText:
    """A text, its number of tokens with the one that ends it, and their mean loss in nats.

    The loss is that of the model's own distribution, before temperature, top-k and top-p.
    """

    text: str
    tokens: int
    loss: float


@dataclass(frozen=True)
class DrawnToken:
    """A token for each row (R,), and its loss there (R,)."""

    tokens: Any
    losses: Any


class TokenSampler:
    """Draws tokens as in the thesis (section 5.2, p. 32): temperature, then top-k, then top-p."""

    def __init__(self, sampling: Sampling, seed: int, device: Any = "cpu") -> None:
        rows = [t for t in sampling.temperatures for _ in range(sampling.each)]
        self._temperatures = torch.tensor(rows, device=device)[:, None].clamp(min=_GREEDY)
        self._random = torch.Generator(device).manual_seed(seed)
        self._filters = [
            *([TopKLogitsWarper(sampling.top_k)] if sampling.top_k else []),
            *([TopPLogitsWarper(sampling.top_p)] if sampling.top_p is not None else []),
        ]

    @property
    def rows(self) -> int:
        """How many samples are drawn together."""
        return len(self._temperatures)

    def draw(self, logits: Any) -> DrawnToken:
        """One token for each row of logits (R, V)."""
        scores = logits.float() / self._temperatures
        for each in self._filters:
            scores = each(None, scores)
        chosen = torch.multinomial(scores.softmax(-1), 1, generator=self._random)
        losses = -logits.float().log_softmax(-1).gather(1, chosen)
        return DrawnToken(chosen[:, 0], losses[:, 0])


@torch.no_grad()
def draw_samples(
    model: TunedModel, pair: EncodedPair, tokenizer: TextTokenizer, sampler: TokenSampler, most: int
) -> Sequence[DrawnText]:
    """Texts that follow a prompt, of at most `most` tokens; the target of the pair is not read.

    The prompt is read once for all samples, so that there is no padding.
    """
    model.eval()
    device = next(model.parameters()).device
    logits, cache = model.begin(collate([EncodedPair(pair.prompt, (), pair.context)]).to(device))
    cache.batch_repeat_interleave(sampler.rows)
    logits = logits.repeat_interleave(sampler.rows, 0)
    drawn = [sampler.draw(logits)]
    ended = drawn[0].tokens == tokenizer.end
    while len(drawn) < most and not bool(ended.all()):
        drawn.append(sampler.draw(model.step(drawn[-1].tokens[:, None], cache)))
        ended = ended | (drawn[-1].tokens == tokenizer.end)
    tokens = torch.stack([each.tokens for each in drawn], 1).tolist()
    losses = torch.stack([each.losses for each in drawn], 1).tolist()
    return [_text(*row, tokenizer) for row in zip(tokens, losses, strict=True)]


def _text(tokens: list[int], losses: list[float], tokenizer: TextTokenizer) -> DrawnText:
    ends = tokenizer.end in tokens
    kept = tokens[: tokens.index(tokenizer.end)] if ends else tokens
    count = len(kept) + ends
    return DrawnText(tokenizer.decode(kept), count, sum(losses[:count]) / count)
