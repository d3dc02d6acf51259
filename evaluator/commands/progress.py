"""Progress bars: counts of what came out so far, and the time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

from evaluator.model import Evaluation, State
from evaluator.swtbench.replay import Progress as OnEvaluation


@contextmanager
def replay_progress(console: Console, total: int) -> Iterator[OnEvaluation]:
    """Yields what to call with each evaluation that ends."""
    with counting(console, total, ("success", "no success", "not run")) as advance:
        yield lambda evaluation: advance([_kind(evaluation)])


@contextmanager
def counting(
    console: Console, total: int, kinds: Sequence[str]
) -> Iterator[Callable[[Sequence[str]], None]]:
    """Yields what to call with the kinds of all that came out of one of `total` steps."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    counts = dict.fromkeys(kinds, 0)
    with Progress(TextColumn("{task.description}"), *columns, console=console) as bar:
        task = bar.add_task(_told(counts), total=total)

        def advance(came_out: Sequence[str]) -> None:
            for kind in came_out:
                counts[kind] += 1
            bar.update(task, advance=1, description=_told(counts))

        yield advance


def _kind(evaluation: Evaluation) -> str:
    if evaluation.state is not State.GRADED:
        return "not run"
    return "success" if evaluation.success else "no success"


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in counts.items())
