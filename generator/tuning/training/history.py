"""What happened in a training run, and everything that it takes to go on."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from evaluator.storage import UnreadableError, read_as
from generator.tuning.errors import RunMismatchError
from generator.tuning.saving import save_bytes, save_state

STATE = "state.pt"
LOSSES = "losses.json"
BEST = "best.safetensors"


@dataclass
class History:
    """Losses in nats a token: of each step (counted from 1), and of validations (step, loss)."""

    losses: list[float] = field(default_factory=list)
    validations: list[tuple[int, float]] = field(default_factory=list)

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.losses)

    @property
    def best(self) -> float:
        """The lowest loss of a validation; infinite where there was none."""
        return min((loss for _, loss in self.validations), default=math.inf)

    @property
    def improved(self) -> bool:
        """Whether the last validation is the best one so far."""
        return bool(self.validations) and self.validations[-1][1] <= self.best


def read_history(directory: Path) -> History:
    """The losses of a run. Raises RunMismatchError where there are none."""
    try:
        return read_as(History, json.loads((directory / LOSSES).read_text(encoding="utf-8")))
    except (OSError, ValueError, UnreadableError) as error:
        raise RunMismatchError(f"{directory} holds no losses of a run: {error}") from error


def save_progress(
    directory: Path, history: History, weights: Mapping[str, Any], others: Mapping[str, Any]
) -> None:
    """Keep all that the next steps depend on; `others` are states by their names.

    Raises SavingFailedError.
    """
    save_bytes(directory / LOSSES, json.dumps(asdict(history), indent=1).encode())
    random = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        random["cuda"] = torch.cuda.get_rng_state()
    state = {
        "history": asdict(history),
        "weights": dict(weights),
        "random": random,
        **others,
    }
    save_state(directory / STATE, state)


def load_progress(directory: Path) -> Mapping[str, Any] | None:
    """What `save_progress` kept; None where the run is to begin. Raises RunMismatchError."""
    path = directory / STATE
    if not path.exists():
        return None
    try:
        found: Mapping[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # what reads archives has many errors of its own
        raise RunMismatchError(
            f"{path} cannot be read ({error}): remove it to begin the run again"
        ) from error
    return found


def set_random_state(random: Mapping[str, Any]) -> None:
    """Go on with the random numbers of a kept state."""
    torch.set_rng_state(random["cpu"])
    if "cuda" in random and torch.cuda.is_available():
        torch.cuda.set_rng_state(random["cuda"])
