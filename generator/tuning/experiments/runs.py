"""Runs of one TOML file: each trained, sampled from, and compared by the loss on what is tested."""

from __future__ import annotations

import functools
import hashlib
import heapq
import itertools
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, Protocol

from pydantic import Field, ValidationError

from evaluator import InputError
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot, SplitName
from evaluator.field_paths import problem_lines
from evaluator.schemas import Section
from generator.tuning.data.dataset_file import MethodSource
from generator.tuning.experiments.outcomes import RunOutcome, write_outcomes
from generator.tuning.experiments.questions import QUESTIONS
from generator.tuning.experiments.test_losses import TestLosses
from generator.tuning.saving import writing_to
from generator.tuning.training.history import History
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
    precision: Literal["no", "bf16", "fp16"] = "no"
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


class ExperimentWatch(Protocol):
    """Whoever is told what goes on."""

    def stage(self, text: str) -> None:
        """A part of a run begins."""
        ...

    def step(self, history: History, total: int) -> None:
        """A step of training is done."""
        ...

    def count(self, done: int, total: int) -> None:
        """So many methods of all have their tests."""
        ...


@dataclass(frozen=True)
class Experiment:
    """An experiment, the dataset, and where runs and predictions go."""

    file: ExperimentFile
    dataset: MethodSource
    directory: Path
    cache: Path

    def run(
        self, watch: ExperimentWatch, report: Callable[[RunOutcome], None]
    ) -> Sequence[RunOutcome]:
        """Do all runs that are not done, and write `experiment.json` and `experiment.html`."""
        outcomes = []
        for outcome in self._outcomes(watch):
            outcomes.append(outcome)
            report(outcome)
            title = self.file.question or "Runs"
            write_outcomes(self.directory, title, self.file.model, outcomes)
        return outcomes

    def _outcomes(self, watch: ExperimentWatch) -> Iterator[RunOutcome]:
        for seed in self.file.seeds:
            for name in self.file.names():
                yield self._one(name, seed, watch)

    def _one(self, name: RunName, seed: int, watch: ExperimentWatch) -> RunOutcome:
        place = self.directory / f"{name}-{seed}"
        validation = None
        if name.training is not Training.ZERO_SHOT:
            watch.stage(f"{name}-{seed}: training")
            settings = self._settings(name, seed)
            validation = tune(self.dataset, settings, place, self.cache, watch.step).best
        else:
            place = Path(self.file.model)
        model = open_local_model(str(place), name.hard, self.file.training.max_sequence)
        if self.file.sampling.methods:
            watch.stage(f"{name}-{seed}: writing tests")
            self._sample(model, name, seed, watch)
        watch.stage(f"{name}-{seed}: loss on the test split")
        trained = sum(value.numel() for value in model.tuned.trained().values())
        loss = self._test_losses.of(model)
        return RunOutcome(
            *(str(name), model.name, seed, validation),
            *(loss.token, loss.test, loss.other_context),
            trained if validation is not None else 0,
        )

    def _settings(self, name: RunName, seed: int) -> TuningSettings:
        part = self.file.training
        made = settings_of(name, self.file.model, TrainingSettings(0.0))
        rate = part.rates.get(made.method, RATES[made.method])
        loop = TrainingSettings(
            *(rate, part.epochs, part.batch, seed),
            most_steps=part.max_steps,
            precision=part.precision,
        )
        return replace(
            made,
            loop=loop,
            encoder=self.file.encoder,
            tokens=part.prefix_tokens,
            most=part.max_sequence,
            validation_pairs=part.validation_pairs,
        )

    @property
    def _test_losses(self) -> TestLosses:
        part, path = self.file.training, self.directory / "test-losses.jsonl"
        return TestLosses(self.dataset, path, self.cache, part.validation_pairs, part.batch)

    def _sample(self, model: LocalModel, name: RunName, seed: int, watch: ExperimentWatch) -> None:
        part = self.file.sampling
        sampling = Sampling(
            part.temperatures, part.samples, part.top_p, part.top_k or None, part.max_tokens
        )
        path = self.directory / f"{name}-{seed}.jsonl"
        writer = LocalWriter(model, sampling, seed)
        methods, done = self._sampled, itertools.count(1)
        with writing_to(path):
            UnitTestGeneration(writer, path).run(
                methods, lambda _row, _costs: watch.count(next(done), len(methods))
            )

    @functools.cached_property
    def _sampled(self) -> Sequence[tuple[RepositorySnapshot, FocalMethod]]:
        """Methods of all repositories of the test split, the same for all runs and seeds."""
        found = (each for each in self.dataset.methods() if each[0].split == SplitName.TEST)

        # The first ones of a dataset would all be of one repository.
        def place(each: tuple[RepositorySnapshot, FocalMethod]) -> bytes:
            return hashlib.sha256(each[1].id.encode()).digest()

        return heapq.nsmallest(self.file.sampling.methods, found, key=place)
