"""Runs of one TOML file: each trained, sampled from, and compared by the loss on what is tested."""

from __future__ import annotations

import hashlib
import json
import statistics
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import torch
from pydantic import Field, ValidationError

from evaluator import InputError
from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    RepositorySnapshot,
    SplitName,
    Tests4JDataset,
)
from evaluator.field_paths import problem_lines
from evaluator.report.figures import FigureTable, write_figures
from evaluator.schemas import Section
from generator.tuning.data.batches import batches_of, epoch_order
from generator.tuning.data.encoding import pairs_of
from generator.tuning.data.store import stored_pairs
from generator.tuning.experiments.questions import QUESTIONS
from generator.tuning.saving import save_bytes
from generator.tuning.training.loop import OnStep, mean_loss
from generator.tuning.training.settings import (
    RATES,
    TrainingSettings,
    TuningMethod,
    TuningSettings,
    settings_of,
)
from generator.tuning.training.tuning import tune
from generator.tuning.writer import LocalModel, LocalWriter, open_local_model
from generator.unit_tests.generation import UnitTestGeneration
from generator.unit_tests.run_names import RunName, Training, read_run_name
from generator.unit_tests.writers.endpoint import TEMPERATURES, Sampling

_Positive = Annotated[int, Field(ge=1)]
_Rate = Annotated[float, Field(gt=0)]


class TrainingPart(Section):
    """`[training]`: what all runs share; the defaults are the thesis's."""

    epochs: _Positive = 3
    batch: _Positive = 8
    max_sequence: _Positive = 1850
    max_steps: Annotated[int, Field(ge=0)] = 0
    validation_pairs: Annotated[int, Field(ge=0)] = 0
    prefix_tokens: _Positive = 10
    rates: dict[TuningMethod, _Rate] = Field(default_factory=dict)
    """Learning rates by method, where they are not the thesis's"""


class SamplingPart(Section):
    """`[sampling]`: what is written for the test split; `methods` of 0 writes nothing."""

    methods: Annotated[int, Field(ge=0)] = 0
    samples: _Positive = 4
    temperatures: tuple[float, ...] = TEMPERATURES
    max_tokens: _Positive = 512
    top_p: Annotated[float, Field(gt=0, le=1)] = 0.9
    top_k: Annotated[int, Field(ge=0)] = 50


class ExperimentFile(Section):
    """An experiment: a model, runs by their names or by the question that compares them."""

    model: str
    encoder: str = ""
    question: Literal["RQ1", "RQ2", "RQ3", "RQ4", "RQ5"] | None = None
    runs: tuple[str, ...] = ()
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (0,)
    training: TrainingPart = TrainingPart()
    sampling: SamplingPart = SamplingPart()

    def names(self) -> Sequence[RunName]:
        """All runs, each once. Raises InputError for a name of another form, or none at all."""
        asked = QUESTIONS[self.question] if self.question is not None else ()
        names = tuple(dict.fromkeys((*asked, *map(read_run_name, self.runs))))
        if not names:
            raise InputError('names no runs: add `runs = ["FT-Hard-All"]` or `question = "RQ1"`')
        return names


def read_experiment(path: Path) -> ExperimentFile:
    """The experiment of a file. Raises InputError naming each field that is wrong."""
    try:
        found = ExperimentFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        found.names()
    except ValidationError as error:
        raise InputError(f"{path} is no experiment:{problem_lines(error)}") from error
    except (OSError, ValueError, InputError) as error:
        raise InputError(f"{path} is no experiment: {error}") from error
    return found


@dataclass(frozen=True)
class RunOutcome:
    """What came of a run with a seed: losses in nats a token, None where nothing was trained.

    `model` is what its predictions are called by.
    """

    name: str
    model: str
    seed: int
    validation_loss: float | None
    test_loss: float
    trained: int


@dataclass(frozen=True)
class Experiment:
    """An experiment, the dataset, and where runs and predictions go."""

    file: ExperimentFile
    dataset: Tests4JDataset
    directory: Path
    cache: Path

    def run(self, on_step: OnStep, report: Callable[[RunOutcome], None]) -> Sequence[RunOutcome]:
        """Do all runs that are not done, and write `experiment.json` and `experiment.html`."""
        outcomes = []
        for outcome in self._outcomes(on_step):
            outcomes.append(outcome)
            report(outcome)
            self._write(outcomes)
        return outcomes

    def _outcomes(self, on_step: OnStep) -> Iterator[RunOutcome]:
        for seed in self.file.seeds:
            for name in self.file.names():
                yield self._one(name, seed, on_step)

    def _one(self, name: RunName, seed: int, on_step: OnStep) -> RunOutcome:
        place = self.directory / f"{name}-{seed}"
        validation = None
        if name.training is not Training.ZERO_SHOT:
            settings = self._settings(name, seed)
            validation = tune(self.dataset, settings, place, self.cache, on_step).best
        else:
            place = Path(self.file.model)
        model = open_local_model(str(place), name.hard, self.file.training.max_sequence)
        if self.file.sampling.methods:
            self._sample(model, name, seed)
        trained = sum(value.numel() for value in model.tuned.trained().values())
        return RunOutcome(
            *(str(name), model.name, seed, validation, self._test_loss(model)),
            trained if validation is not None else 0,
        )

    def _settings(self, name: RunName, seed: int) -> TuningSettings:
        part = self.file.training
        made = settings_of(name, self.file.model, TrainingSettings(0.0))
        rate = part.rates.get(made.method, RATES[made.method])
        loop = TrainingSettings(rate, part.epochs, part.batch, seed, most_steps=part.max_steps)
        return replace(
            made,
            loop=loop,
            encoder=self.file.encoder,
            tokens=part.prefix_tokens,
            most=part.max_sequence,
            validation_pairs=part.validation_pairs,
        )

    def _test_loss(self, model: LocalModel) -> float:
        pairs = stored_pairs(self.cache, pairs_of(self.dataset, SplitName.TEST), model.encoding)
        wanted = self.file.training.validation_pairs or len(pairs)
        order = epoch_order(len(pairs), 0, 0)[:wanted]
        with torch.no_grad():
            total, count = mean_loss(
                model.tuned, batches_of(pairs, order, self.file.training.batch)
            )
        return total / count

    def _sample(self, model: LocalModel, name: RunName, seed: int) -> None:
        part = self.file.sampling
        sampling = Sampling(
            part.temperatures, part.samples, part.top_p, part.top_k or None, part.max_tokens
        )
        path = self.directory / f"{name}-{seed}.jsonl"
        writer = LocalWriter(model, sampling, seed)
        UnitTestGeneration(writer, path).run(self._sampled, lambda _row, _costs: None)

    @property
    def _sampled(self) -> Sequence[tuple[RepositorySnapshot, FocalMethod]]:
        """Methods of all repositories of the test split, the same for all runs and seeds."""
        found = [each for each in self.dataset.methods() if each[0].split == SplitName.TEST]
        # The first ones of a dataset would all be of one repository.
        found.sort(key=lambda each: hashlib.sha256(each[1].id.encode()).digest())
        return found[: self.file.sampling.methods]

    def _write(self, outcomes: Sequence[RunOutcome]) -> None:
        rows = [asdict(each) for each in outcomes]
        save_bytes(self.directory / "experiment.json", json.dumps(rows, indent=1).encode())
        for seed in {each.seed for each in outcomes}:
            losses = {each.model: each.test_loss for each in outcomes if each.seed == seed}
            save_bytes(self.directory / f"losses-{seed}.json", json.dumps(losses).encode())
        table = FigureTable(
            "Runs",
            "Losses in nats a token: mean over seeds, with the lowest and the highest.",
            ("run", "seeds", "trained parameters", "validation", "test"),
            tuple(_row(name, outcomes) for name in dict.fromkeys(each.name for each in outcomes)),
        )
        title = self.file.question or "Runs"
        write_figures(self.directory / "experiment.html", title, self.file.model, [table])


def _row(name: str, outcomes: Sequence[RunOutcome]) -> tuple[str, ...]:
    own = [each for each in outcomes if each.name == name]
    known = [each.validation_loss for each in own if each.validation_loss is not None]
    test = [each.test_loss for each in own]
    return (name, f"{len(own)}", f"{own[0].trained:,}", _spread(known), _spread(test))


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "—"
    mean = f"{statistics.fmean(values):.4f}"
    return mean if len(values) == 1 else f"{mean} [{min(values):.4f}, {max(values):.4f}]"
