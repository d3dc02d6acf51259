"""Samples of local models: `fixgate tests4j generate --method local`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.testing import assert_close
from transformers import (
    LogitsProcessorList,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from evaluator.benchmarks.tests4j.dataset import load_dataset
from evaluator.benchmarks.tests4j.predictions import load_predictions
from generator.tuning.data.encoding import EncodedPair
from generator.tuning.devices import compute_device
from generator.tuning.models.tuned import FineTunedModel, prompt_tuned
from generator.tuning.sampling import TokenSampler, draw_samples
from generator.unit_tests.writers.endpoint import Sampling
from tests.command_line import fixgate

from .small import VOCABULARY, gpt2, neox, tokenizer

pytestmark = [pytest.mark.tuning, pytest.mark.usefixtures("accelerated")]
PROMPT = EncodedPair([5, 9, 44, 120, 7], ())
GREEDY = Sampling((1e-4,), 1, None, None, 12)


def test_tokens_are_drawn_from_what_transformers_leaves() -> None:
    torch.manual_seed(5)
    logits = torch.randn(1, VOCABULARY) * 3
    for temperature in (0.05, 0.4, 1.0):
        warpers = [
            TemperatureLogitsWarper(temperature),
            TopKLogitsWarper(50),
            TopPLogitsWarper(0.9),
        ]
        left = LogitsProcessorList(warpers)(None, logits).softmax(-1)[0]
        sampling = Sampling((temperature,), 4000)
        drawn = sampler(sampling, 1).draw(logits.expand(4000, -1)).tokens
        shares = torch.bincount(drawn, minlength=VOCABULARY) / 4000
        assert set(drawn.tolist()) <= set(left.nonzero()[:, 0].tolist())
        assert float((shares - left).abs().max()) < 0.05


@pytest.mark.parametrize("family", [neox, gpt2])
def test_the_most_likely_continuation_is_that_of_transformers(family) -> None:
    model, words = family(), tokenizer()
    (sample,) = draw_samples(FineTunedModel(model), PROMPT, words, sampler(GREEDY, 0), 12)
    given = torch.tensor([PROMPT.prompt])
    options = {"do_sample": False, "max_new_tokens": 12, "eos_token_id": words.end}
    expected = model.generate(
        given, attention_mask=torch.ones_like(given), pad_token_id=words.end, **options
    )
    assert sample.text == words.decode(expected[0, 5:].tolist())


def test_losses_are_those_of_the_model_itself() -> None:
    model, words = neox(), tokenizer()
    drawn = draw_samples(
        FineTunedModel(model), PROMPT, words, sampler(Sampling((0.4, 1.0), 3), 1), 9
    )
    assert len(drawn) == 6
    (first, *_) = draw_samples(FineTunedModel(model), PROMPT, words, sampler(GREEDY, 0), 1)
    single = model(input_ids=torch.tensor([PROMPT.prompt])).logits[0, -1].log_softmax(-1)
    assert_close(torch.tensor(first.loss), -single.max())


def test_samples_behind_soft_tokens_are_reproducible() -> None:
    torch.manual_seed(6)
    tuned, words = prompt_tuned(neox(), 3), tokenizer()
    sampling = Sampling((0.9,), 4, 0.95, 40, 8)
    first, again, other = (
        draw_samples(tuned, PROMPT, words, sampler(sampling, seed), 8) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def sampler(sampling: Sampling, seed: int) -> TokenSampler:
    return TokenSampler(sampling, seed, compute_device())


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_model_of_a_directory_writes_predictions(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "predictions.jsonl"
    command = ["tests4j", "generate", str(divided), "--method", "local", "--model", str(model)]
    command += ["--split", "test", "--max-tokens", "10", "--out", str(out)]
    done = fixgate(command)
    assert done.returncode == 0, done.stderr
    first, second = rows(out)
    assert first["model"] == "ZS-Hard-All+tiny"
    assert len(first["replies"]) == len(first["losses"]) == 32
    assert first["replies"] != second["replies"]
    assert set(load_predictions(str(out), load_dataset(divided))) == {
        str(row["method"]) for row in (first, second)
    }
    kept = out.read_bytes()
    fixgate(command)
    assert out.read_bytes() == kept


def test_a_run_is_sampled_from_with_its_own_settings(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    run, out = tmp_path / "run", tmp_path / "predictions.jsonl"
    train = ["tests4j", "train", str(divided), "--model", str(model), "--out", str(run)]
    capt = ["--method", "capt", "--prompt-generator", "sum-c", "--tokens", "4", "--max-steps", "2"]
    done = fixgate([*train, *capt, "--max-sequence", "300", "--cache", str(tmp_path / "cache")])
    assert done.returncode == 0, done.stderr
    command = ["tests4j", "generate", str(divided), "--method", "local", "--model", str(run)]
    more = ["--split", "test", "--samples", "1", "--max-tokens", "10", "--out", str(out)]
    done = fixgate([*command, *more])
    assert done.returncode == 0, done.stderr
    assert {row["model"] for row in rows(out)} == {"PT-Hard-None-Sum_C-TCl-4+tiny"}
    done = fixgate([*command, *more[:-1], str(tmp_path / "other"), "--max-tokens", "400"])
    assert done.returncode == 2
    assert "leaves no room for a prompt" in done.stderr


def test_a_base_model_that_was_exchanged_is_noticed(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    train = ["tests4j", "train", str(divided), "--model", str(model), "--out", str(run)]
    more = ["--method", "prompt", "--max-steps", "1", "--max-sequence", "300"]
    assert fixgate([*train, *more, "--cache", str(tmp_path / "cache")]).returncode == 0
    configuration = model / "config.json"
    configuration.write_text(configuration.read_text().replace("512", "511"))
    command = ["tests4j", "generate", str(divided), "--method", "local", "--model", str(run)]
    done = fixgate([*command, "--out", str(tmp_path / "o")])
    assert done.returncode == 2
    assert "is another model than the one that" in done.stderr
