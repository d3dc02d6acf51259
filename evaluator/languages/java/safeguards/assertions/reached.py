"""Which test files take part in a test: its own, and those whose types it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.java.syntax import found, parsed, text

_MOST_FILES = 40
_PACKAGE = re.compile(rb"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_IMPORT = re.compile(rb"^\s*import\s+(?:static\s+)?([\w.]+)", re.MULTILINE)


def reached(files: Iterable[str], read: Source) -> dict[str, bytes]:
    """The contents of test files and of those that they reach."""
    contents: dict[str, bytes] = {}
    pending = [*files]
    while pending and len(contents) < _MOST_FILES:
        path = pending.pop(0)
        content = read(path) if path not in contents and path.endswith(".java") else None
        if content is not None:
            contents[path] = content
            pending += [each for each in _used(path, content) if is_test_file(each)]
    return contents


def _used(path: str, content: bytes) -> Iterator[str]:
    """The files that names may mean, whether they are there or not."""
    directory = PurePosixPath(path).parent
    declared = _PACKAGE.search(content)
    depth = len(declared[1].split(b".")) if declared else 0
    root = directory.parents[depth - 1] if 0 < depth <= len(directory.parents) else directory
    for name in _IMPORT.findall(content):
        parts = name.decode().split(".")
        yield from (f"{root.joinpath(*parts[:end])}.java" for end in range(2, len(parts) + 1))
    tree = parsed(content)
    for name in found(tree, "type_identifier", "identifier") if tree is not None else ():
        if text(name)[:1].isupper():
            yield str(directory / f"{text(name)}.java")
