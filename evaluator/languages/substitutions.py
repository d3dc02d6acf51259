"""Other examples of the same kind: words, numbers and signs of an example replaced throughout."""

from __future__ import annotations

import enum
import itertools
import random
import re
import string
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

WORD = re.compile(r"[A-Za-z]{2,}")
_PARTS = re.compile(rf"{WORD.pattern}|\d+")
_WHOLE_NUMBERS = re.compile(r"(?<![\w.])\d+(?![\w.])")
_QUOTES = re.compile("['\"]")
_BLANKS = re.compile(" ")
_LAYOUT = re.compile(r"[\s'\"\\]+|(?<=\d)\.0(?!\d)")
_COLUMNS = re.compile(r"^(?:E +)?\?[ +^-]*$", re.MULTILINE)
"""What points at columns of the lines above it, which are others where a text is longer."""
_SAME_LENGTH = 3
_LONGER = 1
_OTHER_NUMBERS = 3
_LONGER_NUMBERS = 2
_LONGER_TEXTS = (1, 2)
"""By how many letters a word is longer, and with it a text whose length is in the example."""
_OF_EACH = 2
_MOST_LONGER_WORDS = 3
_MOST_SIBLINGS = 3
_MOST_WITH_SIBLINGS = 2


class Kind(enum.StrEnum):
    """What is another in an example, in the words in which it is said."""

    WORDS = "other words"
    NUMBERS = "other numbers"
    LONGER_NUMBERS = "longer numbers"
    LENGTHS = "a longer text and its length"
    CAPITALS = "words in capitals"
    DECIMALS = "decimals"
    SIBLING = "another value that the code lists"
    QUOTES = "other quotation marks"
    BLANKS = "more blanks"
    TABS = "tabs"


_PATTERNS: Mapping[Kind, re.Pattern[str]] = {
    Kind.DECIMALS: _WHOLE_NUMBERS,
    Kind.QUOTES: _QUOTES,
    Kind.BLANKS: _BLANKS,
    Kind.TABS: _BLANKS,
}
_IN_NUMBERS = frozenset({Kind.NUMBERS, Kind.LONGER_NUMBERS, Kind.LENGTHS})
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
        pattern = _PATTERNS.get(self.kind, _PARTS)
        return pattern.sub(lambda found: self.texts.get(found[0], found[0]), text)

    @property
    def reaches_numbers(self) -> bool:
        """Whether numbers of the code are others, too, and not only those within texts."""
        return self.kind in _IN_NUMBERS

    def same(self, message: str, before: str) -> bool:
        """Whether a message says with the other texts what `before` says with the first ones.

        Where only the layout of an example is another it may be the same layout or the other one.
        Numbers must be in it: that nothing was raised, say, may be right for other ones.
        """
        message, before = _COLUMNS.sub("", message), _COLUMNS.sub("", before)
        if self.kind not in _IN_LAYOUT:
            said = not self.reaches_numbers or self(before) != before
            return said and message == self(before)
        bare = _LAYOUT.sub("", message)
        return bare in {_LAYOUT.sub("", before), _LAYOUT.sub("", self(before))}

    def __str__(self) -> str:
        pairs = (f"{old!r} as {new!r}" for old, new in list(self.texts.items())[:2])
        return f"{self.kind} ({', '.join(pairs)})"


def substitutions(
    texts: Iterable[str],
    numbers: Iterable[str],
    vocabulary: Collection[str],
    siblings: Mapping[str, Collection[str]],
) -> Iterator[Substitution]:
    """Ways to make an example another one of the same kind.

    `texts` are those of the example, `numbers` its numbers as they are written. Words and numbers
    of the `vocabulary` (in small letters) mean something to the code and stay, but for those that
    it lists beside `siblings`, which are alike. One quotation mark stands for the other where it
    knows both of them, or neither.
    """
    held = list(texts)
    parts = {part for text in held for part in _PARTS.findall(text)}
    digits = {part for part in parts if part.isdigit()}
    digits |= {part for number in numbers for part in re.findall(r"\d+", number)}
    words = sorted(parts - digits)
    free = [word for word in words if word.lower() not in vocabulary]
    numbers_of_example = digits.difference(vocabulary)
    yield from _other_words(free)
    yield from _capitals(free)
    yield from _other_numbers(sorted(numbers_of_example))
    yield from _other_lengths(held, free, numbers_of_example)
    yield from _siblings([word for word in words if word in siblings], parts, siblings)
    yield from _other_layouts(held, vocabulary)


def _other_words(words: list[str]) -> Iterator[Substitution]:
    for seed in range(_SAME_LENGTH + _LONGER if words else 0):
        chance = random.Random(seed)  # noqa: S311 - the same words in each run
        added = 2 if seed >= _SAME_LENGTH else 0
        small = sorted({word.lower() for word in words})
        others = {word: _word(len(word) + added, chance) for word in small}
        yield Substitution(Kind.WORDS, {word: _cased(others[word.lower()], word) for word in words})


def _capitals(words: list[str]) -> Iterator[Substitution]:
    """Nothing where a word stands in two ways: its letters may be what the example is about."""
    small = {word: word.upper() for word in words if word.islower()}
    if small and len({word.lower() for word in words}) == len(words):
        yield Substitution(Kind.CAPITALS, small)


def _other_lengths(
    texts: list[str], words: list[str], numbers: Collection[str]
) -> Iterator[Substitution]:
    """Another word that is longer, and with it each number that is the length of a text with it."""
    measured = [text for text in texts if str(len(text)) in numbers]
    held = {part for text in measured for part in _PARTS.findall(text)}
    longer_words = [word for word in words if word in held][:_MOST_LONGER_WORDS]
    tries = itertools.product(longer_words, _LONGER_TEXTS, range(_OF_EACH))
    for word, added, seed in tries:
        chance = random.Random(seed)  # noqa: S311 - the same words in each run
        longer = {word: _cased(_word(len(word) + added, chance), word)}
        made = Substitution(Kind.LENGTHS, longer)
        lengths = {(str(len(text)), str(len(made(text)))) for text in measured}
        found = {old: new for old, new in lengths if old != new}
        if found and found.items() == {pair for pair in lengths if pair[0] in found}:
            yield Substitution(Kind.LENGTHS, {**longer, **found}, f"{word}+{added}")


def _word(length: int, chance: random.Random) -> str:
    """A word that can be pronounced."""
    letters = ("bcdfghjklmnpqrtvwz", "aeiou")
    return "".join(chance.choice(letters[place % 2]) for place in range(length))


def _cased(new: str, word: str) -> str:
    """A word in capitals where another one is: what makes one of the other still does."""
    if word.isupper():
        return new.upper()
    return new.capitalize() if word[0].isupper() else new


def _other_numbers(digits: list[str]) -> Iterator[Substitution]:
    tries: tuple[tuple[Kind, int, Callable[[str, random.Random], str]], ...] = (
        (Kind.NUMBERS, _OTHER_NUMBERS, _number),
        (Kind.LONGER_NUMBERS, _LONGER_NUMBERS, _longer_number),
    )
    for kind, count, other in tries:
        for seed in range(count):
            chance = random.Random(seed)  # noqa: S311 - the same numbers in each run
            made = {number: other(number, chance) for number in digits}
            found = {number: new for number, new in made.items() if new != number}
            if found:
                yield Substitution(kind, found)


def _number(number: str, chance: random.Random) -> str:
    """Another number of as many digits; 0 and 1 stay as they are."""
    if len(number) == 1:
        return number if number in "01" else chance.choice("23456789")
    return chance.choice("123456789") + "".join(chance.choice(string.digits) for _ in number[1:])


def _longer_number(number: str, chance: random.Random) -> str:
    return number if number == "0" else number + chance.choice(string.digits)


def _siblings(
    words: list[str], parts: Collection[str], siblings: Mapping[str, Collection[str]]
) -> Iterator[Substitution]:
    for word in words[:_MOST_WITH_SIBLINGS]:
        others = [other for other in siblings[word] if other not in parts]
        for other in others[:_MOST_SIBLINGS]:
            yield Substitution(Kind.SIBLING, {word: other}, word)


def _other_layouts(texts: list[str], vocabulary: Collection[str]) -> Iterator[Substitution]:
    whole = {number for text in texts for number in _WHOLE_NUMBERS.findall(text)}
    if whole:
        decimals = {number: f"{number}.0" for number in sorted(whole)}
        yield Substitution(Kind.DECIMALS, decimals)
    alike = ("'" in vocabulary) == ('"' in vocabulary)
    if alike and any(map(_QUOTES.search, texts)):
        yield Substitution(Kind.QUOTES, {"'": '"', '"': "'"})
    if any(" " in text.strip() for text in texts):
        yield Substitution(Kind.BLANKS, {" ": "  "})
        yield Substitution(Kind.TABS, {" ": "\t"})
