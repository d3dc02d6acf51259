"""The assertions of tests: JUnit 3 to 6, TestNG, Hamcrest, AssertJ, Truth, Mockito and `assert`.

And of others that say so in the links of a chain: `the(word).shouldBeEqual("a")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from tree_sitter import Node

from evaluator.languages.java.syntax import field, found, text

_CALLED = re.compile(r"_?(?:assert|fail|verify|check|expect)\w*")
_CHAINS = re.compile(
    r"assertThat\w*|assertWithMessage|assert_|expectThat|then(?:Thrown\w*)?|verify"
)
_CLAIMING_LINK = re.compile(r"should[A-Z]\w*|andExpect\w*")
"""Of JSpec and Selenide, and of Spring's `MockMvc`."""
_DENYING = re.compile(r"assertNot\w*|assert\w+Not(?:Equal|Same)\w*|assertDoesNot\w+|verifyNo\w+")
_DENYING_LINK = re.compile(
    r"is(?:Not|In)\w*NotE\w*|isNot(?!Empty|Blank)\w*|doesNot\w*|hasNo\w*|shouldNot\w*"
)
_NEVER = re.compile(r"(?:[\w.]+\.)?(?:never\(\)|times\(0\))")
_TEXT = frozenset({"string_literal"})
_LAMBDAS = frozenset({"lambda_expression", "method_reference"})
_LONGEST_CHAIN = 50


class Style(Enum):
    """How an assertion is written."""

    CALL = "call"
    CHAIN = "chain"
    MATCHER = "matcher"
    STATEMENT = "statement"


@dataclass(frozen=True)
class Assertion:
    """One claim of a test.

    `node` is the call, the last one of a chain, or the `assert` statement, and `name` what is
    called. `sides` are what is claimed of, and what it is compared with, in the order of the
    source, without messages and tolerances. A chain has `subject`, the first call of it.
    """

    style: Style
    node: Node
    name: str
    sides: tuple[Node, ...]
    subject: Node | None = None

    @property
    def verifies(self) -> bool:
        """Whether it is a call that a mock of Mockito must have got: `verify(mock).run(1)`."""
        return self.subject is not None and text(field(self.subject, "name")) == "verify"

    @property
    def denies(self) -> bool:
        """Whether it says only what must not be."""
        if self.subject is not None and self.verifies:
            return any(_NEVER.fullmatch(text(mode)) for mode in arguments(self.subject)[1:])
        if self.style is Style.CHAIN:
            return _DENYING_LINK.fullmatch(self.name) is not None
        if self.style is Style.MATCHER:
            return text(self.sides[-1]).startswith(("not(", "is(not("))
        return _DENYING.fullmatch(self.name) is not None


def assertions(node: Node, *, message_first: bool = False) -> Iterator[Assertion]:
    """The assertions in a part of a file, in its order.

    `message_first` says that messages come before what is compared, as in JUnit 3 and 4.
    """
    for part in found(node, "method_invocation", "assert_statement"):
        if part.type == "assert_statement":
            yield Assertion(Style.STATEMENT, part, "assert", tuple(part.named_children[:1]))
        elif (subject := _subject(part)) is not None:
            yield from _link(part, subject)
        elif _CALLED.fullmatch(name := text(field(part, "name"))) and not _begins_chain(part):
            yield _call(part, name, message_first)


def message_is_first(root: Node) -> bool:
    """Whether a file uses JUnit 3 or 4, where the message of an assertion comes first."""
    imported = " ".join(text(node) for node in root.named_children if "import" in node.type)
    return "org.junit.jupiter" not in imported and "testng" not in imported


def arguments(call: Node) -> list[Node]:
    """The arguments of a call, comments left out."""
    given = field(call, "arguments")
    nodes = given.named_children if given is not None else []
    return [node for node in nodes if "comment" not in node.type]


def _call(node: Node, name: str, message_first: bool) -> Assertion:
    given = arguments(node)
    if name == "assertThat":
        actual, matcher = given[-2:-1], given[-1:]
        return Assertion(Style.MATCHER, node, name, (*actual, *matcher))
    return Assertion(Style.CALL, node, name, _sides(name, given, message_first))


def _sides(name: str, given: Sequence[Node], message_first: bool) -> tuple[Node, ...]:
    """The arguments of a call but for a message, and for a tolerance."""
    wanted = 2 if re.search(r"Equal|Same|Match|Contains|Throws", name) else 1
    if message_first and len(given) > wanted and _may_be_text(given[0]):
        given = given[1:]
    return tuple(given[:wanted])


def _may_be_text(node: Node) -> bool:
    if node.type in ("binary_expression", "parenthesized_expression"):
        return any(found(node, "string_literal"))
    return not re.search(r"_literal$|^(true|false)$", node.type) or node.type in _TEXT


def _subject(node: Node) -> Node | None:
    """The call with which the chain begins that a call continues; None where there is none."""
    receiver = field(node, "object")
    if receiver is not None and _CLAIMING_LINK.fullmatch(text(field(node, "name"))):
        return receiver if arguments(receiver) else None
    for _ in range(_LONGEST_CHAIN):
        if receiver is None or receiver.type != "method_invocation":
            return None
        if _CHAINS.fullmatch(text(field(receiver, "name"))) and arguments(receiver):
            return receiver
        receiver = field(receiver, "object")
    return None


def _begins_chain(node: Node) -> bool:
    around = node.parent
    continued = around is not None and around.type == "method_invocation"
    return continued and around is not None and field(around, "object") == node


_SETTING = re.compile(
    r"as|describedAs|that|using\w*|with\w*|extracting\w*|ignoring\w*|comparing\w*"
)
"""Links of a chain that claim nothing."""


def _link(node: Node, subject: Node) -> Iterator[Assertion]:
    name = text(field(node, "name"))
    sides = (*arguments(subject)[:1], *arguments(node)[:1])
    made = Assertion(Style.CHAIN, node, name, sides, subject)
    if made.verifies or not _SETTING.fullmatch(name) or name == "withMessage":
        yield made
