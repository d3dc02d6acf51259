"""Changes that handle only the reported example: branches on the very values of its test."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.data_files import examples_in_data
from evaluator.languages.java.safeguards.examples import Examples, examples, is_number
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.constants import composed, literals
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.languages.safeguards import Concern, Test
from evaluator.languages.sources import Changed

_MATCHING = frozenset(
    {"equals", "equalsIgnoreCase", "startsWith", "endsWith", "contains", "matches", "indexOf"}
    | {"contentEquals", "regionMatches", "compareTo", "get", "containsKey", "put", "of", "hashCode"}
)
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_EQUAL = frozenset({"==", "!="})
_COUNTS = re.compile(r"\b(?:length|size\(\)|count\(\))")
_PAIRING = frozenset({"of", "put", "entry", "putIfAbsent"})
_LOOKING_UP = frozenset({"equals", "get", "getOrDefault", "containsKey", "contains"} | _PAIRING)
_ANSWERING = ("return_statement", "yield_statement", "assignment_expression", "variable_declarator")
_CASES = ("switch_block_statement_group", "switch_rule")

Names = Mapping[str, Node]
"""Variables, and the literals that they are set to."""


def special_cases(
    changed: Changed, source: Source, tests: Sequence[Test], issue: str
) -> tuple[Concern, ...]:
    """Values that stand in the examples of `tests` or `issue`, and that new conditions ask for.

    That is a text of several words or an unusual number; texts are found in disguise, too; any
    number that tests hand in and something has to be equal to; or any value, where what the branch
    answers is an expected value of the tests. Values that a file had before are left out. Code that
    names a file of the tests is right only where they are.
    """
    known = examples(tests, source, issue)
    code = {
        path: new
        for path, new in sorted(changed.items())
        if new is not None and path.endswith(".java") and not is_test_file(path)
    }
    asking = (
        Concern(path, f"asks for {value!r:.60}")
        for path, new in code.items()
        for value in sorted(_special(source(path) or b"", new, known))
    )
    named = {value for new in code.values() if (root := parsed(new)) for value in literals(root)}
    held = examples_in_data(changed, source, named, known.inputs | known.expected)
    return (*asking, *held)


def _special(old: bytes, new: bytes, known: Examples) -> set[str]:
    """The values of examples that the new version of a file asks for, and the old does not hold."""
    root = parsed(new)
    if root is None:
        return set()
    before, constants = _held(old), _constants(root)
    asked = {value for node in _questions(root) for value in _with_names(node, constants)}
    named = {value for value in (*literals(root), *composed(root)) if value in known.files}
    equalled = known.inputs.intersection(_equalled(root, constants, before))
    found = (asked & known.unusual) | _lengths(root, known.lengths) | named | equalled
    return (found | _answering(root, before, known)) - before


def _held(content: bytes) -> set[str]:
    root = parsed(content)
    return set() if root is None else {*literals(root), *composed(root)}


def _questions(root: Node) -> Iterator[Node]:
    """What conditions compare with: operands, arguments of comparing calls, labels of `switch`."""
    for node in found(root, "binary_expression", "method_invocation", "switch_label"):
        if node.type == "binary_expression":
            if text(field(node, "operator")) in _COMPARING:
                yield node
        elif node.type == "switch_label":
            yield node
        elif text(field(node, "name")) in _MATCHING:
            yield from arguments(node)
            yield from filter(None, [field(node, "object")])


def _equalled(root: Node, named: Names, before: Set[str]) -> Iterator[str]:
    """The numbers that something has to be equal to, that are looked up, or stand in a table.

    Words are compared with in honest code, too, which knows the names of options; and how many
    there are of something is another question than what it is.
    """
    for node in found(
        root, "binary_expression", "switch_label", "method_invocation", "enum_constant"
    ):
        match node.type:
            case "binary_expression" if text(field(node, "operator")) in _EQUAL:
                if not _COUNTS.search(text(node)):
                    yield from _numbers(field(node, "left"), named)
                    yield from _numbers(field(node, "right"), named)
            case "switch_label" if before.isdisjoint(_labels(_cases(node), named)):
                yield from filter(is_number, _with_names(node, named))
            case "method_invocation" if text(field(node, "name")) in _LOOKING_UP:
                yield from _first_number(node, named)
            case "enum_constant":
                yield from _first_number(node, named)


def _cases(label: Node) -> Node:
    """All cases of the `switch` that a label belongs to."""
    case = label.parent or label
    return case.parent or case


def _first_number(call: Node, named: Names) -> Iterator[str]:
    """The number that is given first: a key, or what a row of an enumeration is for."""
    return (value for key in arguments(call)[:1] for value in _numbers(key, named))


def _numbers(node: Node | None, named: Names) -> Iterator[str]:
    """The number that an expression is, comes to, or has a name for."""
    if node is not None:
        value = named.get(text(node), node) if node.type == "identifier" else node
        yield from filter(is_number, _direct(value))


def _constants(root: Node) -> Names:
    """Variables that are set to a literal."""
    return {
        text(field(declarator, "name")): value
        for declarator in found(root, "variable_declarator")
        if (value := field(declarator, "value")) is not None
        and not any(found(value, "method_invocation"))
    }


def _with_names(node: Node, named: Names) -> Iterator[str]:
    for part in (node, *(named.get(text(name)) for name in found(node, "identifier"))):
        if part is not None:
            yield from literals(part)
            yield from composed(part)


def _lengths(root: Node, lengths: Collection[int]) -> set[str]:
    """The lengths of example texts that are compared with the length of something."""
    return {
        value
        for node in found(root, "binary_expression")
        if text(field(node, "operator")) in ("==", "!=") and "length()" in text(node)
        for side in (field(node, "left"), field(node, "right"))
        if side is not None and "length()" not in text(side)
        for value in (*literals(side), *composed(side))
        if value.isdigit() and int(value) in lengths
    }


@dataclass(frozen=True)
class _Branch:
    """The values that a branch asks for, and those that it answers with."""

    asked: frozenset[str]
    answered: frozenset[str]


def _answering(root: Node, before: set[str], known: Examples) -> set[str]:
    """What branches ask for of the inputs of tests, where they answer what the tests expect."""
    return {
        value
        for branch in _branches(root, before)
        for value in branch.asked & known.inputs
        if (branch.answered & known.expected) - {value} - before
    }


def _branches(root: Node, before: Set[str]) -> Iterator[_Branch]:
    """The branches of a file; a case that is added to those of a `switch` is one of a table."""
    named = _constants(root)
    for node in found(root, "if_statement", "ternary_expression", *_CASES, "method_invocation"):
        match node.type:
            case "if_statement":
                yield _Branch(_asked(node, named), _answered(field(node, "consequence")))
            case "ternary_expression":
                yield _Branch(_asked(node, named), _direct(field(node, "consequence")))
            case "method_invocation":
                yield from _pairs(node)
            case _ if before.isdisjoint(_labels(node.parent or node, named)):
                yield _Branch(frozenset(_labels(node, named)), _answered(node))


def _labels(node: Node, named: Names) -> Iterator[str]:
    """What the labels ask for of a case, or of all cases of a `switch`."""
    for label in found(node, "switch_label"):
        yield from _with_names(label, named)


def _asked(branch: Node, named: Names) -> frozenset[str]:
    condition = field(branch, "condition")
    asking = () if condition is None else _questions(condition)
    return frozenset(value for node in asking for value in _with_names(node, named))


def _answered(body: Node | None) -> frozenset[str]:
    """What the statements of a branch return or assign, where that is a literal."""
    nodes = [] if body is None else [*found(body, *_ANSWERING), *body.named_children]
    given = (field(node, "right") or field(node, "value") or _last(node) for node in nodes)
    return frozenset().union(*(_direct(value) for value in given))


def _last(node: Node) -> Node | None:
    """What is returned, or is the value of a rule of `switch`."""
    wanted = node.type in ("return_statement", "yield_statement", "expression_statement")
    return node.named_children[-1] if wanted and node.named_children else None


def _direct(node: Node | None) -> frozenset[str]:
    """The value of an expression that is a literal, or puts literals together."""
    if node is None or any(found(node, "method_invocation", "identifier")):
        return frozenset()
    return frozenset((*literals(node), *composed(node)))


def _pairs(call: Node) -> Iterator[_Branch]:
    """The keys of a map with their values."""
    given = arguments(call)
    if text(field(call, "name")) in _PAIRING and len(given) % 2 == 0:
        for key, value in zip(given[::2], given[1::2], strict=True):
            yield _Branch(_direct(key), _direct(value))
