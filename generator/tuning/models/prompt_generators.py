"""Prompt generators of context-aware prompt tuning (thesis, section 4.3, pp. 27, 28).

Each turns a context into k soft tokens through a bottleneck with tanh. BERT, LSTM and Sum make one
state of the whole context, and have a projection of its own for each soft token. Those with `_C`
make a state of each of k chunks, and share one projection. W is the width of a prefix, H that of
the language model, E that of the encoder; biases come on top:

BERT    encoder + k (E 512 + 512 W)       BERT_C  encoder + floor(512/k) E 1024 + 1024 W
LSTM    8 H H + k (H 512 + 512 W)         LSTM_C  8 H H + H 512 + 512 W
Sum     k (H 512 + 512 W)                 Sum_C   H 512 + 512 W

The thesis's sum for BERT_C leaves out the factor E, which the architecture has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from generator.tuning.models.chunks import chunked, last_states
from generator.unit_tests.run_names import PromptGenerator

BOTTLENECK = 512
CHUNK_BOTTLENECK = 1024
"""Of BERT_C, whose input is a whole chunk."""
ENCODER_WINDOW = 512
"""Tokens that the encoder reads of a context."""


@dataclass(frozen=True)
class GeneratorParts:
    """What a generator is made of: soft tokens, width of a prefix, and where states come from.

    `embeddings` are those of the language model, frozen with it; `encoder` is trained.
    """

    length: int
    width: int
    embeddings: Any
    encoder: Any = None

    @property
    def hidden(self) -> int:
        """Width of the language model's embeddings."""
        return int(self.embeddings.weight.shape[1])


def bottleneck(inside: int, middle: int, outside: int) -> Any:
    """A projection through a narrow layer with tanh, as in prefix tuning."""
    return nn.Sequential(nn.Linear(inside, middle), nn.Tanh(), nn.Linear(middle, outside))


class ProjectedState(nn.Module):
    """k projections of one state (B, H) to k soft tokens (B, k, W)."""

    def __init__(self, inside: int, parts: GeneratorParts) -> None:
        super().__init__()
        self.projections = nn.ModuleList(
            bottleneck(inside, BOTTLENECK, parts.width) for _ in range(parts.length)
        )

    def forward(self, state: Any) -> Any:
        """Soft tokens of a state."""
        return torch.stack([projection(state) for projection in self.projections], 1)


class FrozenEmbeddings:
    """Embeddings that are used and not trained; a module would make them part of what it is in."""

    def __init__(self, embeddings: Any) -> None:
        self._embeddings = embeddings

    def __call__(self, tokens: Any) -> Any:
        """Embeddings (B, C, H) of tokens, through which no gradient flows."""
        with torch.no_grad():
            return self._embeddings(tokens)


class BertGenerator(nn.Module):
    """The encoder's state of the first token, projected k times."""

    def __init__(self, parts: GeneratorParts) -> None:
        super().__init__()
        self.encoder = parts.encoder
        self.projection = ProjectedState(parts.encoder.config.hidden_size, parts)

    def forward(self, context: Any, mask: Any) -> Any:
        """Soft tokens (B, k, W) of contexts (B, C)."""
        return self.projection(_encoded(self.encoder, context, mask)[:, 0])


class ChunkedBertGenerator(nn.Module):
    """The encoder's states of floor(512 / k) tokens side by side, for each of k chunks."""

    def __init__(self, parts: GeneratorParts) -> None:
        super().__init__()
        self.encoder = parts.encoder
        self._length, self._size = parts.length, ENCODER_WINDOW // parts.length
        inside = self._size * parts.encoder.config.hidden_size
        self.projection = bottleneck(inside, CHUNK_BOTTLENECK, parts.width)

    def forward(self, context: Any, mask: Any) -> Any:
        """Soft tokens (B, k, W) of contexts (B, C)."""
        states = _encoded(self.encoder, context, mask) * mask[..., None]
        states = states[:, : self._length * self._size]
        missing = self._length * self._size - states.shape[1]
        filled = nn.functional.pad(states, (0, 0, 0, missing))
        return self.projection(filled.reshape(len(context), self._length, -1))


class LstmGenerator(nn.Module):
    """The last state of one LSTM layer over the embeddings, projected k times."""

    def __init__(self, parts: GeneratorParts) -> None:
        super().__init__()
        self._embed = FrozenEmbeddings(parts.embeddings)
        self.lstm = nn.LSTM(parts.hidden, parts.hidden, batch_first=True)
        self.projection = ProjectedState(parts.hidden, parts)

    def forward(self, context: Any, mask: Any) -> Any:
        """Soft tokens (B, k, W) of contexts (B, C)."""
        states, _ = self.lstm(self._embed(context))
        return self.projection(last_states(states, mask))


class ChunkedLstmGenerator(nn.Module):
    """The last states of the LSTM over k chunks, each projected by the same projection."""

    def __init__(self, parts: GeneratorParts) -> None:
        super().__init__()
        self._embed, self._length = FrozenEmbeddings(parts.embeddings), parts.length
        self.lstm = nn.LSTM(parts.hidden, parts.hidden, batch_first=True)
        self.projection = bottleneck(parts.hidden, BOTTLENECK, parts.width)

    def forward(self, context: Any, mask: Any) -> Any:
        """Soft tokens (B, k, W) of contexts (B, C)."""
        chunks, real = chunked(self._embed(context), mask, self._length)
        states, _ = self.lstm(chunks.flatten(0, 1))
        last = last_states(states, real.flatten(0, 1))
        return self.projection(last.view(len(context), self._length, -1))


class SumGenerator(nn.Module):
    """The sum of the embeddings, projected k times."""

    def __init__(self, parts: GeneratorParts) -> None:
        super().__init__()
        self._embed = FrozenEmbeddings(parts.embeddings)
        self.projection = ProjectedState(parts.hidden, parts)

    def forward(self, context: Any, mask: Any) -> Any:
        """Soft tokens (B, k, W) of contexts (B, C)."""
        return self.projection((self._embed(context) * mask[..., None]).sum(1))


class ChunkedSumGenerator(nn.Module):
    """The sums of the embeddings of k chunks, each projected by the same projection."""

    def __init__(self, parts: GeneratorParts) -> None:
        super().__init__()
        self._embed, self._length = FrozenEmbeddings(parts.embeddings), parts.length
        self.projection = bottleneck(parts.hidden, BOTTLENECK, parts.width)

    def forward(self, context: Any, mask: Any) -> Any:
        """Soft tokens (B, k, W) of contexts (B, C)."""
        chunks, _ = chunked(self._embed(context), mask, self._length)
        return self.projection(chunks.sum(2))


def _encoded(encoder: Any, context: Any, mask: Any) -> Any:
    """States (B, C, E) of contexts (B, C)."""
    # Attention to no token at all has no defined result: of an empty context, one is seen.
    visible = mask.clone()
    visible[:, 0] = 1
    return encoder(input_ids=context, attention_mask=visible).last_hidden_state


GENERATORS: Mapping[PromptGenerator, Callable[[GeneratorParts], Any]] = {
    PromptGenerator.BERT: BertGenerator,
    PromptGenerator.BERT_CHUNKED: ChunkedBertGenerator,
    PromptGenerator.LSTM: LstmGenerator,
    PromptGenerator.LSTM_CHUNKED: ChunkedLstmGenerator,
    PromptGenerator.SUM: SumGenerator,
    PromptGenerator.SUM_CHUNKED: ChunkedSumGenerator,
}
"""The modules: contexts (B, C) of int64 and their mask in, prefixes (B, k, W) out."""

ENCODERS = (PromptGenerator.BERT, PromptGenerator.BERT_CHUNKED)
"""Those that need an encoder; the others read the language model's embeddings."""
