"""The existing tests of a base, and how near each is to a change."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.diff import Changes, Source
from evaluator.languages import Language, language, language_of, source_language
from evaluator.languages.sources import Touched
from evaluator.languages.tree import runnable_test_paths, source_paths
from evaluator.regressions.import_graph import ImportGraph


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
    sources = {path: (tree / path).read_bytes() for path in source_paths(tree, known)}
    paths = runnable_test_paths(sources, known.frameworks[framework], tree)
    files = [_test_file(path, sources[path], known) for path in paths]
    return ExistingTests(files, ImportGraph(known.sources.imports(sources, roots)))


def _test_file(path: str, content: bytes, language: Language) -> TestFile:
    words = frozenset(word.decode() for word in _WORD.findall(content))
    code = language.test_code
    return TestFile(path, code.subject_of(path), words, code.count_tests(content))


def _words(path: str) -> Iterable[str]:
    whole = str(PurePosixPath(path).with_suffix("")).lower()
    found = (word.rstrip("s") for word in re.split(r"[/_.]", whole))
    return (word for word in found if word not in _COMMON_WORDS)
