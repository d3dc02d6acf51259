"""Ranks source files and test files by what an issue says."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from generator.languages import language_of_file
from generator.retrieval.index import (
    SourceIndex,
    best_ending,
    is_runnable_test,
    resolve_module,
)
from generator.retrieval.terms import Mentions, issue_query, term_counts, terms_in, terms_of
from generator.retrieval.types import RankedFile

_LEAST_SHOWN = 0.05
"""The share of a score below which a reason is not worth showing."""


@dataclass
class Scores:
    """Evidence gathered so far: path -> reason -> points."""

    _points: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, path: str, points: float, reason: str) -> None:
        """Give a file points; the same reason twice counts twice."""
        if points > 0:
            of_path = self._points.setdefault(path, {})
            of_path[reason] = of_path.get(reason, 0.0) + points

    def add_all(self, points: Iterable[tuple[str, float]], reason: str) -> None:
        """Give several files points for the same reason."""
        for path, gain in points:
            self.add(path, gain, reason)

    def ranking(self) -> list[RankedFile]:
        """The files, best first, each with its reasons, the weightiest first."""
        ranked = [_ranked(path, reasons) for path, reasons in self._points.items()]
        return sorted(ranked, key=lambda file: (-file.score, file.path))


def _ranked(path: str, reasons: dict[str, float]) -> RankedFile:
    total = sum(reasons.values())
    shown = [reason for reason, points in reasons.items() if points >= _LEAST_SHOWN * total]
    return RankedFile(path, total, tuple(sorted(shown, key=lambda reason: -reasons[reason])))


_SOURCE_TEXT = 2.0
_DEEPEST_FRAME = 1.0
_FRAME_DECAY = 0.7
_PATH = 0.8
_DOTTED = 0.5
_PACKAGE = 0.1
_IDENTIFIER = 0.5
_ACTIVITY = 0.2
_SHORTEST_NAME = 3


def rank_sources(index: SourceIndex, mentions: Mentions) -> list[RankedFile]:
    """Source files, best first.

    The words of the issue give up to 2 points (BM25, relative to the best file), the deepest frame
    of an error 1 and each one above it 0.7 of that, a path that is named 0.8, a module 0.5 (a
    package 0.1), an identifier up to 0.5, by how rare it is, shared among the files that define
    it, and changing often up to 0.2.
    """
    scores = Scores()
    matched = index.match(issue_query(mentions), tests=False)
    best = max(matched.values(), default=1.0)
    for path, score in matched.items():
        scores.add(path, _SOURCE_TEXT * score / best, "shares words with the issue")
    _add_frames(scores, index, mentions)
    _add_named_files(scores, index, mentions)
    _add_identifiers(scores, index, mentions)
    for path, often in index.activity().items():
        if path in matched:
            scores.add(path, _ACTIVITY * often, "changes often")
    return scores.ranking()


def _add_frames(scores: Scores, index: SourceIndex, mentions: Mentions) -> None:
    sources = index.paths(tests=False)
    points = _DEEPEST_FRAME
    deepest_first = dict.fromkeys(frame.path for frame in reversed(mentions.frames))
    for path in dict.fromkeys(best_ending(reported, sources) for reported in deepest_first):
        if path:
            trace = language_of_file(path).words.trace
            scores.add(path, points, f"the {trace} goes through it")
            points *= _FRAME_DECAY


def _add_named_files(scores: Scores, index: SourceIndex, mentions: Mentions) -> None:
    sources = index.paths(tests=False)
    for path in {best_ending(reported, sources) for reported in mentions.paths} - {""}:
        scores.add(path, _PATH, "the issue names it")
    modules = {resolve_module(name, index.modules)[0] for name in mentions.dotted}
    for path in modules.intersection(sources):
        packages = language_of_file(path).package_files
        points = _PACKAGE if PurePosixPath(path).name in packages else _DOTTED
        scores.add(path, points, "the issue names it as a module")


def _add_identifiers(scores: Scores, index: SourceIndex, mentions: Mentions) -> None:
    names = sorted(name for name in mentions.names if len(name) >= _SHORTEST_NAME)
    terms = {name: terms_of(name)[-1] for name in names}
    rarity = index.rarities(set(terms.values()), tests=False)
    for name in names:
        files = index.defining(name)
        for path in files:
            points = _IDENTIFIER * rarity.get(terms[name], 0.0) ** 2 / len(files)
            scores.add(path, points, f"defines {name}")


SOURCES = 8
"""How many of the ranked source files are followed to tests."""
_SHARPNESS = 5.0
"""The power that turns the scores of source files into how likely each is meant."""
_TEST_TEXT = 0.3
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
        (issue_query(mentions), _TEST_TEXT, "shares words with the issue"),
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
    given = (path for path in mentions.paths if "/" in path or is_runnable_test(path))
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
    """The words of a path with their weights, without what marks a test or stands for a folder."""
    language, file = language_of_file(path), PurePosixPath(path)
    own = "" if file.name in language.package_files else file.stem
    *folders, name = (language.test_mark.sub("", part) for part in (*file.parts[:-1], own))
    named = [folder for folder in folders if folder]
    stem = name or (named[-1] if named else "")
    words = dict.fromkeys(terms_in(_WORD.findall(" ".join(named))), 1.0)
    return words | dict.fromkeys(terms_in(_WORD.findall(stem)), _STEM)
