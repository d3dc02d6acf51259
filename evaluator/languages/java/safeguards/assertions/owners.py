"""Which class the assertions of a file belong to, by its imports."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from tree_sitter import Node

from evaluator.languages.java.syntax import field, found, text

_KNOWN = re.compile(r"[\w.]*(?:junit|testng)[\w.]*\.(?:Assert|Assertions|TestCase)")


def owner_of(root: Node, call: Node, name: str) -> str:
    """The qualified class of an asserting method; "" where the file does not say it."""
    imported = _imports(root)
    receiver = text(field(call, "object"))
    if "." in receiver:
        return receiver
    if receiver:
        return next((each for each in imported if each.endswith(f".{receiver}")), "")
    static = [each.rpartition(".")[0] for each in imported if each.endswith((f".{name}", ".*"))]
    return next(filter(_KNOWN.fullmatch, static), "") or _inherited(root)


@functools.lru_cache(maxsize=4)
def _imports(root: Node) -> Sequence[str]:
    return [_imported(node) for node in root.named_children if "import" in node.type]


def _imported(statement: Node) -> str:
    words = text(statement).removeprefix("import").strip().removeprefix("static")
    return re.sub(r"[\s;]", "", words)


@functools.lru_cache(maxsize=4)
def _inherited(root: Node) -> str:
    extended = " ".join(text(node) for node in found(root, "superclass"))
    return "junit.framework.TestCase" if "Test" in extended else ""
