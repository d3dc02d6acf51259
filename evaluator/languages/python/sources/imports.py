"""Which files of a tree import which others, read from their import statements alone.

Only the statements are parsed: the syntax trees of a whole repository take thirty times as long.
A statement in a documentation string counts too, which makes the graph larger, never smaller.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator.environment.types import Environment
from evaluator.languages.python.environment.types import python_environment
from evaluator.languages.python.parsing import parsed

_LONGEST_STATEMENT = 200
"""Lines of one import statement."""
_QUOTED_NAME = re.compile(rb"""["']([A-Za-z_]\w*(?:\.\w+)+)["']""")
"""A dotted name as a text, by which frameworks import what their settings name."""


def import_roots(environment: Environment) -> tuple[str, ...]:
    """The directories of a tree that go on PYTHONPATH."""
    return python_environment(environment).recipe.import_roots


def imports(files: Mapping[str, bytes], roots: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The path of each Python file -> those that it imports; modules are found below the `roots`.

    A package is imported with each of its modules, and the `conftest.py` of a directory with each
    file below it; a dotted name in quotes counts as an import where there is such a module. What is
    imported under a computed name is not seen.
    """
    modules = _Modules.of(files, roots)
    return {path: frozenset(modules.imported(path, content)) for path, content in files.items()}


@dataclass(frozen=True)
class _Modules:
    """The modules of a tree: dotted name -> path."""

    paths: Mapping[str, str]

    @staticmethod
    def of(paths: Iterable[str], roots: Sequence[str]) -> _Modules:
        prefixes = {f"{root.strip('./')}/".lstrip("/") for root in roots} | {""}
        return _Modules(
            {
                _dotted(path.removeprefix(prefix)): path
                for path in paths
                for prefix in sorted(prefixes)
                if path.startswith(prefix)
            }
        )

    def imported(self, path: str, content: bytes) -> Iterator[str]:
        """The paths that a file imports."""
        yield from self._conftests(path)
        for statement in _statements(content):
            for name in _names(statement, path):
                yield from self._named(name) or self._beside(name, path)
        for quoted in _QUOTED_NAME.findall(content):
            yield from self._named(quoted.decode())

    def _named(self, name: str) -> Sequence[str]:
        """The packages on the way to a module, and the module."""
        parts = name.split(".")
        dotted = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
        return [self.paths[each] for each in dotted if each in self.paths]

    def _beside(self, name: str, importer: str) -> Sequence[str]:
        """A module in the directory of a file, which pytest makes importable."""
        beside = PurePosixPath(importer).with_name(f"{name.partition('.')[0]}.py")
        found = self.paths.get(_dotted(str(beside)))
        return [found] if found else []

    def _conftests(self, path: str) -> Iterator[str]:
        names = (_dotted(str(parent / "conftest.py")) for parent in PurePosixPath(path).parents)
        yield from (self.paths[n] for n in names if n in self.paths and self.paths[n] != path)


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _statements(content: bytes) -> Iterator[ast.stmt]:
    """The import statements of a file, wherever they stand in it."""
    lines = iter(content.splitlines())
    for line in lines:
        if not line.lstrip().startswith((b"import ", b"from ")):
            continue
        text = line.strip()
        for _ in range(_LONGEST_STATEMENT):
            if not _goes_on(text):
                break
            text += b"\n" + next(lines, b")")
        tree = parsed(text)
        yield from tree.body if tree else ()


def _goes_on(text: bytes) -> bool:
    return text.endswith(b"\\") or (b"(" in text and b")" not in text)


def _names(statement: ast.stmt, path: str) -> Iterator[str]:
    """The dotted names that a statement may import: modules, and what is taken from them."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        base = _absolute(statement, path)
        yield from (f"{base}.{alias.name}".strip(".") for alias in statement.names)


def _absolute(statement: ast.ImportFrom, path: str) -> str:
    """The module of `from MODULE import`, a relative one as seen from the root of the tree."""
    module = statement.module or ""
    if not statement.level:
        return module
    package = PurePosixPath(path).parts[: -statement.level]
    return ".".join((*package, module)).strip(".")
