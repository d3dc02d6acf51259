"""Rewrites test files so that their assertions are tried with other expected values.

What an assertion compares is passed through the inserted class, which tries the same assertion with
other values before the right one is compared. Each value is computed once and keeps its type, and
each line its number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from evaluator.languages.java.safeguards.assertions.edits import Edits
from evaluator.languages.java.safeguards.assertions.owners import owner_of
from evaluator.languages.java.sources.assertions import (
    Assertion,
    Style,
    arguments,
    assertions,
    message_is_first,
)
from evaluator.languages.java.sources.declarations import marks, methods
from evaluator.languages.java.syntax import field as part_of
from evaluator.languages.java.syntax import first_line, found, parsed, text

_COMPARING = re.compile(r"assert(?:Not|Array|Iterable)?(?:Equals|Same)|assertNotEquals")
_LINKS = frozenset(
    {"isEqualTo", "isNotEqualTo", "contains", "containsExactly", "startsWith", "endsWith"}
    | {"hasSize", "hasMessage", "hasToString", "isEqualByComparingTo", "hasValue"}
)
_CLAIMING = re.compile(
    r"assert(?!DoesNotThrow|Timeout|All)\w+|expectThrows|verify|verify(?:No|Zero)\w+"
)
_UNTYPED = frozenset({"lambda_expression", "method_reference", "null_literal", "array_initializer"})
_EXPECTED = re.compile(r"expected|expectedExceptions")
_RULE = re.compile(rb"\bExpectedException\s+(\w+)")
_TOLD = frozenset({"expect", "expectMessage", "expectCause"})


@dataclass(frozen=True)
class Negated:
    """A rewritten test file, and the names of the methods that report what came of it."""

    content: bytes
    tests: frozenset[str]


def defines(content: bytes, tests: Collection[str]) -> bool:
    """Whether a file has a method of one of these names."""
    root = parsed(content)
    return root is not None and any(each.name in tests for each in methods(root))


def negated(content: bytes, tests: Collection[str], name: str) -> Negated:
    """A test file that tries its assertions by the class `name`.

    The methods named in `tests` fail at their end, with what came of it as their message; other
    methods do what they did. What is no valid Java is left as it is.
    """
    root = parsed(content)
    if root is None or root.has_error:
        return Negated(content, frozenset())
    rewriting = _Rewriting(root, Edits(content), name)
    rewriting.assertions()
    known = frozenset(rewriting.tests(tests))
    result = rewriting.edits.applied()
    again = parsed(result)
    if again is None or again.has_error:
        return Negated(content, frozenset())
    return Negated(result, known)


@dataclass
class _Rewriting:
    root: Node
    edits: Edits
    name: str
    numbers: Counter[int] = field(default_factory=Counter)

    def assertions(self) -> None:
        """Try every assertion of the file, and note the exceptions that it waits for."""
        first = message_is_first(self.root)
        for each in assertions(self.root, message_first=first):
            self._assertion(each)
        for caught in found(self.root, "catch_clause"):
            if _is_expected(caught) and (body := part_of(caught, "body")) is not None:
                call = f" {self.name}.truth({self._site(caught)}, true);"
                self.edits.insert(body.start_byte + 1, call)
        for condition in found(self.root, "if_statement"):
            if _fails(part_of(condition, "consequence")):
                self._truth(*_inside(part_of(condition, "condition")))
        self._rules()

    def _rules(self) -> None:
        """Have a rule say what exception it waits for, so that its coming counts."""
        rules = {rule.decode() for rule in _RULE.findall(self.root.text or b"")}
        for call in found(self.root, "method_invocation"):
            told = text(part_of(call, "name")) in _TOLD and arguments(call)
            if told and text(part_of(call, "object")) in rules:
                self.edits.around(told[0], f"{self.name}.awaiting(", ")")

    def tests(self, names: Collection[str]) -> set[str]:
        """Have test methods end by a report; those that were found."""
        known = [each for each in methods(self.root) if each.name in names]
        return {each.name for each in known if self._test(each.node)}

    def _test(self, method: Node) -> bool:
        body = part_of(method, "body")
        if body is None:
            return False
        if "TestFactory" in marks(method):
            return self._made_tests(body)
        self._reported(body.start_byte + 1, body.end_byte - 1, self._expected(method))
        return True

    def _made_tests(self, factory: Node) -> bool:
        """The tests that a factory makes, which run when it has returned; whether any was found."""
        made = [each for each in found(factory, "lambda_expression") if _is_made_test(each)]
        bodies = [body for each in made if (body := part_of(each, "body")) is not None]
        for body in bodies:
            if body.type == "block":
                self._reported(body.start_byte + 1, body.end_byte - 1, "null")
            else:
                self._reported(body.start_byte, body.end_byte, "null", expression=True)
        return bool(bodies)

    def _reported(self, start: int, end: int, expected: str, *, expression: bool = False) -> None:
        """Have the statements between two places, or an expression, end by a report."""
        opening, ending, closing = ("{", "; ", "}") if expression else ("", "", "")
        caught = f"{self.name.rpartition('.')[2].lower()}Error"
        self.edits.insert(start, f"{opening} {self.name}.begin(); try {{")
        self.edits.insert(
            end,
            f"{ending}}} catch (Throwable {caught}) {{ {self.name}.failed({caught}, {expected}); "
            f"throw {caught}; }} finally {{ {self.name}.finish(); }} {closing}",
        )

    def _expected(self, method: Node) -> str:
        """The exception that an annotation expects, which is taken out of it, as code."""
        mark = marks(method).get("Test")
        given = part_of(mark, "arguments") if mark is not None else None
        pairs = [] if given is None else [p for p in given.named_children if "pair" in p.type]
        for pair in pairs:
            if _EXPECTED.fullmatch(text(part_of(pair, "key"))) and given is not None:
                self._leave_out(pair)
                return text(part_of(pair, "value")).strip("{} ").partition(",")[0]
        return "null"

    def _leave_out(self, pair: Node) -> None:
        after, before = pair.next_sibling, pair.prev_sibling
        if after is not None and after.type == ",":
            self.edits.remove(pair.start_byte, after.end_byte)
        elif before is not None and before.type == ",":
            self.edits.remove(before.start_byte, pair.end_byte)
        else:
            self.edits.remove(pair.start_byte, pair.end_byte)

    def _assertion(self, each: Assertion) -> None:
        match each.style:
            case Style.STATEMENT:
                # `assert(a)` has nothing between the keyword and what is put before the condition.
                self.edits.insert(each.node.start_byte + len(each.name), " ")
                self._condition(each.sides[0])
            case Style.CHAIN:
                self._chain(each)
            case Style.MATCHER:
                self._matcher(each)
            case Style.CALL:
                self._call(each)

    def _call(self, each: Assertion) -> None:
        plain = not any(side.type in _UNTYPED for side in each.sides)
        if _COMPARING.fullmatch(each.name) and len(each.sides) == 2 and plain:
            owner = owner_of(self.root, each.node, each.name)
            self._compare(each.node, "call", owner or "-", each.name, *each.sides)
        elif each.name in ("assertTrue", "assertFalse") and each.sides:
            self._condition(each.sides[0], claimed=each.name == "assertTrue")
        elif _CLAIMING.fullmatch(each.name) and each.sides and plain:
            self._truth(each.sides[0])
        elif _CLAIMING.fullmatch(each.name) and each.sides:
            typed = [side for side in arguments(each.node) if side.type not in _UNTYPED]
            self._truth(*typed[:1])

    def _chain(self, each: Assertion) -> None:
        receiver, given = part_of(each.node, "object"), arguments(each.node)
        subject = each.subject
        whole = re.fullmatch(
            r"(?:[\w.]*\.)?[A-Z]\w*|", text(part_of(subject, "object")) if subject else ""
        )
        tried = not each.verifies and _is_tried(each.name, given)
        if receiver is not None and whole is not None and tried:
            self._compare(each.node, "chain", "-", each.name, receiver, given[0])
        else:
            # What runs a lambda (`assertThatThrownBy`) claims by what it is then asked for.
            typed = [side for side in (*each.sides[:1], *given) if side.type not in _UNTYPED]
            self._truth(*typed[:1])

    def _matcher(self, each: Assertion) -> None:
        if len(each.sides) < 2:
            return
        if each.sides[0].type in _UNTYPED:
            # Of what a lambda does, only the matcher can claim something.
            self._truth(each.sides[1])
            return
        expected = _expected_by(each.sides[1])
        if expected is None:
            self._truth(each.sides[0])
        else:
            self._compare(each.node, "matcher", "-", "equalTo", each.sides[0], expected)

    def _condition(self, node: Node, *, claimed: bool = True) -> None:
        """What must be true: an `equals` is tried, anything else is what it is."""
        node = _unbracketed(node)
        given, receiver = arguments(node), part_of(node, "object")
        compares = claimed and text(part_of(node, "name")) == "equals" and len(given) == 1
        if compares and receiver is not None and receiver.type not in ("super", "this"):
            if given[0].type not in _UNTYPED:
                self._compare(node, "equals", "-", "equals", receiver, given[0])
        elif not any(found(node, "instanceof_expression")):
            self._truth(node)

    def _compare(self, node: Node, style: str, owner: str, name: str, *sides: Node) -> None:
        site = self._site(node)
        self.edits.around(sides[0], f"{self.name}.part({site}, ", ")")
        self.edits.around(sides[1], f'{self.name}.last({site}, "{style} {owner} {name}", ', ")")

    def _truth(self, *nodes: Node) -> None:
        for node in (node for node in nodes if node.type not in _UNTYPED):
            self.edits.around(node, f"{self.name}.truth({self._site(node)}, ", ")")

    def _site(self, node: Node) -> int:
        line = first_line(node)
        self.numbers[line] += 1
        return line * 100 + self.numbers[line] % 100


def _unbracketed(node: Node) -> Node:
    """What stands in brackets, if an expression does."""
    while node.type == "parenthesized_expression":
        node = next(each for each in node.named_children if "comment" not in each.type)
    return node


def _is_made_test(lambda_: Node) -> bool:
    """Whether a lambda is what `dynamicTest` or `DynamicTest.stream` runs as a test."""
    call = lambda_.parent.parent if lambda_.parent is not None else None
    if call is None or call.type != "method_invocation":
        return False
    given = arguments(call)
    if not given or given[-1] != lambda_:
        return False
    name, owner = text(part_of(call, "name")), text(part_of(call, "object"))
    streams = name == "stream" and owner.rpartition(".")[2] == "DynamicTest" and len(given) == 3
    return name == "dynamicTest" or streams


def _is_tried(name: str, given: Sequence[Node]) -> bool:
    """Whether a link of a chain must not hold for another value; a collection may hold several."""
    if name not in _LINKS or len(given) != 1 or given[0].type in _UNTYPED:
        return False
    return name != "contains" or given[0].type == "string_literal"


def _is_expected(caught: Node) -> bool:
    """Whether a block that is tried ends by failing the test, so that this exception must come."""
    tried = caught.parent
    body = part_of(tried, "body") if tried is not None else None
    calls = list(found(body, "method_invocation")) if body is not None else []
    return bool(calls) and any(text(part_of(call, "name")) == "fail" for call in calls[-3:])


def _fails(block: Node | None) -> bool:
    """Whether a block ends by failing the test."""
    last = block.named_children[-1] if block is not None and block.type == "block" else block
    if last is None or last.type == "throw_statement":
        return last is not None
    calls = last.named_children if last.type == "expression_statement" else []
    return any(text(part_of(call, "name")) == "fail" for call in calls)


def _inside(condition: Node | None) -> Sequence[Node]:
    """What stands between the parentheses of a condition."""
    return [] if condition is None else condition.named_children[:1]


def _expected_by(matcher: Node) -> Node | None:
    """The value of `is(value)`, `equalTo(value)` or both; None for any other matcher."""
    given = arguments(matcher)
    if text(part_of(matcher, "name")) not in ("is", "equalTo") or len(given) != 1:
        return None
    inner = given[0]
    if inner.type == "method_invocation" and part_of(inner, "object") is None:
        return _expected_by(inner)
    return None if inner.type in _UNTYPED | {"class_literal"} else inner
