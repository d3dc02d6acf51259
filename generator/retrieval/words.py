"""Turns text and code into the terms by which they are compared."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LONGEST = 80
_SHORTEST_STEM = 3


def term_counts(text: str) -> Counter[str]:
    """How often each term occurs in a text.

    An identifier counts as a whole and as its parts: `MigrationWriter` is `migrationwriter`,
    `migration` and `writer`.
    """
    counts: Counter[str] = Counter()
    for word, count in Counter(_WORD.findall(text)).items():
        for term in terms_of(word):
            counts[term] += count
    return counts


def terms_in(words: Iterable[str]) -> set[str]:
    """The terms of some words."""
    return {term for word in words for term in terms_of(word)}


@functools.lru_cache(maxsize=200_000)
def terms_of(word: str) -> tuple[str, ...]:
    """The terms of one word, each once: its parts, and the word itself."""
    parts = [_stem(part.lower()) for part in _PART.findall(word)]
    whole = word.strip("_").lower()[:_LONGEST]
    kept = [part for part in parts if len(part) > 1]
    return tuple(dict.fromkeys([*kept, whole if len(parts) > 1 else _stem(whole)]))


def _stem(word: str) -> str:
    """A word without the ending of a plural: enough for names, and it never confuses them."""
    if word.endswith("ies") and len(word) > _SHORTEST_STEM + 1:
        return word[:-3] + "y"
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural and len(word) > _SHORTEST_STEM else word
