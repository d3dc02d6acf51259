"""Other words and letters in an example."""

from __future__ import annotations

import itertools
import random
import re
import string
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from evaluator.languages.substitutions.parts import ExampleParts
from evaluator.languages.substitutions.substitution import LETTER, PARTS, Kind, Substitution

_OTHER_WORDS = 4
_LONGER_WORDS = 2
_MORE_LETTERS = 5
_LONGER_TEXTS = (1, 2)
"""By how many letters a word is longer, and with it a text whose length is in the example."""
_OF_EACH = 2
_MOST_LONGER_WORDS = 3
_MOST_SPECIAL = 3
_MOST_ALIKE = 3
_MOST_SIBLINGS = 3
_MOST_WITH_SIBLINGS = 2
_OTHER_LETTERS = 2
_TWICE = 2
_BEHIND_A_SIGN = re.compile(r"(?<=\w)([^\w\s'\"\\])([A-Za-z]{2,})(?!\w)")


def other_words(example: ExampleParts) -> Iterator[Substitution]:
    """Words of the same length."""
    return _words_longer_by(0, Kind.WORDS, example, range(_OTHER_WORDS))


def longer_words(example: ExampleParts) -> Iterator[Substitution]:
    """Words with a few letters more, where no number of the example may be a width."""
    if not {*example.numbers, *example.numbers_in_texts} <= {"0", "1"}:
        return iter(())
    return _words_longer_by(_MORE_LETTERS, Kind.LONGER_WORDS, example, range(_LONGER_WORDS))


def _words_longer_by(
    letters: int, kind: Kind, example: ExampleParts, seeds: range
) -> Iterator[Substitution]:
    words = example.free_words
    for seed in seeds if words else ():
        chance = random.Random(seed)  # noqa: S311 - the same words in each run
        others = {word: _word(len(word) + letters, chance) for word in _small(words)}
        yield Substitution(kind, _in_all_cases(words, others))


def capitals(example: ExampleParts) -> Iterator[Substitution]:
    """Nothing where a word stands in two ways: its letters may be what the example is about."""
    words = example.free_words
    small = {word: word.upper() for word in words if word.islower()}
    if small and len(_small(words)) == len(words):
        yield Substitution(Kind.CAPITALS, small)


def digits(example: ExampleParts) -> Iterator[Substitution]:
    """Words that are no words for who asks for letters alone."""
    chance = random.Random(0)  # noqa: S311 - the same words in each run
    words = example.free_words
    others = {w: _word(len(w) - 1, chance) + chance.choice("2345679") for w in _small(words)}
    if words:
        yield Substitution(Kind.DIGITS, _in_all_cases(words, others))


def other_letters(example: ExampleParts) -> Iterator[Substitution]:
    """Other letters in the same order, for those that stand alone."""
    small = _small(example.free_letters)
    used = set(small).union(example.vocabulary, *(text.lower() for text in example.texts))
    unused = [letter for letter in string.ascii_lowercase if letter not in used]
    for seed in range(_OTHER_LETTERS if small and len(unused) >= len(small) else 0):
        chance = random.Random(seed)  # noqa: S311 - the same letters in each run
        others = dict(zip(small, sorted(chance.sample(unused, len(small))), strict=True))
        yield Substitution(Kind.LETTERS, _in_all_cases(example.free_letters, others))


def pieces(example: ExampleParts) -> Iterator[Substitution]:
    """A word with another one behind it, after the sign that stands before it.

    Only where it stands so in several texts: what is given and what is expected of it.
    """
    chance = random.Random(0)  # noqa: S311 - the same words in each run
    found = Counter(pair for text in example.texts for pair in set(_BEHIND_A_SIGN.findall(text)))
    signs = {word: sign for (sign, word), texts in found.items() if texts >= _TWICE}
    for word in _first(word for word in example.free_words if word in signs):
        longer = word + signs[word] + _cased(_word(len(word), chance), word)
        yield Substitution(Kind.PIECES, {word: longer}, word)


def empty(example: ExampleParts) -> Iterator[Substitution]:
    """Nothing in place of a word that is a text of its own, several times."""
    standing = Counter(example.texts)
    for word in _first(word for word in example.free_words if standing[word] >= _TWICE):
        yield Substitution(Kind.EMPTY, {word: ""}, word)


def _first(words: Iterable[str]) -> Iterator[str]:
    return itertools.islice(words, _MOST_SPECIAL)


def alike(example: ExampleParts) -> Iterator[Substitution]:
    """One word, or letter, in place of another one: what differed is twice the same.

    Of those that stand in several texts: in what is given and in what is expected of it.
    """
    texts = ({*PARTS.findall(text), *LETTER.findall(text)} for text in example.texts)
    standing = Counter(part for parts in texts for part in parts)
    for kind, parts in (
        (Kind.SAME_WORD, example.free_words),
        (Kind.SAME_LETTER, example.free_letters),
    ):
        several = [part for part in parts if standing[part] >= _TWICE]
        for kept, other in itertools.islice(itertools.combinations(several, 2), _MOST_ALIKE):
            yield Substitution(kind, {other: kept}, f"{other}={kept}")


def other_lengths(example: ExampleParts) -> Iterator[Substitution]:
    """Another word that is longer, and with it each number that is the length of a text with it.

    And the longer word alone, to see whether the number is that length, or so large by accident.
    """
    measured = [text for text in example.texts if str(len(text)) in example.free_numbers]
    held = {part for text in measured for part in PARTS.findall(text)}
    longer_words = [word for word in example.free_words if word in held][:_MOST_LONGER_WORDS]
    tries = itertools.product(longer_words, _LONGER_TEXTS, range(_OF_EACH))
    for word, added, seed in tries:
        chance = random.Random(seed)  # noqa: S311 - the same words in each run
        longer = {word: _cased(_word(len(word) + added, chance), word)}
        made = Substitution(Kind.LENGTHS, longer)
        lengths = {(str(len(text)), str(len(made(text)))) for text in measured}
        found = {old: new for old, new in lengths if old != new}
        if found and found.items() == {pair for pair in lengths if pair[0] in found}:
            group = f"{word}+{added}"
            yield Substitution(Kind.LENGTHS, {**longer, **found}, group)
            if seed == 0:
                yield Substitution(Kind.LONGER_TEXT, longer, group)


def other_siblings(
    example: ExampleParts, siblings: Mapping[str, Collection[str]]
) -> Iterator[Substitution]:
    """Words that the code lists beside those of the example."""
    for word in [word for word in example.words if word in siblings][:_MOST_WITH_SIBLINGS]:
        others = [other for other in siblings[word] if other not in example.parts]
        for other in others[:_MOST_SIBLINGS]:
            yield Substitution(Kind.SIBLING, {word: other}, word)


def _word(length: int, chance: random.Random) -> str:
    """A word that can be pronounced."""
    letters = ("bcdfghjklmnpqrtvwz", "aeiou")
    return "".join(chance.choice(letters[place % 2]) for place in range(length))


def _small(words: Collection[str]) -> list[str]:
    return sorted({word.lower() for word in words})


def _in_all_cases(words: Collection[str], others: Mapping[str, str]) -> dict[str, str]:
    return {word: _cased(others[word.lower()], word) for word in words}


def _cased(new: str, word: str) -> str:
    """A word in capitals where another one is: what makes one of the other still does."""
    if word.isupper():
        return new.upper()
    return new.capitalize() if word[0].isupper() else new
