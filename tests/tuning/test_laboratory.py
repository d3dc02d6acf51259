"""Small models from scratch, experiments of several runs, and what soft tokens hold."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from evaluator import FixgateError
from evaluator.benchmarks.tests4j.dataset import SplitName, save_dataset
from generator.tuning.devices import compute_device
from generator.tuning.experiments.measurements import Measurements
from generator.tuning.experiments.questions import QUESTIONS, TABLE
from generator.tuning.experiments.runs import read_experiment
from generator.tuning.experiments.sizes import ModelSize, Workload, measure
from generator.tuning.pretraining.corpus import Corpus
from generator.unit_tests.run_names import read_run_name
from tests.command_line import fixgate
from tests.unit_tests.examples import FOCAL, TESTS, dataset, repository
from tests.waiting import wait_for

from .small import divided_dataset, owned_method

pytestmark = pytest.mark.tuning
LEAST_PEAK = 50_000_000 if compute_device().type == "cpu" else 10_000
"""Bytes of PyTorch in a process; on a graphics processor those of tensors only."""
SMALL = ["--vocabulary", "300", "--hidden", "16", "--layers", "2", "--heads", "4", "--block", "16"]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    for number in range(100):
        text = FOCAL if number % 2 else TESTS
        (folder / f"A{number}.java").write_text(f"{text}// {number}\n")
    (folder / "notes.txt").write_text("not read")
    return folder


def pretrain(sources: Path, out: Path, *more: str) -> list[str]:
    cache = ["--cache", str(out.parent / "cache")]
    return ["tests4j", "pretrain", str(sources), "--out", str(out), *cache, *SMALL, *more]


def test_a_model_from_scratch_is_one_of_transformers(sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = fixgate(pretrain(sources, out, "--max-steps", "30", "--rate", "1e-2"))
    assert done.returncode == 0, done.stderr
    losses = json.loads((out / "losses.json").read_text())["losses"]
    assert losses[-1] < losses[0] - 0.5
    model = AutoModelForCausalLM.from_pretrained(out / "model")
    words = AutoTokenizer.from_pretrained(out / "model")
    assert words.decode(words(FOCAL)["input_ids"]) == FOCAL
    assert model.get_input_embeddings().weight is model.get_output_embeddings().weight
    assert words.eos_token_id == model.config.eos_token_id


def test_a_model_from_scratch_with_mixed_precision(sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    more = ["--max-steps", "30", "--rate", "1e-2", "--precision", "bf16"]
    # accelerate has one precision in a process.
    code = "import sys; from bot.cli import main; main(sys.argv[1:])"
    subprocess.run([sys.executable, "-c", code, *pretrain(sources, out, *more)], check=True)
    losses = json.loads((out / "losses.json").read_text())["losses"]
    assert losses[-1] < losses[0] - 0.5
    model = AutoModelForCausalLM.from_pretrained(out / "model")
    assert {value.dtype for value in model.parameters()} == {torch.float32}


def test_a_killed_pretraining_goes_on(sources: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    more = ["--max-steps", "40", "--validations", "200"]
    assert fixgate(pretrain(sources, whole, *more)).returncode == 0
    code = "import sys; from bot.cli import main; main(sys.argv[1:])"
    running = subprocess.Popen([sys.executable, "-c", code, *pretrain(sources, cut, *more)])
    wait_for(lambda: (cut / "state.pt").exists() or running.poll() is not None, seconds=240)
    running.send_signal(signal.SIGKILL)
    assert running.wait(60) == -signal.SIGKILL
    done = fixgate(pretrain(sources, cut, *more))
    assert done.returncode == 0, done.stderr
    assert (whole / "losses.json").read_bytes() == (cut / "losses.json").read_bytes()
    names = ("config.json", "model.safetensors", "tokenizer.json")
    assert all(
        (whole / "model" / n).read_bytes() == (cut / "model" / n).read_bytes() for n in names
    )
    done = fixgate(pretrain(sources, cut, *more, "--seed", "5"))
    assert done.returncode == 2
    assert "holds a run with other settings" in done.stderr


def test_texts_are_read_once(sources: Path, tmp_path: Path) -> None:
    text = (sources / "A1.java").read_text()
    (sources / "Copy.java").write_text(f"{LICENCE}package a;\n{text}")
    found = list(Corpus((str(sources),), tmp_path).texts())
    assert len(found) == len(set(found)) == 100


LICENCE = "/*\n * Licensed under the Apache License;\n * package nothing;\n */\n"
IMPORTS = "// Used.\nimport c.D;\nimport static e.F.*;\n\n"
COMMENTED = f"/** Money; package it; import it; */\n{FOCAL}"


@pytest.mark.parametrize(
    ("above", "code"),
    [
        (f"{LICENCE}package a.b;\n\n{IMPORTS}", FOCAL),
        (IMPORTS, COMMENTED),
        ("// Copyright A\r\n\r\n// and B\r\npackage a;\r\n", COMMENTED),
        (f"{LICENCE}\n", FOCAL),
        ("// Copyright A\n// and B\n", FOCAL),
        ("", f"{COMMENTED}// package b;\n"),
        ("", f"{'/* b */ // c' * 2000}\n{FOCAL}"),
    ],
)
def test_neither_licences_nor_imports_are_learned(tmp_path: Path, above: str, code: str) -> None:
    (tmp_path / "A.java").write_text(above + code, newline="")
    (tmp_path / "package-info.java").write_text(f"{LICENCE}package a;\n")
    assert list(Corpus((str(tmp_path),), tmp_path).texts()) == [code]


def test_files_of_other_languages_are_learned_whole(tmp_path: Path) -> None:
    text = "# Licensed under the Apache License\nimport a;\n"
    (tmp_path / "a.py").write_text(text)
    assert list(Corpus((str(tmp_path),), tmp_path, ".py").texts()) == [text]


@pytest.mark.parametrize(
    ("place", "said"), [("nowhere", "is no directory"), ("nowhere@main", "nowhere")]
)
def test_places_that_cannot_be_read_are_named(tmp_path: Path, place: str, said: str) -> None:
    command = ["tests4j", "pretrain", place, "--out", str(tmp_path / "out"), *SMALL]
    done = fixgate([*command, "--cache", str(tmp_path / "cache")])
    assert done.returncode == 2
    assert said in done.stderr


def test_too_few_sources_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "few"
    folder.mkdir()
    (folder / "A.java").write_text("class A {}")
    done = fixgate(pretrain(folder, tmp_path / "out"))
    assert done.returncode == 2
    assert "name more source files" in done.stderr


EXPERIMENT = """
model = "{model}"
runs = ["ZS-Hard-All", "FT-Hard-All", "PT-Hard-None-Sum_C-TCl-4"]
seeds = [0, 1]

[training]
epochs = 1
batch = 2
max_sequence = 300
rates = {{ "fine-tuning" = 1e-2, capt = 1e-2 }}

[sampling]
methods = 1
samples = 1
temperatures = [0.4]
max_tokens = 10
"""


def test_an_experiment_trains_samples_and_compares(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    toml, out = tmp_path / "runs.toml", tmp_path / "out"
    toml.write_text(EXPERIMENT.format(model=model))
    command = ["tests4j", "experiment", str(toml), str(divided), "--out", str(out)]
    done = fixgate([*command, "--cache", str(tmp_path / "cache")])
    assert done.returncode == 0, done.stderr
    rows = json.loads((out / "experiment.json").read_text())
    losses = {(row["name"], row["seed"]): row["test_loss"] for row in rows}
    assert len(losses) == 6
    assert losses["ZS-Hard-All", 0] == losses["ZS-Hard-All", 1]
    assert losses["FT-Hard-All", 0] < losses["ZS-Hard-All", 0]
    assert losses["FT-Hard-All", 0] != losses["FT-Hard-All", 1]
    trained = {row["name"]: row["trained"] for row in rows}
    assert trained["ZS-Hard-All"] == 0 < trained["PT-Hard-None-Sum_C-TCl-4"]
    predictions = (out / "PT-Hard-None-Sum_C-TCl-4-1.jsonl").read_text()
    assert json.loads(predictions)["model"] == "PT-Hard-None-Sum_C-TCl-4+tiny"
    assert json.loads((out / "losses-0.json").read_text())["ZS-Hard-All+tiny"] > 0
    assert "FT-Hard-All" in (out / "experiment.html").read_text()
    assert "FT-Hard-All-0: training" in done.stderr
    assert "FT-Hard-All-0: writing tests" in done.stderr
    whole = {row["name"]: row["whole_test_loss"] for row in rows}
    assert whole["ZS-Hard-All"] > losses["ZS-Hard-All", 1] * 10
    # What is not given a context has none of another method.
    others = {row["name"]: row["other_context_loss"] for row in rows}
    assert others["FT-Hard-All"] is None
    soft = "PT-Hard-None-Sum_C-TCl-4"
    # Both methods are of one class.
    assert others[soft] == pytest.approx(whole[soft])
    # The model as it is has one loss, whatever the seed.
    assert len((out / "test-losses.jsonl").read_text().splitlines()) == 5


def test_a_killed_experiment_goes_on(divided: Path, model: Path, tmp_path: Path) -> None:
    toml, out = tmp_path / "runs.toml", tmp_path / "out"
    training = "[training]\nmax_sequence = 300\nmax_steps = 1"
    toml.write_text(f'model = "{model}"\nruns = ["ZS-Hard-None", "FT-Hard-None"]\n{training}')
    places = [str(toml), str(divided), "--out", str(out), "--cache", str(tmp_path / "cache")]
    command = ["tests4j", "experiment", *places]
    code = "import sys; from bot.cli import main; main(sys.argv[1:])"
    running = subprocess.Popen([sys.executable, "-c", code, *command])
    wait_for(lambda: (out / "experiment.json").exists() or running.poll() is not None, seconds=240)
    running.send_signal(signal.SIGKILL)
    running.wait(60)
    rows = [json.loads(row) for row in (out / "test-losses.jsonl").read_text().splitlines()]
    kept = "".join(json.dumps({**row, "token": 9.0}) + "\n" for row in rows)
    (out / "test-losses.jsonl").write_text(kept)
    done = fixgate(command)
    assert done.returncode == 0, done.stderr
    # What was known before the kill was not computed again.
    found = json.loads((out / "experiment.json").read_text())
    assert [row["name"] for row in found] == ["ZS-Hard-None", "FT-Hard-None"]
    assert [row["test_loss"] for row in found][: len(rows)] == [9.0] * len(rows)
    assert len((out / "test-losses.jsonl").read_text().splitlines()) == 2


def test_an_experiment_whose_disk_was_full_goes_on(
    divided: Path, model: Path, small_disk: Path, tmp_path: Path
) -> None:
    toml = tmp_path / "runs.toml"
    toml.write_text(EXPERIMENT.format(model=model))
    command = ["tests4j", "experiment", str(toml), str(divided), "--cache", str(tmp_path / "cache")]
    full = fixgate([*command, "--out", str(small_disk / "out")])
    assert full.returncode == 2
    assert f"{small_disk / 'out'}" in full.stderr
    assert "could not be saved" in full.stderr
    subprocess.run(["mount", "-o", "remount,size=9m", str(small_disk)], check=True)
    for out in (small_disk / "out", tmp_path / "out"):
        done = fixgate([*command, "--out", str(out)])
        assert done.returncode == 0, done.stderr
    for name in ("experiment.json", "means.json", "test-losses.jsonl"):
        assert (small_disk / "out" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


@pytest.mark.parametrize("command", ["experiment", "sizes", "capacity", "pretrain"])
def test_places_that_cannot_be_written_to_are_named(
    divided: Path, model: Path, sources: Path, tmp_path: Path, command: str
) -> None:
    toml, file = tmp_path / "runs.toml", tmp_path / "file"
    toml.write_text(f'model = "{model}"\nruns = ["ZS-Hard-None"]\n[training]\nmax_sequence = 300')
    file.write_text("no directory")
    given = {
        "experiment": [str(toml), str(divided), "--cache", str(tmp_path / "cache")],
        "sizes": ["--layers", "1", "--hidden", "8", "--heads", "2", "--vocabulary", "8"],
        "capacity": [str(divided), "--model", str(model), "--length", "4", "--steps", "1"],
        "pretrain": [str(sources), *SMALL],
    }
    done = fixgate(["tests4j", command, *given[command], "--out", str(file / "out")])
    assert done.returncode == 2, done.stderr
    assert f"{file / 'out'}" in done.stderr
    assert "could not be saved" in done.stderr


def test_an_experiment_writes_tests_for_all_repositories(model: Path, tmp_path: Path) -> None:
    tested = [
        repository(
            *(owned_method(name, f"plus{number}") for number in range(30)),
            name=name,
            split=SplitName.TEST,
        )
        for name in ("test/one", "test/two")
    ]
    save_dataset(dataset(*divided_dataset().repositories[:2], *tested), tmp_path / "dataset.json")
    toml, out = tmp_path / "runs.toml", tmp_path / "out"
    sampling = "[sampling]\nmethods = 12\nsamples = 1\ntemperatures = [0.4]\nmax_tokens = 2"
    most = "[training]\nmax_sequence = 300\nvalidation_pairs = 4"
    toml.write_text(f'model = "{model}"\nruns = ["ZS-Hard-None"]\n{most}\n{sampling}')
    command = ["tests4j", "experiment", str(toml), str(tmp_path / "dataset.json")]
    done = fixgate([*command, "--out", str(out), "--cache", str(tmp_path / "cache")])
    assert done.returncode == 0, done.stderr
    rows = (out / "ZS-Hard-None-0.jsonl").read_text().splitlines()
    repositories = [json.loads(row)["method"].partition(":")[0] for row in rows]
    assert len(repositories) == 12
    assert {*repositories} == {"test/one", "test/two"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('model = "m"', "names no runs"),
        ('runs = ["ZS-Hard-All"]', "model: Field required"),
        ('model = "m"\nruns = ["FT-Soft"]', "is no name of a run"),
        ('model = "m"\nquestion = "RQ6"', "question: Input should be"),
        ('model = "m"\nquestion = "RQ1"\n[training]\nepoch = 1', "training.epoch: Extra inputs"),
        ("model = ", "is no experiment"),
    ],
)
def test_experiments_that_cannot_be_read(
    divided: Path, tmp_path: Path, content: str, said: str
) -> None:
    toml = tmp_path / "runs.toml"
    toml.write_text(content)
    out = str(tmp_path / "out")
    done = fixgate(["tests4j", "experiment", str(toml), str(divided), "--out", out])
    assert done.returncode == 2
    assert said in done.stderr


def test_questions_name_the_runs_of_table_5_1(tmp_path: Path) -> None:
    assert len(TABLE) == 24
    toml = tmp_path / "runs.toml"
    toml.write_text('model = "m"\nquestion = "RQ3"\nruns = ["PT-Hard-None", "PrT-Hard-None"]')
    names = read_experiment(toml).names()
    assert [*map(str, names)] == [*map(str, QUESTIONS["RQ3"]), "PrT-Hard-None"]


def test_soft_tokens_recall_more_of_shorter_texts(
    divided: Path, model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    command = ["tests4j", "capacity", str(divided), "--model", str(model), "--out", str(out)]
    sizes = ["--tokens", "1", "4", "--length", "4", "40", "--steps", "150"]
    done = fixgate([*command, *sizes])
    assert done.returncode == 0, done.stderr
    found = json.loads((out / "capacity.json").read_text())
    losses = {(row["soft"], row["length"]): row["loss"] for row in found}
    assert losses[4, 4] < losses[4, 40]
    assert losses[4, 40] < losses[1, 40]
    assert "<polyline" in (out / "capacity.html").read_text()
    done = fixgate([*command, "--length", "9999"])
    assert done.returncode == 2
    assert "no test class has 9999 tokens" in done.stderr


def test_sizes_are_counted_and_measured(tmp_path: Path) -> None:
    size = ["--layers", "2", "--hidden", "32", "--heads", "4", "--vocabulary", "400"]
    work = ["--tokens", "16", "--context", "16", "--out", str(tmp_path)]
    done = fixgate(["tests4j", "sizes", *size, *work])
    assert done.returncode == 0, done.stderr
    found = {row["name"]: row for row in json.loads((tmp_path / "sizes.json").read_text())}
    assert len(found) == 24
    assert found["FT-Hard-All"]["trained"] == found["FT-Hard-All"]["parameters"]
    # Ten times 32 x 512 + 512 x (2 layers x 2 x 32), with biases.
    assert found["PT-Hard-None-Sum-TCl-10"]["trained"] == 10 * (33 * 512 + 513 * 128)
    assert found["ZS-Hard-All"]["trained"] == 0
    assert found["ZS-Hard-All"]["peak_bytes"] is None


def test_costs_of_contexts_by_their_length(tmp_path: Path) -> None:
    size = ["--layers", "1", "--hidden", "32", "--heads", "4", "--vocabulary", "400"]
    # Longer than what the encoder reads.
    lengths = ["--context-lengths", "600", "--tokens", "16", "--out", str(tmp_path)]
    done = fixgate(["tests4j", "sizes", *size, *lengths])
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "context-costs.json").read_text())
    names = [row["found"]["name"] for row in found]
    assert names[:3] == ["PT-Hard-TCl", "PT-Hard-None-BERT-TCl-1", "PT-Hard-None-BERT_C-TCl-30"]
    assert len(names) == 7
    assert all(row["context"] == 600 and row["found"]["peak_bytes"] > LEAST_PEAK for row in found)
    assert (tmp_path / "sizes.html").read_text().count("<polyline") == 14


def test_settings_that_cannot_be_measured_have_the_reason(tmp_path: Path) -> None:
    # More memory than can be addressed.
    work, path = Workload(1, 10**15, 16), tmp_path / "measured.jsonl"
    found = Measurements(path, ModelSize(2, 32, 4, 400)).of(read_run_name("ZS-Hard-All"), work)
    assert "ZS-Hard-All could not be measured: " in found.problem
    assert found.parameters > 0
    assert found.peak_bytes is None
    # Weights that no machine has room for are not even drawn.
    large = Measurements(path, ModelSize(1, 32, 4, 10**13))
    found = large.of(read_run_name("FT-Hard-All"), Workload(1, 4, 4))
    assert re.fullmatch(r"takes 5120000.0 GB at least, and [\d.]+ GB are free", found.problem)
    assert len(path.read_text().splitlines()) == 2
    done = fixgate(["tests4j", "sizes", "--heads", "5", "--out", str(tmp_path)])
    assert done.returncode == 2
    assert "--hidden must be a multiple of --heads" in done.stderr


def test_memory_is_that_of_a_process_of_its_own(tmp_path: Path) -> None:
    size, work = ModelSize(2, 32, 4, 400), Workload(1, 16, 16)
    measurements = Measurements(tmp_path / "measured.jsonl", size)
    name = read_run_name("PT-Hard-None-Sum_C-TCl-3")
    found = measurements.of(name, work)
    assert found.trained == 33 * 512 + 513 * 128
    assert found.peak_bytes is not None
    assert found.peak_bytes > LEAST_PEAK
    # It is kept: a command that was stopped goes on.
    row = json.loads(measurements.path.read_text())
    measurements.path.write_text(json.dumps({**row, "seconds": 123.0}) + "\n")
    assert measurements.of(name, work) == replace(found, seconds=123.0)
    with pytest.raises(FixgateError, match=r"could not be measured: .*head"):
        measure(read_run_name("FT-Hard-All"), ModelSize(2, 32, 5, 400), work)
