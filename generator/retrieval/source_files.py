"""Ranks source files by what an issue says."""

from __future__ import annotations

from generator.retrieval.index import SourceIndex
from generator.retrieval.mentions import Mentions, issue_query
from generator.retrieval.paths import best_ending, resolve_module
from generator.retrieval.scoring import Scores
from generator.retrieval.types import RankedFile
from generator.retrieval.words import terms_of

_TEXT = 2.0
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
    of a traceback 1 and each one above it 0.7 of that, a path that is named 0.8, a module 0.5 (a
    package 0.1), an identifier up to 0.5, by how rare it is, shared among the files that define
    it, and changing often up to 0.2.
    """
    scores = Scores()
    matched = index.match(issue_query(mentions), tests=False)
    best = max(matched.values(), default=1.0)
    for path, score in matched.items():
        scores.add(path, _TEXT * score / best, "shares words with the issue")
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
            scores.add(path, points, "the traceback goes through it")
            points *= _FRAME_DECAY


def _add_named_files(scores: Scores, index: SourceIndex, mentions: Mentions) -> None:
    sources = index.paths(tests=False)
    for path in {best_ending(reported, sources) for reported in mentions.paths} - {""}:
        scores.add(path, _PATH, "the issue names it")
    modules = {resolve_module(name, index.modules)[0] for name in mentions.dotted}
    for path in modules.intersection(sources):
        points = _PACKAGE if path.endswith("__init__.py") else _DOTTED
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
