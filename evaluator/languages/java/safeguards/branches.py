"""Branches of code: what they ask for, and what they answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.languages.java.safeguards.compared import PAIRING, direct
from evaluator.languages.java.safeguards.examples import is_number
from evaluator.languages.java.safeguards.places import Occurrences, Places
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.syntax import field, found, text

_ANSWERING = (
    *("return_statement", "yield_statement", "assignment_expression", "variable_declarator"),
    # The value of a rule of `switch`; no other statement is one.
    "expression_statement",
)
_CASES = ("switch_block_statement_group", "switch_rule")

Placed = tuple[Node, str]
"""A part of a file, and the value that it is, or has a name for."""


class Labels:
    """The labels of `switch` in a file; a case that is added to those of one is one of a table.

    New is a `switch` none of whose cases asks for what the file held before.
    """

    def __init__(self, root: Node, values: Iterable[Placed], before: Set[str]) -> None:
        labels = Places(found(root, "switch_label"))
        old = (node for node, value in values if value in before)
        standing = Occurrences((node, "before") for node in old if labels.place(node) >= 0)
        blocks = (block for block in found(root, "switch_block") if not standing.within(block))
        cases = [case for block in blocks for case in block.children if case.type in _CASES]
        self._new = frozenset(case.id for case in cases)
        self._labels = Places(label for case in cases for label in _labels_of(case))

    def is_new(self, case: Node) -> bool:
        """Whether a case is one of a new `switch`."""
        return case.id in self._new

    def numbers(self, asked: Iterable[Placed]) -> Iterator[str]:
        """The numbers among some values that stand in labels of a new `switch`."""
        for node, value in asked:
            if is_number(value) and self._labels.place(node) >= 0:
                yield value


def _labels_of(case: Node) -> Sequence[Node]:
    """The labels of a case itself."""
    return [child for child in case.children if child.type == "switch_label"]


def answering(
    root: Node, asked: Iterable[Placed], labels: Labels, inputs: Set[str], expected: Set[str]
) -> Iterator[str]:
    """Which of some inputs, of all values that are asked for, branches answer as is expected."""
    branches = _Branches(
        Occurrences(pair for pair in asked if pair[1] in inputs),
        Occurrences(pair for pair in _answers(root) if pair[1] in expected),
        labels,
        expected,
    )
    for node in found(root, "if_statement", "ternary_expression", *_CASES):
        yield from branches.answered(node)
    for call in found(root, "method_invocation"):
        yield from _paired(call, inputs, expected)


@dataclass(frozen=True)
class _Branches:
    """What is asked for, and what is answered, in a file."""

    asked: Occurrences
    answers: Occurrences
    labels: Labels
    expected: Set[str]

    def answered(self, branch: Node) -> Iterator[str]:
        """The values that a branch asks for and answers with another one."""
        asked = self._asked(branch)
        given = self._answers(branch) if asked else frozenset()
        yield from (value for value in asked if given - {value})

    def _asked(self, branch: Node) -> Set[str]:
        if branch.type in _CASES:
            labels = _labels_of(branch) if self.labels.is_new(branch) else ()
            return self.asked.within(labels[0], labels[-1]) if labels else frozenset()
        condition = field(branch, "condition")
        return frozenset() if condition is None else self.asked.within(condition)

    def _answers(self, branch: Node) -> Set[str]:
        consequence = branch if branch.type in _CASES else field(branch, "consequence")
        if branch.type == "ternary_expression":
            return direct(consequence) & self.expected
        return frozenset() if consequence is None else self.answers.within(consequence)


def _answers(root: Node) -> Iterator[Placed]:
    """What statements return or assign, where that is a literal."""
    for node in found(root, *_ANSWERING):
        value = field(node, "right") or field(node, "value") or _last(node)
        if value is not None:
            yield from ((value, each) for each in direct(value))


def _last(node: Node) -> Node | None:
    """What is returned, or is the value of a rule of `switch`."""
    wanted = node.type in ("return_statement", "yield_statement", "expression_statement")
    return node.named_children[-1] if wanted and node.named_children else None


def _paired(call: Node, inputs: Set[str], expected: Set[str]) -> Iterator[str]:
    """The keys of a map that have other values."""
    given = arguments(call)
    if text(field(call, "name")) in PAIRING and len(given) % 2 == 0:
        for key, value in zip(given[::2], given[1::2], strict=True):
            answers = direct(value) & expected
            yield from (each for each in direct(key) & inputs if answers - {each})
