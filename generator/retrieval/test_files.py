"""Ranks the test files in which a test for an issue may belong."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from generator.retrieval.index import SourceIndex
from generator.retrieval.mentions import Mentions, issue_query
from generator.retrieval.paths import best_ending, resolve_module
from generator.retrieval.scoring import Scores
from generator.retrieval.types import RankedFile
from generator.retrieval.words import term_counts, terms_in

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
    index: SourceIndex,
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


def _follow(scores: Scores, index: SourceIndex, sources: Sequence[RankedFile]) -> None:
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


def _mentioned(index: SourceIndex, mentions: Mentions) -> set[str]:
    tests = index.paths(tests=True)
    given = (path for path in mentions.paths if "/" in path or path.startswith("test_"))
    named = {best_ending(path, tests) for path in given}
    dotted = {resolve_module(name, index.modules)[0] for name in mentions.dotted}
    return {path for path in named | dotted if path and index.is_test(path)}


def _relative(scores: Mapping[str, float]) -> Mapping[str, float]:
    best = max(scores.values(), default=1.0)
    return {path: score / best for path, score in scores.items()}


def _add(scores: Scores, points: Mapping[str, float], weight: float, reason: str) -> None:
    for path, part in points.items():
        scores.add(path, weight * part, reason)


_DECAY = 0.97
"""What a change counts, against the one after it."""
_PRIOR = 2.0
"""Changes that a file is taken to have had with none of the tests, so that one alone is no rule."""


def tests_changed_with(index: SourceIndex, source: str) -> dict[str, float]:
    """Test file -> how likely it changes when a source file does, from 0 to 1.

    Commits without tests are left aside; one that changes many test files says less of each.
    """
    found: dict[str, float] = {}
    total = _PRIOR
    for age, paths in enumerate(index.changes(source)):
        tests = [path for path in paths if index.is_test(path)]
        weight = _DECAY**age / math.sqrt(len(tests)) if tests else 0.0
        total += weight
        for path in tests:
            found[path] = found.get(path, 0.0) + weight
    return {path: weight / total for path, weight in found.items()}


_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"^tests?_|_tests?$|^tests?$|^__init__$")
_STEM = 2.0
"""What a word of the file's own name counts, against one of its directories."""


class NameLikeness:
    """The paths of all test files, compared by their words.

    That covers `foo.py` with `test_foo.py`, `app/models.py` with `tests/app/tests.py` and whatever
    else a project does, because a shared word counts by how few test files have it.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._words = {path: path_words(path) for path in paths}
        found = Counter(word for words in self._words.values() for word in words)
        self._rarity = {word: math.log(1 + len(paths) / n) for word, n in found.items()}
        self._unknown = math.log(1 + len(paths))

    def to(self, source: str) -> dict[str, float]:
        """Test files that share a word with a source file's path, with a score from 0 to 1."""
        words = path_words(source)
        sharing = {p: w for p, w in self._words.items() if w.keys() & words.keys()}
        return {path: self._jaccard(words, other) for path, other in sharing.items()}

    def _jaccard(self, one: Mapping[str, float], other: Mapping[str, float]) -> float:
        def total(words: Mapping[str, float]) -> float:
            return sum(self._rarity.get(word, self._unknown) * n for word, n in words.items())

        shared = {word: min(one[word], other[word]) for word in one.keys() & other.keys()}
        common = total(shared)
        return common / (total(one) + total(other) - common)


def path_words(path: str) -> Mapping[str, float]:
    """The words of a path with their weights, without what marks a test."""
    *folders, name = (_MARKS.sub("", part) for part in path.rpartition(".")[0].split("/"))
    named = [folder for folder in folders if folder]
    stem = name or (named[-1] if named else "")
    words = dict.fromkeys(terms_in(_WORD.findall(" ".join(named))), 1.0)
    return words | dict.fromkeys(terms_in(_WORD.findall(stem)), _STEM)
