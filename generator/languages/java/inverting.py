"""Finds the assertions of Java tests, turns them round, and replaces nothing but them."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from evaluator import PatchError
from evaluator.languages.java import syntax
from generator.languages.java.structure import classes, encoded, is_test, members, name_of, whole
from generator.replies import UnreadableReplyError

_PAIRS = (
    ("assertEquals", "assertNotEquals"),
    ("assertTrue", "assertFalse"),
    ("assertNull", "assertNotNull"),
    ("assertSame", "assertNotSame"),
    ("isEqualTo", "isNotEqualTo"),
    ("isTrue", "isFalse"),
    ("isNull", "isNotNull"),
    ("isSameAs", "isNotSameAs"),
    ("isInstanceOf", "isNotInstanceOf"),
    ("isEmpty", "isNotEmpty"),
    ("contains", "doesNotContain"),
    ("isIn", "isNotIn"),
)
_OPPOSITES: Mapping[str, str] = dict(_PAIRS) | {other: name for name, other in _PAIRS}
_THROWING = frozenset({"assertThrows", "assertThrowsExactly", "expectThrows"})


@dataclass(frozen=True)
class Assertion:
    """One statement that asserts. `number` counts from 1; `start` and `end` are offsets in bytes.

    `indent` is the white space before it, None where something else stands before it in its line.
    """

    number: int
    test: str
    node: Node
    text: str
    start: int
    end: int
    indent: str | None


def assertions_of(code: str, tests: Collection[str]) -> tuple[Assertion, ...]:
    """The assertions of the named tests (`Class.test`), in the order of the code.

    Raises PatchError for code that is no Java.
    """
    content = encoded(code)
    found = [
        (name, statement)
        for name, method in _tests(whole(code))
        if name in tests
        for statement in _asserting(method)
    ]
    return tuple(
        _assertion(number, name, node, content)
        for number, (name, node) in enumerate(found, start=1)
    )


def new_tests(before: str, after: str) -> frozenset[str]:
    """The tests of a file that it did not have before, or not like this. Raises PatchError."""
    old = {name: syntax.text(node) for name, node in _tests(whole(before))}
    return frozenset(n for n, node in _tests(whole(after)) if old.get(n) != syntax.text(node))


def flipped(assertion: Assertion) -> str:
    """The text of the opposite assertion, "" where there is no plain one.

    `assertEquals` becomes `assertNotEquals`, and what expects an exception what it holds.
    """
    call = assertion.node.named_children[0]
    name = name_of(call)
    if name in _THROWING:
        return "\n".join(_held(call))
    opposite, named = _OPPOSITES.get(name, ""), syntax.field(call, "name")
    if not opposite or named is None:
        return ""
    start, end = (place - assertion.start for place in (named.start_byte, named.end_byte))
    content = encoded(assertion.text)
    return (content[:start] + encoded(opposite) + content[end:]).decode("utf-8", "surrogateescape")


def replaced(code: str, tests: Collection[str], texts: Mapping[int, str]) -> str:
    """The code with the assertions of these numbers replaced, and every other byte as it was.

    What stands for an assertion must be assertions too; in the place of one that expects an
    exception may also stand what it holds. Raises UnreadableReplyError, saying which replacement
    is none, and PatchError for code that is no Java.
    """
    by_number = {assertion.number: assertion for assertion in assertions_of(code, tests)}
    unknown = sorted(texts.keys() - by_number.keys())
    if unknown:
        raise UnreadableReplyError(
            f"there is no assertion {unknown[0]}; they are numbered from 1 to {len(by_number)}"
        )
    content = encoded(code)
    for number in sorted(texts, reverse=True):
        assertion = by_number[number]
        new = _indented(_checked(assertion, texts[number]), assertion)
        content = content[: assertion.start] + encoded(new) + content[assertion.end :]
    result = content.decode("utf-8", "surrogateescape")
    whole(result)
    return result


def is_assertion(statement: Node) -> bool:
    """Whether a statement does nothing but assert; `verify` of a mock does not count."""
    if statement.type == "assert_statement":
        return True
    calls = statement.named_children if statement.type == "expression_statement" else []
    call = calls[0] if calls else None
    while call is not None and call.type == "method_invocation":
        if name_of(call).startswith("assert") or name_of(call) == "fail":
            return True
        call = syntax.field(call, "object")
    return False


def _tests(root: Node) -> Iterator[tuple[str, Node]]:
    for declaration in classes(root):
        for member in members(declaration):
            if is_test(member):
                yield f"{name_of(declaration)}.{name_of(member)}", member


def _asserting(method: Node) -> Iterator[Node]:
    """The outermost assertions of a method."""
    pending = [method]
    while pending:
        node = pending.pop()
        if is_assertion(node):
            yield node
        else:
            pending += reversed(node.named_children)


def _assertion(number: int, test: str, node: Node, content: bytes) -> Assertion:
    line = content.rfind(b"\n", 0, node.start_byte) + 1
    before = content[line : node.start_byte].decode("utf-8", "surrogateescape")
    text = content[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")
    indent = before if not before.strip() else None
    return Assertion(number, test, node, text, node.start_byte, node.end_byte, indent)


def _held(call: Node) -> list[str]:
    """The statements of the lambda that a call expects an exception of."""
    lambdas = list(syntax.found(call, "lambda_expression"))
    body = syntax.field(lambdas[0], "body") if lambdas else None
    if body is None:
        return []
    if body.type != "block":
        return [f"{syntax.text(body)};"]
    return [syntax.text(statement) for statement in body.named_children]


def _checked(assertion: Assertion, text: str) -> str:
    try:
        statements = whole(text).named_children
    except PatchError as error:
        raise _refused(assertion, f"is no valid Java: {error}") from error
    if not statements:
        raise _refused(assertion, "is empty")
    held = {_evened(one) for one in _held(assertion.node)}
    for statement in statements:
        if not is_assertion(statement) and _evened(syntax.text(statement)) not in held:
            line = syntax.text(statement).partition("\n")[0]
            raise _refused(assertion, f"holds `{line[:200]}`, which is no assertion")
    return textwrap.dedent(text).strip("\n")


def _evened(statement: str) -> str:
    return "".join(statement.split())


def _refused(assertion: Assertion, why: str) -> UnreadableReplyError:
    return UnreadableReplyError(f"the text for assertion {assertion.number} {why}")


def _indented(text: str, assertion: Assertion) -> str:
    """The text moved to where the assertion stands."""
    first, *others = text.split("\n")
    if others and assertion.indent is None:
        raise _refused(assertion, "has several lines, for which there is no room in its line")
    return "\n".join([first, *(f"{assertion.indent}{line}" if line else "" for line in others)])
