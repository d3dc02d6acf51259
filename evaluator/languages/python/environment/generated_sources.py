"""C and C++ that a project's build takes for granted, and that Cython is to write before."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from evaluator.languages.python.environment.static import parse

CYTHON = "cython"
_OPTIONS = {".c": "", ".cpp": "--cplus "}


def cython_commands(tree: Path) -> tuple[str, ...]:
    """The commands, from the root of a tree, that write what setup.py names and nobody wrote.

    A repository holds the source of Cython; a release has the C that was made of it.
    """
    return tuple(
        f"python -m {CYTHON} {_OPTIONS[path.suffix]}{shlex.quote(str(path.with_suffix('.pyx')))}"
        for path in sorted(_named(tree))
        if not (tree / path).exists() and (tree / path).with_suffix(".pyx").is_file()
    )


def _named(tree: Path) -> Iterator[PurePosixPath]:
    """The sources of C and C++ inside the tree that setup.py names, each once."""
    nodes = ast.walk(parse(tree / "setup.py"))
    texts = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    paths = (PurePosixPath(text) for text in texts if text.endswith(tuple(_OPTIONS)))
    yield from (path for path in paths if not path.is_absolute() and ".." not in path.parts)
