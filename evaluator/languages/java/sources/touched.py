"""Which methods of the base a change touches, compared by their words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages.java.sources.behaviour import words
from evaluator.languages.java.sources.declarations import (
    METHODS,
    TYPES,
    Declaration,
    declarations,
)
from evaluator.languages.java.syntax import field, first_line, parsed
from evaluator.languages.sources import Touched


def touched(path: str, source: Source, new: bytes | None) -> Touched:
    """What a change of one file touches; `source` reads the base.

    Methods begin where their annotations do. A new file touches no other: the files that use it are
    changed too.
    """
    before = source(path)
    stem = PurePosixPath(path).stem
    files = frozenset({path} if before is not None else ())
    old, now = parsed(before or b""), parsed(new or b"")
    if not path.endswith(".java") or before is None or old is None or now is None:
        return Touched(files=files, loaded=files, names=frozenset({stem}))
    changed = list(_rewritten(old, now))
    return Touched(
        files=files,
        functions={path: frozenset(first_line(each.node) for each in changed)},
        loaded=files if _outside(old) - _outside(now) else frozenset(),
        names=frozenset({stem, *(name for each in changed for name in _names(each))}),
    )


def _rewritten(old: Node, new: Node) -> Iterator[Declaration]:
    """The methods of a file that another version of it does not have as they are."""
    after = _methods(new)
    for name, nodes in _methods(old).items():
        there = {words(node) for node in after.get(name, ())}
        for node in nodes:
            if words(node) not in there:
                yield Declaration(*name, node)


def _methods(root: Node) -> Mapping[tuple[str, str], list[Node]]:
    """The methods of a file by their types and names; overloaded ones share these."""
    found: dict[tuple[str, str], list[Node]] = defaultdict(list)
    for each in declarations(root):
        if each.node.type in METHODS:
            found[each.owner, each.name].append(each.node)
    return found


def _names(method: Declaration) -> set[str]:
    return {method.name, *method.owner.split(".")} - {""}


def _outside(root: Node) -> Counter[str]:
    """What is set or done when a type is loaded, and what its heads say."""
    return Counter(
        _head(each.node) if each.node.type in TYPES else words(each.node)
        for each in declarations(root)
        if each.node.type not in METHODS
    )


def _head(node: Node) -> str:
    """The words of a type before its body."""
    body = field(node, "body")
    parts = [child for child in node.children if child != body and "comment" not in child.type]
    return " ".join(words(part) for part in parts)
