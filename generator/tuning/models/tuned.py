"""Language models with what is trained of them: all, a prefix, a soft prompt, a prompt generator.

All have one interface: `forward` gives the loss of a batch, `begin` reads a prompt to go on from.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import torch
from peft import PrefixTuningConfig, PromptTuningConfig, get_peft_model
from torch import nn
from torch.nn import functional

from generator.tuning.data.batches import IGNORED, PairBatch
from generator.tuning.models.prefixes import PrefixShape, cache_of
from generator.tuning.models.prompt_generators import BOTTLENECK, GENERATORS, GeneratorParts
from generator.unit_tests.run_names import PromptGenerator


class TunedModel(nn.Module):
    """A causal language model of transformers, and how its prompts are read."""

    def __init__(self, language_model: Any) -> None:
        super().__init__()
        self.language_model = language_model

    def forward(self, batch: PairBatch) -> Any:
        """The mean loss, in nats a token, over the tokens of a batch that have labels."""
        total, count = self.losses(batch)
        return total.sum() / count.sum().clamp(min=1)

    def losses(self, batch: PairBatch) -> tuple[Any, Any]:
        """The summed loss of each pair (B,), and the number of its tokens with labels (B,)."""
        logits = self.read(batch).logits[:, -batch.tokens.shape[1] :][:, :-1].float()
        labels = batch.labels[:, 1:]
        single = functional.cross_entropy(
            logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="none"
        )
        return single.view(labels.shape).sum(1), (labels != IGNORED).sum(1)

    def begin(self, batch: PairBatch) -> tuple[Any, Any]:
        """Logits (B, V) of the token behind prompts without padding, and the cache behind them."""
        found = self.read(batch, use_cache=True)
        return found.logits[:, -1], found.past_key_values

    def read(self, batch: PairBatch, **options: Any) -> Any:
        """The language model's output on a batch."""
        return self.language_model(
            input_ids=batch.tokens, attention_mask=batch.mask, **{"use_cache": False, **options}
        )

    def step(self, tokens: Any, cache: Any) -> Any:
        """Logits (B, V) of the token behind one more token (B, 1); the cache grows by it."""
        found = self.language_model(input_ids=tokens, past_key_values=cache, use_cache=True)
        return found.logits[:, -1]

    def trained(self) -> Mapping[str, Any]:
        """The parameters that are trained, by name."""
        return {name: value for name, value in self.named_parameters() if value.requires_grad}


class FineTunedModel(TunedModel):
    """The language model, all of which is trained."""


class _SteeredModel(TunedModel):
    """A frozen language model: its parameters take no gradient, and its dropout stays off."""

    def __init__(self, language_model: Any) -> None:
        super().__init__(language_model.requires_grad_(False))

    def train(self, mode: bool = True) -> _SteeredModel:
        """Set the mode of what is trained."""
        super().train(mode)
        self.language_model.eval()
        return self


class PeftModel(_SteeredModel):
    """Soft tokens as peft trains them: prefix tuning and prompt tuning."""

    def __init__(self, language_model: Any, config: Any) -> None:
        super().__init__(language_model)
        with warnings.catch_warnings():
            # peft asks transformers by a name that it is to lose.
            warnings.simplefilter("ignore", FutureWarning)
            made = get_peft_model(language_model, config)
        # A module may stand in one place only, or its parameters have two names.
        self.soft = made.prompt_encoder
        self._made = (made,)

    def read(self, batch: PairBatch, **options: Any) -> Any:
        """The language model's output behind the soft tokens."""
        given = {"use_cache": False, **options}
        return self._made[0](input_ids=batch.tokens, attention_mask=batch.mask, **given)


def prefix_tuned(language_model: Any, tokens: int) -> PeftModel:
    """Prefix tuning (Li and Liang 2021): keys and values of all layers through a bottleneck."""
    config = PrefixTuningConfig(
        task_type="CAUSAL_LM",
        num_virtual_tokens=tokens,
        prefix_projection=True,
        encoder_hidden_size=BOTTLENECK,
    )
    return PeftModel(language_model, config)


def prompt_tuned(language_model: Any, tokens: int) -> PeftModel:
    """Prompt tuning (Lester et al. 2021): embeddings of soft tokens at the input."""
    return PeftModel(
        language_model, PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=tokens)
    )


class ContextTunedModel(_SteeredModel):
    """Context-aware prompt tuning: a prompt generator makes the prefix of each context."""

    def __init__(
        self, language_model: Any, generator: PromptGenerator, tokens: int, encoder: Any = None
    ) -> None:
        super().__init__(language_model)
        self.shape = PrefixShape.of(language_model.config)
        embeddings = language_model.get_input_embeddings()
        parts = GeneratorParts(tokens, self.shape.width, embeddings, encoder)
        self.generator = GENERATORS[generator](parts)

    def read(self, batch: PairBatch, **options: Any) -> Any:
        """The language model's output behind the soft tokens of each context."""
        prefix = self.generator(batch.context, batch.context_mask)
        return read_behind(self.language_model, self.shape, prefix, batch, **options)


def read_behind(
    language_model: Any, shape: PrefixShape, prefix: Any, batch: PairBatch, **options: Any
) -> Any:
    """A language model's output on a batch behind a prefix (B, k, W), at the first positions."""
    seen = torch.ones(prefix.shape[:2], dtype=batch.mask.dtype, device=batch.mask.device)
    return language_model(
        input_ids=batch.tokens,
        attention_mask=torch.cat((seen, batch.mask), 1),
        past_key_values=cache_of(prefix.to(language_model.dtype), shape, language_model.config),
        **{"use_cache": False, **options},
    )
