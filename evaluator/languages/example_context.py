"""What surrounds the examples of tests, so that parts of these are not free to be others."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.languages.named_data import NamedData
from evaluator.languages.substitutions import Substitution, substitutions
from evaluator.languages.vocabulary import words_of_examples


@dataclass(frozen=True)
class ExampleContext:
    """The words (in small letters) that mean something to the code, and the data of tests.

    `siblings` are words that the code lists, each with those beside it; `beside` the texts of a
    test file that are in none of its tests.
    """

    vocabulary: frozenset[str]
    siblings: Mapping[str, Collection[str]]
    data: NamedData
    beside: Sequence[str] = ()

    def of_file(self, names: frozenset[str], beside: Iterable[str]) -> ExampleContext:
        """The context of a test file that uses some names, and has texts beside its tests."""
        texts = tuple(beside)
        words = self.vocabulary | names | words_of_examples(texts)
        return dataclasses.replace(self, vocabulary=words, beside=texts)

    def substitutions(
        self, texts: Sequence[str], numbers: Sequence[str], kept: Sequence[str] = ()
    ) -> Iterator[Substitution]:
        """Ways to make the example of a test of the file another one, as `substitutions` says.

        `kept` are texts of the test that stay as they are.
        """
        in_data = self.data.words((*texts, *kept, *self.beside))
        return substitutions(texts, numbers, self.vocabulary, self.siblings, in_data)
