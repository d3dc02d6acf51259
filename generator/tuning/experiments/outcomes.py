"""What came of the runs of an experiment: kept, and as tables."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from evaluator.report.figures import FigureTable, write_figures
from generator.tuning.saving import save_bytes, writing_to


@dataclass(frozen=True)
class RunOutcome:
    """What came of a run with a seed: losses in nats a token, None where nothing was trained.

    `whole_test_loss` is in nats a test, and is that by which different hard contexts compare.
    `model` is what its predictions are called by.
    """

    name: str
    model: str
    seed: int
    validation_loss: float | None
    test_loss: float
    whole_test_loss: float
    trained: int


def write_outcomes(directory: Path, title: str, model: str, outcomes: Sequence[RunOutcome]) -> None:
    """Write `experiment.json`, `experiment.html`, and the losses of each seed.

    Raises SavingFailedError.
    """
    rows = [asdict(each) for each in outcomes]
    save_bytes(directory / "experiment.json", json.dumps(rows, indent=1).encode())
    for seed in {each.seed for each in outcomes}:
        losses = {each.model: each.test_loss for each in outcomes if each.seed == seed}
        save_bytes(directory / f"losses-{seed}.json", json.dumps(losses).encode())
    table = FigureTable(
        "Runs",
        "Losses in nats a token, and of whole tests: mean over seeds, with the lowest and the "
        "highest. In a class, a test has more tokens, which indent it: compare contexts by tests.",
        ("run", "seeds", "trained parameters", "validation", "test", "a whole test"),
        tuple(_row(name, outcomes) for name in dict.fromkeys(each.name for each in outcomes)),
    )
    with writing_to(directory / "experiment.html"):
        write_figures(directory / "experiment.html", title, model, [table])


def _row(name: str, outcomes: Sequence[RunOutcome]) -> tuple[str, ...]:
    own = [each for each in outcomes if each.name == name]
    known = [each.validation_loss for each in own if each.validation_loss is not None]
    test = [each.test_loss for each in own]
    whole = [each.whole_test_loss for each in own]
    spreads = map(_spread, (known, test, whole))
    return (name, f"{len(own)}", f"{own[0].trained:,}", *spreads)


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "—"
    mean = f"{statistics.fmean(values):.4f}"
    return mean if len(values) == 1 else f"{mean} [{min(values):.4f}, {max(values):.4f}]"
