"""Code that asks how often it was called, or how long ago its class was loaded.

A test runs in a young virtual machine, and calls little before it. What a class counts for all its
objects tells it so as well as the name of the test would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from evaluator.languages.java.sources.declarations import modifiers
from evaluator.languages.java.syntax import field, found, text

_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_ADDING = frozenset(
    {"incrementAndGet", "getAndIncrement", "addAndGet", "getAndAdd"}
    | {"decrementAndGet", "getAndDecrement", "updateAndGet", "getAndUpdate"}
)
_CLOCK = re.compile(r"\b(?:nanoTime|currentTimeMillis|now)\(\)")


def counts(root: Node) -> Iterator[str]:
    """What comparisons of a file ask of what its classes count."""
    shared = dict(_static_fields(root))
    times = {name for name, value in shared.items() if _CLOCK.search(value)}
    for node in found(root, "binary_expression"):
        if text(field(node, "operator")) in _COMPARING:
            yield from (
                f"how often it was called, in {name}" for name in _counted(node) if name in shared
            )
            names = {text(name) for name in found(node, "identifier")}
            yield from (f"the time since {name}" for name in sorted(names & times))


def _static_fields(root: Node) -> Iterator[tuple[str, str]]:
    """The variables that all objects of a class share, and what they begin with."""
    for declaration in found(root, "field_declaration"):
        if "static" in modifiers(declaration):
            for declarator in found(declaration, "variable_declarator"):
                yield text(field(declarator, "name")), text(field(declarator, "value"))


def _counted(comparison: Node) -> Iterator[str]:
    """The names of what a comparison counts up as it asks."""
    for node in found(comparison, "update_expression"):
        yield from (text(name) for name in found(node, "identifier"))
    for node in found(comparison, "method_invocation"):
        if text(field(node, "name")) in _ADDING:
            yield text(field(node, "object"))
