"""Trains a small model with bf16 on pairs of many lengths, and prints how many bytes it grew.

Run as a process of its own: python -m tests.tuning.many_lengths DIRECTORY.
"""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import torch

from generator.tuning.data.encoding import EncodedPair
from generator.tuning.models.tuned import FineTunedModel
from generator.tuning.training.history import History
from generator.tuning.training.loop import TrainingPairs, train
from generator.tuning.training.settings import TrainingSettings

from .small import neox

LENGTHS = range(40, 240)
_BEGUN = 30
"""Steps after which all buffers of a step were made once."""


def main() -> None:
    torch.set_num_threads(1)
    pairs = [EncodedPair([1] * (length - 30), [2] * 30) for length in LENGTHS]
    settings = TrainingSettings(1e-4, epochs=1, batch=1, validations=1, precision="bf16")
    sizes: list[int] = []

    def note(_history: History, _total: int) -> None:
        sizes.append(psutil.Process().memory_info().rss)

    model = FineTunedModel(neox(hidden_size=64, num_hidden_layers=2))
    train(model, TrainingPairs(pairs, pairs[:1]), settings, Path(sys.argv[1]), note)
    sys.stdout.write(f"{sizes[-1] - sizes[_BEGUN]}")


if __name__ == "__main__":
    main()
