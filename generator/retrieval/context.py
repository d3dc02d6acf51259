"""What a prompt can say of a task within a budget of tokens: pieces, which methods put into words.

The issue comes first, then the test file, then code, then outlines; what one of them does not
use, the next may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from generator.languages import outline, outline_text
from generator.retrieval.shortening import shortened_issue
from generator.retrieval.tokens import estimated_tokens, within
from generator.retrieval.types import Anchor, RankedFile, RankedSymbol

Reader = Callable[[str], str]
"""Path -> text of the file at the base commit."""

_ISSUE = 0.4
_TESTS = 0.3
_CODE = 0.75
"""Shares: of the budget for the issue, and of what is left each time for the others."""
_LEAST = 30
"""Tokens below which an excerpt is not worth its place."""
_LONGEST_SYMBOL = 0.5
"""The share of the code's budget that one function may take."""


@dataclass(frozen=True)
class Excerpt:
    """Lines `first` to `last` (from 1) of a file, and why they are shown."""

    path: str
    first: int
    last: int
    text: str
    reason: str


@dataclass(frozen=True)
class Context:
    """What fits into the budget, most relevant first. `outlines` hold signatures, no code."""

    issue: str
    tests: tuple[Excerpt, ...]
    code: tuple[Excerpt, ...]
    outlines: tuple[Excerpt, ...]

    @property
    def tokens(self) -> int:
        """An upper estimate of what the pieces take, paths and reasons included."""
        excerpts = (*self.tests, *self.code, *self.outlines)
        return estimated_tokens(self.issue) + sum(map(_cost, excerpts))


class ContextBuilder:
    """Cuts pieces to size. `read` gives the text of a file."""

    def __init__(self, read: Reader, tokens: int) -> None:
        self._read = read
        self._left = tokens

    def issue(self, issue: str) -> str:
        """The issue, shortened where it is longer than its share."""
        shown = shortened_issue(issue, int(self._left * _ISSUE))
        self._left -= estimated_tokens(shown)
        return shown

    def tests(self, anchor: Anchor) -> tuple[Excerpt, ...]:
        """The test file whole, or its head and the class or test that a new one goes beside."""
        budget = int(self._left * _TESTS)
        text = self._read(anchor.path)
        lines = text.splitlines()
        whole = Excerpt(anchor.path, 1, len(lines), text, "the test file to extend")
        if _cost(whole) <= budget:
            return self._taken([whole], budget)
        return self._taken(_around(anchor, text), budget)

    def code(self, symbols: Sequence[RankedSymbol]) -> tuple[Excerpt, ...]:
        """The functions and classes that the issue leads to, each once, long ones cut short."""
        budget = int(self._left * _CODE)
        longest = int(budget * _LONGEST_SYMBOL)
        shown: list[Excerpt] = []
        for ranked in symbols:
            excerpt = _cut(self._symbol(ranked), longest)
            if not any(_overlap(excerpt, other) for other in shown):
                shown.append(excerpt)
        return self._taken(shown, budget)

    def outlines(self, files: Sequence[RankedFile]) -> tuple[Excerpt, ...]:
        """What the files define."""
        shown = []
        for file in files:
            text = self._read(file.path)
            listed = outline_text(file.path, text)
            shown.append(Excerpt(file.path, 1, len(text.splitlines()), listed, file.reasons[0]))
        return self._taken(shown, self._left)

    def _symbol(self, ranked: RankedSymbol) -> Excerpt:
        symbol = ranked.symbol
        return _lines(
            self._read(ranked.path), ranked.path, symbol.first, symbol.last, ranked.reasons[0]
        )

    def _taken(self, excerpts: Iterable[Excerpt], budget: int) -> tuple[Excerpt, ...]:
        """As many as fit, the first that does not cut short."""
        taken: list[Excerpt] = []
        for excerpt in excerpts:
            short = _cut(excerpt, budget)
            if not short.text:
                break
            taken.append(short)
            budget -= _cost(short)
            self._left -= _cost(short)
        return tuple(taken)


def _cost(excerpt: Excerpt) -> int:
    place = f"{excerpt.path} {excerpt.first} {excerpt.last} {excerpt.reason}\n"
    return estimated_tokens(place) + estimated_tokens(excerpt.text)


def _lines(text: str, path: str, first: int, last: int, reason: str) -> Excerpt:
    return Excerpt(path, first, last, "\n".join(text.splitlines()[first - 1 : last]), reason)


def _cut(excerpt: Excerpt, tokens: int) -> Excerpt:
    """The excerpt's beginning, in whole lines; no text where that is not worth its place."""
    if _cost(excerpt) <= tokens:
        return excerpt
    room = tokens - (_cost(excerpt) - estimated_tokens(excerpt.text))
    text = within(excerpt.text, room) if room >= _LEAST else ""
    last = excerpt.first + len(text.splitlines()) - 1
    return Excerpt(excerpt.path, excerpt.first, last, text, excerpt.reason)


def _overlap(one: Excerpt, other: Excerpt) -> bool:
    return one.path == other.path and one.first <= other.last and other.first <= one.last


def _around(anchor: Anchor, text: str) -> list[Excerpt]:
    """The head of a test file (imports, helpers), the test beside, the head of its class."""
    symbols = outline(anchor.path, text)
    tests = [s for s in symbols if s.short_name == anchor.beside and s.last == anchor.line - 1]
    classes = [s for s in symbols if s.is_class and s.name == anchor.class_name]
    first = min((s.first for s in symbols), default=1)
    return [
        _lines(text, anchor.path, 1, max(first - 1, 1), "its imports"),
        *(_lines(text, anchor.path, s.first, s.last, "the test to stand beside") for s in tests),
        *(_lines(text, anchor.path, s.first, s.last, "the class to extend") for s in classes),
    ]
