"""Records that become classes with an equality of their own.

A record equals what has the same components. A class that takes its place, and leaves one of them
out, equals what no test of the record expects; that its other fields may differ is nothing unusual,
so that trials with other values do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from evaluator.languages.java.sources.declarations import METHODS, declarations
from evaluator.languages.java.syntax import field, found, text


def taken_over(old: Node, new: Node) -> Iterator[str]:
    """The comparisons of classes in the new version of a file that were records in the old."""
    classes = {text(field(node, "name")) for node in found(new, "class_declaration")}
    records = {text(field(node, "name")) for node in found(old, "record_declaration")}
    for each in declarations(new):
        owner = each.owner.strip(".").rpartition(".")[2]
        compares = each.node.type in METHODS and each.name == "equals"
        if compares and owner in classes & records:
            yield f"{each.owner}equals in place of a record's"
