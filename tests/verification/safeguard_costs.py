"""What each safeguard of a verdict costs: `make bench-safeguards MIRRORS=...`.

The commits of `make bench-verify` are judged twice in a cache of their own: cold, when nothing is
known of the repository but its git objects, and warm, when only the runs of the change itself have
to be made. Seconds are wall time of each step of judging; ratios are to both sides' runs of the
tests, which is the verdict without any safeguard.
"""

from __future__ import annotations

import contextlib
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.steps import JudgingStep, Step
from evaluator.verification.change import change_between
from evaluator.verification.verify import verify
from evaluator.workspace import Workspace, WorkspaceSettings
from tests.verification.bench import read_options

STEPS = (
    JudgingStep.CHECKOUT,
    JudgingStep.ENVIRONMENT,
    JudgingStep.TESTS,
    JudgingStep.ALONE,
    JudgingStep.SENSITIVITY,
    JudgingStep.OTHER_EXAMPLES,
    JudgingStep.PARTS,
    JudgingStep.EXISTING_TESTS,
)
Seconds = Mapping[JudgingStep, float]


class Stopwatch:
    """Adds up how long each step of judging takes; what builds is a part of one."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(JudgingStep, 0.0)

    @contextlib.contextmanager
    def __call__(self, step: Step) -> Iterator[None]:
        """Measure a step while it lasts."""
        started = time.monotonic()
        try:
            yield
        finally:
            if isinstance(step, JudgingStep):
                self.seconds[step] += time.monotonic() - started


def judged(mirror: Path, commit: str, cache: Path) -> Seconds:
    """The seconds of each step of a verdict on a commit."""
    stopwatch = Stopwatch()
    settings = WorkspaceSettings((str(mirror),), cache, ResourceLimits())
    own = Workspace(settings, choose_sandbox("bubblewrap"), observe=stopwatch)
    verify(own, change_between(mirror, f"{commit}^", commit, cache))
    return stopwatch.seconds


def cold_and_warm(mirror: Path, commit: str, directory: Path) -> tuple[Seconds, Seconds]:
    """The seconds of each step with an empty cache, and with one that lacks the runs alone."""
    with tempfile.TemporaryDirectory(dir=directory, ignore_cleanup_errors=True) as name:
        cold = judged(mirror, commit, Path(name))
        shutil.rmtree(Path(name, "runs"))
        return cold, judged(mirror, commit, Path(name))


def main() -> None:
    """Read the command line, judge, and print a row for each commit and a table of medians."""
    options = read_options(__doc__ or "")
    console = Console(width=140)
    found = []
    options.cache.mkdir(parents=True, exist_ok=True)
    for name, mirror, commit in options.mirrored(console):
        pair = cold_and_warm(mirror, commit, options.cache)
        told = "; ".join(
            f"{kind} " + ", ".join(f"{step} {seconds[step]:.1f} s" for step in STEPS)
            for kind, seconds in zip(("cold:", "warm:"), pair, strict=True)
        )
        console.print(f"{name} {commit[:8]}: {told}")
        found.append(pair)
    console.print(_table(found))


def _table(found: Sequence[tuple[Seconds, Seconds]]) -> Table:
    table = Table("step", "cold, s", "x both sides", "warm, s", "x both sides")
    for step in STEPS:
        cells = [cell for kind in zip(*found, strict=True) for cell in _cells(kind, step)]
        table.add_row(str(step), *cells)
    return table


def _cells(found: Sequence[Seconds], step: JudgingStep) -> tuple[str, str]:
    """The median seconds of a step, and its median ratio to the runs of both sides."""
    seconds = statistics.median(each[step] for each in found)
    ratio = statistics.median(each[step] / each[JudgingStep.TESTS] for each in found)
    return f"{seconds:.2f}", f"{ratio:.2f}"


if __name__ == "__main__":
    main()
