"""Prefixes, prompt generators and tuned models: exact, on random models of several families."""

from __future__ import annotations

import copy

import pytest
import torch
from peft import PrefixTuningConfig, get_peft_model
from torch.testing import assert_close
from transformers import DynamicCache

from generator.tuning.data.batches import PairBatch, collate
from generator.tuning.data.encoding import EncodedPair
from generator.tuning.experiments.sizes import ModelSize, count_parameters
from generator.tuning.experiments.test_losses import OtherContexts
from generator.tuning.models.chunks import chunked
from generator.tuning.models.prefixes import PrefixShape, cache_of, prefix_of
from generator.tuning.models.prompt_generators import ENCODERS
from generator.tuning.models.tuned import (
    ContextTunedModel,
    FineTunedModel,
    TunedModel,
    prefix_tuned,
    prompt_tuned,
    read_behind,
)
from generator.unit_tests.run_names import PromptGenerator, read_run_name

from .small import batch, bert, gpt2, llama, neox, roberta

pytestmark = [pytest.mark.tuning, pytest.mark.usefixtures("accelerated")]
FAMILIES = pytest.mark.parametrize("family", [neox, gpt2, llama])
EVERY = pytest.mark.parametrize("generator", list(PromptGenerator))


def capt(generator: PromptGenerator, tokens: int = 3, encoder=bert, family=neox):
    inner = encoder() if generator in ENCODERS else None
    torch.manual_seed(3)
    return ContextTunedModel(family(), generator, tokens, inner).eval()


def rows_of(found: PairBatch, start: int, end: int) -> PairBatch:
    parts = (found.tokens, found.mask, found.labels, found.context, found.context_mask)
    return PairBatch(*(part[start:end] for part in parts))


@FAMILIES
@torch.no_grad()
def test_a_prefix_of_real_tokens_continues_as_these_tokens_do(family) -> None:
    model, found = family(), batch(20, 20)
    shape = PrefixShape.of(model.config)
    cache = model(input_ids=found.tokens[:, :8], use_cache=True).past_key_values
    prefix = prefix_of(cache)
    assert prefix.shape == (2, 8, shape.width)
    behind = PairBatch(
        found.tokens[:, 8:],
        found.mask[:, 8:],
        found.labels[:, 8:],
        found.context,
        found.context_mask,
    )
    whole = model(input_ids=found.tokens).logits[:, 8:]
    assert_close(read_behind(model, shape, prefix, behind).logits, whole)


@FAMILIES
@torch.no_grad()
def test_a_cache_goes_on_as_a_longer_prompt_does(family) -> None:
    tuned = capt(PromptGenerator.SUM_CHUNKED, family=family)
    found = batch(12, 12)
    logits, cache = tuned.begin(rows_of(found, 0, 2))
    following = torch.tensor([[5], [6]])
    longer = PairBatch(
        torch.cat((found.tokens, following), 1),
        torch.cat((found.mask, torch.ones(2, 1, dtype=torch.int64)), 1),
        found.labels,
        found.context,
        found.context_mask,
    )
    assert_close(logits, tuned.read(found).logits[:, -1])
    assert_close(tuned.step(following, cache), tuned.read(longer).logits[:, -1])


@FAMILIES
@torch.no_grad()
def test_padding_changes_nothing(family) -> None:
    found = batch(14, 9, context=(11, 4))
    for tuned in (FineTunedModel(family()), capt(PromptGenerator.LSTM_CHUNKED, family=family)):
        together, counts = tuned.losses(found)
        alone = batch_of_second(found)
        single, count = tuned.losses(alone)
        assert_close(together[1:], single)
        assert counts[1:].tolist() == count.tolist() == [3]


def batch_of_second(found: PairBatch) -> PairBatch:
    row = rows_of(found, 1, 2)
    length, context = int(row.mask.sum()), int(row.context_mask.sum())
    return PairBatch(
        row.tokens[:, :length],
        row.mask[:, :length],
        row.labels[:, :length],
        row.context[:, :context],
        row.context_mask[:, :context],
    )


@EVERY
@torch.no_grad()
def test_prompt_generators_do_not_depend_on_padding(generator: PromptGenerator) -> None:
    made = capt(generator).generator
    found = batch(8, 8, context=(13, 5))
    together = made(found.context, found.context_mask)
    second = batch_of_second(found)
    assert together.shape == (2, 3, PrefixShape.of(neox().config).width)
    assert_close(together[1:], made(second.context, second.context_mask))
    assert not torch.equal(together[0], together[1])


@EVERY
def test_no_gradient_reaches_the_language_model(generator: PromptGenerator) -> None:
    tuned = capt(generator).train()
    before = copy.deepcopy(tuned.language_model.state_dict())
    optimizer = torch.optim.AdamW(tuned.trained().values(), lr=0.1)
    tuned(batch(12, 10)).backward()
    optimizer.step()
    assert all(value.grad is None for value in tuned.language_model.parameters())
    assert not tuned.language_model.training
    for name, value in tuned.language_model.state_dict().items():
        assert torch.equal(value, before[name])
    assert tuned.trained()
    for name, value in tuned.trained().items():
        assert name.startswith("generator.")
        assert "embeddings" in name or value.grad is not None, name


@EVERY
def test_contexts_may_be_empty(generator: PromptGenerator) -> None:
    tuned = capt(generator).train()
    loss = tuned(batch(8, 8, context=(0, 6)))
    loss.backward()
    assert torch.isfinite(loss)


def test_an_encoder_of_another_family_does_as_well() -> None:
    tuned = capt(PromptGenerator.BERT_CHUNKED, encoder=roberta)
    assert torch.isfinite(tuned(batch(8, 8)))


def test_the_context_changes_what_is_predicted() -> None:
    tuned = capt(PromptGenerator.SUM)
    first, second = batch(10, context=(5,)), batch(10, context=(7,))
    assert torch.equal(first.tokens, second.tokens)
    assert not torch.allclose(tuned.read(first).logits, tuned.read(second).logits)


@FAMILIES
@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing`:FutureWarning")
def test_our_prefixes_equal_those_of_peft(family) -> None:
    found = batch(12, 9)
    config = PrefixTuningConfig(
        task_type="CAUSAL_LM", num_virtual_tokens=3, prefix_projection=True, encoder_hidden_size=8
    )
    torch.manual_seed(4)
    theirs = get_peft_model(family(), config).eval()
    encoder = theirs.prompt_encoder["default"]
    prefix = encoder(torch.arange(3))[None].expand(2, -1, -1)
    ours, shape = family(), PrefixShape.of(family().config)
    behind = read_behind(ours, shape, prefix, found).logits
    expected = theirs(input_ids=found.tokens, attention_mask=found.mask, use_cache=False).logits
    assert_close(behind, expected)
    behind.sum().backward()
    own = [value.grad.clone() for value in encoder.parameters()]
    theirs.zero_grad()
    expected.sum().backward()
    for mine, value in zip(own, encoder.parameters(), strict=True):
        assert_close(mine, value.grad)


@FAMILIES
@pytest.mark.parametrize("make", [prefix_tuned, prompt_tuned])
def test_soft_tokens_of_peft_are_trained_and_cached(family, make) -> None:
    tuned: TunedModel = make(family(), 4).eval()
    found = batch(10)
    assert all(name.startswith("soft.") for name in tuned.trained())
    logits, cache = tuned.begin(found)
    assert_close(logits, tuned.read(found).logits[:, -1])
    longer = PairBatch(
        torch.cat((found.tokens, torch.tensor([[7]])), 1),
        torch.cat((found.mask, torch.ones(1, 1, dtype=torch.int64)), 1),
        found.labels,
        found.context,
        found.context_mask,
    )
    assert_close(tuned.step(torch.tensor([[7]]), cache), tuned.read(longer).logits[:, -1])
    tuned(found).backward()
    assert all(value.grad is not None for value in tuned.trained().values())
    assert all(value.grad is None for value in tuned.language_model.parameters())


@EVERY
def test_prompt_generators_learn_to_read(generator: PromptGenerator) -> None:
    """Where only the context tells what follows, another one misleads."""
    tuned = capt(generator)
    pairs = [EncodedPair((5, 6), (40 + n,), (10 * n + 7, 11, 12, 10 * n + 8)) for n in range(4)]
    others = OtherContexts(pairs)
    own, other = (collate([each[n] for n in range(4)]) for each in (pairs, others))
    optimizer = torch.optim.Adam(tuned.trained().values(), lr=1e-2)
    tuned.train()
    for _ in range(60):
        tuned(own).backward()
        optimizer.step()
        optimizer.zero_grad()
    with torch.no_grad():
        assert tuned(own) + 0.02 < tuned(other)


def test_other_contexts_are_those_of_pairs_half_of_all_away() -> None:
    pairs = [EncodedPair((n,), (10 + n,), (20 + n,)) for n in range(5)]
    found = OtherContexts(pairs)
    assert len(found) == 5
    assert [found[n].context for n in range(5)] == [(22,), (23,), (24,), (20,), (21,)]
    assert [found[n].prompt for n in range(5)] == [pair.prompt for pair in pairs]


def test_the_loss_is_that_of_transformers() -> None:
    model, found = neox(), batch(11, 11)
    expected = model(input_ids=found.tokens, attention_mask=found.mask, labels=found.labels).loss
    assert_close(FineTunedModel(model)(found), expected)


def test_caches_and_prefixes_are_turned_into_each_other() -> None:
    model = llama()
    shape = PrefixShape.of(model.config)
    prefix = torch.randn(2, 5, shape.width)
    cache = cache_of(prefix, shape, model.config)
    assert isinstance(cache, DynamicCache)
    assert cache.get_seq_length() == 5
    assert_close(prefix_of(cache), prefix)


def test_chunks_have_the_tokens_in_their_order() -> None:
    states = torch.arange(1.0, 8.0).view(1, 7, 1)
    mask = torch.tensor([[1, 1, 1, 1, 1, 0, 0]])
    found, real = chunked(states, mask, 3)
    assert found[..., 0].tolist() == [[[1, 2], [3, 4], [5, 0]]]
    assert real.sum().item() == 5


WIDE = 49_152
LSTM = 4 * (2 * 1024 * 1024 + 2 * 1024)


def bottleneck(inside: int, middle: int) -> int:
    return inside * middle + middle + middle * WIDE + WIDE


ENCODER = 124_055_040
"""RoBERTa-base without its pooling layer."""


@pytest.mark.parametrize(
    ("name", "trained"),
    [
        ("PT-Hard-None-BERT-TCl-1", ENCODER + bottleneck(768, 512)),
        ("PT-Hard-None-BERT-TCl-10", ENCODER + 10 * bottleneck(768, 512)),
        ("PT-Hard-None-BERT_C-TCl-30", ENCODER + bottleneck(17 * 768, 1024)),
        ("PT-Hard-None-BERT_C-TCl-188", ENCODER + bottleneck(2 * 768, 1024)),
        ("PT-Hard-None-LSTM-TCl-1", LSTM + bottleneck(1024, 512)),
        ("PT-Hard-None-LSTM-TCl-10", LSTM + 10 * bottleneck(1024, 512)),
        ("PT-Hard-None-LSTM_C-TCl-150", LSTM + bottleneck(1024, 512)),
        ("PT-Hard-None-Sum-TCl-10", 10 * bottleneck(1024, 512)),
        ("PT-Hard-None-Sum_C-TCl-90", bottleneck(1024, 512)),
        ("PT-Hard-All", 10 * 1024 + bottleneck(1024, 512)),
        ("PrT-Hard-All", 10 * 1024),
    ],
)
def test_parameters_on_the_sizes_of_the_thesis(name: str, trained: int) -> None:
    assert count_parameters(read_run_name(name), ModelSize()).trained == trained
