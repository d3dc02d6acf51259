"""Parameters and memory of each setting of table 5.1 on models of the thesis's sizes.

Parameters are counted without memory for them. Memory is that at the highest point of one forward
and backward pass in float32, with random weights, in a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from transformers import AutoModelForCausalLM, GPTNeoXConfig, RobertaConfig, RobertaModel

from evaluator import FixgateError
from generator.tuning.data.batches import PairBatch, collate
from generator.tuning.data.encoding import EncodedPair
from generator.tuning.devices import compute_device
from generator.tuning.experiments.passes import cost_of
from generator.tuning.experiments.questions import TABLE
from generator.tuning.models.prompt_generators import ENCODER_WINDOW, ENCODERS
from generator.tuning.models.tuned import (
    ContextTunedModel,
    FineTunedModel,
    TunedModel,
    prefix_tuned,
    prompt_tuned,
)
from generator.unit_tests.run_names import RunName, Training, read_run_name

_PREFIX = 10
"""Soft tokens of prefix tuning in the thesis (section 5.2, p. 32)."""
_ENCODER_VOCABULARY = 50_265


@dataclass(frozen=True)
class ModelSize:
    """The size of a GPT-NeoX: by default that of PolyCoder with 400 million parameters."""

    layers: int = 24
    hidden: int = 1024
    heads: int = 16
    vocabulary: int = 50_304
    positions: int = 2048


@dataclass(frozen=True)
class Workload:
    """One batch: pairs, tokens of prompt and test, and tokens that a prompt generator reads."""

    batch: int = 1
    tokens: int = 512
    context: int = 512


@dataclass(frozen=True)
class SettingSize:
    """A setting: parameters that are trained and all of them; bytes and seconds where measured.

    What they count is said at `PassCost`.
    `problem` is why a setting that was to be measured could not be.
    """

    name: str
    trained: int
    parameters: int
    peak_bytes: int | None = None
    seconds: float | None = None
    problem: str = ""


def count_all(size: ModelSize) -> Sequence[SettingSize]:
    """The parameters of all settings of table 5.1."""
    return [count_parameters(name, size) for name in TABLE]


def count_parameters(name: RunName, size: ModelSize) -> SettingSize:
    """The parameters of a setting, exactly: those of the modules themselves."""
    with torch.device("meta"):
        tuned = random_model(name, size)
    return SettingSize(str(name), *_counts(name, tuned))


def _counts(name: RunName, tuned: TunedModel) -> tuple[int, int]:
    """Parameters that are trained, and all."""
    trains = name.training is not Training.ZERO_SHOT
    trained = sum(value.numel() for value in tuned.trained().values()) if trains else 0
    return trained, sum(value.numel() for value in tuned.parameters())


def random_model(name: RunName, size: ModelSize) -> TunedModel:
    """The model of a setting with random weights, the encoder of the size of CodeBERT."""
    model = AutoModelForCausalLM.from_config(_config(size))
    if name.soft is not None:
        encoder = _encoder() if name.soft.generator in ENCODERS else None
        return ContextTunedModel(model, name.soft.generator, name.soft.length, encoder)
    if name.training is Training.PREFIX_TUNED:
        return prefix_tuned(model, _PREFIX)
    if name.training is Training.PROMPT_TUNED:
        return prompt_tuned(model, _PREFIX)
    return FineTunedModel(model)


def _config(size: ModelSize) -> Any:
    return GPTNeoXConfig(
        vocab_size=size.vocabulary,
        hidden_size=size.hidden,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        intermediate_size=4 * size.hidden,
        max_position_embeddings=size.positions,
    )


def _encoder() -> Any:
    # CodeBERT has the sizes of RoBERTa-base; its pooling layer is not used.
    config = RobertaConfig(
        vocab_size=_ENCODER_VOCABULARY, max_position_embeddings=514, type_vocab_size=1
    )
    return RobertaModel(config, add_pooling_layer=False)


def measure(name: RunName, size: ModelSize, work: Workload) -> SettingSize:
    """Parameters, memory and time of a pass in a process of its own. Raises FixgateError."""
    given = json.dumps([str(name), asdict(size), asdict(work)])
    done = subprocess.run(
        [sys.executable, "-m", __name__, given], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["killed: is there too little memory?"])[-1]
        raise FixgateError(f"{name} could not be measured: {last}")
    return SettingSize(**json.loads(done.stdout))


def pass_once(name: RunName, size: ModelSize, work: Workload) -> SettingSize:
    """One forward and backward pass in this process, whose highest memory it reports."""
    torch.manual_seed(0)
    with compute_device():
        tuned = random_model(name, size)
    tuned.train()
    batch = _batch(name, size, work).to(compute_device())
    spent = cost_of(lambda: _pass(name, tuned, batch))
    return SettingSize(str(name), *_counts(name, tuned), spent.peak_bytes, spent.seconds)


def _pass(name: RunName, tuned: TunedModel, batch: PairBatch) -> None:
    if name.training is Training.ZERO_SHOT:
        with torch.no_grad():
            tuned(batch)
    else:
        tuned(batch).backward()
        tuned.zero_grad()


def _batch(name: RunName, size: ModelSize, work: Workload) -> PairBatch:
    encodes = name.soft is not None and name.soft.generator in ENCODERS
    read = min(work.context, ENCODER_WINDOW) if encodes else work.context
    half = work.tokens // 2
    pairs = [
        EncodedPair(_tokens(size, work.tokens - half), _tokens(size, half), _tokens(size, read))
        for _ in range(work.batch)
    ]
    return collate(pairs)


def _tokens(size: ModelSize, count: int) -> list[int]:
    """Random tokens that the language model and the encoder have."""
    found: list[int] = torch.randint(min(size.vocabulary, _ENCODER_VOCABULARY), (count,)).tolist()
    return found


if __name__ == "__main__":
    wanted, model_size, workload = json.loads(sys.argv[1])
    found = pass_once(read_run_name(wanted), ModelSize(**model_size), Workload(**workload))
    sys.stdout.write(json.dumps(asdict(found)))
