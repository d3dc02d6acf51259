"""How alike the paths of a source file and of a test file are."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from generator.retrieval.words import terms_in

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
    telling = [folder for folder in folders if folder]
    stem = name or (telling[-1] if telling else "")
    words = dict.fromkeys(terms_in(_WORD.findall(" ".join(telling))), 1.0)
    return words | dict.fromkeys(terms_in(_WORD.findall(stem)), _STEM)
