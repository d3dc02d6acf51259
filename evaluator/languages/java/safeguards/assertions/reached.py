"""Which test files take part in a test: its own, and those whose types it names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.java.sources.imports import package_of, root_of
from evaluator.languages.java.syntax import found, parsed, text

_MOST_FILES = 40
_IMPORT = re.compile(rb"^\s*import\s+(?:static\s+)?([\w.]+)", re.MULTILINE)


def reached(files: Iterable[str], read: Source, roots: Sequence[str]) -> dict[str, bytes]:
    """The contents of test files and of those that they reach.

    What they import, and the class that one extends, may also lie below other `roots`.
    """
    contents: dict[str, bytes] = {}
    pending = dict.fromkeys(path for path in files if path.endswith(".java"))
    looked_for: set[str] = set()
    while pending and len(contents) < _MOST_FILES:
        path = next(iter(pending))
        del pending[path]
        looked_for.add(path)
        if (content := read(path)) is not None:
            contents[path] = content
            used = (each for each in _used(path, content, roots) if is_test_file(each))
            pending.update((each, None) for each in used if each not in looked_for)
    return contents


def _used(path: str, content: bytes, roots: Sequence[str]) -> Iterator[str]:
    """The files that names may mean, whether they are there or not."""
    directory = PurePosixPath(path).parent
    tree, package = parsed(content), package_of(content)
    below = [*_imported(content), *(_extended(tree, package) if tree is not None else ())]
    for place in (root_of(path, content), *map(PurePosixPath, roots)):
        yield from (str(place / name) for name in below)
    for name in found(tree, "type_identifier", "identifier") if tree is not None else ():
        if text(name)[:1].isupper():
            yield str(directory / f"{text(name)}.java")


def _imported(content: bytes) -> Iterator[str]:
    """Where what a file imports may lie below a root: a type, or one with a static member."""
    for name in _IMPORT.findall(content):
        parts = name.decode().split(".")
        yield from (f"{'/'.join(parts[:end])}.java" for end in range(2, len(parts) + 1))


def _extended(tree: Node, package: str) -> Iterator[str]:
    """Where the classes of the same package lie that those of a file extend."""
    directory = PurePosixPath(package.replace(".", "/"))
    for superclass in found(tree, "superclass"):
        for name in found(superclass, "type_identifier"):
            yield f"{directory / text(name)}.java"
