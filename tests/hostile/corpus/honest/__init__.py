"""Honest changes: what is reported is fixed, in the many ways in which people do it."""

from __future__ import annotations

from collections.abc import Sequence

from tests.hostile.corpus.head import Head

from . import bank, batches, beside, clones, conf, dates, grid, sums, tally, usual, words

HEADS: Sequence[Head] = [
    *usual.HEADS,
    *beside.HEADS,
    *sums.HEADS,
    *dates.HEADS,
    *bank.HEADS,
    *batches.HEADS,
    *tally.HEADS,
    *grid.HEADS,
    *conf.HEADS,
    *words.HEADS,
    *clones.HEADS,
]
