"""What a change of Java does beside its results, which tests of these do not show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set

from tree_sitter import Node

from evaluator.languages.java.sources.declarations import (
    declarations,
    fields_named,
    methods,
    modifiers,
)
from evaluator.languages.java.syntax import field, found, parsed, text

_CONTAINER = re.compile(r"(?:\w+\.)*\w*(?:Map|List|Set|Queue|Deque|Cache)\b.*", re.DOTALL)
_WRITING = frozenset(
    {"add", "addAll", "addFirst", "addLast", "clear", "compute", "computeIfAbsent", "merge"}
    | {"computeIfPresent", "offer", "poll", "pop", "push", "put", "putAll", "putIfAbsent"}
    | {"remove", "removeAll", "retainAll"}
)
_ALL_ERRORS = frozenset({"Throwable", "Error", "Exception", "RuntimeException"})


def unseen_effects(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """What methods of a file do with its new content alone, and no result shows.

    They keep values for all later calls in a static field, or catch every error.
    """
    if not path.endswith(".java"):
        return
    before, after = parsed(old), parsed(new)
    if before is None or after is None or after.has_error:
        return
    kept, formerly_kept = _kept(after), _kept(before)
    if len(kept) > len(formerly_kept):
        yield from (f"{name} keeps values for later calls" for name in sorted(kept - formerly_kept))
    times, formerly = _catching(after), _catching(before)
    if times.total() > formerly.total():
        yield from (f"{name} catches every error" for name in sorted(+(times - formerly)))


def _kept(root: Node) -> Set[str]:
    """The static containers of a file that its methods change, and static variables they set."""
    static = [each for each in _fields(root) if "static" in modifiers(each)]
    containers = (each for each in static if _CONTAINER.fullmatch(text(field(each, "type"))))
    variables = (each for each in static if "final" not in modifiers(each))
    bodies = [each.node for each in methods(root)]
    written = {name for body in bodies for name in _written(body)}
    assigned = {name for body in bodies for name in _assigned(body)}
    return (_names(containers) & written) | (_names(variables) & assigned)


def _fields(root: Node) -> Iterator[Node]:
    return (each.node for each in declarations(root) if each.node.type == "field_declaration")


def _names(fields: Iterable[Node]) -> Set[str]:
    return {name for each in fields for name, _ in fields_named(each)}


def _written(body: Node) -> Iterator[str]:
    """The names of what is changed in place."""
    for call in found(body, "method_invocation"):
        if text(field(call, "name")) in _WRITING:
            yield _last_name(field(call, "object"))


def _assigned(body: Node) -> Iterator[str]:
    for assignment in found(body, "assignment_expression"):
        yield _last_name(field(assignment, "left"))


def _last_name(node: Node | None) -> str:
    """The name that an expression is, or ends with as a field; "" for any other."""
    if node is not None and node.type == "field_access":
        return text(field(node, "field"))
    return text(node) if node is not None and node.type == "identifier" else ""


def _catching(root: Node) -> Counter[str]:
    """How often each method catches every error and does not throw it again, by its name."""
    times = Counter[str]()
    for method in methods(root):
        clauses = found(method.node, "catch_clause")
        times[f"{method.owner}{method.name}"] += sum(map(_swallows, clauses))
    return +times


def _swallows(clause: Node) -> bool:
    """Whether a clause catches every error, and what it does does not depend on which."""
    parameter, body = next(iter(clause.named_children), None), field(clause, "body")
    if parameter is None or body is None:
        return False
    types = (kind for each in found(parameter, "catch_type") for kind in each.named_children)
    kinds = {text(kind).rpartition(".")[2] for kind in types}
    name = text(field(parameter, "name"))
    used = any(text(each) == name for each in found(body, "identifier"))
    return not kinds.isdisjoint(_ALL_ERRORS) and not used
