"""Which test is about which method: Methods2Test's heuristic, as the thesis uses it (p. 10).

A test class belongs to the class whose path its own becomes when it is written in lower case, with
`src/main` for `src/test`, and without every `test` in it. A test is about the method that it is
named for, or else about the only method of that class whose name it calls. What it calls stands in
its text, or was recorded when it ran.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from tree_sitter import Node

from evaluator.benchmarks.tests4j.argument_types import returned, variables
from evaluator.benchmarks.tests4j.dataset import MappingKind
from evaluator.benchmarks.tests4j.java_files import JavaFile, JavaMethod, JavaType
from evaluator.benchmarks.tests4j.overloads import meant
from evaluator.benchmarks.tests4j.sources import RepositorySources
from evaluator.languages.java.syntax import field, found, text

_FOCAL_TYPES = frozenset({"class_declaration", "enum_declaration", "record_declaration"})


@dataclass(frozen=True)
class Link:
    """A test and the method that it is about, each with its class and file."""

    test_file: JavaFile
    test_class: JavaType
    test: JavaMethod
    focal_file: JavaFile
    focal_class: JavaType
    focal: JavaMethod


class MethodMapping(Protocol):
    """A way to find out what tests are about."""

    @property
    def kind(self) -> MappingKind:
        """What the dataset says of it."""

    def links(self, sources: RepositorySources) -> Iterator[Link]:
        """The tests of a repository that are about a method, in the order of their files."""


class HeuristicMapping:
    """By paths, names and calls in the sources."""

    kind: MappingKind = MappingKind.HEURISTIC

    def links(self, sources: RepositorySources) -> Iterator[Link]:
        """The tests of a repository that are about a method, in the order of their files."""
        for pair in _class_pairs(sources):
            overloads = _by_name(_with_code(pair.focal_class))
            for test in sources.tests.of(pair.test_class):
                calls = _calls(test)
                name = _subject(test, overloads, calls.keys())
                if name:
                    yield pair.link(test, _chosen(overloads[name], test, pair, calls, sources))


Lines = Mapping[str, frozenset[int]]
"""Lines of files, counted from 1, by path."""
Called = Mapping[tuple[str, str], Lines]
"""A test, by its file and the name of its method, and the first lines of what its code called."""
RecordCalls = Callable[[RepositorySources, Lines], Called]
"""Runs the tests of a repository; records which methods they call of those at some lines."""


@dataclass(frozen=True)
class CallsMapping:
    """By paths, names and the methods that tests entered from their own code when they ran.

    Unlike names, these show which overload was called, and of which class.
    """

    record: RecordCalls
    kind: MappingKind = MappingKind.CALLS

    def links(self, sources: RepositorySources) -> Iterator[Link]:
        """The tests of a repository that are about a method, in the order of their files.

        Raises what `record` does.
        """
        pairs = tuple(_class_pairs(sources))
        called = self.record(sources, _lines_of(pairs))
        for pair in pairs:
            for test in sources.tests.of(pair.test_class):
                lines = called.get((pair.test_file.path, test.name), {})
                entered = lines.get(pair.focal_file.path, frozenset())
                methods = (m for m in _with_code(pair.focal_class) if m.lines & entered)
                overloads = _by_name(methods)
                name = _subject(test, overloads, overloads.keys())
                if name:
                    calls = _calls(test)
                    yield pair.link(test, _chosen(overloads[name], test, pair, calls, sources))


def _lines_of(pairs: Iterable[_ClassPair]) -> Lines:
    lines: dict[str, frozenset[int]] = {}
    for pair in pairs:
        own = (method.lines for method in _with_code(pair.focal_class))
        path = pair.focal_file.path
        lines[path] = lines.get(path, frozenset()).union(*own)
    return lines


def without_test(path: str) -> str:
    """The path of the class that a test class is named for, in lower case."""
    return path.lower().replace("src/test/", "src/main/").replace("test", "")


def _by_lower_case(paths: Iterator[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for path in paths:
        if "src/test/" not in path:
            found.setdefault(path.lower(), path)
    return found


@dataclass(frozen=True)
class _ClassPair:
    """A test class and the class that it is about, by their paths."""

    test_file: JavaFile
    test_class: JavaType
    focal_file: JavaFile
    focal_class: JavaType

    def link(self, test: JavaMethod, focal: JavaMethod) -> Link:
        return Link(self.test_file, self.test_class, test, self.focal_file, self.focal_class, focal)


def _class_pairs(sources: RepositorySources) -> Iterator[_ClassPair]:
    tests = {file.path for file in sources.test_files}
    focal_paths = _by_lower_case(path for path in sorted(sources.java) if path not in tests)
    for file in sources.test_files:
        focal_path = focal_paths.get(without_test(file.path))
        if focal_path is not None:
            yield from _pair(file, sources.read(focal_path))


def _pair(test_file: JavaFile, focal_file: JavaFile) -> Iterator[_ClassPair]:
    test_class, focal_class = test_file.main_type, focal_file.main_type
    if test_class and focal_class and focal_class.node.type in _FOCAL_TYPES:
        yield _ClassPair(test_file, test_class, focal_file, focal_class)


def _with_code(kind: JavaType) -> Iterator[JavaMethod]:
    """The methods that have code; a constructor is none."""
    return (each for each in kind.methods if each.body is not None and not each.is_constructor)


def _by_name(methods: Iterable[JavaMethod]) -> Mapping[str, Sequence[JavaMethod]]:
    """Methods by name in lower case."""
    found: dict[str, list[JavaMethod]] = collections.defaultdict(list)
    for method in methods:
        found[method.name.lower()].append(method)
    return found


def _subject(test: JavaMethod, overloads: Collection[str], called: Set[str]) -> str:
    """The name of the method that a test is about; "" where the test does not show it."""
    name = test.name.lower().replace("test", "")
    if name in overloads:
        return name
    named = called & set(overloads)
    return next(iter(named)) if len(named) == 1 else ""


def _chosen(
    overloads: Sequence[JavaMethod],
    test: JavaMethod,
    pair: _ClassPair,
    calls: Mapping[str, Sequence[Node]],
    sources: RepositorySources,
) -> JavaMethod:
    if len(overloads) == 1:
        return overloads[0]
    classes = (*reversed(sources.tests.ancestors(pair.test_class)), pair.test_class)
    known = {
        **returned(method for each in classes for method in each.methods),
        **variables(*(member for each in classes for member in each.fields), test.node),
    }
    return meant(overloads, calls.get(overloads[0].name.lower(), ()), known)


def _calls(test: JavaMethod) -> Mapping[str, Sequence[Node]]:
    """What a test calls, by name in lower case."""
    found_calls: dict[str, list[Node]] = collections.defaultdict(list)
    for call in found(test.node, "method_invocation"):
        found_calls[text(field(call, "name")).lower()].append(call)
    return found_calls
