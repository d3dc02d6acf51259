"""The progress bar of a replay: counts, and the time left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from evaluator.evaluation import Evaluation, State
from evaluator.swtbench.replay import Progress as OnEvaluation


@contextmanager
def replay_progress(console: Console, total: int) -> Iterator[OnEvaluation]:
    """Yields what to call with each evaluation that ends."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    counts = {"success": 0, "no success": 0, "not run": 0}
    with Progress(TextColumn("{task.description}"), *columns, console=console) as bar:
        task = bar.add_task(_told(counts), total=total)

        def advance(evaluation: Evaluation) -> None:
            counts[_kind(evaluation)] += 1
            bar.update(task, advance=1, description=_told(counts))

        yield advance


def _kind(evaluation: Evaluation) -> str:
    if evaluation.state is not State.GRADED:
        return "not run"
    return "success" if evaluation.success else "no success"


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in counts.items())
