"""Changes that handle only the reported example: branches on the very values of its test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.examples import disguises, quoted, unusual, unusual_number
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.test_code import texts_in
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.languages.safeguards import Concern, Test
from evaluator.languages.sources import Changed

_MATCHING = frozenset(
    {"equals", "equalsIgnoreCase", "startsWith", "endsWith", "contains", "matches", "indexOf"}
    | {"contentEquals", "regionMatches", "compareTo", "get", "containsKey", "put", "of", "hashCode"}
)
_COMPARING = frozenset({"==", "!=", "<", "<=", ">", ">="})
_NUMBERS = ("decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal")


def special_cases(
    changed: Changed, source: Source, tests: Sequence[Test], issue: str
) -> tuple[Concern, ...]:
    """Values that stand in the examples of `tests` or `issue`, and that new conditions ask for.

    That is a text of several words or an unusual number; texts are found in disguise, too. Values
    that a file had before are left out.
    """
    known = _examples(tests, source, issue)
    return tuple(
        Concern(path, f"asks for {value!r:.60}")
        for path, new in sorted(changed.items())
        if new is not None and path.endswith(".java") and not is_test_file(path)
        for value in sorted(_asked(source(path) or b"", new) & known)
    )


def _examples(tests: Iterable[Test], source: Source, issue: str) -> set[str]:
    """The unusual values of new tests and of an issue, with those that stand for one of them."""
    values = {value for value in quoted(issue) if _is_unusual(value)}
    for path, content in tests:
        if path.endswith(".java"):
            fresh = _literals(content or b"") - _literals(source(path) or b"")
            values |= {value for value in fresh if _is_unusual(value)}
    forms = (form for value in values if not _is_number(value) for form in disguises(value))
    return values | {str(form) for kind, form in forms if kind in ("str", "int")}


def _is_unusual(value: str) -> bool:
    return unusual_number(value) if _is_number(value) else unusual(value)


def _is_number(value: str) -> bool:
    return value.replace(".", "", 1).isdigit()


def _literals(content: bytes) -> set[str]:
    root = parsed(content)
    return set() if root is None else set(_values(root))


def _values(node: Node) -> Iterator[str]:
    """The texts and numbers in a part of a file, the latter in their decimal form."""
    yield from texts_in(node)
    for literal in found(node, *_NUMBERS):
        digits = text(literal).lower().replace("_", "").rstrip("l")
        hexadecimal = literal.type == "hex_integer_literal"
        yield str(int(digits, 16)) if hexadecimal else digits.rstrip("fd")


def _asked(old: bytes, new: bytes) -> set[str]:
    """The values that the new version of a file asks for, and the old one does not hold."""
    root = parsed(new)
    if root is None:
        return set()
    named = dict(_constants(root))
    asking = Counter(value for node in _questions(root) for value in _with_names(node, named))
    return set(asking) - _literals(old)


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


def _constants(root: Node) -> Iterator[tuple[str, Node]]:
    """Variables that are set to a literal."""
    for declarator in found(root, "variable_declarator"):
        value = field(declarator, "value")
        if value is not None and not any(found(value, "method_invocation")):
            yield text(field(declarator, "name")), value


def _with_names(node: Node, named: dict[str, Node]) -> Iterator[str]:
    yield from _values(node)
    for name in found(node, "identifier"):
        if text(name) in named:
            yield from _values(named[text(name)])
