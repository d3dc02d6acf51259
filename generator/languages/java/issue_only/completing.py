"""Completes the statements of an issue: declarations that it left out, and those it repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from evaluator.languages.java import syntax
from generator.languages.java.issue_only.names import ClassIndex
from generator.languages.java.structure import encoded, name_of

_VARIABLE = re.compile(r"[a-z]\w*$|[A-Z][A-Z_0-9]+$")


def completed(
    statements: Sequence[str], fields: Sequence[str], project: ClassIndex, issue: str
) -> list[str]:
    """Statements that declare each variable once; `fields` are those of the test class.

    A variable that is never declared has the class of what it is first set to, or, where it is
    only used, the class of the project that it is named for and the issue speaks of.
    """
    known = {name for code in fields for name in _declared(_root(code))}
    found = list(_declaring_once(statements, known))
    used = {name for code in found for name in _receivers(_root(code))}
    lacking = sorted(used - {name for code in (*found, *fields) for name in _declared(_root(code))})
    classes = {name: _named_for(name, project, issue) for name in lacking}
    made = [f"{cls} {name} = new {cls}();" for name, cls in classes.items() if cls]
    return [*made, *found]


def _root(code: str) -> Node | None:
    return syntax.parsed(encoded(code))


def _declaring_once(statements: Sequence[str], fields: set[str]) -> Iterator[str]:
    known: set[str] = set()
    for code in statements:
        root = _root(code)
        node = root.named_children[0] if root is not None and root.named_children else None
        declared = _top_declared(node)
        if node is not None and declared and declared <= known:
            yield _without_type(node, code)
        elif node is not None and (made := _first_set(node, known | fields)):
            known |= {made[0]}
            yield f"{made[1]} {code}"
        else:
            known |= declared
            yield code


def _top_declared(node: Node | None) -> set[str]:
    if node is None or node.type not in ("local_variable_declaration", "field_declaration"):
        return set()
    return {name_of(child) for child in node.named_children if child.type == "variable_declarator"}


def _without_type(node: Node, code: str) -> str:
    """A declaration as an assignment; one without a value is dropped."""
    declarator = syntax.field(node, "declarator")
    value = syntax.field(declarator, "value") if declarator is not None else None
    return f"{syntax.text(declarator)};" if value is not None else "" if declarator else code


def _first_set(node: Node, known: set[str]) -> tuple[str, str] | None:
    """The variable that a statement sets for the first time to a new object, and its class."""
    inner = node.named_children[0] if node.type == "expression_statement" else None
    if inner is None or inner.type != "assignment_expression":
        return None
    left, right = syntax.field(inner, "left"), syntax.field(inner, "right")
    if left is None or right is None or left.type != "identifier" or syntax.text(left) in known:
        return None
    made = syntax.field(right, "type") if right.type == "object_creation_expression" else None
    return (syntax.text(left), syntax.text(made)) if made is not None else None


def _declared(root: Node | None) -> Iterator[str]:
    for node in syntax.walk(root) if root is not None else ():
        if node.type in ("variable_declarator", "formal_parameter", "catch_formal_parameter"):
            yield name_of(node)
        elif node.type in ("resource", "enhanced_for_statement"):
            yield syntax.text(syntax.field(node, "name"))
        elif node.type in ("lambda_expression", "inferred_parameters"):
            yield from (syntax.text(c) for c in node.named_children if c.type == "identifier")


def _receivers(root: Node | None) -> Iterator[str]:
    """The variables that methods are called of or that are handed on."""
    for node in syntax.found(root, "identifier") if root is not None else ():
        parent = node.parent
        handed = parent is not None and parent.type == "argument_list"
        called = parent is not None and syntax.field(parent, "object") == node
        if (handed or called) and _VARIABLE.match(syntax.text(node)):
            yield syntax.text(node)


def _named_for(name: str, project: ClassIndex, issue: str) -> str:
    words = set(re.findall(r"\w+", issue))
    bare = name.replace("_", "").lower()
    fitting = (cls for cls in project.named if cls in words and cls.lower().endswith(bare))
    return min(fitting, key=len, default="")
