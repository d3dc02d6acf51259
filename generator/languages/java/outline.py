"""What a Java file defines, with line numbers, however much of it can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from evaluator.languages.java import syntax
from generator.languages.java.structure import CLASSES, METHODS, encoded, is_test, members, name_of
from generator.languages.protocol import Symbol


def outline(text: str) -> tuple[Symbol, ...]:
    """The types and methods of a file, in order; those inside of methods are left out."""
    root = syntax.parsed(encoded(text))
    return () if root is None else tuple(_symbols(root.named_children, ""))


def _symbols(nodes: Sequence[Node], around: str) -> Iterator[Symbol]:
    for node in nodes:
        if node.type not in (*CLASSES, *METHODS):
            continue
        name, is_class = f"{around}{name_of(node)}", node.type in CLASSES
        place = (syntax.first_line(node), syntax.last_line(node))
        yield Symbol(name, is_class, *place, _signature(node), is_test(node))
        if is_class:
            yield from _symbols(list(members(node)), f"{name}.")


def _signature(node: Node) -> str:
    """What stands after the name, up to the body, in one line."""
    named, body = syntax.field(node, "name"), syntax.field(node, "body")
    end = body.start_byte if body is not None else node.end_byte
    if named is None:
        return ""
    after = (node.text or b"")[named.end_byte - node.start_byte : end - node.start_byte]
    words = " ".join(after.decode("utf-8", "replace").split()).removesuffix(";")
    return words if words.startswith(("(", "<")) or not words else f" {words}"


def outline_text(symbols: Sequence[Symbol]) -> str:
    """An outline for people and models: line number, indentation, kind, name and signature."""
    return "\n".join(
        f"{symbol.first}: {'    ' * symbol.name.count('.')}"
        f"{'class ' if symbol.is_class else ''}{symbol.short_name}{symbol.signature}"
        for symbol in symbols
    )
