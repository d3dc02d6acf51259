"""Encoded pairs on disk: written once as they are made, and mapped into memory to be read.

`tokens.bin` holds the tokens of all parts one after the other as little-endian uint32, `ends.bin`
the place behind each part as int64, three for a pair.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from evaluator.benchmarks.tests4j.dataset import FocalMethod, HumanTest
from evaluator.storage import content_key, make_once
from generator.tuning.data.encoding import EncodedPair, PairEncoding
from generator.tuning.errors import EmptySplitError
from generator.tuning.saving import saving_failed

_TOKENS, _ENDS = "tokens.bin", "ends.bin"
_TOKEN, _END = np.dtype("<u4"), np.dtype("<i8")
_PARTS = 3


class PairStore:
    """The pairs of a directory; only what is read of them is in memory.

    `key` stands for what they were made of.
    """

    def __init__(self, directory: Path, key: str = "") -> None:
        """Raises EmptySplitError for a directory without pairs."""
        ends = directory / _ENDS
        if not ends.stat().st_size:
            raise EmptySplitError(
                "no test is short enough to be learned; raise --max-sequence, or name other data"
            )
        self.key = key
        self._ends = np.memmap(ends, _END, "r")
        self._tokens = np.memmap(directory / _TOKENS, _TOKEN, "r")

    def __len__(self) -> int:
        return len(self._ends) // _PARTS

    def __getitem__(self, index: int) -> EncodedPair:
        first = index * _PARTS
        ends = [int(self._ends[first - 1]) if first else 0, *self._ends[first : first + _PARTS]]
        parts = (self._tokens[start:end] for start, end in itertools.pairwise(ends))
        return EncodedPair(*(part.tolist() for part in parts))


def write_pairs(directory: Path, pairs: Iterable[EncodedPair]) -> None:
    """Write pairs, one in memory at a time, into a directory that is made."""
    directory.mkdir(parents=True)
    end = 0
    with (directory / _TOKENS).open("wb") as tokens, (directory / _ENDS).open("wb") as ends:
        for pair in pairs:
            for part in (pair.prompt, pair.target, pair.context):
                tokens.write(np.asarray(part, _TOKEN).tobytes())
                end += len(part)
                ends.write(np.asarray(end, _END).tobytes())


def stored_pairs(
    cache: Path, pairs: Iterable[tuple[FocalMethod, HumanTest]], encoding: PairEncoding
) -> PairStore:
    """The pairs under `cache`, encoded now if no process did so before.

    They are gone through twice: for their key, and to be encoded.
    """
    key = content_key(_digest(pairs), encoding.key)
    return kept_pairs(cache, key, lambda: encoding.pairs(pairs))


def kept_pairs(cache: Path, key: str, make: Callable[[], Iterable[EncodedPair]]) -> PairStore:
    """The pairs kept under a key, made now if there are none.

    Raises SavingFailedError where they cannot be written, EmptySplitError where there are none.
    """
    try:
        made = make_once(cache, key, lambda place: write_pairs(place, make()))
    except OSError as error:
        raise saving_failed(cache, error) from error
    return PairStore(made, key)


def _digest(pairs: Iterable[tuple[FocalMethod, HumanTest]]) -> str:
    found = hashlib.sha256()
    for method, test in pairs:
        found.update(method.model_dump_json(exclude={"tests"}).encode())
        found.update(test.source.encode("utf-8", "surrogatepass"))
    return found.hexdigest()
