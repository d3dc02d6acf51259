"""The fix in clones with a configuration, and after other clones were judged."""

from __future__ import annotations

from tests.hostile.corpus.projects import BANK, CONF, GRID, SUMS, WORDS
from tests.hostile.corpus.spoiling import (
    attributed,
    both,
    configured,
    faulty,
    forged,
    missing,
    replaced_blob,
)

from .building import honest

HEADS = [
    honest(
        "no-prefix",
        "where the configuration wants no prefixes",
        SUMS,
        {**SUMS.fix, **SUMS.own},
        spoil=configured("[diff]\n\tnoprefix = true\n\trenames = copies\n[color]\n\tui = always\n"),
    ),
    honest(
        "drivers",
        "where the configuration has drivers for diffs",
        CONF,
        CONF.fix,
        spoil=both(attributed("*.py diff=py\n"), configured('[diff "py"]\n\ttextconv = false\n')),
    ),
    honest(
        "after-forged",
        "where another clone had a forged object",
        WORDS,
        WORDS.fix,
        other=forged(*faulty(WORDS)),
    ),
    honest(
        "after-absent",
        "where another clone lacked an object",
        GRID,
        GRID.fix,
        other=missing(GRID.module),
    ),
    honest(
        "after-replaced",
        "where another clone replaced an object",
        BANK,
        BANK.fix,
        other=replaced_blob(*faulty(BANK)),
    ),
]
