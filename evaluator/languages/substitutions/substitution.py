"""What is another in an example, and how the one becomes the other throughout."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass

WORD = re.compile(r"[A-Za-z]{2,}")
PARTS = re.compile(rf"{WORD.pattern}|\d+")
LETTER = re.compile(r"(?<![\w\\%{:])[A-Za-z](?!\w)")
"""A letter that stands alone and formats nothing."""
WHOLE_NUMBERS = re.compile(r"(?<![\w.])\d+(?![\w.])")
QUOTES = re.compile("['\"]")
BLANKS = re.compile(" ")
_LAYOUT = re.compile(r"[\s'\"\\]+|(?<=\d)\.0(?!\d)")
_COLUMNS = re.compile(r"^(?:E +)?\?[ +^-]*$", re.MULTILINE)
"""What points at columns of the lines above it, which are others where a text is longer."""


class Kind(enum.StrEnum):
    """What is another in an example, in the words in which it is said."""

    WORDS = "other words"
    LONGER_WORDS = "longer words"
    CAPITALS = "words in capitals"
    DIGITS = "words that end in a digit"
    LETTERS = "other letters"
    PIECES = "one piece more"
    EMPTY = "an empty text"
    SAME_WORD = "the same word twice"
    SAME_LETTER = "the same letter twice"
    LENGTHS = "a longer text and its length"
    LONGER_TEXT = "a longer text"
    NUMBERS = "other numbers"
    LONGER_NUMBERS = "longer numbers"
    ANOTHER_NUMBER = "another number"
    ZERO = "a number that is zero"
    HALVES = "numbers with a half"
    SIBLING = "another value that the code lists"
    DECIMALS = "decimals"
    QUOTES = "other quotation marks"
    BLANKS = "more blanks"
    TABS = "tabs"


_PATTERNS: Mapping[Kind, re.Pattern[str]] = {
    Kind.LETTERS: LETTER,
    Kind.SAME_LETTER: LETTER,
    Kind.HALVES: WHOLE_NUMBERS,
    Kind.DECIMALS: WHOLE_NUMBERS,
    Kind.QUOTES: QUOTES,
    Kind.BLANKS: BLANKS,
    Kind.TABS: BLANKS,
}
_IN_NUMBERS = frozenset(
    {Kind.NUMBERS, Kind.LONGER_NUMBERS, Kind.ANOTHER_NUMBER, Kind.ZERO, Kind.HALVES, Kind.LENGTHS}
)
_IN_LAYOUT = frozenset({Kind.DECIMALS, Kind.QUOTES, Kind.BLANKS, Kind.TABS})


@dataclass(frozen=True)
class Substitution:
    """Texts that are replaced by others wherever they stand in an example.

    Substitutions of one `group` try the same thing with different texts.
    """

    kind: Kind
    texts: Mapping[str, str]
    group: str = ""

    def __call__(self, text: str) -> str:
        """A text with the others in it."""
        pattern = _PATTERNS.get(self.kind, PARTS)
        return pattern.sub(lambda found: self.texts.get(found[0], found[0]), text)

    @property
    def reaches_numbers(self) -> bool:
        """Whether numbers of the code are others, too, and not only those within texts."""
        return self.kind in _IN_NUMBERS

    @property
    def is_of_layout(self) -> bool:
        """Whether only how something is written is another."""
        return self.kind in _IN_LAYOUT

    def same(self, message: str, before: str) -> bool:
        """Whether a message says with the other texts what `before` says with the first ones.

        Where only the layout of an example is another it may be the same layout or the other one.
        Numbers must be in it: that nothing was raised, say, may be right for other ones.
        """
        message, before = _COLUMNS.sub("", message), _COLUMNS.sub("", before)
        if not self.is_of_layout:
            said = not self.reaches_numbers or self(before) != before
            return said and message == self(before)
        bare = _LAYOUT.sub("", message)
        return bare in {_LAYOUT.sub("", before), _LAYOUT.sub("", self(before))}

    def __str__(self) -> str:
        pairs = (f"{old!r} as {new!r}" for old, new in list(self.texts.items())[:2])
        return f"{self.kind} ({', '.join(pairs)})"
