"""Which test files read data: the helpers, inputs and expected outputs that lie beside tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from evaluator.diff import Changes
from evaluator.execution import Subject
from evaluator.judge import files_to_run
from evaluator.languages import framework_of
from evaluator.languages.tree import runnable_test_paths, source_paths
from evaluator.model import Revision

_MOST_TRIED = 6
"""Test files that are tried for data which a change brings without a test."""
_SHORTEST_NAME = 3
"""Letters of a name that does not stand in every file."""


def readers_of_new_data(subject: Subject, tests: Changes) -> tuple[str, ...]:
    """The test files of the base that may read the data of a change which brings no test itself.

    Projects whose tests run for each file of a directory get new tests as files of data. Where one
    of the changed files holds a test there are none: it is run, and reads the data that it needs.
    """
    new = {path: content for path, content in tests.contents.items() if content is not None}
    count = subject.language.test_code.count_tests
    if any(count(new[path]) for path in files_to_run(tests)):
        return ()
    return readers(subject, sorted(new), _MOST_TRIED)


def readers(subject: Subject, data: Sequence[str], most: int) -> tuple[str, ...]:
    """The test files of the base that name data, or directories in which it lies; at most so many.

    First those that name a file, then those that name its directory, and so on; of these the
    nearest first, and of as near ones that which defines the fewest tests: it has data for more.
    """
    places = [PurePosixPath(path) for path in data]
    names = _names(places, subject.language.test_code.unspecific_names)
    if not names:
        return ()
    found = [
        (rank, _distance(path, places), tests, path)
        for path, content, tests in _test_files(subject)
        if (rank := _rank(content, names)) is not None
    ]
    return tuple(path for *_, path in sorted(found)[:most])


def _names(data: Iterable[PurePosixPath], unspecific: frozenset[str]) -> Mapping[bytes, int]:
    """The names that lead to some data, each with how many directories lie between them."""
    found: dict[str, int] = {}
    for path in data:
        for steps, name in enumerate((path.stem, *reversed(path.parent.parts))):
            if len(name) >= _SHORTEST_NAME and name not in unspecific:
                found[name] = min(steps, found.get(name, steps))
    return {name.encode(): steps for name, steps in found.items()}


def _rank(content: bytes, names: Mapping[bytes, int]) -> int | None:
    """How far from the data the nearest name lies that stands in a file; None where none does."""
    return min((steps for name, steps in names.items() if name in content), default=None)


def _test_files(subject: Subject) -> Iterator[tuple[str, bytes, int]]:
    """The test files of the base as their framework has them: path, content, number of tests."""
    framework = framework_of(subject.environments[Revision.BASE].recipe)
    tree, language = subject.pristine, subject.language
    for path in runnable_test_paths(source_paths(tree, language), framework, tree):
        content = (tree / path).read_bytes()
        if tests := language.test_code.count_tests(content):
            yield path, content, tests


def _distance(path: str, data: Sequence[PurePosixPath]) -> int:
    """How many steps lie between a test file and the nearest of the data."""
    parents = set(PurePosixPath(path).parents)
    return min(
        len(each.parents) + len(parents) - 2 * len(parents.intersection(each.parents))
        for each in data
    )
