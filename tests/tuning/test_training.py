"""`fixgate tests4j train`: runs that go on after a kill, and what they refuse."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from evaluator.benchmarks.tests4j.dataset import HumanTest, SplitName, load_dataset
from evaluator.languages.java.syntax import parsed
from generator.tuning.data.encoding import PairEncoding, SoftEncoding, pairs_of
from generator.tuning.data.store import PairStore, stored_pairs, write_pairs
from generator.tuning.errors import (
    EmptySplitError,
    LossDivergedError,
    ModelFilesError,
    PositionsExceededError,
    SavingFailedError,
    TokenizerMismatchError,
)
from generator.tuning.models.loading import load_encoder, load_language_model
from generator.tuning.models.tuned import FineTunedModel
from generator.tuning.pretraining.pretraining import save_pretrained
from generator.tuning.saving import save_state
from generator.tuning.training.history import BEST, History, read_history
from generator.tuning.training.loop import StepPlan, TrainingPairs, train
from generator.tuning.training.settings import TrainingSettings
from generator.unit_tests.prompts import ContextChoice
from tests.command_line import fixgate
from tests.unit_tests.examples import ADDS
from tests.waiting import wait_for

from .small import neox, save_divided, save_encoder, save_model, tokenizer

pytestmark = pytest.mark.tuning
SHORT = ["--max-sequence", "300", "--batch", "2", "--rate", "1e-2"]


def arguments(dataset: Path, model: Path, out: Path, *more: str) -> list[str]:
    places = [str(dataset), "--model", str(model), "--out", str(out)]
    return ["tests4j", "train", *places, "--cache", str(out.parent / "cache"), *SHORT, *more]


@pytest.mark.parametrize(
    ("options", "name", "hard"),
    [
        (["--method", "fine-tuning"], "FT-Hard-All", "All"),
        (["--method", "prefix", "--tokens", "3"], "PT-Hard-All", "All"),
        (["--method", "prompt", "--hard", "none"], "PrT-Hard-None", "None"),
        (
            ["--method", "capt", "--prompt-generator", "sum-c", "--tokens", "4"],
            "PT-Hard-None-Sum_C-TCl-4",
            "None",
        ),
        (
            ["--method", "capt", "--prompt-generator", "lstm", "--tokens", "2", "--context", "all"],
            "PT-Hard-None-LSTM-All-2",
            "None",
        ),
        (
            ["--method", "capt", "--prompt-generator", "bert-c", "--encoder", "ENCODER"],
            "PT-Hard-None-BERT_C-TCl-10",
            "None",
        ),
    ],
)
def test_each_method_lowers_the_loss(
    divided: Path, model: Path, tmp_path: Path, options: list[str], name: str, hard: str
) -> None:
    encoder = str(save_encoder(tmp_path / "encoder"))
    given = [encoder if option == "ENCODER" else option for option in options]
    out = tmp_path / "out"
    done = fixgate(arguments(divided, model, out, *given, "--epochs", "4"))
    assert done.returncode == 0, done.stderr
    assert f"run: {name}" in done.stderr
    history = read_history(out)
    assert history.steps == 12
    assert [step for step, _ in history.validations] == list(range(1, 13))
    assert history.best < history.validations[0][1]
    assert json.loads((out / "run.json").read_text())["settings"]["hard"] == hard
    assert "<polyline" in (out / "losses.html").read_text()
    card = (out / "README.md").read_text()
    assert f"# {name}" in card
    assert f"{history.best:.4f}" in card
    events = EventAccumulator(str(out / "events"))
    events.Reload()
    assert len(events.Scalars("loss/training")) == 12
    assert events.Scalars("loss/validation")[-1].step == 12


def test_validations_are_spread_over_an_epoch() -> None:
    plan = StepPlan(100, TrainingSettings(1.0, epochs=2, batch=4))
    assert (plan.in_epoch, plan.total) == (25, 50)
    found = [step for step in range(1, plan.total + 1) if plan.validates(step)]
    assert found == [7, 13, 19, 25, 32, 38, 44, 50]


def test_the_best_weights_are_kept(divided: Path, tmp_path: Path) -> None:
    pairs = stored(divided, tmp_path)
    settings = TrainingSettings(0.5, epochs=3, batch=2, clip=100.0)
    trained = FineTunedModel(neox())
    history = train(trained, pairs, settings, tmp_path / "run")
    losses = [loss for _, loss in history.validations]
    best = losses.index(min(losses)) + 1
    shorter = TrainingSettings(0.5, epochs=3, batch=2, clip=100.0, most_steps=best)
    again = FineTunedModel(neox())
    train(again, pairs, shorter, tmp_path / "shorter")
    kept = load_file(tmp_path / "run" / "best.safetensors")
    for name, value in again.trained().items():
        assert torch.equal(kept[name], value.cpu())


def stored(divided: Path, tmp_path: Path, hard: ContextChoice = ContextChoice.ALL) -> TrainingPairs:
    dataset = load_dataset(divided)
    encoding = PairEncoding(tokenizer(), hard, 300)
    train_pairs, validation = (
        stored_pairs(tmp_path / "cache", pairs_of(dataset, split), encoding)
        for split in (SplitName.TRAIN, SplitName.VALIDATION)
    )
    return TrainingPairs(train_pairs, validation)


def test_a_killed_run_ends_with_the_same_losses(divided: Path, model: Path, tmp_path: Path) -> None:
    dropout = save_model(tmp_path / "dropout", hidden_dropout=0.1)
    more = ["--method", "fine-tuning", "--epochs", "6"]
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert fixgate(arguments(divided, dropout, whole, *more)).returncode == 0
    kill_after_a_save(arguments(divided, dropout, cut, *more), cut)
    kept = len(json.loads((cut / "losses.json").read_text())["losses"])
    assert 0 < kept < 18
    done = fixgate(arguments(divided, dropout, cut, *more))
    assert done.returncode == 0, done.stderr
    assert (cut / "losses.json").read_bytes() == (whole / "losses.json").read_bytes()
    first, second = (load_file(out / "best.safetensors") for out in (whole, cut))
    assert all(torch.equal(first[name], second[name]) for name in first)


def kill_after_a_save(command: list[str], out: Path) -> None:
    code = "import sys; from bot.cli import main; main(sys.argv[1:])"
    running = subprocess.Popen(
        [sys.executable, "-c", code, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(lambda: (out / "state.pt").exists() or running.poll() is not None, seconds=240)
    running.send_signal(signal.SIGKILL)
    assert running.wait(60) == -signal.SIGKILL


def test_batches_of_many_lengths_take_no_more_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.tuning.many_lengths", str(tmp_path / "run")]
    # Kernels of a graphics processor are loaded as they are needed, and half a gigabyte in all.
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    # Half a gigabyte where the kernels of all lengths are kept, on processors that compile some.
    assert int(done.stdout) < 100e6


def test_two_processes_share_each_batch(divided: Path, model: Path, tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    more = ["--method", "prefix", "--tokens", "2", "--max-steps", "2"]
    assert fixgate(arguments(divided, model, alone, *more)).returncode == 0
    launch = ["-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2"]
    plain = ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no"]
    program = Path(sys.executable).with_name("fixgate")
    command = [sys.executable, *launch, *plain, str(program)]
    done = subprocess.run(
        [*command, *arguments(divided, model, shared, *more)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    one, two = read_history(alone), read_history(shared)
    # Tests of one length have losses of one weight, so that halves average to the whole.
    assert two.losses == pytest.approx(one.losses, rel=0.02)
    assert two.best == pytest.approx(one.best, rel=0.02)
    assert (shared / "README.md").exists()


def test_another_run_in_the_same_directory_is_refused(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    more = ["--method", "fine-tuning", "--max-steps", "1"]
    assert fixgate(arguments(divided, model, out, *more)).returncode == 0
    done = fixgate(arguments(divided, model, out, *more, "--seed", "1"))
    assert done.returncode == 2
    assert "holds a run with other settings" in done.stderr
    divided.write_text(divided.read_text().replace("one.plus", "two.plus"))
    done = fixgate(arguments(divided, model, out, *more))
    assert done.returncode == 2
    assert "with other settings, data or model" in done.stderr


def test_a_cache_that_cannot_be_written_to_is_named(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "tuning").write_text("a file where a directory should be")
    done = fixgate(arguments(divided, model, tmp_path / "out", "--method", "prefix"))
    assert done.returncode == 2
    assert "could not be saved" in done.stderr


def test_a_loss_that_is_no_number_ends_the_run(divided: Path, tmp_path: Path) -> None:
    broken = neox()
    with torch.no_grad():
        broken.lm_head.weight.fill_(float("nan"))
    with pytest.raises(LossDivergedError, match=r"the loss is nan at step 1 of 3: lower --rate"):
        train(
            FineTunedModel(broken),
            stored(divided, tmp_path),
            TrainingSettings(1e-3, epochs=1, batch=2),
            tmp_path / "run",
        )
    assert not (tmp_path / "run" / "state.pt").exists()


def test_a_full_disk_leaves_what_was_saved_before(tmp_path: Path) -> None:
    path = tmp_path / "state.pt"
    save_state(path, {"weights": torch.zeros(10)})
    kept = path.read_bytes()
    # A limit on the size of files stops a write in its middle, as a full disk does.
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(SavingFailedError, match=r"state\.pt could not be saved .*make room"):
            save_state(path, {"weights": torch.zeros(1_000_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == kept
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_whose_disk_was_full_goes_on(divided: Path, small_disk: Path, tmp_path: Path) -> None:
    pairs, run, filler = stored(divided, tmp_path), small_disk / "run", small_disk / "filler"
    settings = TrainingSettings(1e-2, epochs=3, batch=2)

    def fill(history: History, _total: int) -> None:
        if history.steps == 4:
            command = ["dd", "if=/dev/zero", f"of={filler}", "bs=4k"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert "No space left" in done.stderr

    whole = train(FineTunedModel(neox()), pairs, settings, tmp_path / "whole")
    with pytest.raises(SavingFailedError, match=r"could not be saved .*make room on the disk"):
        train(FineTunedModel(neox()), pairs, settings, run, fill)
    assert {path.name for path in run.iterdir()} == {BEST, "losses.json", "state.pt"}
    assert len(json.loads((run / "losses.json").read_text())["losses"]) == 4
    load_file(run / BEST)
    filler.unlink()
    assert train(FineTunedModel(neox()), pairs, settings, run) == whole


def without_weights(model: Path) -> None:
    (model / "model.safetensors").unlink()


def without_tokenizer(model: Path) -> None:
    (model / "tokenizer.json").unlink()


def without_configuration(model: Path) -> None:
    (model / "config.json").unlink()


def damaged(model: Path) -> None:
    (model / "model.safetensors").write_bytes(b"no weights")


def incomplete(model: Path) -> None:
    weights = load_file(model / "model.safetensors")
    weights.pop("gpt_neox.layers.1.attention.dense.weight")
    save_file(weights, model / "model.safetensors", {"format": "pt"})


def with_too_many_tokens(model: Path) -> None:
    smaller = neox()
    smaller.resize_token_embeddings(200)
    save_pretrained(smaller, tokenizer(), model)


@pytest.mark.parametrize(
    ("damage", "error", "said"),
    [
        (without_weights, ModelFilesError, "has no weights"),
        (without_tokenizer, ModelFilesError, "has no tokenizer.json"),
        (without_configuration, ModelFilesError, "has no config.json"),
        (damaged, ModelFilesError, "cannot be loaded as a model"),
        (incomplete, ModelFilesError, "lacks 1 of its weights, such as gpt_neox.layers.1"),
        (with_too_many_tokens, TokenizerMismatchError, "embeddings for 200"),
    ],
)
def test_models_that_cannot_be_used(
    divided: Path, model: Path, tmp_path: Path, damage, error, said: str
) -> None:
    damage(model)
    with pytest.raises(error, match=said):
        load_language_model(str(model))
    done = fixgate(arguments(divided, model, tmp_path / "out", "--method", "prefix"))
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_encoders_have_no_weights_that_nothing_depends_on(tmp_path: Path) -> None:
    found = load_encoder(str(save_encoder(tmp_path / "encoder")))
    states = found.model(input_ids=torch.tensor([[1, 2]])).last_hidden_state
    states.sum().backward()
    assert not [name for name, _ in found.model.named_parameters() if "pooler" in name]


def test_what_does_not_fit_into_the_positions_is_refused(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    more = ["--method", "prefix", "--tokens", "20", "--max-sequence", "500"]
    done = fixgate(arguments(divided, model, tmp_path / "out", *more))
    assert done.returncode == 2
    assert "500 tokens and 20 soft ones do not fit into the 512 positions" in done.stderr
    assert "lower --max-sequence to 492" in done.stderr
    with pytest.raises(PositionsExceededError):
        load_language_model(str(model)).check_room(500, 20)


def test_an_empty_split_is_named(model: Path, tmp_path: Path) -> None:
    path = save_divided(tmp_path / "whole.json")
    path.write_text(path.read_text().replace('"validation"', '"train"', 1))
    done = fixgate(arguments(path, model, tmp_path / "out", "--method", "prefix"))
    assert done.returncode == 2
    assert "has no tests in its split 'validation'" in done.stderr
    assert "fixgate tests4j split" in done.stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--method", "capt", "--context", "none"], "needs a context"),
        (["--method", "capt"], "BERT_C needs an encoder"),
        (["--method", "prefix", "--gradient-checkpointing"], "does not go with --method prefix"),
        (["--method", "none"], "Invalid value for '--method'"),
    ],
)
def test_wrong_options_are_named(
    divided: Path, model: Path, tmp_path: Path, more: list[str], said: str
) -> None:
    done = fixgate(arguments(divided, model, tmp_path / "out", *more))
    assert done.returncode == 2
    assert said in done.stderr


def test_pairs_are_read_back_as_they_were_written(divided: Path, tmp_path: Path) -> None:
    soft = SoftEncoding(ContextChoice.ALL, tokenizer(), 60)
    encoding = PairEncoding(tokenizer(), ContextChoice.NONE, 300, soft)
    pairs = list(encoding.pairs(pairs_of(load_dataset(divided), SplitName.TRAIN)))
    write_pairs(tmp_path / "pairs", pairs)
    store = PairStore(tmp_path / "pairs")
    assert len(store) == len(pairs) == 5
    assert [store[index] for index in range(5)] == [
        type(pair)(list(pair.prompt), list(pair.target), list(pair.context)) for pair in pairs
    ]


def test_tokens_are_those_of_the_prompt_and_the_test_behind_it(divided: Path) -> None:
    words = tokenizer()
    encoding = PairEncoding(words, ContextChoice.ALL, 300)
    (method, test), *_ = pairs_of(load_dataset(divided), SplitName.TRAIN)
    (pair,) = encoding.pairs([(method, test)])
    text = words.decode([*pair.prompt, *pair.target])
    assert pair.target[-1] == words.end
    assert text.endswith(ADDS + "\n")
    assert parsed(f"{text}}}\n".encode()) is not None


def test_which_few_tests_are_read_depends_on_their_texts_alone(divided: Path) -> None:
    dataset = load_dataset(divided)
    first = dataset.repositories[0]
    turned = first.model_copy(update={"methods": first.methods[::-1]})
    mirrored = dataset.model_copy(update={"repositories": (*dataset.repositories[1:], turned)})
    few, same = ([*pairs_of(each, SplitName.TRAIN, 2)] for each in (dataset, mirrored))
    assert len(few) == 2
    assert sorted(method.id for method, _ in few) == sorted(method.id for method, _ in same)
    assert len([*pairs_of(dataset, SplitName.TRAIN, 9)]) == len(first.methods)


def test_tests_of_one_method_are_encoded_as_if_each_stood_alone(divided: Path) -> None:
    soft = SoftEncoding(ContextChoice.ALL, tokenizer(), 60)
    encoding = PairEncoding(tokenizer(), ContextChoice.ALL, 300, soft)
    pairs = [
        (method, HumanTest(name="adds", source=source))
        for method, _ in pairs_of(load_dataset(divided), SplitName.TRAIN)
        for source in (ADDS, ADDS.replace("3, one", "3 + 3 + 3 + 3 + 3 + 3, one"), "void adds() {}")
    ]
    together = list(encoding.pairs(pairs))
    assert together == [pair for each in pairs for pair in encoding.pairs([each])]
    assert len({tuple(pair.prompt) for pair in together}) > len(pairs) / 3


@pytest.mark.parametrize("most", [90, 150, 220, 300])
def test_prompt_and_test_stay_within_their_budget(divided: Path, most: int) -> None:
    soft = SoftEncoding(ContextChoice.ALL, tokenizer(), most)
    encoding = PairEncoding(tokenizer(), ContextChoice.ALL, most, soft)
    found = list(encoding.pairs(pairs_of(load_dataset(divided), SplitName.TRAIN)))
    assert found
    for pair in found:
        assert len(pair.prompt) + len(pair.target) <= most
        assert 0 < len(pair.context) <= most


def test_tests_that_are_too_long_are_an_error_where_none_is_left(
    divided: Path, tmp_path: Path
) -> None:
    encoding = PairEncoding(tokenizer(), ContextChoice.ALL, 40)
    pairs = pairs_of(load_dataset(divided), SplitName.TRAIN)
    with pytest.raises(EmptySplitError, match="no test is short enough"):
        stored_pairs(tmp_path / "cache", pairs, encoding)


def test_weights_of_another_shape_are_not_taken_for_those_of_the_run(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    more = ["--method", "prefix", "--tokens", "2", "--max-steps", "1"]
    assert fixgate(arguments(divided, model, out, *more)).returncode == 0
    save_file({"other": torch.zeros(1)}, out / "best.safetensors")
    command = ["tests4j", "generate", str(divided), "--method", "local", "--model", str(out)]
    done = fixgate(
        [*command, "--split", "test", "--max-tokens", "20", "--out", str(tmp_path / "o")]
    )
    assert done.returncode == 2
    assert "best.safetensors lacks or adds other, soft.default.embedding.weight" in done.stderr
