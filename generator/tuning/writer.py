"""Local models as writers of unit tests: of a directory, of the hub, or of a training run."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from safetensors.torch import load_file

from evaluator import InputError
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from generator.costs import CostTracker
from generator.tuning.data.encoding import EncodedPair, PairEncoding
from generator.tuning.devices import compute_device
from generator.tuning.errors import RunMismatchError
from generator.tuning.models.loading import load_language_model
from generator.tuning.models.tuned import FineTunedModel, TunedModel
from generator.tuning.sampling import TokenSampler, draw_samples
from generator.tuning.training.building import build_model
from generator.tuning.training.history import BEST
from generator.tuning.training.tuning import is_run, read_record
from generator.unit_tests.prompts import ContextChoice
from generator.unit_tests.run_names import RunName, Training
from generator.unit_tests.writer import UnitTests
from generator.unit_tests.writers.endpoint import Sampling


@dataclass(frozen=True)
class LocalModel:
    """A model that can be sampled from; `digest` stands for all that its samples depend on."""

    run: RunName
    label: str
    tuned: TunedModel
    encoding: PairEncoding
    digest: str

    @property
    def name(self) -> str:
        """What its predictions are called by."""
        return f"{self.run}+{self.label}"

    @property
    def device(self) -> Any:
        """Where the model computes."""
        return next(self.tuned.parameters()).device


def open_local_model(place: str, hard: ContextChoice, most: int) -> LocalModel:
    """A training run; or a model as it is, which is shown a context.

    Prompt and test have at most `most` tokens together, and no more than the model's positions; a
    run has both from its own settings. It computes on a graphics processor where there is one.
    Raises ModelFilesError and its like.
    """
    directory = Path(place)
    found = _trained(directory) if is_run(directory) else _untrained(place, hard, most)
    found.tuned.to(compute_device())
    return found


def _untrained(place: str, hard: ContextChoice, most: int) -> LocalModel:
    base = load_language_model(place)
    encoding = PairEncoding(base.tokenizer, hard, min(most, base.positions))
    name = RunName(Training.ZERO_SHOT, hard)
    return LocalModel(name, base.name, FineTunedModel(base.model), encoding, base.digest)


def _trained(directory: Path) -> LocalModel:
    record = read_record(directory)
    built = build_model(record.settings)
    if built.base.digest != record.base:
        raise RunMismatchError(
            f"{record.settings.model} is another model than the one that {directory} was trained "
            "on: put that one in its place"
        )
    weights = load_file(directory / BEST)
    missing = built.tuned.trained().keys() ^ weights.keys()
    if missing:
        raise RunMismatchError(f"{directory / BEST} lacks or adds {', '.join(sorted(missing)[:3])}")
    built.tuned.load_state_dict(weights, strict=False)
    digest = hashlib.sha256((directory / BEST).read_bytes()).hexdigest()
    name = record.settings.name
    return LocalModel(name, built.base.name, built.tuned, built.encoding, digest)


@dataclass(frozen=True)
class LocalWriter:
    """Samples of a local model; prompts leave room for `max_tokens` of the sampling."""

    model: LocalModel
    sampling: Sampling
    seed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, compare=False)

    @property
    def name(self) -> str:
        """The run's name, and that of the model."""
        return self.model.name

    @property
    def settings(self) -> object:
        """What samples depend on beside the method."""
        sampling = dataclasses.asdict(self.sampling)
        return [sampling, self.seed, self.model.digest, self.model.encoding.key]

    def write(
        self,
        repository: RepositorySnapshot,  # noqa: ARG002 - every writer's
        method: FocalMethod,
        costs: CostTracker,  # noqa: ARG002 - nothing is paid for
    ) -> UnitTests:
        """Draw all samples of a method together."""
        encoding = self.model.encoding
        prompt = encoding.tokenizer.encode(encoding.prompt(method, self._most_prompt).code)
        pair = EncodedPair(prompt, (), encoding.context(method))
        with self._lock:  # PyTorch uses all cores for one of them
            sampler = TokenSampler(self.sampling, self._seed(method), self.model.device)
            most = self.sampling.max_tokens
            drawn = draw_samples(self.model.tuned, pair, encoding.tokenizer, sampler, most)
        return UnitTests(
            tuple(sample.text for sample in drawn), losses=tuple(s.loss for s in drawn)
        )

    @property
    def _most_prompt(self) -> int:
        most = self.model.encoding.most - self.sampling.max_tokens
        if most < 1:
            raise InputError(
                f"--max-tokens {self.sampling.max_tokens} leaves no room for a prompt: prompt and "
                f"test may have {self.model.encoding.most} tokens together"
            )
        return most

    def _seed(self, method: FocalMethod) -> int:
        """One of its own for each method, so that their order has no part in what is drawn."""
        digest = hashlib.sha256(f"{self.seed}:{method.id}".encode()).digest()
        return int.from_bytes(digest[:7], "big")
