"""Other examples of the same kind: words, numbers and signs of an example replaced throughout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from evaluator.languages.substitutions.addresses import addresses_in, with_addresses
from evaluator.languages.substitutions.numbers import (
    decimals,
    halves,
    longer_numbers,
    other_numbers,
    zeros,
)
from evaluator.languages.substitutions.parts import ExampleParts
from evaluator.languages.substitutions.substitution import (
    LETTER,
    PARTS,
    QUOTES,
    WORD,
    Kind,
    Substitution,
)
from evaluator.languages.substitutions.words import (
    alike,
    capitals,
    digits,
    empty,
    longer_words,
    other_lengths,
    other_letters,
    other_siblings,
    other_words,
    pieces,
)

__all__ = ["LETTER", "PARTS", "WORD", "Kind", "Substitution", "substitutions"]

_WAYS = (
    *(other_words, longer_words, capitals, digits, other_letters, alike, pieces, empty),
    *(other_numbers, longer_numbers, zeros, halves, other_lengths),
)


def substitutions(
    texts: Iterable[str],
    numbers: Iterable[str],
    vocabulary: Collection[str],
    siblings: Mapping[str, Collection[str]],
    in_data: Collection[str] = (),
) -> Iterator[Substitution]:
    """Ways to make an example another one of the same kind.

    `texts` are those of the example, `numbers` its numbers as they are written. Words, letters and
    numbers of the `vocabulary` (in small letters) mean something to the code and stay, but for
    those that it lists beside `siblings`, which are alike. One quotation mark stands for the other
    where it knows both of them: what never knew any may mean one alone, as CSV does.
    What stands in data that the example is read from stays, and so does all layout. An internet
    address is another address, or stays.
    """
    example = ExampleParts(tuple(texts), tuple(numbers), {*vocabulary, *in_data})
    free = {word: others for word, others in siblings.items() if word.lower() not in in_data}
    addresses = addresses_in(example.texts)
    for substitution in _substitutions(example, free, with_layout=not in_data):
        yield from with_addresses(substitution, addresses)


def _substitutions(
    example: ExampleParts, siblings: Mapping[str, Collection[str]], *, with_layout: bool
) -> Iterator[Substitution]:
    for way in _WAYS:
        yield from way(example)
    yield from other_siblings(example, siblings)
    if with_layout:
        yield from decimals(example)
        yield from _other_signs(example)


def _other_signs(example: ExampleParts) -> Iterator[Substitution]:
    known = "'" in example.vocabulary and '"' in example.vocabulary
    if known and any(map(QUOTES.search, example.texts)):
        yield Substitution(Kind.QUOTES, {"'": '"', '"': "'"})
    # A blank on its own is no layout, but a thing of which there is one.
    alone = any(text and not text.strip(" ") for text in example.texts)
    if not alone and any(" " in text.strip() for text in example.texts):
        yield Substitution(Kind.BLANKS, {" ": "  "})
        yield Substitution(Kind.TABS, {" ": "\t"})
