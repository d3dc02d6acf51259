"""Changes that handle only the reported example: branches on the very values of its test."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.data_files import examples_in_data
from evaluator.languages.java.safeguards.branches import Labels, Placed, answering
from evaluator.languages.java.safeguards.compared import EQUAL, Names, equalled, is_short
from evaluator.languages.java.safeguards.examples import Examples, examples
from evaluator.languages.java.safeguards.places import Occurrences, Places
from evaluator.languages.java.sources.assertions import arguments
from evaluator.languages.java.sources.constants import literals, placed
from evaluator.languages.java.sources.declarations import fields_named
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.languages.safeguards import Concern, Test
from evaluator.languages.sources import Changed

_MATCHING = frozenset(
    {"equals", "equalsIgnoreCase", "startsWith", "endsWith", "contains", "matches", "indexOf"}
    | {"contentEquals", "regionMatches", "compareTo", "get", "containsKey", "put", "of", "hashCode"}
)
_COMPARING = frozenset({"<", "<=", ">", ">="} | EQUAL)


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
    values, wanted = tuple(placed(root)), known.unusual | known.inputs
    asked = tuple(_asked(root, [pair for pair in values if pair[1] in wanted], constants))
    labels = Labels(root, values, before)
    numbers = known.inputs.intersection((*equalled(root, constants), *labels.numbers(asked)))
    named = {value for _, value in values if value in known.files}
    unusual = {value for _, value in asked if value in known.unusual}
    found = unusual | _lengths(root, known.lengths) | named | numbers
    return (
        found.union(answering(root, asked, labels, known.inputs, known.expected - before)) - before
    )


def _held(content: bytes) -> set[str]:
    root = parsed(content)
    return set() if root is None else {value for _, value in placed(root)}


def _constants(root: Node) -> Names:
    """Variables that are set to a literal."""
    calls = Occurrences((node, "call") for node in found(root, "method_invocation"))
    return {
        name: value
        for name, declarator in fields_named(root)
        if (value := field(declarator, "value")) is not None and not calls.within(value)
    }


def _asked(root: Node, values: Sequence[Placed], named: Names) -> Iterator[Placed]:
    """Those of some values that conditions compare with, be it by a name, and where they do."""
    questions = Places(_questions(root))
    yield from (pair for pair in values if questions.place(pair[0]) >= 0)
    everywhere = Occurrences(values)
    of_names = {name: everywhere.within(node) for name, node in named.items()}
    for node in found(root, "identifier"):
        if questions.place(node) >= 0:
            yield from ((node, value) for value in of_names.get(text(node), ()))


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


def _lengths(root: Node, lengths: Collection[int]) -> set[str]:
    """The lengths of example texts that are compared with the length of something."""
    return {
        value
        for node in found(root, "binary_expression")
        if text(field(node, "operator")) in EQUAL and is_short(node) and "length()" in text(node)
        for side in (field(node, "left"), field(node, "right"))
        if side is not None and "length()" not in text(side)
        for _, value in placed(side)
        if value.isdigit() and int(value) in lengths
    }
