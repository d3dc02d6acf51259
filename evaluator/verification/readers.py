"""Which test files read data: the helpers, inputs and expected outputs that lie beside tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from evaluator.diff import Changes
from evaluator.execution import Subject
from evaluator.judge import Judgement, files_to_run
from evaluator.languages import framework_of
from evaluator.languages.tree import runnable_test_paths, source_paths
from evaluator.model import Revision

_MOST_TRIED = 6
"""Test files that are tried for data which a change brings without a test."""
_SHORTEST_NAME = 3
"""Letters of a name that does not stand in every file."""


def readers_of_new_tests(subject: Subject, tests: Changes, judgement: Judgement) -> tuple[str, ...]:
    """The test files of the base that may run what a change brings for tests, and that did not run.

    Projects whose tests run for each file of a directory get new tests as files of data. Where one
    of the changed files holds tests that ran, it reads the data that it needs, and only what others
    hold is looked for.
    """
    new = {path: content for path, content in tests.contents.items() if content is not None}
    count = subject.language.test_code.count_tests
    holding = [path for path in files_to_run(tests) if count(new[path])]
    if len(_silent(holding, judgement)) == len(holding):
        return readers(subject, sorted(new), _MOST_TRIED)
    return heirs(subject, holding, judgement)


def heirs(subject: Subject, files: Sequence[str], judgement: Judgement) -> tuple[str, ...]:
    """The test files of the base that name some of `files` of which no test ran.

    Tests of an abstract class, or of one to be mixed in, run only where a class inherits them.
    """
    return readers(subject, _silent(files, judgement), _MOST_TRIED, steps=0)


def _silent(files: Sequence[str], judgement: Judgement) -> Sequence[str]:
    ran = {transition.file for transition in judgement.transitions}
    return [path for path in files if path not in ran]


def readers(
    subject: Subject, data: Sequence[str], most: int, *, steps: int | None = None
) -> tuple[str, ...]:
    """The test files of the base that name data, or directories in which it lies; at most so many.

    First those that name a file, then those that name its directory, and so on, for so many steps
    (None: up to the root); of these the nearest first, and of as near ones that which defines the
    fewest tests: it has data for more.
    """
    places = [PurePosixPath(path) for path in data]
    names = _names(places, subject.language.test_code.unspecific_names, steps)
    if not names:
        return ()
    found = [
        (rank, _distance(path, places), tests, path)
        for path, content, tests in _test_files(subject)
        # Who names a file may have no test but those that it inherits from there.
        if (rank := _rank(content, names)) is not None and (tests or not rank)
    ]
    return tuple(path for *_, path in sorted(found)[:most])


def _names(
    data: Iterable[PurePosixPath], unspecific: frozenset[str], most: int | None
) -> Mapping[bytes, int]:
    """The names that lead to some data, each with how many directories lie between them."""
    found: dict[str, int] = {}
    for path in data:
        names = (path.stem, *reversed(path.parent.parts))
        for steps, name in enumerate(names if most is None else names[: most + 1]):
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
        yield path, content, language.test_code.count_tests(content)


def _distance(path: str, data: Sequence[PurePosixPath]) -> int:
    """How many steps lie between a test file and the nearest of the data."""
    parents = set(PurePosixPath(path).parents)
    return min(
        len(each.parents) + len(parents) - 2 * len(parents.intersection(each.parents))
        for each in data
    )
