"""The existing tests of a base: how near each is to a change, and which are run."""

from __future__ import annotations

import functools
import itertools
import os
import re
import stat
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.diff import Changes, Source
from evaluator.languages import (
    Language,
    is_test_file,
    language,
    language_of,
    runnable_test_files,
    source_language,
)
from evaluator.languages.sources import Touched
from evaluator.model import Status
from evaluator.regressions.contexts import Known, KnownFile


def touched(changes: Changes, source: Source) -> Touched:
    """What changes of code touch; `source` reads the base.

    What is no source is read as by the language of most of the change.
    """
    mostly = language_of(changes.contents)
    found = [
        (source_language(path) or mostly).sources.touched(path, source, new)
        for path, new in sorted(changes.contents.items())
        if source(path) != new
    ]
    return Touched(
        frozenset().union(*(each.files for each in found)),
        {path: lines for each in found for path, lines in each.functions.items()},
        frozenset().union(*(each.loaded for each in found)),
        frozenset().union(*(each.names for each in found)),
    )


@dataclass(frozen=True)
class ImportGraph:
    """`imports` maps the path of each source file of a tree to the paths that it imports itself."""

    imports: Mapping[str, frozenset[str]]

    def distances(self, changed: Iterable[str]) -> Mapping[str, int]:
        """How many imports lead from a file to the nearest of the changed ones, which have 0.

        Files that import none of them, at whatever distance, are left out.
        """
        importers = self._importers()
        found = dict.fromkeys(changed, 0)
        waiting = deque(found)
        while waiting:
            path = waiting.popleft()
            for importer in importers.get(path, ()):
                if importer not in found:
                    found[importer] = found[path] + 1
                    waiting.append(importer)
        return found

    def _importers(self) -> Mapping[str, Sequence[str]]:
        importers: dict[str, list[str]] = {}
        for path, imported in self.imports.items():
            for each in imported:
                importers.setdefault(each, []).append(path)
        return importers


_LARGEST_FILE = 2 * 1024**2
_WORD = re.compile(rb"[A-Za-z_]\w{3,}")
_COMMON_WORDS = frozenset({"test", "init", ""})
_UNREACHED = 1_000_000


@dataclass(frozen=True)
class TestFile:
    """A test file of a base: what it is named for, its words, and how many tests it defines."""

    __test__ = False

    path: str
    subject: str
    words: frozenset[str]
    tests: int


@dataclass(frozen=True)
class ExistingTests:
    """The test files of a base by path, and what imports what there."""

    files: Sequence[TestFile]
    graph: ImportGraph

    def nearest_first(self, touched: Touched) -> tuple[TestFile, ...]:
        """The test files that a change can affect, the nearest first.

        That is those which import what it touches, directly or through others, or name it. Nearest
        are those named for a touched file; then it counts through how many imports they reach one,
        how many of the touched names stand in them, and what their paths have in common.
        """
        distances = self.graph.distances(touched.files)
        names = frozenset(name for name in touched.names if not name.startswith("__"))
        subjects = {PurePosixPath(path).stem for path in touched.files}
        shared = frozenset(word for path in touched.files for word in _words(path))

        def place(file: TestFile) -> tuple[bool, int, int, int, str]:
            named = len(names & file.words)
            distance = min(distances.get(file.path, _UNREACHED), 1 if named else _UNREACHED)
            common = len(shared.intersection(_words(file.path)))
            return (file.subject not in subjects, distance, -named, -common, file.path)

        affected = [f for f in self.files if f.path in distances or names & f.words]
        return tuple(sorted(affected, key=place))


@functools.lru_cache(maxsize=1)
def existing_tests(tree: Path, name: str, framework: str, roots: tuple[str, ...]) -> ExistingTests:
    """The existing tests of a pristine tree that a framework of the language `name` can run.

    Modules are found below the `roots`.
    """
    known = language(name)
    sources = dict(_sources(tree, known))
    chosen = known.frameworks[framework]
    paths = runnable_test_files(path for path in sorted(sources) if is_test_file(path))
    files = [_test_file(path, sources[path], known) for path in paths if chosen.selects(path, tree)]
    return ExistingTests(files, ImportGraph(known.sources.imports(sources, roots)))


def _sources(tree: Path, language: Language) -> Iterator[tuple[str, bytes]]:
    """The regular source files of a tree; links are not followed."""
    for directory, _, names in os.walk(tree):
        for file in (Path(directory, name) for name in names if name.endswith(language.suffixes)):
            status = file.lstat()
            if stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_FILE:
                yield file.relative_to(tree).as_posix(), file.read_bytes()


def _test_file(path: str, content: bytes, language: Language) -> TestFile:
    words = frozenset(word.decode() for word in _WORD.findall(content))
    code = language.test_code
    return TestFile(path, code.subject_of(path), words, code.count_tests(content))


def _words(path: str) -> Iterable[str]:
    whole = str(PurePosixPath(path).with_suffix("")).lower()
    found = (word.rstrip("s") for word in re.split(r"[/_.]", whole))
    return (word for word in found if word not in _COMMON_WORDS)


_SECONDS_PER_FILE = 0.3
_SECONDS_PER_TEST = 0.05
"""What a test is taken to need as long as it is not known."""
_SLOW_SHARE = 0.1
"""The part of all the time from which on a single test is slow."""


@dataclass(frozen=True)
class Selection:
    """What is run: of the `known` files the tests in `only`, the `unknown` ones whole.

    `affected` is the number of files that the change can affect, as far as is known. `partial` says
    that some tests of the files that are run are left out, or were never seen.
    """

    known: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    affected: int = 0
    partial: bool = False


@dataclass(frozen=True)
class _Candidate:
    """A file with some known tests of it to run; None where they are not known."""

    path: str
    seconds: float
    tests: frozenset[str] | None


@dataclass(frozen=True)
class _Tests:
    """The tests of a known file that a change can affect, with their seconds."""

    path: str
    seconds: Mapping[str, float]
    complete: bool

    def candidate(self, slowest: float, *, slow: bool = False) -> _Candidate:
        """Those that take no longer than `slowest` seconds each, or the `slow` ones."""
        tests = {t: seconds for t, seconds in self.seconds.items() if (seconds > slowest) == slow}
        return _Candidate(self.path, sum(tests.values()), frozenset(tests))


def choose(
    files: Sequence[TestFile],
    known: Known,
    executing: frozenset[str],
    *,
    everything: bool,
    seconds: float,
) -> Selection:
    """Choose among the affected `files`, which come nearest first, for a number of seconds.

    Of known tests only those run that pass on the base and are `executing` what the change
    touches; all of them where `everything` may be affected. Tests that execute it come first, then
    files of which nothing is known. Single tests that take much of the time come last, as far as
    it suffices for them. At least one file is chosen where there is any.
    """
    fresh = [_unknown(file) for file in files if file.path not in known]
    old = [
        _affected(file.path, known[file.path], executing, everything)
        for file in files
        if file.path in known
    ]
    slowest = seconds * _SLOW_SHARE
    quick = [each.candidate(slowest) for each in old]
    first = [c for c in quick if c.tests and not executing.isdisjoint(c.tests)]
    last = [c for c in quick if c.tests and executing.isdisjoint(c.tests)]
    slow = [c for c in (each.candidate(slowest, slow=True) for each in old) if c.tests]
    taken = list(_within([*first, *fresh, *last], seconds))
    late = list(_fitting(slow, seconds - sum(c.seconds for c in taken)))
    taken += late if taken else slow[:1]
    return Selection(
        known=tuple(dict.fromkeys(c.path for c in taken if c.tests is not None)),
        only=frozenset().union(*(c.tests for c in taken if c.tests is not None)),
        unknown=tuple(c.path for c in taken if c.tests is None),
        affected=len({c.path for c in (*first, *fresh, *last, *slow)} | _cut(old)),
        partial=bool(_cut(old)) or len(late) < len(slow),
    )


def _cut(files: Iterable[_Tests]) -> set[str]:
    """The files of which some tests were never seen."""
    return {file.path for file in files if not file.complete}


def _unknown(file: TestFile) -> _Candidate:
    return _Candidate(file.path, _SECONDS_PER_FILE + file.tests * _SECONDS_PER_TEST, None)


def _affected(path: str, known: KnownFile, executing: frozenset[str], everything: bool) -> _Tests:
    wanted = {
        name: test.seconds
        for name, test in known.tests.items()
        if test.status is Status.PASSED and (everything or name in executing or not test.seen)
    }
    return _Tests(path, wanted, known.complete)


def _within(candidates: Sequence[_Candidate], seconds: float) -> Iterator[_Candidate]:
    begins = itertools.accumulate((c.seconds for c in candidates), initial=0.0)
    for candidate, begin in zip(candidates, begins, strict=False):
        if begin >= seconds:
            return
        yield candidate


def _fitting(candidates: Sequence[_Candidate], seconds: float) -> Iterator[_Candidate]:
    ends = itertools.accumulate(c.seconds for c in candidates)
    return (c for c, end in zip(candidates, ends, strict=True) if end <= seconds)
