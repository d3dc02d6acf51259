"""What an issue names: paths, frames of tracebacks, dotted names, identifiers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator.report_text.markdown import cleaned
from generator.retrieval.words import term_counts, terms_in

_MOST = 300
"""Names of one kind that are looked at; an issue that has more of them is a log."""

_FRAMES = tuple(
    re.compile(pattern)
    for pattern in (
        # Python's own, pytest's, IPython's.
        r"""[ \t>]*File ["'](?P<path>[^"'\n]+)["'], line \d+(?:, in (?P<name>\S+))?""",
        r"(?P<path>[\w./\\+-]+\.pyx?):\d+:(?: in (?P<name>\w+)| \w+)?",
        r"(?:File )?(?P<path>[~/\w.\\:+-]+\.pyx?)(?::\d+)? in (?P<name>[\w<>]+)\(.*$",
    )
)
_PATH = re.compile(r"(?<![\w/.+-])(?:[\w.+-]+/)*[\w+-]+\.pyx?(?![\w/])")
_LINK = re.compile(r"https?://github\.com/[\w.-]+/[\w.-]+/(?:blob|tree)/[^/\s]+/([\w./+-]+\.pyx?)")
_URL = re.compile(r"https?://\S+")
_DOTTED = re.compile(r"\b[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_CODE_LIKE = re.compile(
    # snake_case, CamelCase, HTTPResponse
    r"\b(?:[A-Za-z]\w*_\w+|_\w+|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*)\b"
)
_CALLED = re.compile(r"\b([^\W\d]\w*)\(")
_TICKED = re.compile(r"(?<!`)`{1,3}([^`\n]{1,80})`")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_IMPORT = re.compile(
    r"^[ \t>.]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{0,2000}\)|.*)$", re.MULTILINE
)
_IMPORTED = re.compile(r"\b(?!as\b)[^\W\d]\w*")
_BOILERPLATE = re.compile(r"^[ \t]*Traceback \(most recent call last\):?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Frame:
    """A frame of a traceback, as the issue prints it; `function` is "" where it does not say."""

    path: str
    function: str


@dataclass(frozen=True)
class Mentions:
    """What an issue says, taken apart.

    `frames` are in the order of the text, so that the last is the deepest. `dotted` holds names
    such as `django.db.models`, `names` every word that stands there as code, the parts of dotted
    names included. `title` and `text` are free of what templates of issues put in.
    """

    title: str
    text: str
    frames: tuple[Frame, ...]
    paths: tuple[str, ...]
    dotted: tuple[str, ...]
    names: frozenset[str]


def read_mentions(issue: str) -> Mentions:
    """Take an issue apart; its first line that says something is its title."""
    text = _BOILERPLATE.sub("", cleaned(issue))
    plain = _URL.sub(" ", text)
    dotted = _first([*_imported(plain), *_DOTTED.findall(plain)])
    return Mentions(
        title=next((line.strip() for line in text.splitlines() if line.strip()), ""),
        text=plain,
        frames=tuple(_frames(plain))[-_MOST:],
        paths=_first([*_LINK.findall(text), *_PATH.findall(plain)]),
        dotted=dotted,
        names=frozenset([*_first(_identifiers(plain)), *_first(".".join(dotted).split("."))]),
    )


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:_MOST]


def _frames(text: str) -> Iterator[Frame]:
    for line in text.splitlines():
        match = next((m for m in (pattern.match(line) for pattern in _FRAMES) if m), None)
        if match is not None:
            yield Frame(match["path"].replace("\\", "/"), match["name"] or "")


def _imported(text: str) -> Iterator[str]:
    for module, names in _IMPORT.findall(text):
        for name in _IMPORTED.findall(names.partition("#")[0]):
            yield f"{module}.{name}"


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
