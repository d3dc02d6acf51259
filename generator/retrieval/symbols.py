"""Ranks the functions and classes of the files that an issue leads to, and where a test belongs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.languages import Symbol, language_of_file, outline
from generator.retrieval.terms import Mentions, term_counts, terms_of
from generator.retrieval.types import Anchor, RankedFile, RankedSymbol

_FILE = 0.5
_TEXT = 1.0
_NAMED = 1.0
_NAMED_WITH_PARENT = 0.5
_FRAME = 1.0
_FRAME_DECAY = 0.7
_MEAN_LENGTH = 100
"""Terms of a function above which repetition is expected, and counts for less."""


@dataclass(frozen=True)
class SourceText:
    """The text of a ranked file."""

    ranked: RankedFile
    text: str


def rank_symbols(
    files: Sequence[SourceText], mentions: Mentions, query: Mapping[str, float]
) -> list[RankedSymbol]:
    """Functions and classes, best first.

    The file's own rank gives up to 0.5 points, the words shared with the issue up to 1 (relative
    to the best symbol), a frame of an error 1 and less for each one above it, being named 1,
    and 0.5 more where what it stands in is named too. `query` weighs the terms of the issue.
    """
    best_file = max((file.ranked.score for file in files), default=1.0)
    placed = [
        (file, symbol, own)
        for file in files
        for symbol, own in _own_text(file.ranked.path, file.text)
    ]
    shared = shared_words([own for _, _, own in placed], query)
    ranked = []
    for (file, symbol, _), words in zip(placed, shared, strict=True):
        points = {
            f"its file: {file.ranked.reasons[0]}": _FILE * file.ranked.score / best_file,
            "shares words with the issue": _TEXT * words,
            **_named(symbol, mentions),
            **_in_frames(file.ranked.path, symbol, mentions),
        }
        given = sorted((r for r, p in points.items() if p > 0), key=lambda r: -points[r])
        total = sum(points.values())
        ranked.append(RankedSymbol(file.ranked.path, symbol, total, tuple(given)))
    return sorted(ranked, key=lambda one: (-one.score, one.path, one.symbol.first))


def _own_text(path: str, text: str) -> Iterator[tuple[Symbol, str]]:
    """Each symbol with its text; that of a class ends where its first method begins."""
    lines = text.splitlines()
    symbols = outline(path, text)
    for symbol in symbols:
        inner = (s.first - 1 for s in symbols if s.parent == symbol.name and s.first > symbol.first)
        last = min(inner, default=symbol.last) if symbol.is_class else symbol.last
        yield symbol, "\n".join(lines[symbol.first - 1 : last])


def shared_words(texts: Iterable[str], query: Mapping[str, float]) -> list[float]:
    """How much each text shares with a query, from 0 to 1 for the best one, as in BM25.

    How rare a term is follows from the texts themselves.
    """
    counted = [term_counts(text) for text in texts]
    found = Counter(term for counts in counted for term in counts.keys() & query.keys())
    rarity = {t: math.log(1 + (len(counted) - n + 0.5) / (n + 0.5)) for t, n in found.items()}
    scores = [_score(counts, query, rarity) for counts in counted]
    best = max(scores, default=0.0) or 1.0
    return [score / best for score in scores]


def _score(counts: Counter[str], query: Mapping[str, float], rarity: Mapping[str, float]) -> float:
    norm = 0.3 + 0.9 * counts.total() / _MEAN_LENGTH
    return sum(
        query[term] * rarity[term] * counts[term] / (counts[term] + norm)
        for term in counts.keys() & query.keys()
    )


def _named(symbol: Symbol, mentions: Mentions) -> dict[str, float]:
    name = symbol.short_name
    if not _is_named(name, mentions):
        return {}
    parent = symbol.parent.rpartition(".")[2]
    points = _NAMED + _NAMED_WITH_PARENT * bool(parent and _is_named(parent, mentions))
    return {f"the issue names {name}": points}


def _is_named(name: str, mentions: Mentions) -> bool:
    return name in mentions.names and len(terms_of(name)[-1]) > 1


def _in_frames(path: str, symbol: Symbol, mentions: Mentions) -> dict[str, float]:
    weight = _FRAME
    for frame in reversed(mentions.frames):
        if frame.function == symbol.short_name and _same_file(path, frame.path):
            trace = language_of_file(path).words.trace
            return {f"a frame of the {trace} lies in it": weight}
        weight *= _FRAME_DECAY
    return {}


def _same_file(path: str, reported: str) -> bool:
    return path.split("/")[-1] == reported.split("/")[-1]


def find_anchor(path: str, text: str, query: Mapping[str, float]) -> Anchor:
    """The place beside the tests that share most words with a query.

    In a class, that is behind its last test; at the top level, behind the most similar one. A file
    without tests is added to at its end.
    """
    tests = [symbol for symbol in outline(path, text) if symbol.is_test]
    lines = text.splitlines()
    if not tests:
        return Anchor(path, "", "", len(lines) + 1, "the file holds no test yet")
    likeness = shared_words(("\n".join(lines[s.first - 1 : s.last]) for s in tests), query)
    nearest = max(zip(likeness, tests, strict=True), key=lambda pair: (pair[0], -pair[1].first))[1]
    beside = _last_in_class(tests, nearest.parent) if nearest.parent else nearest
    reason = f"{nearest.name} shares most words with the issue"
    return Anchor(path, nearest.parent, beside.short_name, beside.last + 1, reason)


def _last_in_class(tests: Sequence[Symbol], parent: str) -> Symbol:
    return max((test for test in tests if test.parent == parent), key=lambda test: test.last)
