"""Ranks the test files in which a test for an issue may belong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from generator.retrieval.cochange import tests_changed_with
from generator.retrieval.index import Index
from generator.retrieval.layout import best_ending, resolve_module
from generator.retrieval.mentions import Mentions
from generator.retrieval.naming import NameLikeness
from generator.retrieval.query import issue_query
from generator.retrieval.scoring import Scores
from generator.retrieval.types import RankedFile
from generator.retrieval.words import term_counts

SOURCES = 8
"""How many of the ranked source files are followed to tests."""
_SHARPNESS = 5.0
"""The power that turns the scores of source files into how likely each is meant."""
_TEXT = 0.3
_TITLE = 0.2
_SYMBOLS = 0.2
_HISTORY = 0.8
_NAME = 1.0
_IMPORT = 0.4
_MENTIONED = 1.5


def rank_tests(
    index: Index,
    mentions: Mentions,
    sources: Sequence[RankedFile],
    symbols: Mapping[str, float],
) -> list[RankedFile]:
    """Test files, best first.

    Up to 0.3 points for the words of the issue (BM25, relative to the best file), 0.2 for those of
    its title, 0.2 for the names of the functions and classes it is about (`symbols`: terms with
    weights), 1.5 for being named. The likely source files (`sources`) share out the rest: 1 for a
    path like theirs, 0.8 for having changed together with them, 0.4 for importing them.
    """
    scores = Scores()
    for query, weight, reason in (
        (issue_query(mentions), _TEXT, "shares words with the issue"),
        (dict.fromkeys(term_counts(mentions.title), 1.0), _TITLE, "shares words with the title"),
        (symbols, _SYMBOLS, "uses what the issue is about"),
    ):
        _add(scores, _relative(index.match(query, tests=True)), weight, reason)
    for path in _mentioned(index, mentions):
        scores.add(path, _MENTIONED, "the issue names it")
    _follow(scores, index, sources[:SOURCES])
    return scores.ranking()


def _follow(scores: Scores, index: Index, sources: Sequence[RankedFile]) -> None:
    names = NameLikeness(index.paths(tests=True))
    total = sum(source.score**_SHARPNESS for source in sources)
    for source in sources:
        share = source.score**_SHARPNESS / total
        path = source.path
        _add(scores, tests_changed_with(index, path), _HISTORY * share, f"changed with {path}")
        _add(scores, names.to(path), _NAME * share, f"is named like {path}")
        importing = index.importing(path)
        each = _IMPORT * share / (1 + math.log(max(len(importing), 1)))
        _add(scores, dict.fromkeys(importing, 1.0), each, f"imports {path}")


def _mentioned(index: Index, mentions: Mentions) -> set[str]:
    tests = index.paths(tests=True)
    told = (path for path in mentions.paths if "/" in path or path.startswith("test_"))
    named = {best_ending(path, tests) for path in told}
    dotted = {resolve_module(name, index.modules)[0] for name in mentions.dotted}
    return {path for path in named | dotted if path and index.is_test(path)}


def _relative(scores: Mapping[str, float]) -> Mapping[str, float]:
    best = max(scores.values(), default=1.0)
    return {path: score / best for path, score in scores.items()}


def _add(scores: Scores, points: Mapping[str, float], weight: float, reason: str) -> None:
    for path, part in points.items():
        scores.add(path, weight * part, reason)
