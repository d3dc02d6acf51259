"""Runs reproducing tests with other examples of the same kind, without the change and with it.

A change may handle what the example is, and not what it is an example of: its words, its numbers,
its quotation marks. Nobody knows what is right for another example; but where a test fails on the
base just as it does with its own example, and with the change exactly as on the base, it shows the
same bug, and the change does not mend it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

from evaluator.diff import Changes
from evaluator.execution import Executor, Subject
from evaluator.languages.named_data import NamedData
from evaluator.languages.safeguards import OtherExample
from evaluator.languages.tree import is_data_of_tests, paths_of_test_data
from evaluator.test_names import function_of
from evaluator.verdict.evidence import UnmendedExample
from evaluator.verification.judged_tests import SHORTEST_BUDGET, JudgedTests
from evaluator.verification.unmended import Comparison

MOST = 5
"""Test functions that run with other examples."""


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
    tried = _tried(tests)
    if not tried:
        return
    read = tests.tests.overlaid(subject.fix.overlaid(subject.files))
    made = subject.language.safeguards.other_examples(
        tried, read, subject.fix.contents, subject.pristine, _data(tests.tests, subject)
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
        hung_before=tests.judgement.hung,
    )
    yield from Comparison(tests, pair, made.examples, subject.files).unmended()


def _data(tests: Changes, subject: Subject) -> NamedData:
    """The data of the tests, as they bring it along; what the change makes of other data is its."""
    brought = filter(is_data_of_tests, tests.contents)
    paths = sorted({*paths_of_test_data(subject.pristine), *brought})
    return NamedData(paths, tests.overlaid(subject.files))


def _tried(tests: JudgedTests) -> Mapping[str, list[str]]:
    """The reproducing tests of the first functions, by their files."""
    judged = tests.judgement.files
    functions: dict[tuple[str, str], list[str]] = {}
    for test, file in tests.reproducing.items():
        if file in judged:
            functions.setdefault((file, function_of(test)), []).append(test)
    found: dict[str, list[str]] = {}
    for (file, _), names in itertools.islice(functions.items(), MOST):
        found.setdefault(file, []).extend(names)
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
