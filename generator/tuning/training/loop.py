"""The training loop: AdamW, regular validation, the best model kept, and going on after a kill.

On a processor a run that was killed ends with the same losses, bit by bit, as one that was not: the
order of pairs depends on the seed and the epoch alone, and the state of the random numbers is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

from generator.tuning.data.batches import PairBatch, Pairs, batches_of, epoch_order
from generator.tuning.devices import compute_device
from generator.tuning.errors import LossDivergedError
from generator.tuning.models.tuned import TunedModel
from generator.tuning.saving import save_tensors
from generator.tuning.training.history import (
    BEST,
    History,
    load_progress,
    save_progress,
    set_random_state,
)
from generator.tuning.training.kernels import bound_kernel_caches
from generator.tuning.training.settings import TrainingSettings

_SAVE_SECONDS = 300.0
_LEAST_RATE = 0.1
"""Share of the rate at the end of its decay."""


@dataclass(frozen=True)
class TrainingPairs:
    """What is learned, and what the loss is validated on."""

    train: Pairs
    validation: Pairs


@dataclass(frozen=True)
class StepPlan:
    """Which steps there are (counted from 1), and behind which ones there is a validation."""

    pairs: int
    settings: TrainingSettings

    @property
    def in_epoch(self) -> int:
        """Steps of one epoch."""
        return math.ceil(self.pairs / self.settings.batch)

    @property
    def total(self) -> int:
        """Steps of the run."""
        steps = self.in_epoch * self.settings.epochs
        return min(steps, self.settings.most_steps or steps)

    def validates(self, step: int) -> bool:
        """Whether a step ends a part of an epoch, of which there are `validations`, or the run."""
        parts, within = self.settings.validations, (step - 1) % self.in_epoch + 1
        ends = {math.ceil(self.in_epoch * part / parts) for part in range(1, parts + 1)}
        return within in ends or step == self.total

    def rate(self, step: int) -> float:
        """The learning rate of a step."""
        settings = self.settings
        warm_up = settings.warm_up * self.total
        if step <= warm_up:
            return settings.rate * step / warm_up
        if not settings.decays:
            return settings.rate
        done = (step - warm_up) / max(self.total - warm_up, 1)
        share = _LEAST_RATE + (1 - _LEAST_RATE) * (1 + math.cos(math.pi * done)) / 2
        return settings.rate * share


OnStep = Callable[[History, int], None]
"""Called behind each step with what happened so far and the number of all steps."""


def train(
    model: TunedModel,
    pairs: TrainingPairs,
    settings: TrainingSettings,
    directory: Path,
    on_step: OnStep = lambda _history, _total: None,
) -> History:
    """Train a model, or go on with what stands in `directory`; the best weights are kept there.

    Raises LossDivergedError, SavingFailedError, and RunMismatchError for an unreadable state.
    """
    run = _Run(model, pairs, settings, directory)
    run.restore()
    for batch in run.batches():
        run.step(batch)
        on_step(run.history, run.plan.total)
    return run.history


class _Run:
    """A model at some step of its training."""

    def __init__(
        self, model: TunedModel, pairs: TrainingPairs, settings: TrainingSettings, directory: Path
    ) -> None:
        self._pairs, self._settings, self._directory = pairs, settings, directory
        self.plan = StepPlan(len(pairs.train), settings)
        self.history = History()
        bound_kernel_caches()
        self._accelerator = Accelerator(
            mixed_precision=settings.precision, cpu=compute_device().type == "cpu"
        )
        set_seed(settings.seed)
        self._bare = model
        self._model, self._optimizer = self._accelerator.prepare(model, self._adam())
        self._saved = time.monotonic()

    def _adam(self) -> Any:
        parameters = list(self._bare.trained().values())
        settings = self._settings
        return torch.optim.AdamW(parameters, lr=settings.rate, weight_decay=settings.weight_decay)

    def restore(self) -> None:
        """Go on with the kept state, if there is one."""
        state = load_progress(self._directory)
        if state is None:
            return
        kept = state["history"]
        self.history = History(kept["losses"], [(step, loss) for step, loss in kept["validations"]])
        self._bare.load_state_dict(state["weights"], strict=False)
        self._optimizer.load_state_dict(state["optimizer"])
        scaler = self._accelerator.scaler
        # A run that began on a processor has no scale.
        if scaler is not None and state.get("scaler"):
            scaler.load_state_dict(state["scaler"])
        set_random_state(state["random"])

    def batches(self) -> Iterator[PairBatch]:
        """The batches of the steps that are still to do."""
        while self.history.steps < self.plan.total:
            epoch, done = divmod(self.history.steps, self.plan.in_epoch)
            order = epoch_order(len(self._pairs.train), self._settings.seed, epoch)
            left = order[done * self._settings.batch :]
            for batch in self._batches(self._pairs.train, left):
                yield batch
                if self.history.steps >= self.plan.total:
                    return

    def _batches(self, pairs: Pairs, order: Any) -> Iterator[PairBatch]:
        place = self._accelerator
        shares = {"part": place.process_index, "parts": place.num_processes}
        for batch in batches_of(pairs, order, self._settings.batch, **shares):
            yield batch.to(place.device)

    def step(self, batch: PairBatch) -> None:
        """One step of the optimizer; a validation and a save where they are due."""
        self._model.train()
        with self._accelerator.autocast():
            loss = self._model(batch)
        self._check(float(loss.detach()))
        self._accelerator.backward(loss)
        self._update()
        self.history.losses.append(float(self._accelerator.reduce(loss.detach(), "mean")))
        if self.plan.validates(self.history.steps):
            self._validate()
        elif time.monotonic() - self._saved > _SAVE_SECONDS:
            self._save()

    def _update(self) -> None:
        self._accelerator.clip_grad_norm_(self._bare.trained().values(), self._settings.clip)
        for group in self._optimizer.param_groups:
            group["lr"] = self.plan.rate(self.history.steps + 1)
        self._optimizer.step()
        self._optimizer.zero_grad()

    def _check(self, loss: float) -> None:
        if not math.isfinite(loss):
            raise LossDivergedError(
                f"the loss is {loss} at step {self.history.steps + 1} of {self.plan.total}: lower "
                f"--rate, now {self._settings.rate:g}, and begin again in another directory; "
                f"{self._directory} keeps the best model before"
            )

    def _validate(self) -> None:
        batches = self._batches(self._pairs.validation, self._validation_order)
        with self._accelerator.autocast():
            loss = mean_loss(self._bare, batches)
        total = self._accelerator.reduce(torch.tensor(loss, device=self._accelerator.device), "sum")
        self.history.validations.append((self.history.steps, float(total[0] / total[1])))
        if self.history.improved and self._accelerator.is_main_process:
            save_tensors(self._directory / BEST, self._bare.trained())
        self._save()

    @property
    def _validation_order(self) -> range:
        return range(len(self._pairs.validation))

    def _save(self) -> None:
        if self._accelerator.is_main_process:
            scaler = self._accelerator.scaler
            others = {
                "optimizer": self._optimizer.state_dict(),
                "scaler": {} if scaler is None else scaler.state_dict(),
            }
            save_progress(self._directory, self.history, self._bare.trained(), others)
        self._saved = time.monotonic()


def mean_loss(model: TunedModel, batches: Iterator[PairBatch]) -> tuple[float, float]:
    """The summed loss of all tokens with labels, and their number."""
    model.eval()
    total, count = 0.0, 0.0
    with torch.no_grad():
        for batch in batches:
            losses, counts = model.losses(batch)
            total += float(losses.double().sum())
            count += float(counts.sum())
    return total, max(count, 1.0)
