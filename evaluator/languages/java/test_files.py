"""Which files of a Java project are tests, by their paths alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_NAME = re.compile(r"Test[A-Z]\w*\.java|\w+(?:Tests?|TestCase|IT)\.java")
_ROOT = re.compile(r"(?:.*/)?src/(?:it|test\w*|[a-z]\w*(?:Test|-test)s?)/.*")
_TESTS = frozenset({"test", "tests", "javatests"})
_SOURCES = frozenset({"src", "source", "sources", "java", "com", "org", "net", "io", "edu"})
"""Directories of sources, and of the packages in them: below these, `test` is a package."""
_RESOURCES = re.compile(r"(?:.*/)?src/[\w-]+/resources[\w-]*/")
_MODULE = re.compile(r"(?:^|/)(?:[\w.-]+-)?tests?/")


@dataclass(frozen=True)
class JavaTests:
    """Test files as Maven, Gradle and surefire lay them out and name them."""

    produced: frozenset[str] = frozenset({"target", ".gradle"})

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to a project's tests: a test, its helpers, or its data.

        It does where its name says so, or where it lies in a directory of them: `src/test`,
        `src/it`, `src/integrationTest`, `test` at the root or beside the sources of a module. What
        lies below `src/main` is code, but in a module that is named for tests (`foo-test`).
        """
        above, main, _ = path.partition("src/main/")
        if main:
            return _MODULE.search(above) is not None
        *directories, name = path.split("/")
        named = _ROOT.fullmatch(path) or _NAME.fullmatch(name)
        return named is not None or _are_of_tests(directories)

    def is_runnable(self, path: str) -> bool:
        """Whether a file is a Java source that is compiled and may hold tests.

        Sources among resources (`src/test/resources`) are what tests read, and those below
        `src/main` of a module that is named for tests are what others inherit from.
        """
        described = path.endswith(("package-info.java", "module-info.java"))
        aside = described or "src/main/" in path or _RESOURCES.match(path)
        return path.endswith(".java") and not aside


def _are_of_tests(directories: Sequence[str]) -> bool:
    """Whether one of some directories holds tests, and is no package."""
    known = (name for name in directories if name in _TESTS or name in _SOURCES)
    return next(known, "") in _TESTS
