"""The words that the code of a Java project lists beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from tree_sitter import Node

from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.test_code import texts_in
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.languages.substitutions import WORD
from evaluator.languages.vocabulary import listed_beside


def siblings(
    tree: Path, paths: Iterable[str], changed: Iterable[str]
) -> Mapping[str, tuple[str, ...]]:
    """Words that stand beside others in a file of the packages of `changed` files, with these.

    That is in an array, among what is given to a call, in the same call of the same thing
    (`units.put("kg", 1)`), among the cases of a `switch`, and the constants of an enumeration.
    `paths` are the source files of the tree.
    """
    packages = {PurePosixPath(path).parent for path in changed if path.endswith(".java")}
    near = (tree / path for path in paths if PurePosixPath(path).parent in packages)
    roots = (parsed(place.read_bytes()) for place in near)
    return listed_beside(words for root in roots if root is not None for words in _listed(root))


def _listed(root: Node) -> Iterator[list[str]]:
    calls: dict[tuple[str, str], list[str]] = {}
    for node in found(root, "array_initializer", "argument_list", "switch_block", "enum_body"):
        yield [word for child in node.named_children for word in _words(child)]
    for call in found(root, "method_invocation"):
        called = (text(field(call, "object")), text(field(call, "name")))
        for first in arguments(call)[:1]:
            calls.setdefault(called, []).extend(_words(first))
    yield from calls.values()


def _words(node: Node) -> Iterator[str]:
    """The word that an entry of a list is, or is for."""
    match node.type:
        case "string_literal":
            yield from filter(WORD.fullmatch, texts_in(node))
        case "enum_constant":
            yield from filter(WORD.fullmatch, [text(field(node, "name"))])
        case "switch_block_statement_group" | "switch_rule":
            for label in found(node, "switch_label"):
                yield from (word for entry in label.named_children for word in _words(entry))
