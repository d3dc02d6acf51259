"""A bar over the steps of a training run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


class TrainingLosses(Protocol):
    """What a bar shows of a run."""

    @property
    def losses(self) -> list[float]:
        """The loss of each step."""
        ...

    @property
    def best(self) -> float:
        """The lowest loss of a validation."""
        ...


@contextmanager
def counting_steps(console: Console) -> Iterator[Callable[[TrainingLosses, int], None]]:
    """Yields what to call behind each step with the losses so far and the number of all steps."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(TextColumn("{task.description}"), *columns, console=console) as bar:
        task = bar.add_task("", total=None)

        def show(history: TrainingLosses, total: int) -> None:
            text = f"loss {history.losses[-1]:.3f}, best {history.best:.3f}"
            bar.update(task, completed=len(history.losses), total=total, description=text)

        yield show
