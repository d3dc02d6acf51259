"""What pytest loads before any test: plug-ins of the repository, and what conftest.py imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.python.environment.project import read_project
from evaluator.languages.python.parsing import parsed_leniently
from evaluator.languages.safeguards import Concern
from evaluator.languages.sources import Changed

_SETTINGS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini")
_TARGET = re.compile(r"=\s*([\w.]+)")
_OPTION = re.compile(r"(?<![\w-])-p[\s=]*([A-Za-z_][\w.]*)")


def loaded_first(
    changed: Changed,
    source: Source,
    conftests: Iterable[str],
    *,
    plugins: Iterable[str] = (),
    roots: Sequence[str] = ("",),
) -> tuple[Concern, ...]:
    """The changed modules that pytest loads as plug-ins, or that a conftest.py takes from tests.

    `plugins` are modules that the project registers, `conftests` the paths of all conftest.py.
    What a conftest.py imports of the package itself is what tests are for, and judged by what it
    does (see `reaching`).
    """

    def read(path: str) -> bytes | None:
        return changed[path] if path in changed else source(path)

    loaded = _Loaded(read, roots)
    declared = {*plugins, *_of_settings(read)}
    for path in sorted({*conftests, *(p for p in changed if p.endswith("conftest.py"))}):
        declared |= loaded.follow(path)
    named = {path for name in declared for path in loaded.files(name, "")}
    said = dict.fromkeys(loaded.support, "is imported by conftest.py")
    said |= dict.fromkeys(named, "is loaded as a plug-in of pytest")
    return tuple(Concern(path, said[path]) for path in sorted(said.keys() & changed.keys()))


def registered(tree: Path) -> Iterator[str]:
    """The modules that a project registers as plug-ins of pytest."""
    for line in read_project(tree).entry_points.get("pytest11", ()):
        yield from _TARGET.findall(line)


class _Loaded:
    """The modules among the tests that conftest.py files import, directly or through others."""

    def __init__(self, read: Source, roots: Sequence[str]) -> None:
        self._read = read
        self._roots = [root.strip("./") for root in roots]
        self.support: set[str] = set()

    def follow(self, path: str) -> set[str]:
        """Note what a module imports from among the tests; the plug-ins that they all declare."""
        tree = parsed_leniently(self._read(path) or b"")
        if tree is None:
            return set()
        declared = set(_declared(tree))
        for name in _imports(tree, path):
            for file in self.files(name, str(PurePosixPath(path).parent)):
                if is_test_file(file) and file not in self.support:
                    self.support.add(file)
                    declared |= self.follow(file)
        return declared

    def files(self, name: str, folder: str) -> Iterator[str]:
        """The file that a module is in, if it is one of the repository's."""
        below = name.replace(".", "/")
        for root in dict.fromkeys(["", *self._roots, folder.strip(".")]):
            for file in (f"{below}.py", f"{below}/__init__.py"):
                path = f"{root}/{file}".lstrip("/")
                if self._read(path) is not None:
                    yield path


def _imports(tree: ast.AST, path: str) -> Iterator[str]:
    """Names of the modules that a module imports, and of what may be modules."""
    package = PurePosixPath(path).parent.parts
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                above = package[: len(package) - level + 1] if level else ()
                base = ".".join([*above, *([module] if module else [])])
                yield base
                yield from (f"{base}.{alias.name}" for alias in aliases)


def _declared(tree: ast.AST) -> Iterator[str]:
    """The plug-ins that a conftest.py names in `pytest_plugins`."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="pytest_plugins")], value=value):
                texts = (part.value for part in ast.walk(value) if isinstance(part, ast.Constant))
                yield from (text for text in texts if isinstance(text, str))


def _of_settings(read: Source) -> Iterator[str]:
    """The plug-ins that options of pytest name: `-p NAME`."""
    for name in _SETTINGS:
        yield from _OPTION.findall((read(name) or b"").decode(errors="replace"))
