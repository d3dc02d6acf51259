"""What a prompt can say of a task within a budget of tokens, in pieces.

The issue comes first, then the test file, then code, then outlines; what one of them does not
use, the next may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from generator.languages import languages, outline, outline_text
from generator.report_text.markdown import parts
from generator.report_text.types import IssuePart, PartForm
from generator.retrieval.types import Anchor, RankedFile, RankedSymbol

CHARACTERS_PER_TOKEN = 3
"""Of ASCII text; tokenisers take 3.2 to 4.5 for English and for Python."""


def estimated_tokens(text: str) -> int:
    """A third of the ASCII characters, and one for each byte of any other, rounded up."""
    return -(-_size(text) // CHARACTERS_PER_TOKEN)


def within(text: str, tokens: int) -> str:
    """The longest beginning of a text, in whole lines, that takes at most so many tokens."""
    lines = text.splitlines()
    left = tokens * CHARACTERS_PER_TOKEN
    for count, line in enumerate(lines):
        left -= _size(line) + bool(count)  # and the line's end before it
        if left < 0:
            return "\n".join(lines[:count])
    return "\n".join(lines)


def _size(text: str) -> int:
    """What a text takes, counted in ASCII characters."""
    size = len(text.encode("utf-8", errors="surrogatepass"))
    if size == len(text):
        return size
    plain = sum(map(str.isascii, text))
    return plain + (size - plain) * CHARACTERS_PER_TOKEN


LEFT_OUT = "[...]"
_LARGEST_PART = 0.25
"""The share of the budget above which one part is shortened itself."""


def shortened_issue(issue: str, tokens: int) -> str:
    """An issue in at most so many (estimated) tokens; what is left out is marked by `[...]`.

    The title goes first, then blocks of code and of errors' frames, in their order, then the prose
    that is nearest to the beginning or the end. Blocks that are long keep their head and tail.
    """
    if estimated_tokens(issue) <= tokens:
        return issue
    found = parts(issue, [known.notation for known in languages()])
    texts = [_shown(part, int(tokens * _LARGEST_PART)) for part in found]
    kept: set[int] = set()
    for index in _by_worth(found):
        if estimated_tokens(_joined(texts, {*kept, index})) <= tokens:
            kept.add(index)
    return head_and_tail(_joined(texts, kept), tokens)


def _by_worth(found: Sequence[IssuePart]) -> list[int]:
    def worth(index: int) -> tuple[bool, bool, int]:
        is_block = found[index].kind is PartForm.BLOCK
        from_ends = min(index, len(found) - 1 - index)
        return index > 0, not is_block, index if is_block else from_ends

    return sorted(range(len(found)), key=worth)


def _shown(part: IssuePart, tokens: int) -> str:
    if part.kind is not PartForm.BLOCK:
        return head_and_tail(part.text, tokens)
    return f"```{part.language}\n{head_and_tail(part.text, tokens)}\n```"


def _joined(texts: Sequence[str], kept: set[int]) -> str:
    """The kept texts in their order, with a mark for each gap."""
    shown: list[str] = []
    for index, text in enumerate(texts):
        if index in kept:
            shown.append(text)
        elif shown[-1:] != [LEFT_OUT]:
            shown.append(LEFT_OUT)
    return "\n\n".join(shown)


def head_and_tail(text: str, tokens: int) -> str:
    """A text without its middle, so that it takes at most so many tokens."""
    if estimated_tokens(text) <= tokens:
        return text
    mark = f"\n{LEFT_OUT}\n"
    size = max(tokens, 0) * CHARACTERS_PER_TOKEN - len(mark)
    while size > 0:
        shown = text[: size // 2] + mark + text[-(size - size // 2) :]
        if estimated_tokens(shown) <= tokens:
            return shown
        size = size * 3 // 4
    return ""


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
