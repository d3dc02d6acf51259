"""Other numbers in an example."""

from __future__ import annotations

import itertools
import random
import string
from collections import Counter
from collections.abc import Iterator

from evaluator.languages.substitutions.parts import ExampleParts
from evaluator.languages.substitutions.substitution import PARTS, WHOLE_NUMBERS, Kind, Substitution

_OTHER_NUMBERS = 3
_LONGER_NUMBERS = 2
_MOST_ZEROS = 3
_TWICE = 2
_DRAWN = 200_000
"""Of numbers with more digits, no more are drawn from."""
_MOST_DIGITS = 15
"""What has more is no quantity, and too long to be counted with."""


def other_numbers(example: ExampleParts) -> Iterator[Substitution]:
    """Numbers of as many digits in the same order: what is less than another one still is."""
    for seed in range(_OTHER_NUMBERS):
        chance = random.Random(seed)  # noqa: S311 - the same numbers in each run
        by_length = itertools.groupby(sorted(example.free_numbers, key=len), key=len)
        found: dict[str, str] = {}
        for length, numbers in by_length:
            found |= _in_order([n for n in numbers if n not in ("0", "1")], length, chance)
        if found := {number: new for number, new in found.items() if new != number}:
            yield Substitution(Kind.NUMBERS, found)


def _in_order(numbers: list[str], digits: int, chance: random.Random) -> dict[str, str]:
    """As many others, in order; nothing where there are not enough. 0 and 1 are none of them."""
    if digits > _MOST_DIGITS:
        return {}
    first = max(2, 10 ** (digits - 1))
    others = range(first, min(10**digits, first + _DRAWN))
    if len(numbers) > len(others):
        return {}
    drawn = map(str, sorted(chance.sample(others, len(numbers))))
    return dict(zip(sorted(numbers), drawn, strict=True))


def longer_numbers(example: ExampleParts) -> Iterator[Substitution]:
    """Numbers with another digit behind them."""
    for seed in range(_LONGER_NUMBERS):
        chance = random.Random(seed)  # noqa: S311 - the same numbers in each run
        numbers = [number for number in example.free_numbers if number != "0"]
        if found := {number: number + chance.choice(string.digits) for number in numbers}:
            yield Substitution(Kind.LONGER_NUMBERS, found)


def zeros(example: ExampleParts) -> Iterator[Substitution]:
    """Zero in place of a number that stands there several times: given, and expected.

    And another number, to see whether it is free to be chosen: it may be the size of something.
    """
    in_texts = [part for text in example.texts for part in PARTS.findall(text)]
    standing = Counter([*in_texts, *example.numbers])
    twice = [n for n in example.free_numbers if n != "0" and standing[n] >= _TWICE]
    for number in twice[:_MOST_ZEROS]:
        other = next(new for new in map(str, itertools.count(7)) if new not in standing)
        yield Substitution(Kind.ANOTHER_NUMBER, {number: other}, number)
        yield Substitution(Kind.ZERO, {number: "0"}, number)


def halves(example: ExampleParts) -> Iterator[Substitution]:
    """A half more for all numbers of the code, where all are whole and none is in a text."""
    whole = all(number.isdigit() for number in example.numbers)
    if example.numbers and whole and not example.numbers_in_texts:
        yield Substitution(Kind.HALVES, {number: f"{number}.5" for number in example.numbers})


def decimals(example: ExampleParts) -> Iterator[Substitution]:
    """Whole numbers within texts as decimals."""
    whole = {number for text in example.texts for number in WHOLE_NUMBERS.findall(text)}
    if whole:
        yield Substitution(Kind.DECIMALS, {number: f"{number}.0" for number in sorted(whole)})
