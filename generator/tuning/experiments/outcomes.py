"""What came of the runs of an experiment: kept, and as tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from evaluator.report.figures import FigureTable, write_figures
from generator.tuning.experiments.seed_means import SeedMean, mean_over_seeds
from generator.tuning.saving import save_bytes, writing_to

_COLUMNS = (
    *("run", "n", "trained parameters", "validation", "test"),
    *("a whole test", "with another's context"),
)


@dataclass(frozen=True)
class RunOutcome:
    """What came of a run with a seed: losses in nats a token, None where nothing was trained.

    `whole_test_loss` is in nats a test, and is that by which different hard contexts compare;
    `other_context_loss` is the same with contexts of other methods, None where none is read.
    `model` is what its predictions are called by.
    """

    name: str
    model: str
    seed: int
    validation_loss: float | None
    test_loss: float
    whole_test_loss: float
    other_context_loss: float | None
    trained: int


@dataclass(frozen=True)
class RunSummary:
    """A run over its seeds; losses as those of `RunOutcome`, `trained` in parameters."""

    name: str
    trained: int
    validation_loss: SeedMean | None
    test_loss: SeedMean
    whole_test_loss: SeedMean
    other_context_loss: SeedMean | None


def summaries(outcomes: Sequence[RunOutcome]) -> Sequence[RunSummary]:
    """One summary for each name, in their order.

    A seed that was given twice counts once. What was not trained depends on no seed, so that it
    has one figure.
    """
    names = dict.fromkeys(each.name for each in outcomes)
    return [_summary([each for each in outcomes if each.name == name]) for name in names]


def _summary(outcomes: Sequence[RunOutcome]) -> RunSummary:
    by_seed = [*{each.seed: each for each in outcomes}.values()]
    first = by_seed[0]
    own = by_seed if first.trained else by_seed[:1]
    return RunSummary(
        *(first.name, first.trained),
        _mean_of_known([each.validation_loss for each in own]),
        mean_over_seeds([each.test_loss for each in own]),
        mean_over_seeds([each.whole_test_loss for each in own]),
        _mean_of_known([each.other_context_loss for each in own]),
    )


def _mean_of_known(values: Sequence[float | None]) -> SeedMean | None:
    known = [value for value in values if value is not None]
    return mean_over_seeds(known) if known else None


def write_outcomes(directory: Path, title: str, model: str, outcomes: Sequence[RunOutcome]) -> None:
    """Write `experiment.json`, `means.json`, `experiment.html`, and the losses of each seed.

    Raises SavingFailedError.
    """
    means = summaries(outcomes)
    for name, rows in (("experiment", outcomes), ("means", means)):
        content = json.dumps([asdict(row) for row in rows], indent=1)
        save_bytes(directory / f"{name}.json", content.encode())
    for seed in {each.seed for each in outcomes}:
        losses = {each.model: each.test_loss for each in outcomes if each.seed == seed}
        save_bytes(directory / f"losses-{seed}.json", json.dumps(losses).encode())
    with writing_to(directory / "experiment.html"):
        write_figures(directory / "experiment.html", title, model, [_table(means)])


def _table(means: Sequence[RunSummary]) -> FigureTable:
    return FigureTable(
        "Runs",
        "Losses in nats a token, and of whole tests: mean over n seeds, with its 95 % interval by "
        "Student's t where n is above 1. A model that was not trained depends on no seed. In a "
        "class, a test has more tokens, which indent it: compare contexts by tests. A prompt "
        "generator that reads has a higher loss with the contexts of other methods.",
        _COLUMNS,
        tuple(map(_row, means)),
    )


def _row(run: RunSummary) -> tuple[str, ...]:
    found = (run.validation_loss, run.test_loss, run.whole_test_loss, run.other_context_loss)
    losses = ("—" if loss is None else str(loss) for loss in found)
    return (run.name, f"{run.test_loss.n}", f"{run.trained:,}", *losses)
