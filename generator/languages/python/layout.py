"""What Python's sources define and import, and by which dotted names they are known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

PACKAGE_FILES = ("__init__.py",)
TEST_MARK = re.compile(r"^tests?_|_tests?$|^tests?$")
SUFFIXES = (".py", ".pyx")

_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+|cp|c)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_IMPORT = re.compile(
    r"""
    ^[ \t]* (?:
        from [ \t]+ (?P<origin>[\w.]+) [ \t]+ import [ \t]+
        (?P<names> \([^)]*\) | [^\n\\]* (?:\\\n[^\n\\]*)* )
        | import [ \t]+ (?P<modules>[^\n\#;]+)
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
_TEST = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+test", re.MULTILINE)
_COMMENT = re.compile("#.*")
_NAME = re.compile(r"[\w.]+")


def layout(paths: Iterable[str]) -> Layout:
    """The layout of a tree with files at these paths."""
    return Layout(paths)


def definitions(text: str) -> frozenset[str]:
    """The names of all classes and functions, wherever they stand."""
    return frozenset(_DEFINITION.findall(text))


def holds_test(text: str) -> bool:
    """Whether a file of tests defines one."""
    return _TEST.search(text) is not None


class Layout:
    """The Python files of a tree, by the dotted names under which they are imported.

    Names start where packages do: at the outermost directory of a chain that have `__init__.py`.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        known = sorted(path for path in paths if path.endswith(SUFFIXES))
        self._packages = {str(PurePosixPath(p).parent) for p in known if p.endswith("/__init__.py")}
        self.modules: Mapping[str, str] = {self.module(path): path for path in reversed(known)}

    def module(self, path: str) -> str:
        """The dotted name of a file."""
        pure = PurePosixPath(path)
        parts = [] if pure.name == "__init__.py" else [pure.stem]
        folder = pure.parent
        while str(folder) in self._packages:
            parts.insert(0, folder.name)
            folder = folder.parent
        return ".".join(parts)

    def imports(self, path: str, text: str) -> Iterator[str]:
        """The dotted names that a file imports."""
        for match in _IMPORT.finditer(text):
            if match["modules"]:
                yield from (part.split()[0] for part in match["modules"].split(",") if part.strip())
            else:
                origin = self.imported(match["origin"], path)
                names = _NAME.findall(_COMMENT.sub("", match["names"]))
                yield from (f"{origin}.{name}" for name in names)

    def imported(self, origin: str, path: str) -> str:
        """The absolute name of what the file at `path` imports from: `..core` is relative to it."""
        name = origin.lstrip(".")
        up = len(origin) - len(name)
        if not up:
            return name
        parts = self.module(path).split(".")
        kept = parts[: len(parts) - up + path.endswith("__init__.py")]
        return ".".join([*kept, *filter(None, [name])])
