"""Finds the Java code of an issue: in fences, indented, and as lines between those of prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.issue_text import bounded
from evaluator.languages.java import syntax
from generator.languages.java.structure import CLASSES, METHODS, encoded, imported
from generator.report_text.markdown import cleaned

_OTHER = frozenset(
    {"bash", "sh", "shell", "console", "xml", "html", "json", "yaml", "properties", "diff", "sql"}
    | {"kotlin", "scala", "groovy", "js", "javascript", "text", "log", "gradle", "csv"}
)
"""Languages of fences that hold no Java."""

_FENCE = re.compile(r"^[ \t>]*```[ \t]*([\w+-]*)[^`\n]*\n(.*?)^[ \t>]*```[ \t]*$", re.M | re.S)
_CODE = re.compile(
    r"^\s*(?:@[A-Z]\w*\b.*|//.*|/?\*.*|[{}].*|.*[;{}]\s*(?://.*)?|[\w.<>\[\], ]+ =\s*"
    r"|(?:if|for|while|switch|catch|else|try|do)\b\s*(?:\(.*\))?\s*|import\s+[\w.*]+;?"
    r"|(?:public|private|protected|final|static)\s.*[\w)\]]\s*)$"
)
_TORN = re.compile(r"^([^\n]*//[^\n]*)\n\s*(\{[^\n;]*\})[^\S\n]*$", re.MULTILINE)
"""A comment with braces, which trackers take for a macro and set apart."""

_SENTENCE = re.compile(r"^\s*[A-Z]?[\w']+(?:,? [\w'`\"()./-]+){4,}[.:]?\s*$")
_ELLIPSIS = re.compile(r"^\s*(?://\s*)?\.{3,}\s*;?\s*$", re.MULTILINE)
_LONGEST_GAP = 3
"""Lines that belong to no statement by their look, in the middle of brackets."""


@dataclass(frozen=True)
class CodePiece:
    """The code of one place of an issue, taken apart; each piece is a part of a syntax tree.

    `statements` are those at its top level, with the comments between them.
    """

    imports: tuple[str, ...] = ()
    classes: tuple[Node, ...] = ()
    methods: tuple[Node, ...] = ()
    statements: tuple[Node, ...] = ()


def snippets(issue: str) -> tuple[CodePiece, ...]:
    """The pieces of Java in an issue, in the order of the text; any text can be read."""
    found = (_snippet(code) for code in _codes(bounded(issue)))
    return tuple(one for one in found if one.classes or one.methods or one.statements)


def _codes(issue: str) -> Iterator[str]:
    """What stands in fences, and what looks like code outside of them, however it is indented.

    Every other line of a text that a tracker has exported may be empty, so that indentation alone
    does not show where code begins and ends.
    """
    pieces = _FENCE.split(_TORN.sub(r"\1 \2", cleaned(issue)))
    for number, piece in enumerate(pieces):
        if number % 3 == 0:
            yield from _between_prose(piece.split("\n"))
        elif number % 3 == 2 and pieces[number - 1].lower() not in _OTHER:
            yield piece


def _between_prose(lines: Sequence[str]) -> Iterator[str]:
    """Runs of lines that look like code, empty lines and what is in brackets among them."""
    run: list[str] = []
    for line in lines:
        if _belongs(line, run):
            run.append(line)
        elif run:
            yield "\n".join(run)
            run = []
    if run:
        yield "\n".join(run)


def _belongs(line: str, run: Sequence[str]) -> bool:
    if not line.strip():
        return bool(run)
    if _CODE.match(line):
        return True
    text = "\n".join(run)
    opened = text.count("(") > text.count(")")
    gap = [above for above in run[-_LONGEST_GAP:] if above.strip() and not _CODE.match(above)]
    return opened and len(gap) < _LONGEST_GAP and not _SENTENCE.match(line)


def _snippet(code: str) -> CodePiece:
    """What of a code can be read; pieces with errors in them are left out."""
    root = syntax.parsed(encoded(_ELLIPSIS.sub("", code)))
    if root is None:
        return CodePiece()
    whole = [node for node in _pieces(root) if not node.has_error and not node.is_missing]
    return CodePiece(
        tuple(imported(node) for node in whole if node.type == "import_declaration"),
        tuple(node for node in whole if node.type in CLASSES),
        tuple(node for node in whole if node.type in METHODS),
        tuple(node for node in whole if _is_statement(node)),
    )


def _pieces(root: Node) -> Iterator[Node]:
    """The nodes at the top level, those in what could not be read as a whole among them."""
    for node in root.named_children:
        if node.is_error:
            yield from (child for child in node.named_children if _stands_alone(child))
        else:
            yield node


def _stands_alone(node: Node) -> bool:
    return node.type in (*CLASSES, *METHODS, "import_declaration") or _is_statement(node)


def _is_statement(node: Node) -> bool:
    if node.type == "expression_statement":
        return node.named_children[0].type not in ("identifier", "field_access")
    return node.type.endswith("_statement") or node.type in (
        "local_variable_declaration",
        "field_declaration",
        "line_comment",
        "block",
    )
