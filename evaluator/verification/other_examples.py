"""Runs reproducing tests with other examples of the same kind, without the change and with it.

A change may handle what the example is, and not what it is an example of: its words, its numbers,
its quotation marks. Nobody knows what is right for another example; but where a test fails on the
base just as it does with its own example, and with the change exactly as on the base, it shows the
same bug, and the change does not mend it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evaluator.diff import Changes, Source
from evaluator.execution import Executor, RunPair, Subject
from evaluator.languages import is_test_file
from evaluator.languages.safeguards import OtherExample
from evaluator.languages.substitutions import Kind
from evaluator.model import Failure, Status, TestOutcome
from evaluator.test_names import function_of
from evaluator.transitions import outcome_before
from evaluator.verdict.evidence import UnmendedExample, reproduces
from evaluator.verification.judged_tests import SHORTEST_BUDGET, JudgedTests

MOST = 5
"""Test functions that run with other examples."""
_NEEDED: Mapping[Kind, int] = {
    Kind.WORDS: 3,
    Kind.NUMBERS: 2,
    Kind.LONGER_NUMBERS: 2,
    Kind.LENGTHS: 2,
    Kind.SIBLING: 2,
}
"""Examples that must show the bug before one of their kind counts; one is enough of the others."""
_BY_WORDS = frozenset({Kind.WORDS, Kind.CAPITALS, Kind.LENGTHS})
_RAISING = re.compile(rb"(?:^|[\s:;{})])(?:raise|throw)\s")
_YES_OR_NO = re.compile(
    r"\W*(?:(?:expect\w*|assert\w*|but|was|found|got|is|not|to|be|value|true|false|null|none)\b\W*)*",
    re.IGNORECASE,
)
"""What a failure says where it only wanted yes and got no, which may be right for others."""
_Place = tuple[str, str, int]
"""The path and the function in which a test fails; in the test's own, "" and how far below."""


def unmended_examples(
    executor: Executor, subject: Subject, sets: Iterable[JudgedTests]
) -> tuple[UnmendedExample, ...]:
    """The reproducing tests that show the same bug with other examples, with the change too.

    That is where each example of a kind that shows the bug at all shows it with the change. One run
    on each side for a set of tests. Raises SandboxError.
    """
    return tuple(found for tests in sets for found in _unmended(executor, subject, tests))


def _unmended(
    executor: Executor, subject: Subject, tests: JudgedTests
) -> Iterator[UnmendedExample]:
    functions = _functions(tests)
    if not functions:
        return
    read = tests.tests.overlaid(subject.fix.overlaid(subject.source))
    made = subject.language.safeguards.other_examples(
        functions, read, subject.fix.contents, subject.pristine
    )
    if not made.examples:
        return
    changes = tests.tests.merged(Changes(made.contents))
    pair = executor.both(
        subject,
        changes,
        tuple(sorted(made.contents)),
        only=frozenset(_names(tests, made.examples)),
        seconds=max(SHORTEST_BUDGET, tests.seconds),
    )
    yield from _Comparison(tests, pair, made.examples, subject.source).unmended()


def _functions(tests: JudgedTests) -> Mapping[str, frozenset[str]]:
    """The first functions of the reproducing tests, by their files."""
    judged = tests.judgement.files
    names = [(file, function_of(t)) for t, file in tests.reproducing.items() if file in judged]
    found: dict[str, frozenset[str]] = {}
    for file, function in list(dict.fromkeys(names))[:MOST]:
        found[file] = found.get(file, frozenset()) | {function}
    return found


def _names(tests: JudgedTests, examples: Iterable[OtherExample]) -> Iterator[str]:
    """The names of the tests that the copies are; a function stands for all its cases."""
    copies: dict[tuple[str, str], list[str]] = {}
    for each in examples:
        copies.setdefault((each.path, each.original), []).append(each.function)
    for test, file in tests.reproducing.items():
        original = function_of(test)
        before, _, after = test.partition("[")[0].rpartition(original)
        yield from (f"{before}{copy}{after}" for copy in copies.get((file, original), ()))


class _Comparison:
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
        shown: dict[tuple[str, str, Kind, str], list[tuple[OtherExample, bool]]] = {}
        for test, outcome in self._pair.base.outcomes.items():
            example = self._examples.get((outcome.file, function_of(test)))
            if example is not None and self._shows(outcome, example):
                kind = example.substitution.kind
                key = (example.path, example.original, kind, example.substitution.group)
                pair = (example, self._same_with_change(outcome))
                shown.setdefault(key, []).append(pair)
        for (path, original, kind, _), pairs in shown.items():
            if len(pairs) >= _NEEDED.get(kind, 1) and all(left for _, left in pairs):
                test = min(self._originals[path, original])
                yield UnmendedExample(test, str(pairs[0][0].substitution))

    def _shows(self, outcome: TestOutcome, example: OtherExample) -> bool:
        """Whether a test fails without the change as it does there with its own example.

        Words are replaced in what a test gives and in what it expects alike: where it fails in the
        same line of its own, it is for the same reason.
        """
        failure = outcome.failure
        if not outcome.status.fails or failure is None or _in_a_helper(failure, example):
            return False
        if self._is_refused(failure, example) or _YES_OR_NO.fullmatch(failure.message):
            return False
        for original in self._originals.get((example.path, example.original), {}).values():
            if _in_the_same_place(failure, original, example):
                by_words = example.substitution.kind in _BY_WORDS
                if by_words and _in_own_code(failure, example) and self._is_executed(outcome.test):
                    return True
                if example.substitution.same(failure.message, original.message):
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

    def _same_with_change(self, outcome: TestOutcome) -> bool:
        other = self._pair.fixed.outcomes.get(outcome.test)
        if other is None or other.status is Status.PASSED or other.failure is None:
            return False
        failure = outcome.failure
        return failure is not None and (
            failure.exception_type == other.failure.exception_type
            and failure.message == other.failure.message
        )


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
