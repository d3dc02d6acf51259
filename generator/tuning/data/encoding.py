"""From methods and tests to tokens (thesis, section 5.2, p. 31)."""

from __future__ import annotations

import hashlib
import heapq
import itertools
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import FocalMethod, HumanTest, SplitName
from generator.tuning.data.contexts import soft_context
from generator.tuning.data.dataset_file import MethodSource
from generator.tuning.errors import EmptySplitError
from generator.tuning.models.tokens import TextTokenizer
from generator.unit_tests.code import indented
from generator.unit_tests.prompts import ContextChoice, Prompt, prompt

_LEAST_PROMPT = 32
"""Tokens that a prompt must be allowed to have; pairs with longer tests are left out."""


@dataclass(frozen=True)
class EncodedPair:
    """Tokens of a prompt, of what is to follow it, and of a context for a prompt generator."""

    prompt: Sequence[int]
    target: Sequence[int]
    context: Sequence[int] = ()


@dataclass(frozen=True)
class SoftEncoding:
    """The context that becomes soft tokens: which, by whose tokens, and at most how many."""

    choice: ContextChoice
    tokenizer: TextTokenizer
    most: int


@dataclass(frozen=True)
class _Shown:
    """A prompt and its tokens."""

    prompt: Prompt
    tokens: Sequence[int]


@dataclass(frozen=True)
class PairEncoding:
    """How pairs become tokens; `most` is the length of prompt and test together."""

    tokenizer: TextTokenizer
    hard: ContextChoice
    most: int
    soft: SoftEncoding | None = None

    @property
    def key(self) -> object:
        """What the tokens depend on beside the pairs, as JSON types."""
        soft = self.soft
        return [
            *(self.tokenizer.digest, self.hard.value, self.most),
            None if soft is None else [soft.choice.value, soft.tokenizer.digest, soft.most],
        ]

    def pairs(self, pairs: Iterable[tuple[FocalMethod, HumanTest]]) -> Iterator[EncodedPair]:
        """The pairs whose tests are short enough to leave room for a prompt."""
        for _, same in itertools.groupby(pairs, lambda pair: pair[0].id):
            method, tests = _parted(same)
            # Most of the time goes into prompts, which the tests of a method share.
            shown, context = self._shown(method, self.most), self.context(method)
            for test in tests:
                made = self._pair(method, test, shown, context)
                if len(made.target) + _LEAST_PROMPT <= self.most:
                    yield made

    def _pair(
        self, method: FocalMethod, test: HumanTest, shown: _Shown, context: Sequence[int]
    ) -> EncodedPair:
        target = self._target(shown.prompt, test)
        if len(shown.tokens) + len(target) > self.most:
            shown = self._shown(method, self.most - len(target))
            target = self._target(shown.prompt, test)
        return EncodedPair(shown.tokens, target, context)

    def _shown(self, method: FocalMethod, most: int) -> _Shown:
        made = self.prompt(method, most)
        return _Shown(made, self.tokenizer.encode(made.code))

    def prompt(self, method: FocalMethod, most: int) -> Prompt:
        """The prompt with at most so many tokens."""
        return prompt(method, self.hard, lambda code: len(self.tokenizer.encode(code)) <= most)

    def context(self, method: FocalMethod) -> Sequence[int]:
        """Tokens of the context that becomes soft tokens; none where none is wanted."""
        soft = self.soft
        if soft is None or soft.choice is ContextChoice.NONE:
            return ()
        encode = soft.tokenizer.encode
        text = soft_context(method, soft.choice, lambda code: len(encode(code)) <= soft.most)
        return encode(text)

    def _target(self, shown: Prompt, test: HumanTest) -> Sequence[int]:
        text = f"{indented(test.source, shown.indentation)}\n"
        return (*self.tokenizer.encode(text), self.tokenizer.end)


def _parted(
    pairs: Iterable[tuple[FocalMethod, HumanTest]],
) -> tuple[FocalMethod, Sequence[HumanTest]]:
    """The method of pairs that share it, and their tests."""
    methods, tests = zip(*pairs, strict=True)
    return methods[0], tests


@dataclass(frozen=True)
class SplitPairs:
    """Each test of a split with its method, gone through anew each time.

    Of `most` that is not 0, so many: which they are depends on the texts alone, so that models
    that are shown different things of them are compared by the same ones.
    """

    dataset: MethodSource
    split: SplitName
    most: int = 0

    def __iter__(self) -> Iterator[tuple[FocalMethod, HumanTest]]:
        chosen = self._chosen() if self.most else None
        return (each for each in self._all() if chosen is None or _place(*each) in chosen)

    def _all(self) -> Iterator[tuple[FocalMethod, HumanTest]]:
        for repository, method in self.dataset.methods():
            if repository.split == self.split:
                yield from ((method, test) for test in method.tests)

    def _chosen(self) -> Set[bytes]:
        return {*heapq.nsmallest(self.most, (_place(*each) for each in self._all()))}


def _place(method: FocalMethod, test: HumanTest) -> bytes:
    """Where a pair stands in an order that does not depend on the dataset's."""
    text = f"{method.id}\0{test.name}\0{test.source}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def pairs_of(dataset: MethodSource, split: SplitName, most: int = 0) -> SplitPairs:
    """The tests of a split with their methods. Raises EmptySplitError where there is none."""
    found = SplitPairs(dataset, split, most)
    if next(iter(found), None) is None:
        raise EmptySplitError(
            f"{dataset.name} has no tests in its split {split.value!r}; divide it with "
            "`fixgate tests4j split`, or name another dataset"
        )
    return found
