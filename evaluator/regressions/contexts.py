"""What the tests of a base execute and how they end there, kept for the next change on that base.

Contexts are kept as a data file of coverage.py: for each test, the lines where the functions begin
that it executes. What ran outside of tests has the empty context.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.model import Run, Status
from evaluator.storage.files import write_whole
from evaluator.storage.locks import locked
from evaluator.storage.typed import as_json, read_as

if TYPE_CHECKING:
    from coverage import CoverageData

_CONTEXTS, _TESTS = "contexts.coverage", "tests.json"


@dataclass(frozen=True)
class KnownTest:
    """How a test ended on the base, in how many seconds.

    `seen` says whether all that it executes could be recorded.
    """

    status: Status
    seconds: float
    seen: bool


@dataclass(frozen=True)
class KnownFile:
    """What is known of a test file: its tests, all of them only where it was run to its end."""

    tests: Mapping[str, KnownTest]
    complete: bool


Known = Mapping[str, KnownFile]
"""Test file -> what is known of it; files of which nothing is known are left out."""


class ContextStore:
    """A directory of what is known, shared safely by threads and processes.

    What cannot be read is forgotten.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def known(self, key: str) -> Known:
        """What is known of the tests of a base; nothing, before `add`."""
        with self._locked(key) as place:
            return _read(place)

    def executing(self, key: str, functions: Mapping[str, Iterable[int]]) -> frozenset[str]:
        """The known tests that execute any of some functions, given as path -> first lines.

        "" is among them where one is executed outside of tests.
        """
        with self._locked(key) as place:
            if not (place / _CONTEXTS).is_file():
                return frozenset()
            with _opened(place / _CONTEXTS) as data:
                return frozenset(
                    test
                    for path, lines in functions.items()
                    for line, tests in data.contexts_by_lineno(path).items()
                    if line in lines
                    for test in tests
                )

    def add(self, key: str, run: Run, files: Mapping[str, bool]) -> None:
        """Keep what a recorded run on the base showed of some files, and whether all of it."""
        with self._locked(key) as place, tempfile.TemporaryDirectory(dir=place) as directory:
            extended = Path(directory, _CONTEXTS)
            if (place / _CONTEXTS).is_file():
                shutil.copy(place / _CONTEXTS, extended)
            write_contexts(extended, run.executed)
            if extended.exists():
                extended.replace(place / _CONTEXTS)
            found = {**_read(place), **_files(run, files)}
            write_whole(place / _TESTS, json.dumps(as_json(found)).encode())

    @contextlib.contextmanager
    def _locked(self, key: str) -> Iterator[Path]:
        place = self._directory / key[:2] / key
        place.mkdir(parents=True, exist_ok=True)
        with locked(place / "lock"):
            yield place


def write_contexts(path: Path, executed: Mapping[str, Mapping[str, Iterable[int]]]) -> None:
    """Add to a data file of coverage.py, made if need be: test -> path -> executed lines.

    Where nothing was executed no file is made.
    """
    with _opened(path) as data:
        for test, lines in executed.items():
            data.set_context(test)
            data.add_lines({file: list(numbers) for file, numbers in lines.items()})
        data.write()


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[CoverageData]:
    # Imported late, as it takes long and `--quick` has no need of it.
    from coverage import CoverageData

    data = CoverageData(str(path))
    with contextlib.closing(data):
        data.read()
        yield data


def _read(place: Path) -> Known:
    try:
        kept = json.loads((place / _TESTS).read_text(encoding="utf-8"))
        return read_as(dict[str, KnownFile], kept)
    except (OSError, ValueError):
        return {}


def _files(run: Run, files: Mapping[str, bool]) -> Known:
    tests: dict[str, dict[str, KnownTest]] = {file: {} for file in files}
    for outcome in run.outcomes.values():
        if outcome.file in files:
            tests[outcome.file][outcome.test] = KnownTest(
                outcome.status, outcome.duration_seconds, outcome.test not in run.unseen
            )
    return {file: KnownFile(tests[file], complete) for file, complete in files.items()}
