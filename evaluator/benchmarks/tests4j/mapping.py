"""Which test is about which method: Methods2Test's heuristic, as the thesis uses it (p. 10).

A test class belongs to the class whose path its own becomes when it is written in lower case, with
`src/main` for `src/test`, and without every `test` in it. A test is about the method that it is
named for, or else about the only method of that class whose name it calls.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evaluator.benchmarks.tests4j.dataset import MappingKind
from evaluator.benchmarks.tests4j.java_files import JavaFile, JavaMethod, JavaType
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

    kind: MappingKind
    """What the dataset says of it."""

    def links(self, sources: RepositorySources) -> Iterator[Link]:
        """The tests of a repository that are about a method, in the order of their files."""


class HeuristicMapping:
    """By paths, names and calls in the sources."""

    kind: MappingKind = MappingKind.HEURISTIC

    def links(self, sources: RepositorySources) -> Iterator[Link]:
        """The tests of a repository that are about a method, in the order of their files."""
        tests = {file.path for file in sources.test_files}
        focal_paths = _by_lower_case(path for path in sorted(sources.java) if path not in tests)
        for file in sources.test_files:
            focal_path = focal_paths.get(without_test(file.path))
            if focal_path is not None:
                yield from _links(sources, file, sources.read(focal_path))


def without_test(path: str) -> str:
    """The path of the class that a test class is named for, in lower case."""
    return path.lower().replace("src/test/", "src/main/").replace("test", "")


def _by_lower_case(paths: Iterator[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for path in paths:
        if "src/test/" not in path:
            found.setdefault(path.lower(), path)
    return found


def _links(sources: RepositorySources, test_file: JavaFile, focal_file: JavaFile) -> Iterator[Link]:
    test_class, focal_class = test_file.main_type, focal_file.main_type
    if test_class is None or focal_class is None or focal_class.node.type not in _FOCAL_TYPES:
        return
    overloads = _overloads(focal_class)
    for test in sources.tests.of(test_class):
        focal = _focal_method(test, overloads)
        if focal is not None:
            yield Link(test_file, test_class, test, focal_file, focal_class, focal)


def _overloads(kind: JavaType) -> Mapping[str, Sequence[JavaMethod]]:
    """The methods that have code, by name in lower case; a constructor is none."""
    found: dict[str, list[JavaMethod]] = collections.defaultdict(list)
    for method in kind.methods:
        if method.body is not None and not method.is_constructor:
            found[method.name.lower()].append(method)
    return found


def _focal_method(
    test: JavaMethod, overloads: Mapping[str, Sequence[JavaMethod]]
) -> JavaMethod | None:
    """The method that a test is about; None where the test does not show it."""
    calls = _calls(test)
    name = test.name.lower().replace("test", "")
    named = {name} & overloads.keys() or calls.keys() & overloads.keys()
    if len(named) != 1:
        return None
    (name,) = named
    return _overload(overloads[name], calls.get(name, ()))


def _calls(test: JavaMethod) -> Mapping[str, Sequence[int]]:
    """The names that a test calls, in lower case, with the numbers of arguments."""
    found_calls: dict[str, list[int]] = collections.defaultdict(list)
    for call in found(test.node, "method_invocation"):
        given = field(call, "arguments")
        arguments = [] if given is None else given.named_children
        count = sum("comment" not in each.type for each in arguments)
        found_calls[text(field(call, "name")).lower()].append(count)
    return found_calls


def _overload(methods: Sequence[JavaMethod], counts: Sequence[int]) -> JavaMethod:
    """The first overload that takes as many arguments as a call gives, else the first one.

    Methods2Test takes the first; a test that never calls it would count as wrong.
    """
    fitting = (each for count in counts for each in methods if len(each.parameters) == count)
    return next(fitting, methods[0])
