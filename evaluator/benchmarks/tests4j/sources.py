"""The Java sources of a repository at a commit, read from git without laying anything down."""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import TestFramework
from evaluator.benchmarks.tests4j.declared_tests import DeclaredTests
from evaluator.benchmarks.tests4j.java_files import JavaFile, read_java
from evaluator.checkout import Repositories
from evaluator.languages.java.environment import pom

_ROOT_POM = "pom.xml"
_LEVELS = ("maven.compiler.release", "maven.compiler.source", "java.version")
_PROPERTY = re.compile(r"\$\{([^}]+)\}")
_DEEPEST = 10
_FRAMEWORKS = (
    ("org.junit.jupiter.", TestFramework.JUPITER),
    ("org.testng.", TestFramework.TESTNG),
    ("org.junit.", TestFramework.JUNIT4),
)


@dataclass(frozen=True, eq=False)
class RepositorySources:
    """A repository at a commit: its Java files by path, and its root pom where it has one."""

    name: str
    commit: str
    java: Mapping[str, bytes]
    root_pom: bytes
    exclude: tuple[str, ...] = ()

    def read(self, path: str) -> JavaFile:
        """One of the Java files. Raises KeyError where there is none of this path."""
        return self._files[path] if path in self._files else read_java(path, self.java[path])

    @functools.cached_property
    def tests(self) -> DeclaredTests:
        """What is a test in any of the files."""
        return DeclaredTests(self._files.values())

    @functools.cached_property
    def test_files(self) -> tuple[JavaFile, ...]:
        """The files that declare tests, by path."""
        files = self._files.values()
        return tuple(f for f in files if any(self.tests.of(kind) for kind in f.types))

    @functools.cached_property
    def _files(self) -> Mapping[str, JavaFile]:
        """The files that may be about tests, each read once."""
        return {
            path: read_java(path, content)
            for path, content in sorted(self.java.items())
            if b"Test" in content or "test" in path.lower()
        }

    @functools.cached_property
    def java_level(self) -> str | None:
        """The version of Java that the root pom names; None where it names none."""
        return _level(self.root_pom) or None


def read_sources(
    repositories: Repositories, name: str, commit: str, exclude: Sequence[str] = ()
) -> RepositorySources:
    """The sources of a repository without paths that begin in one of some ways.

    Files whose content the repository lacks are left out. Raises CheckoutError.
    """
    mirror = repositories.find(name, commit)
    absent = frozenset(mirror.absent(commit))
    wanted = {
        path: entry
        for path, entry in mirror.listing(commit).items()
        if entry.is_file and path not in absent and not path.startswith(tuple(exclude))
        if path.endswith(".java") or path == _ROOT_POM
    }
    contents = dict(mirror.contents(wanted))
    root_pom = contents.pop(_ROOT_POM, b"")
    return RepositorySources(name, mirror.resolve(commit), contents, root_pom, tuple(exclude))


def framework_of(file: JavaFile, *, is_junit3: bool) -> TestFramework:
    """What runs the tests of a file, by its imports; JUnit 4 where they do not show it."""
    for beginning, framework in _FRAMEWORKS:
        if any(f" {name}".rpartition(" ")[2].startswith(beginning) for name in file.imports):
            return framework
    return TestFramework.JUNIT3 if is_junit3 else TestFramework.JUNIT4


def _level(content: bytes) -> str:
    try:
        project = ET.fromstring(content)  # noqa: S314 - expat bounds what entities grow to
    except ET.ParseError:
        return ""
    compilers = list(pom.plugins(project, "maven-compiler-plugin"))
    stated = [
        pom.text(compiler, "configuration", key)
        for key in ("release", "source")
        for compiler in compilers
    ]
    stated += [pom.text(project, "properties", name) for name in _LEVELS]
    return next(filter(None, (_filled(level, project) for level in stated)), "")


def _filled(value: str, project: ET.Element) -> str:
    """A value with the project's own properties filled in; "" where one is not known."""
    for _ in range(_DEEPEST):
        value = _PROPERTY.sub(lambda match: pom.text(project, "properties", match[1]), value)
    return "" if "${" in value else value.strip()


def most_common(frameworks: Iterable[TestFramework]) -> TestFramework:
    """The framework of most test classes; JUnit 4 where there are none."""
    counted = list(frameworks)
    return max(counted, key=counted.count, default=TestFramework.JUNIT4)
