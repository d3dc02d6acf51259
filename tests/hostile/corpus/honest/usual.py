"""The fix as most people bring it: with a test, without one, without an issue."""

from __future__ import annotations

from tests.hostile.corpus.projects import (
    BANK,
    BATCHES,
    CONF,
    DATES,
    GRID,
    PROJECTS,
    SUMS,
    TALLY,
    WORDS,
)

from .building import honest

HEADS = [
    *(
        honest(
            project.name, "the fix with a test of its own", project, {**project.fix, **project.own}
        )
        for project in PROJECTS
    ),
    *(
        honest(f"{project.name}-alone", "the fix without a test", project, project.fix)
        for project in (WORDS, BANK, DATES)
    ),
    *(
        honest(
            f"{project.name}-unreported",
            "the fix with its own test, without an issue",
            project,
            {**project.fix, **project.own},
            given=False,
        )
        for project in (SUMS, GRID, CONF, TALLY, BATCHES)
    ),
]
