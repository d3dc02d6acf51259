"""What an example consists of, and which parts of it mean nothing to the code."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluator.languages.substitutions.substitution import LETTER, PARTS, WORD


@dataclass(frozen=True)
class ExampleParts:
    """The `texts` of a test and its `numbers` as they are written.

    The `vocabulary` (in small letters) means something to the code.
    """

    texts: Sequence[str]
    numbers: Sequence[str]
    vocabulary: Collection[str]

    @cached_property
    def parts(self) -> frozenset[str]:
        """The words and numbers within texts."""
        return frozenset(part for text in self.texts for part in PARTS.findall(text))

    @cached_property
    def numbers_in_texts(self) -> frozenset[str]:
        """Those of the parts that are numbers."""
        return frozenset(part for part in self.parts if part.isdigit())

    @cached_property
    def words(self) -> list[str]:
        """All words, sorted."""
        return sorted(self.parts - self.numbers_in_texts)

    @cached_property
    def free_words(self) -> list[str]:
        """Those that mean nothing to the code."""
        return [word for word in self.words if word.lower() not in self.vocabulary]

    @cached_property
    def free_numbers(self) -> list[str]:
        """The numbers, in texts and in code, that do not stand in the code, by their digits."""
        in_code = {part for number in self.numbers for part in re.findall(r"\d+", number)}
        return sorted((self.numbers_in_texts | in_code).difference(self.vocabulary))

    @cached_property
    def free_letters(self) -> list[str]:
        """Letters that stand alone and mean nothing to the code, sorted.

        None that is a part of a word, too: the example may be about the letters of words.
        """
        words = {letter for text in self.texts for word in WORD.findall(text) for letter in word}
        found = {letter for text in self.texts for letter in LETTER.findall(text)}
        taken = {letter.lower() for letter in words}
        return sorted(
            letter
            for letter in found
            if letter.lower() not in taken and letter.lower() not in self.vocabulary
        )
