"""Models of some thousand parameters with random weights, and a small dataset with splits."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import torch
from transformers import (
    BertConfig,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    GPTNeoXConfig,
    GPTNeoXForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    RobertaConfig,
    RobertaModel,
)

from evaluator.benchmarks.tests4j.dataset import (
    HumanTest,
    SplitName,
    Tests4JDataset,
    save_dataset,
)
from generator.tuning.data.batches import PairBatch, collate
from generator.tuning.data.encoding import EncodedPair
from generator.tuning.models.tokens import TextTokenizer
from generator.tuning.pretraining.blocks import train_tokenizer
from generator.tuning.pretraining.pretraining import save_pretrained
from tests.unit_tests.examples import ADDS, FOCAL, PLUS, TESTS, dataset, method, repository

VOCABULARY = 300
HIDDEN = 16
LAYERS = 2
HEADS = 4


def tokenizer() -> TextTokenizer:
    return train_tokenizer([FOCAL, PLUS, TESTS, ADDS], VOCABULARY)


def neox(**given: Any) -> GPTNeoXForCausalLM:
    sizes = {"vocab_size": VOCABULARY, "hidden_size": HIDDEN, "num_hidden_layers": LAYERS, **given}
    config = GPTNeoXConfig(
        **{"max_position_embeddings": 512, "num_attention_heads": HEADS, **sizes},
        intermediate_size=4 * sizes["hidden_size"],
        bos_token_id=0,
        eos_token_id=0,
    )
    return seeded(GPTNeoXForCausalLM, config)


def gpt2() -> GPT2LMHeadModel:
    config = GPT2Config(
        vocab_size=VOCABULARY, n_positions=512, n_embd=HIDDEN, n_layer=LAYERS, n_head=HEADS
    )
    return seeded(GPT2LMHeadModel, config)


def llama() -> LlamaForCausalLM:
    """With fewer heads of keys and values than of queries."""
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        intermediate_size=32,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=2,
        max_position_embeddings=512,
    )
    return seeded(LlamaForCausalLM, config)


def bert() -> BertModel:
    sizes = {"hidden_size": 12, "num_hidden_layers": 1, "intermediate_size": 24}
    config = BertConfig(vocab_size=VOCABULARY, num_attention_heads=2, **sizes)
    return seeded(BertModel, config, add_pooling_layer=False)


def roberta() -> RobertaModel:
    sizes = {"hidden_size": 12, "num_hidden_layers": 1, "intermediate_size": 24}
    config = RobertaConfig(
        vocab_size=VOCABULARY, num_attention_heads=2, max_position_embeddings=66, **sizes
    )
    return seeded(RobertaModel, config, add_pooling_layer=False)


def seeded(kind: Any, config: Any, **given: Any) -> Any:
    torch.manual_seed(1)
    return kind(config, **given).eval()


def save_model(directory: Path, **given: Any) -> Path:
    save_pretrained(neox(**given), tokenizer(), directory)
    return directory


def save_encoder(directory: Path) -> Path:
    found = bert()
    found.config.eos_token_id = 0
    save_pretrained(found, tokenizer(), directory)
    return directory


def divided_dataset() -> Tests4JDataset:
    words = ("plus", "minus", "times", "half", "negate")
    parts = [
        repository(
            *(owned_method(f"{split.value}/{split.value}", word) for word in words[:count]),
            name=f"{split.value}/{split.value}",
            split=split,
        )
        for split, count in ((SplitName.TRAIN, 5), (SplitName.VALIDATION, 2), (SplitName.TEST, 2))
    ]
    return dataset(*parts)


def owned_method(owner: str, name: str) -> Any:
    tests = (HumanTest(name="adds", source=ADDS.replace("plus", name)),)
    made = method(name, source=PLUS.replace("plus", name), tests=tests)
    return made.model_copy(update={"id": made.id.replace("acme/money", owner)})


def save_divided(path: Path) -> Path:
    save_dataset(divided_dataset(), path)
    return path


def batch(*lengths: int, context: tuple[int, ...] = ()) -> PairBatch:
    """Pairs of random tokens; each length is that of prompt and target together."""
    torch.manual_seed(2)
    contexts = itertools.chain(context, itertools.repeat(9))
    return collate([_pair(length, next(contexts)) for length in lengths])


def _pair(length: int, context: int) -> EncodedPair:
    return EncodedPair(_tokens(length - 3), _tokens(3), _tokens(context))


def _tokens(count: int) -> list[int]:
    found: list[int] = torch.randint(1, VOCABULARY, (count,)).tolist()
    return found
