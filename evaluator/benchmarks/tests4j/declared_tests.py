"""Which methods are tests: by annotation, or by what their classes inherit."""

from __future__ import annotations

import collections
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.java_files import JavaFile, JavaMethod, JavaType
from evaluator.languages.java.sources.declarations import has_test_mark
from evaluator.languages.java.syntax import field, text

_TEST_CASE = "TestCase"
_CONFIGURING = frozenset(
    {f"{when}{what}" for when in ("Before", "After") for what in ("Suite", "Test", "Class")}
    | {f"{when}{what}" for when in ("Before", "After") for what in ("Method", "Groups")}
    | {"DataProvider", "Factory", "Parameters", "Listeners"}
)
"""Annotations with which a public method of a class that TestNG takes for a test is none."""


@dataclass(frozen=True)
class _Place:
    """A type with the file that declares it."""

    file: JavaFile
    type: JavaType


class DeclaredTests:
    """Finds the tests in some files, which may inherit from each other.

    A method is a test where it has an annotation of a test, where JUnit 3 takes it for one (its
    class inherits from `TestCase`, its name begins with `test`), where TestNG does (its class or an
    ancestor of it is annotated with `@Test`), or where it overrides a test. A class from elsewhere
    whose name ends in `TestCase` counts as one of JUnit 3.
    """

    def __init__(self, files: Iterable[JavaFile]) -> None:
        places = [_Place(file, each) for file in files for each in file.types]
        self._by_name: Mapping[str, Sequence[_Place]] = _grouped(places)
        self._places = {place.type.binary_name: place for place in places}
        self.ancestors = functools.cache(self._found_ancestors)
        """The types that a type inherits from, as far as the files declare them."""

    def of(self, kind: JavaType) -> tuple[JavaMethod, ...]:
        """The tests that a type declares, in their order."""
        return tuple(method for method in kind.methods if self._is_test(kind, method))

    def is_junit3(self, kind: JavaType) -> bool:
        """Whether a type inherits from JUnit 3's `TestCase`."""
        names = (kind.supertypes, *(known.supertypes for known in self.ancestors(kind)))
        return any(self._is_foreign_test_case(name) for listed in names for name in listed)

    def _is_test(self, kind: JavaType, method: JavaMethod) -> bool:
        return self._is_test_itself(kind, method) or (
            "Override" in method.annotations
            and any(
                self._is_test_itself(ancestor, other)
                for ancestor in self.ancestors(kind)
                for other in ancestor.methods
                if (other.name, other.parameters) == (method.name, method.parameters)
            )
        )

    def _is_test_itself(self, kind: JavaType, method: JavaMethod) -> bool:
        """Whether it is one whatever it overrides."""
        return not method.is_constructor and (
            has_test_mark(method.annotations)
            or self._is_of_testng(kind, method)
            or self._is_of_junit3(kind, method)
        )

    def _is_of_junit3(self, kind: JavaType, method: JavaMethod) -> bool:
        named = method.name.startswith("test") and not method.parameters
        return named and _is_void(method) and self.is_junit3(kind)

    def _is_of_testng(self, kind: JavaType, method: JavaMethod) -> bool:
        public = "public" in method.modifiers and _is_void(method)
        if not public or not _CONFIGURING.isdisjoint(method.annotations):
            return False
        return any("Test" in each.annotations for each in (kind, *self.ancestors(kind)))

    def _is_foreign_test_case(self, name: str) -> bool:
        simple = name.rpartition(".")[2]
        return simple.endswith(_TEST_CASE) and simple not in self._by_name

    def _found_ancestors(self, kind: JavaType) -> tuple[JavaType, ...]:
        """The types that a type inherits from, as far as they are declared in the files."""
        found: dict[str, JavaType] = {}
        pending = [kind]
        while pending:
            current = pending.pop()
            for name in current.supertypes:
                place = self._resolved(name, current)
                if place is not None and place.type.binary_name not in found:
                    found[place.type.binary_name] = place.type
                    pending.append(place.type)
        return tuple(each for each in found.values() if each is not kind)

    def _resolved(self, name: str, user: JavaType) -> _Place | None:
        """The type that a name stands for where another type uses it; None for one from elsewhere.

        One that is imported, else of the same file or package, else the only one of its name.
        """
        known = self._by_name.get(name.rpartition(".")[2], ())
        only = known if len(known) == 1 else ()
        if user.binary_name not in self._places:
            return next(iter(only), None)
        file = self._places[user.binary_name].file
        imported = [p for p in known if p.type.binary_name.replace("$", ".") in file.imports]
        own = [p for p in known if p.file is file]
        near = [p for p in known if p.file.package == file.package]
        return next(iter((*imported, *own, *near, *only)), None)


def _grouped(places: Iterable[_Place]) -> Mapping[str, Sequence[_Place]]:
    groups: dict[str, list[_Place]] = collections.defaultdict(list)
    for place in places:
        groups[place.type.simple_name].append(place)
    return dict(groups)


def _is_void(method: JavaMethod) -> bool:
    return text(field(method.node, "type")) == "void"


def tests_in(file: JavaFile, known: DeclaredTests) -> Iterator[JavaMethod]:
    """The tests of all types of a file."""
    return (method for kind in file.types for method in known.of(kind))
