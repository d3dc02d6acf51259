"""Where a test for a symptom goes: beside the tests of the code that the symptom comes from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from evaluator.diff import Changes, is_test_file
from generator.issue_only.symptoms import Replay, Symptom
from generator.issue_only.writing import TestCode
from generator.placement import placed
from generator.task import Task

_FOLDERS = ("tests", "test", "testing")


def place(task: Task, replay: Replay, symptom: Symptom, code: TestCode) -> Changes:
    """The changes that bring the test in. Raises PatchError where it has no place."""
    path = _path(task.subject.pristine, replay, symptom, code.name)
    stands = task.subject.source(path) is not None
    return placed(task.subject.source, path, code.source(imports_inside=stands))


def _path(tree: Path, replay: Replay, symptom: Symptom, name: str) -> str:
    """A new file among the tests that lie nearest to the code."""
    for source in [*_sources(replay, symptom), *_roots(tree)]:
        for parent in PurePosixPath(source).parents:
            for folder in _FOLDERS:
                directory = parent / folder
                if _holds_tests(tree / directory) and is_test_file(str(directory / f"{name}.py")):
                    return str(directory / f"{name}.py")
    return f"tests/{name}.py"


def _sources(replay: Replay, symptom: Symptom) -> Iterator[str]:
    """Files of the tree that the symptom comes from, the likeliest first."""
    outcome = replay.outcomes[symptom.step]
    frames = outcome.raised.frames if outcome.raised else ()
    files = [path for path, _, _ in reversed(frames)] + list(outcome.origins)
    for path in files:
        if not path.startswith(("<", "..", "/")) and not is_test_file(path):
            yield path


def _roots(tree: Path) -> Iterator[str]:
    """A file of each package at the root, for what comes from no file that is known."""
    for path in sorted(tree.glob("*/__init__.py")):
        yield path.relative_to(tree).as_posix()


def _holds_tests(directory: Path) -> bool:
    return directory.is_dir() and any(directory.glob("test_*.py"))
