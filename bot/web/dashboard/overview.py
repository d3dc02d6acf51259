"""What the first page shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.store import Store
from bot.store.figures import Figures, RepositoryFigures
from bot.store.tables import Job, StoredVerdict

MOST_ROWS = 50


@dataclass(frozen=True)
class Overview:
    """`jobs` counts by state, `decisions` by decision; `repository` is that of the latest rows."""

    jobs: Mapping[str, int]
    decisions: Mapping[str, int]
    usd: float
    waiting: int
    repositories: Sequence[RepositoryFigures]
    repository: str | None
    latest_jobs: Sequence[Job]
    latest_verdicts: Sequence[StoredVerdict]


def overview_of(store: Store, repository: str | None) -> Overview:
    """The figures of all repositories, and the latest of one, or of all."""
    figures = Figures(store.database)
    states: Counter[str] = Counter()
    for (_, state), count in figures.jobs().items():
        states[state] += count
    return Overview(
        jobs=states,
        decisions=figures.verdicts(),
        usd=figures.usd(),
        waiting=figures.unhandled(),
        repositories=figures.repositories(),
        repository=repository,
        latest_jobs=store.jobs.latest(repository, MOST_ROWS),
        latest_verdicts=store.verdicts.latest(repository, MOST_ROWS),
    )
