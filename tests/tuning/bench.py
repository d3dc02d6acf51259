"""What training and sampling cost beside plain transformers and peft: python -m tests.tuning.bench.

Both sides take turns in one process, so that what else the machine does slows both alike; figures
are medians of the ratios of neighbouring turns. On a graphics processor where there is one.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import sys
from collections.abc import Callable, Mapping
from typing import Any

import torch
from peft import PrefixTuningConfig, get_peft_model

from generator.tuning.data.batches import PairBatch, collate
from generator.tuning.data.encoding import EncodedPair
from generator.tuning.devices import compute_device, device_name
from generator.tuning.experiments.passes import seconds_of
from generator.tuning.models.prompt_generators import ENCODERS
from generator.tuning.models.tuned import (
    ContextTunedModel,
    FineTunedModel,
    TunedModel,
    prefix_tuned,
)
from generator.tuning.sampling import TokenSampler, draw_samples
from generator.unit_tests.run_names import PromptGenerator
from generator.unit_tests.writers.endpoint import Sampling

from .small import bert, neox, tokenizer

Turn = Callable[[], object]
TOKENS = 10


def pairs(size: int, length: int, vocabulary: int) -> PairBatch:
    def tokens(count: int) -> list[int]:
        found: list[int] = torch.randint(1, vocabulary, (count,)).tolist()
        return found

    return collate([EncodedPair(tokens(length), tokens(length), tokens(64)) for _ in range(size)])


def stepping(parameters: Any, loss: Callable[[], Any]) -> Turn:
    optimizer = torch.optim.AdamW(parameters, lr=1e-5)

    def step() -> None:
        loss().backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def own(model: TunedModel, batch: PairBatch) -> Turn:
    model.train()
    return stepping(model.trained().values(), lambda: model(batch))


def plain(model: Any, batch: PairBatch) -> Turn:
    model.train()
    given = {"input_ids": batch.tokens, "attention_mask": batch.mask, "labels": batch.labels}
    wanted = [value for value in model.parameters() if value.requires_grad]
    return stepping(wanted, lambda: model(**given, use_cache=False).loss)


def sampling(base: Any) -> tuple[Turn, Turn]:
    words, prompt = tokenizer(), torch.randint(1, 300, (1, 64))
    grid, rows = Sampling((0.4,), 32, 0.9, 50, 48), prompt.expand(32, -1)
    model = FineTunedModel(base)
    pair = EncodedPair(prompt[0].tolist(), ())
    options = {"do_sample": True, "temperature": 0.4, "top_k": 50, "top_p": 0.9}
    lengths = {"max_new_tokens": 48, "min_new_tokens": 48, "pad_token_id": 0}
    never = copy.copy(words)
    object.__setattr__(never, "end", -1)
    return (
        lambda: draw_samples(model, pair, never, TokenSampler(grid, 0, compute_device()), 48),
        lambda: base.generate(rows, attention_mask=torch.ones_like(rows), **options, **lengths),
    )


def comparisons(sizes: Mapping[str, int], batch: PairBatch) -> Mapping[str, tuple[Turn, Turn]]:
    def base() -> Any:
        return neox(**sizes)

    config = PrefixTuningConfig(
        task_type="CAUSAL_LM",
        num_virtual_tokens=TOKENS,
        prefix_projection=True,
        encoder_hidden_size=512,
    )
    prefix = own(prefix_tuned(base(), TOKENS), batch)
    found = {
        "fine-tuning / transformers": (own(FineTunedModel(base()), batch), plain(base(), batch)),
        "prefix / peft": (prefix, plain(get_peft_model(base(), config), batch)),
        "sampling / transformers": sampling(base()),
    }
    for generator in PromptGenerator:
        encoder = bert() if generator in ENCODERS else None
        model = ContextTunedModel(base(), generator, TOKENS, encoder)
        found[f"capt {generator} / prefix"] = (own(model, batch), prefix)
    return found


def ratio(first: Turn, second: Turn, rounds: int) -> float:
    first(), second()
    return statistics.median(seconds_of(first) / seconds_of(second) for _ in range(rounds))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--hidden", type=int, default=128)
    options.add_argument("--layers", type=int, default=4)
    options.add_argument("--batch", type=int, default=4)
    options.add_argument("--length", type=int, default=64)
    given = options.parse_args()
    torch.set_default_device(compute_device())
    torch.manual_seed(0)
    sizes = {"hidden_size": given.hidden, "num_hidden_layers": given.layers}
    sys.stdout.write(f"{device_name()}\n")
    for name, turns in comparisons(sizes, pairs(given.batch, given.length, 300)).items():
        sys.stdout.write(f"{name:32} {ratio(*turns, given.rounds):.3f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
