"""What Java's sources define and import, and by which dotted names they are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from evaluator.languages.java import syntax
from generator.languages.java.structure import CLASSES, METHODS, encoded, name_of

SUFFIXES = (".java",)
PACKAGE_FILES = ("package-info.java",)
TEST_MARK = re.compile(r"^Test(?=[A-Z])|(?<=.)(?:Tests?|TestCase|IT)$|^(?:tests?|it)$")

_ROOT = re.compile(
    r"^(?:.*/)?(?:src/\w+/java|src/(?:java|main|test|it)|src|source|tests?|java)/(?=\w)"
)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)(\.\*)?[ \t]*;", re.MULTILINE)
_TEST = re.compile(
    r"@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b"
    r"|\bvoid\s+test\w*\s*\("
)
_TYPE_NAME = re.compile(r"\b[A-Z]\w*\b")


def layout(paths: Iterable[str]) -> Layout:
    """The layout of a tree with files at these paths."""
    return Layout(paths)


def definitions(text: str) -> frozenset[str]:
    """The names of all types and methods, wherever they stand."""
    root = syntax.parsed(encoded(text))
    nodes = syntax.found(root, *CLASSES, *METHODS) if root is not None else ()
    return frozenset(filter(None, map(name_of, nodes)))


def holds_test(text: str) -> bool:
    """Whether a file of tests defines one."""
    return _TEST.search(text) is not None


def class_name(path: str) -> str:
    """The dotted name of the class that a file is for: what follows the root of its sources."""
    return _ROOT.sub("", path).removesuffix(".java").replace("/", ".")


def package_of(path: str) -> str:
    """The package that a file at a path belongs to, "" for the default one."""
    return class_name(path).rpartition(".")[0]


class Layout:
    """The Java files of a tree, by the dotted names of the classes that they are for.

    Of two files for one class, that whose path is first by its letters counts.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        known = sorted((path for path in paths if path.endswith(SUFFIXES)), reverse=True)
        self.modules: Mapping[str, str] = {class_name(path): path for path in known}

    def imports(self, path: str, text: str) -> Iterator[str]:
        """The dotted names that a file imports, classes of its own package that it names too."""
        for name, star in _IMPORT.findall(text):
            yield from self._in_package(name, text) if star else (name,)
        yield from self._in_package(package_of(path), text)

    def _in_package(self, package: str, text: str) -> Iterator[str]:
        names = (f"{package}.{name}" for name in sorted(set(_TYPE_NAME.findall(text))))
        return (name for name in names if name in self.modules)
