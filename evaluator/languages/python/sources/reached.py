"""The test files that a test reaches: its own, those that it imports, the `conftest.py` above."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from evaluator.languages import is_test_file
from evaluator.languages.python.parsing import parsed
from evaluator.model import Source

_MOST_FILES = 40


def reached(files: Iterable[str], read: Source, roots: Sequence[str] = ()) -> dict[str, bytes]:
    """The contents of test files and of those that they reach; `roots` are on the import path."""
    contents: dict[str, bytes] = {}
    pending = [*files]
    pending += [path for file in pending for path in _conftests(file)]
    while pending and len(contents) < _MOST_FILES:
        path = pending.pop(0)
        content = read(path) if path not in contents else None
        if content is not None:
            contents[path] = content
            pending += [found for found in _imported(path, content, roots) if is_test_file(found)]
    return contents


def _conftests(path: str) -> Iterator[str]:
    yield from (str(parent / "conftest.py") for parent in PurePosixPath(path).parents)


def _imported(path: str, content: bytes, roots: Sequence[str]) -> Iterator[str]:
    """The files that an import may mean, whether they are there or not."""
    directory = PurePosixPath(path).parent
    for node in ast.walk(parsed(content) or ast.Module([], [])):
        match node:
            case ast.Import(names=names):
                for name in names:
                    yield from _files(name.name, [directory, *map(PurePosixPath, ("", *roots))])
            case ast.ImportFrom(module=module, names=names, level=level):
                places = [directory, *map(PurePosixPath, ("", *roots))]
                if level:
                    places = [*(directory, *directory.parents)[level - 1 : level]]
                for member in ("", *(f".{name.name}" for name in names)):
                    yield from _files(f"{module or ''}{member}".strip("."), places)


def _files(module: str, places: Sequence[PurePosixPath]) -> Iterator[str]:
    for place in places:
        path = place.joinpath(*module.split("."))
        yield from (f"{path}.py", str(path / "__init__.py"))
