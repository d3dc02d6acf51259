"""Compares what tests do with other examples, without a change and with it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.diff import Source
from evaluator.execution import RunPair
from evaluator.languages import is_test_file
from evaluator.languages.safeguards import OtherExample
from evaluator.languages.substitutions import Kind
from evaluator.model import Failure, Status, TestOutcome
from evaluator.test_names import function_of
from evaluator.transitions import outcome_before
from evaluator.verdict.evidence import UnmendedExample, reproduces
from evaluator.verification.judged_tests import JudgedTests

_NEEDED: Mapping[Kind, int] = {
    Kind.WORDS: 3,
    Kind.LETTERS: 2,
    Kind.NUMBERS: 2,
    Kind.LONGER_NUMBERS: 2,
    Kind.LENGTHS: 2,
    Kind.SIBLING: 2,
}
"""Examples that must show the bug before one of their kind counts; one is enough of the others."""
_USUAL: Mapping[Kind, Kind] = {
    Kind.LONGER_WORDS: Kind.WORDS,
    Kind.DIGITS: Kind.WORDS,
    Kind.PIECES: Kind.WORDS,
    Kind.EMPTY: Kind.WORDS,
    Kind.SAME_WORD: Kind.WORDS,
    Kind.SAME_LETTER: Kind.LETTERS,
    Kind.HALVES: Kind.NUMBERS,
    Kind.ZERO: Kind.ANOTHER_NUMBER,
}
"""Kinds that are special, and say nothing unless the change mends a usual example, of these kinds.

Zero may be no size, and a name may have no digits: then no example of the kind shows the bug.
"""
_CONTROLS = frozenset({Kind.ANOTHER_NUMBER, Kind.LONGER_TEXT})
"""Kinds that are there to tell what others say, and say nothing themselves."""
_BY_WORDS = frozenset(
    {Kind.WORDS, Kind.LONGER_WORDS, Kind.CAPITALS, Kind.LENGTHS, Kind.LONGER_TEXT}
)
_RAISING = re.compile(rb"(?:^|[\s:;{})])(?:raise|throw)\s")
_YES_OR_NO = re.compile(
    r"\W*(?:(?:expect\w*|assert\w*|but|was|found|got|is|not|to|be|value|true|false|null|none)\b\W*)*",
    re.IGNORECASE,
)
"""What a failure says where it only wanted yes and got no, which may be right for others."""
_EXPLANATION = re.compile(r"^ *\+ +(?:where|and) .*$", re.MULTILINE)
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
_Place = tuple[str, str, int]
"""The path and the function in which a test fails; in the test's own, "" and how far below."""


@dataclass(frozen=True)
class _Tried:
    """A test function, by its file, and the kind and group of examples that it was tried with."""

    path: str
    function: str
    kind: Kind
    group: str

    def counts(self, shown: int, mended: Collection[_Tried]) -> bool:
        """Whether as many examples that show the bug say something, given what is mended.

        Where a longer text alone is mended, the number beside it is not its length.
        """
        if self.kind in _CONTROLS:
            return False
        if self.kind is Kind.LENGTHS and self._with(Kind.LONGER_TEXT) in mended:
            return False
        if self.kind not in _USUAL:
            return shown >= _NEEDED.get(self.kind, 1)
        usual = self._with(_USUAL[self.kind])
        return usual in mended or dataclasses.replace(usual, group="") in mended

    def _with(self, kind: Kind) -> _Tried:
        return dataclasses.replace(self, kind=kind)


@dataclass(frozen=True)
class _Shown:
    """An example that shows the bug, and how its test ends on both sides of the change."""

    example: OtherExample
    before: TestOutcome
    after: TestOutcome | None

    @property
    def mended(self) -> bool:
        """Whether the test passes with the change."""
        return self.after is not None and self.after.status is Status.PASSED

    @property
    def left(self) -> bool:
        """Whether the test fails with the change just as without it."""
        if self.after is None or not self.after.status.fails:
            return False
        before, after = self.before.failure, self.after.failure
        if before is None or after is None:
            return False
        alike = before.exception_type == after.exception_type
        return alike and _message(before) == _message(after)


class Comparison:
    """Compares what tests do with other examples with what they do with their own."""

    def __init__(
        self, tests: JudgedTests, pair: RunPair, examples: Sequence[OtherExample], source: Source
    ) -> None:
        self._pair = pair
        self._source = source
        self._examples = {(each.path, each.function): each for each in examples}
        self._originals: dict[tuple[str, str], dict[str, Failure]] = {}
        for t in tests.judgement.transitions:
            failure = outcome_before(t).failure
            if reproduces(t) and failure is not None:
                self._originals.setdefault((t.file, function_of(t.test)), {})[t.test] = failure

    def unmended(self) -> Iterator[UnmendedExample]:
        """The tests with the first example of each kind that the change leaves as it is."""
        shown = self._shown()
        mended = {tried for tried, found in shown.items() if any(each.mended for each in found)}
        for tried, found in shown.items():
            if tried.counts(len(found), mended) and all(each.left for each in found):
                test = min(self._originals[tried.path, tried.function])
                yield UnmendedExample(test, str(found[0].example.substitution))

    def _shown(self) -> Mapping[_Tried, Sequence[_Shown]]:
        """The examples with which tests fail without the change as with their own."""
        shown: dict[_Tried, list[_Shown]] = {}
        for test, outcome in self._pair.base.outcomes.items():
            example = self._examples.get((outcome.file, function_of(test)))
            if example is not None and self._shows(outcome, example):
                kind, group = example.substitution.kind, example.substitution.group
                tried = _Tried(example.path, example.original, kind, group)
                after = self._pair.fixed.outcomes.get(test)
                shown.setdefault(tried, []).append(_Shown(example, outcome, after))
        return shown

    def _shows(self, outcome: TestOutcome, example: OtherExample) -> bool:
        """Whether a test fails without the change as it does there with its own example.

        Words are replaced in what a test gives and in what it expects alike: where it fails in the
        same line of its own, it is for the same reason.
        """
        failure = outcome.failure
        if not outcome.status.fails or failure is None or _in_a_helper(failure, example):
            return False
        if self._is_refused(failure, example) or _is_yes_or_no(failure):
            return False
        for original in self._originals.get((example.path, example.original), {}).values():
            if _in_the_same_place(failure, original, example):
                by_words = example.substitution.kind in _BY_WORDS
                if by_words and _in_own_code(failure, example) and self._is_executed(outcome.test):
                    return True
                if example.substitution.same(_message(failure), _message(original)):
                    return True
        return False

    def _is_refused(self, failure: Failure, example: OtherExample) -> bool:
        """Whether the project raises the exception on purpose, as it may rightly for others.

        Where the check of one number is mended, another one need not pass it; a quotation mark that
        the code knows as such is as good as the other one.
        """
        if example.substitution.kind is Kind.QUOTES:
            return False
        if failure.frame is None or is_test_file(failure.frame.path):
            return False
        lines = (self._source(failure.frame.path) or b"").splitlines()
        line = lines[failure.frame.line - 1 : failure.frame.line]
        return any(map(_RAISING.search, line))

    def _is_executed(self, test: str) -> bool:
        """Whether a test executes a line that the change adds or removes."""
        sides = (self._pair.base, self._pair.fixed)
        return any(run.contexts.get(test) for run in sides)


def _is_yes_or_no(failure: Failure) -> bool:
    return _YES_OR_NO.fullmatch(_EXPLANATION.sub("", failure.message)) is not None


def _message(failure: Failure) -> str:
    """Without the addresses of objects in what pytest adds on how values came about.

    They are others in each run. Where such an object is the value itself, nobody sees what it is.
    """
    return _EXPLANATION.sub(lambda line: _ADDRESS.sub("*", line[0]), failure.message)


def _in_the_same_place(failure: Failure, original: Failure, example: OtherExample) -> bool:
    """Whether a copy fails where the function does that it is a copy of, by the same exception."""
    return failure.exception_type == original.exception_type and _place(
        failure, example.function, example.line
    ) == _place(original, example.original, example.original_line)


def _in_own_code(failure: Failure, example: OtherExample) -> bool:
    return failure.frame is not None and failure.frame.function == example.function


def _in_a_helper(failure: Failure, example: OtherExample) -> bool:
    """Whether a test fails in what others use, too: it may do so there for many reasons."""
    frame = failure.frame
    return frame is None or (is_test_file(frame.path) and not _in_own_code(failure, example))


def _place(failure: Failure, function: str, line: int) -> _Place | None:
    """Where a test fails that is a function which begins at a line; None where that is unknown."""
    frame = failure.frame
    if frame is None:
        return None
    if frame.function == function:
        return frame.path, "", frame.line - line
    return frame.path, frame.function, 0
