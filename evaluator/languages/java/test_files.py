"""Which files of a Java project are tests, by their paths alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = re.compile(r"Test[A-Z]\w*\.java|\w+(?:Tests?|TestCase|IT)\.java")
_ROOT = re.compile(r"(?:.*/)?src/(?:it|test\w*|[a-z]\w*(?:Test|-test)s?)/.*|tests?/.*")
_RESOURCES = re.compile(r"(?:.*/)?src/[\w-]+/resources[\w-]*/")
_MODULE = re.compile(r"(?:^|/)(?:[\w.-]+-)?tests?/")


@dataclass(frozen=True)
class JavaTests:
    """Test files as Maven, Gradle and surefire lay them out and name them."""

    produced: frozenset[str] = frozenset({"target", ".gradle"})

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to a project's tests: a test, its helpers, or its data.

        It does where its name says so, or where it lies in a directory of them: `src/test`,
        `src/it`, `src/integrationTest`, `test` at the root. What lies below `src/main` is code,
        but in a module that is named for tests (`foo-test`).
        """
        above, main, _ = path.partition("src/main/")
        if main:
            return _MODULE.search(above) is not None
        return bool(_ROOT.fullmatch(path)) or bool(_NAME.fullmatch(path.rpartition("/")[2]))

    def is_runnable(self, path: str) -> bool:
        """Whether a file is a Java source that is compiled and may hold tests.

        Sources among resources (`src/test/resources`) are what tests read, and those below
        `src/main` of a module that is named for tests are what others inherit from.
        """
        described = path.endswith(("package-info.java", "module-info.java"))
        aside = described or "src/main/" in path or _RESOURCES.match(path)
        return path.endswith(".java") and not aside
