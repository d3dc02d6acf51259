"""A bar over the steps of a training run, and over the stages of an experiment."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class TrainingLosses(Protocol):
    """What a bar shows of a run."""

    @property
    def losses(self) -> list[float]:
        """The loss of each step."""
        ...

    @property
    def best(self) -> float:
        """The lowest loss of a validation; infinite before the first one."""
        ...


class StageBar:
    """A bar for the stage that is under way."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=None, stage="")

    def stage(self, text: str) -> None:
        """Begin a stage, with a bar of its own; where nobody sees bars, it becomes a line."""
        self._bar.remove_task(self._task)
        self._task = self._bar.add_task("", total=None, stage=text)
        if not self._bar.console.is_terminal:
            self._bar.console.print(Text(text))

    def step(self, history: TrainingLosses, total: int) -> None:
        """Show a step of training: the losses so far, and the number of all steps."""
        best = f", best {history.best:.3f}" if math.isfinite(history.best) else ""
        text = f"loss {history.losses[-1]:.3f}{best}"
        self._bar.update(self._task, completed=len(history.losses), total=total, description=text)

    def count(self, done: int, total: int) -> None:
        """Show how much of a stage is done."""
        self._bar.update(self._task, completed=done, total=total)


@contextmanager
def stage_bar(console: Console) -> Iterator[StageBar]:
    """Yields a bar that is shown until the end."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    texts = (TextColumn("{task.fields[stage]}"), TextColumn("{task.description}"))
    with Progress(*texts, *columns, console=console) as bar:
        yield StageBar(bar)
