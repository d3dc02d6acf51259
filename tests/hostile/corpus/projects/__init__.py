"""The projects: small packages and commands, each with a bug that is reported."""

from __future__ import annotations

from .bank import BANK
from .batches import BATCHES
from .conf import CONF
from .dates import DATES
from .grid import GRID
from .queries import QUERIES
from .recent import RECENT
from .rows import ROWS
from .spans import SPANS
from .sums import SUMS
from .tally import TALLY
from .words import WORDS
from .years import YEARS

PROJECTS = (
    *(WORDS, SUMS, DATES, BANK, BATCHES, TALLY, GRID, CONF),
    *(RECENT, ROWS, YEARS, QUERIES, SPANS),
)

__all__ = [
    "BANK",
    "BATCHES",
    "CONF",
    "DATES",
    "GRID",
    "PROJECTS",
    "QUERIES",
    "RECENT",
    "ROWS",
    "SPANS",
    "SUMS",
    "TALLY",
    "WORDS",
    "YEARS",
]
