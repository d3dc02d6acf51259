"""The parts of a change that can be taken back on their own."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator.diff import Changes, Source
from evaluator.python_source import parsed

_MOST_LINES = 20_000


@dataclass(frozen=True)
class Hunk:
    """Lines `first` to `last` of a changed file, and the file's content without that change.

    `last` is below `first` where lines are only removed; both are 0 where the whole file is taken
    back. `content` is None where the file was not there before.
    """

    path: str
    first: int
    last: int
    content: bytes | None


def hunks_of(fix: Changes, source: Source) -> tuple[Hunk, ...]:
    """Each run of changed lines that changes what is executed, in the order of files and lines.

    New files and removed ones are taken back whole, and so is what is no Python but lies in a
    package, where code may read it. Hunks without which a file is no valid Python are left out; a
    file that has no others is taken back whole.
    """
    found: list[Hunk] = []
    for path, after in sorted(fix.contents.items()):
        before = source(path)
        if before != after and (path.endswith(".py") or _in_package(path, source)):
            found += _of_file(path, before, after)
    return tuple(found)


def _in_package(path: str, source: Source) -> bool:
    parents = PurePosixPath(path).parents
    return any(source(str(parent / "__init__.py")) is not None for parent in parents)


def _of_file(path: str, before: bytes | None, after: bytes | None) -> Iterator[Hunk]:
    new = parsed(after) if after is not None and path.endswith(".py") else None
    if before is None or after is None or new is None or after.count(b"\n") > _MOST_LINES:
        yield Hunk(path, 0, 0, before)
        return
    meaning, hunks = _meaning(new), list(_lines_taken_back(path, before, after))
    found = [hunk for hunk, tree in hunks if tree is not None and _meaning(tree) != meaning]
    if not found and any(tree is None for _, tree in hunks):
        found = [Hunk(path, 0, 0, before)]
    yield from found


def _lines_taken_back(
    path: str, before: bytes, after: bytes
) -> Iterator[tuple[Hunk, ast.Module | None]]:
    """Each hunk of a file, and the tree of what is left without it."""
    old_lines, new_lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for first, last, lines in _changed(old_lines, new_lines):
        content = b"".join([*new_lines[:first], *lines, *new_lines[last:]])
        yield Hunk(path, first + 1, last, content), parsed(content)


def _changed(
    before: Sequence[bytes], after: Sequence[bytes]
) -> Iterator[tuple[int, int, Sequence[bytes]]]:
    """From where to where the new lines differ, counted from 0, and the old lines there."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_end, start, end in matcher.get_opcodes():
        if tag != "equal":
            yield start, end, before[old_start:old_end]


def _meaning(tree: ast.Module) -> str:
    """What a module does, whatever its comments and documentation."""
    return ast.dump(_WithoutDocumentation().visit(tree))


class _WithoutDocumentation(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.Expr | ast.Pass:
        return ast.Pass() if isinstance(node.value, ast.Constant) else node
