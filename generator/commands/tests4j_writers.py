"""From the options of the command to a writer of unit tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator import InputError, Workspace, extra_needed
from evaluator.benchmarks.tests4j.dataset import Tests4JDataset
from evaluator.benchmarks.tests4j.tokens import read_tokenizer
from evaluator.commands.options import workspace
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL, find_jdk, jdk_at
from generator.commands.model_options import settings_from_options
from generator.model.choosing import model_from
from generator.unit_tests.checking import EvaluatorChecker
from generator.unit_tests.prompts import ContextChoice, PromptBudget, by_characters
from generator.unit_tests.run_names import RunName, Training
from generator.unit_tests.writer import UnitTestWriter
from generator.unit_tests.writers.endpoint import EndpointWriter, Repair, Sampling
from generator.unit_tests.writers.evosuite import EvoSuiteWriter, evosuite_settings
from generator.unit_tests.writers.random_calls import RandomCalls
from generator.unit_tests.writers.retrieved import RetrievedTests
from generator.unit_tests.writers.truth import Truth

_OF_WORKSPACE = (
    *("sandbox_name", "image", "runtime", "timeout", "memory"),
    *("cache", "index_url", "ca_bundle", "offline"),
)
SAMPLES = 32
SAMPLES_AT_A_TEMPERATURE = 4


@dataclass(frozen=True)
class Chosen:
    """The dataset that tests are written for, and the options that say how, by their names."""

    dataset: Tests4JDataset
    given: dict[str, Any]

    @property
    def samples(self) -> int:
        """How many tests are wanted of each method."""
        return self.given["samples"] or SAMPLES

    def workspace(self) -> Workspace:
        """Where repositories are laid down and their code runs."""
        return workspace(self.given["repos"], **{name: self.given[name] for name in _OF_WORKSPACE})


def unit_test_writer(name: str, chosen: Chosen) -> UnitTestWriter:
    """The writer of a name in METHODS. Raises InputError where options do not do for it."""
    return METHODS[name](chosen)


def _endpoint(chosen: Chosen) -> UnitTestWriter:
    given = chosen.given
    settings = settings_from_options(given)
    if not settings.name:
        raise InputError("--method endpoint needs a model: name one with --model")
    continues, rounds = given["continue_text"], given["repair_rounds"]
    if continues and rounds:
        raise InputError("--repair-rounds needs a conversation: leave out --continue-text")
    return EndpointWriter(
        model_from(dataclasses.replace(settings, continues=continues)),
        RunName(Training(given["training"]), ContextChoice(given["context"])),
        _prompt_budget(given["prompt_tokens"], given["tokenizer"]),
        _sampling(given),
        continues,
        Repair(EvaluatorChecker(chosen.workspace()), rounds) if rounds else None,
    )


def _local(chosen: Chosen) -> UnitTestWriter:
    with extra_needed("tuning", "a local model"):
        from generator.tuning.writer import LocalWriter, open_local_model
    given = chosen.given
    settings = settings_from_options(given)
    if not settings.name:
        raise InputError("--method local needs a model: name its directory with --model")
    sampling = _sampling(given)
    longest = given["prompt_tokens"] + sampling.max_tokens
    model = open_local_model(settings.name, ContextChoice(given["context"]), longest)
    return LocalWriter(model, sampling, given["seed"])


def _sampling(given: dict[str, Any]) -> Sampling:
    return Sampling(
        temperatures=tuple(given["temperatures"]),
        each=given["samples"] or SAMPLES_AT_A_TEMPERATURE,
        top_p=given["top_p"],
        top_k=given["top_k"] or None,
        max_tokens=given["max_tokens"],
    )


def _evosuite(chosen: Chosen) -> UnitTestWriter:
    given = chosen.given
    home: Path | None = given["java_home"]
    jdk = find_jdk((), OLDEST_LEVEL) if home is None else jdk_at(home)
    settings = evosuite_settings(given["evosuite_jar"], jdk, given["class_seconds"], given["seed"])
    return EvoSuiteWriter(chosen.workspace(), settings)


def _prompt_budget(tokens: int, tokenizer: Path | None) -> PromptBudget:
    if tokenizer is None:
        return by_characters(tokens)
    counter = read_tokenizer(tokenizer)
    return PromptBudget(tokens, counter, counter.digest)


METHODS: Mapping[str, Callable[[Chosen], UnitTestWriter]] = {
    "truth": lambda _: Truth(),
    "endpoint": _endpoint,
    "local": _local,
    "evosuite": _evosuite,
    "random": lambda chosen: RandomCalls.of(chosen.dataset, chosen.samples, chosen.given["seed"]),
    "retrieval": lambda chosen: RetrievedTests(chosen.dataset, chosen.samples),
}
"""The ways to write unit tests."""
