"""Shows on the terminal which step of judging is under way: a line that moves, or one a step."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from evaluator.steps import Step

_REMINDER_SECONDS = 60.0


class StepDisplay:
    """Shows each step while it lasts, and steps within it.

    Where nothing can move, in a log, it is a line when a step begins, and one every now and then as
    long as it lasts.
    """

    def __init__(
        self, console: Console | None = None, reminder_seconds: float = _REMINDER_SECONDS
    ) -> None:
        self._console = console or Console(stderr=True)
        self._reminder_seconds = reminder_seconds
        self._started = time.monotonic()
        self._last: Step | None = None
        self._under_way: list[Step] = []
        self._progress: Progress | None = None

    @contextlib.contextmanager
    def __call__(self, step: Step) -> Iterator[None]:
        """Show a step while it lasts."""
        self._under_way.append(step)
        shown = self._moving(step) if self._console.is_terminal else self._logged(step)
        try:
            with shown:
                yield
        finally:
            self._under_way.pop()

    @contextlib.contextmanager
    def _moving(self, step: Step) -> Iterator[None]:
        if self._progress is not None:
            task = self._progress.add_task(f"{step} …", total=None)
            try:
                yield
            finally:
                self._progress.remove_task(task)
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
        try:
            with Progress(*columns, console=self._console, transient=True) as self._progress:
                self._progress.add_task(f"{step} …", total=None)
                yield
        finally:
            self._progress = None

    @contextlib.contextmanager
    def _logged(self, step: Step) -> Iterator[None]:
        self._line(step)
        ended = threading.Event()
        reminding = threading.Thread(target=self._remind, args=(step, ended), daemon=True)
        reminding.start()
        try:
            yield
        finally:
            ended.set()
            reminding.join()

    def _line(self, step: Step) -> None:
        """One line for steps of the same kind that follow each other."""
        if step != self._last:
            self._print(str(step))
        self._last = step

    def _remind(self, step: Step, ended: threading.Event) -> None:
        """Say again and again what lasts: of steps within each other, the innermost one."""
        while not ended.wait(self._reminder_seconds):
            if self._under_way[-1:] == [step]:
                self._print(f"still {step}")

    def _print(self, text: str) -> None:
        seconds = time.monotonic() - self._started
        self._console.print(f"{seconds:5.0f} s  {text}", highlight=False, markup=False)
