"""The projects: a text helper, sums, dates, accounts, batches, a command, a table, settings."""

from __future__ import annotations

from .bank import BANK
from .batches import BATCHES
from .conf import CONF
from .dates import DATES
from .grid import GRID
from .sums import SUMS
from .tally import TALLY
from .words import WORDS

PROJECTS = (WORDS, SUMS, DATES, BANK, BATCHES, TALLY, GRID, CONF)

__all__ = [
    "BANK",
    "BATCHES",
    "CONF",
    "DATES",
    "GRID",
    "PROJECTS",
    "SUMS",
    "TALLY",
    "WORDS",
]
