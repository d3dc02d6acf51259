"""Public methods that can no longer be called as they could: no test has to have such a call."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.languages.java.sources.declarations import (
    TYPES,
    declarations,
    is_public,
    parameters,
)
from evaluator.languages.java.syntax import field, parsed

_INTERNAL = re.compile(r"(?:.*/)?(?:internal|impl|shaded)/.*")
"""Packages whose public types are public for the project itself."""
_CALLED = frozenset({"method_declaration", "constructor_declaration"})


@dataclass(frozen=True)
class _Arity:
    """How many parameters a method has; where `open`, the last takes any number of values."""

    count: int
    open: bool = False

    def takes(self, other: _Arity) -> bool:
        """Whether calls that the other allows are allowed here, too, by their number of values."""
        if self.open:
            return other.count >= self.count - 1
        return not other.open and other.count == self.count


_Methods = Mapping[str, Collection[_Arity]]


def refused_calls(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """How public methods and constructors can no longer be called, by their names.

    Only the number of parameters is compared, with all methods of the same name; what is gone
    altogether, or private to a package by its name, is left out.
    """
    if not path.endswith(".java") or _INTERNAL.fullmatch(path):
        return
    before, after = _methods(old), _methods(new)
    for name in sorted(before.keys() & after.keys()):
        for arity in sorted(before[name], key=lambda each: each.count):
            if not any(each.takes(arity) for each in after[name]):
                plural = "" if arity.count == 1 else "s"
                yield f"{name} does not take {arity.count} argument{plural}"


def _methods(source: bytes) -> _Methods:
    """The public methods and constructors of the public types of a file."""
    found: dict[str, set[_Arity]] = defaultdict(set)
    root = parsed(source)
    if root is None or root.has_error:
        return found
    public = {"": root}
    for each in declarations(root):
        around = public.get(each.owner.removesuffix("."))
        if around is None or not is_public(each.node, around):
            continue
        name = f"{each.owner}{each.name}"
        if each.node.type in TYPES:
            public[name] = each.node
            found[name] |= _made_by_itself(each.node)
        elif each.node.type in _CALLED:
            is_constructor = each.node.type == "constructor_declaration"
            found[each.owner.removesuffix(".") if is_constructor else name].add(_arity(each.node))
    return found


def _made_by_itself(node: Node) -> set[_Arity]:
    """The constructor that Java makes: of a record, or of a class that has none of its own."""
    if node.type == "record_declaration":
        return {_arity(node)}
    body = field(node, "body")
    members = body.named_children if body is not None else []
    own = any(each.type == "constructor_declaration" for each in members)
    return {_Arity(0)} if node.type == "class_declaration" and not own else set()


def _arity(node: Node) -> _Arity:
    kinds = [each.type for each in parameters(node)]
    return _Arity(len(kinds), "spread_parameter" in kinds)
