"""The terms by which text and code are compared, and what an issue names."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.languages import languages
from generator.report_text import MentionedFrame
from generator.report_text.markdown import cleaned

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


_MOST = 300
"""Names of one kind that are looked at; an issue that has more of them is a log."""

_PATH = r"(?<![\w/.+-])(?:[\w.+-]+/)*[\w+-]+"
_LINK = r"https?://github\.com/[\w.-]+/[\w.-]+/(?:blob|tree)/[^/\s]+/("
_URL = re.compile(r"https?://\S+")
_DOTTED = re.compile(r"\b[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_CODE_LIKE = re.compile(
    # snake_case, CamelCase, HTTPResponse
    r"\b(?:[A-Za-z]\w*_\w+|_\w+|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*)\b"
)
_CALLED = re.compile(r"\b([^\W\d]\w*)\(")
_TICKED = re.compile(r"(?<!`)`{1,3}([^`\n]{1,80})`")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Mentions:
    """What an issue says, taken apart.

    `frames` are in the order of the text, so that the last is the deepest. `dotted` holds names
    such as `django.db.models`, `names` every word that stands there as code, the parts of dotted
    names included. `title` and `text` are free of what templates of issues put in.
    """

    title: str
    text: str
    frames: tuple[MentionedFrame, ...]
    paths: tuple[str, ...]
    dotted: tuple[str, ...]
    names: frozenset[str]


def read_mentions(issue: str) -> Mentions:
    """Take an issue apart; its first line that says something is its title."""
    text = cleaned(issue)
    for known in languages():
        text = known.notation.boilerplate.sub("", text)
    plain = _URL.sub(" ", text)
    imported = [name for known in languages() for name in known.notation.imported(plain)]
    dotted = _first([*imported, *_DOTTED.findall(plain)])
    return Mentions(
        title=next((line.strip() for line in text.splitlines() if line.strip()), ""),
        text=plain,
        frames=tuple(f for known in languages() for f in known.notation.frames(plain))[-_MOST:],
        paths=_first(_paths(text)),
        dotted=dotted,
        names=frozenset([*_first(_identifiers(plain)), *_first(".".join(dotted).split("."))]),
    )


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:_MOST]


def _paths(text: str) -> list[str]:
    """The paths of sources that links to GitHub name, then all others, without what URLs hold."""
    known = {suffix for language in languages() for suffix in language.suffixes}
    suffixes = "|".join(re.escape(suffix) for suffix in sorted(known, key=len, reverse=True))
    links = re.findall(rf"{_LINK}[\w./+-]+(?:{suffixes}))", text)
    plain = _URL.sub(" ", text)
    return [*links, *re.findall(rf"{_PATH}(?:{suffixes})(?![\w/])", plain)]


def _identifiers(text: str) -> list[str]:
    ticked = [word for span in _TICKED.findall(text) for word in _IDENTIFIER.findall(span)]
    return [*ticked, *_CODE_LIKE.findall(text), *_CALLED.findall(text)]


_WEIGHT_IN_TITLE = 2.0
_WEIGHT_AS_IDENTIFIER = 1.0


def issue_query(mentions: Mentions) -> Mapping[str, float]:
    """Terms of an issue: repetition counts by its logarithm, title and identifiers count more."""
    weights = {term: 1 + math.log(n) for term, n in term_counts(mentions.text).items()}
    for term in term_counts(mentions.title):
        weights[term] = weights.get(term, 0.0) + _WEIGHT_IN_TITLE
    for term in terms_in(mentions.names):
        weights[term] = weights.get(term, 0.0) + _WEIGHT_AS_IDENTIFIER
    return weights
