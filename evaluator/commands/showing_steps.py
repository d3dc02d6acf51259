"""Shows on the terminal which step of judging is under way: a line that moves, or one a step."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from evaluator.steps import JudgingStep


class StepDisplay:
    """Shows each step while it lasts; where nothing can move, in a log, a line when it begins."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._started = time.monotonic()
        self._last: JudgingStep | None = None

    @contextlib.contextmanager
    def __call__(self, step: JudgingStep) -> Iterator[None]:
        """Show a step while it lasts."""
        if not self._console.is_terminal:
            self._line(step)
            yield
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=self._console, transient=True) as progress:
            progress.add_task(f"{step} …", total=None)
            yield

    def _line(self, step: JudgingStep) -> None:
        """One line for steps of the same kind that follow each other."""
        if step is not self._last:
            seconds = time.monotonic() - self._started
            self._console.print(f"{seconds:5.0f} s  {step}", highlight=False, markup=False)
        self._last = step
