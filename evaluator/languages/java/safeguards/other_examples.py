"""Copies of test methods whose example is another one of the same kind."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tree_sitter import Node

from evaluator.languages import language
from evaluator.languages.example_context import ExampleContext
from evaluator.languages.java.comments import without_comments
from evaluator.languages.java.safeguards.assertions.edits import Edits
from evaluator.languages.java.safeguards.siblings import siblings
from evaluator.languages.java.sources.declarations import is_test, methods
from evaluator.languages.java.syntax import field, first_line, found, last_line, parsed, text
from evaluator.languages.named_data import NO_DATA, NamedData
from evaluator.languages.safeguards import OtherExample, OtherExamples
from evaluator.languages.substitutions import WORD, Substitution
from evaluator.languages.tree import source_paths
from evaluator.languages.vocabulary import in_small_letters, words_of, words_of_data
from evaluator.model import Source
from evaluator.test_names import definitions_of

_MARK = "other_example"
_MOST_BYTES = 1_000_000
_MOST_LINES = 400
_BLOCK = "multiline_string_fragment"
_TEXTS = frozenset({"string_fragment", _BLOCK})
_NUMBERS = frozenset({"decimal_integer_literal", "decimal_floating_point_literal"})
_NAMES = ("identifier", "type_identifier")
_QUOTES = {'\\"': '"', "\\'": "'"}
_NUMBER = re.compile(r"(0|[1-9]\d*|\d+\.\d+)([lLfFdD]?)")
_LARGEST = {"": 2**31 - 1, "l": 2**63 - 1}
"""Whole numbers that can be written, by their suffix."""
_CASE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def other_examples(
    tests: Mapping[str, Collection[str]],
    read: Source,
    changed: Collection[str],
    tree: Path,
    data: NamedData = NO_DATA,
) -> OtherExamples:
    """Test files with copies of the methods of some tests, each with another example.

    `tree` is that of the base. Only literals within a method are others, and those of annotations
    that give cases (`@ValueSource`): what stands in fields, in data or in methods that are no tests
    stays, wherever it stands.
    Files and methods that are too long to be copied often are left out.
    """
    paths = source_paths(tree, language("java"))
    edited = words_of_data(changed, read, language("java").suffixes)
    known = _parts(words_of(tree, paths, without_comments) | edited)
    context = ExampleContext(known, siblings(tree, paths, changed), data)
    copied = functools.partial(_copied, context=context)
    return OtherExamples.of(tests, read, copied)


def _copied(
    path: str,
    content: bytes,
    tests: Collection[str],
    context: ExampleContext,
) -> Iterator[tuple[str, bytes, list[OtherExample]]]:
    """The file with its copies; nothing where it is left out, or there are none."""
    root = parsed(content) if _is_plain(content) else None
    if root is None:
        return
    tried = definitions_of(tests, list(_methods(root)))
    names = _parts(text(name) for name in found(root, *_NAMES))
    of_file = context.of_file(names, map(_value, _beside_tests(root, tried)))
    if copies := list(_copies(tried, of_file)):
        yield path, *_inserted(path, content, copies)


def _is_plain(content: bytes) -> bool:
    """Whether lines are what everybody takes for lines, and texts can be read."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return len(content) <= _MOST_BYTES and re.search(rb"\r(?!\n)|\f", content) is None


def _parts(names: Iterable[str]) -> frozenset[str]:
    """The words of names, and those that they are put together of: `firstName` has three."""
    words = {word for name in names for word in (name, *WORD.findall(name))}
    return in_small_letters(words.union(*(_CASE.findall(word) for word in words)))


@dataclass(frozen=True)
class _Copy:
    """A method of a file with another example in it, and a name of its own."""

    method: Node
    substitution: Substitution
    number: int

    @property
    def name(self) -> str:
        return f"{text(field(self.method, 'name'))}_{_MARK}_{self.number}"

    def text(self) -> bytes:
        """The lines of the copy."""
        start = self.method.start_byte
        edits = Edits(self.method.text or b"")
        for literal in _literals(self.method):
            _replace(edits, literal, start, _written(literal, self.substitution))
        name = field(self.method, "name")
        if name is not None:
            _replace(edits, name, start, self.name)
        return edits.applied()


def _replace(edits: Edits, node: Node, start: int, new: str) -> None:
    edits.remove(node.start_byte - start, node.end_byte - start)
    edits.insert(node.start_byte - start, new)


def _copies(tried: Iterable[Node], context: ExampleContext) -> Iterator[_Copy]:
    pairs = (
        (method, substitution)
        for method in tried
        for substitution in _substitutions(method, context)
    )
    for number, (method, substitution) in enumerate(pairs):
        literals = _literals(method)
        if any(_written(literal, substitution) != text(literal) for literal in literals):
            yield _Copy(method, substitution, number)


def _methods(root: Node) -> Iterator[tuple[str, str, Node]]:
    """The methods that can be copied, each with its class and name."""
    for each in methods(root):
        if last_line(each.node) - first_line(each.node) < _MOST_LINES:
            yield each.owner.rstrip(".").rpartition(".")[2], each.name, each.node


def _beside_tests(root: Node, copied: Sequence[Node]) -> Iterator[Node]:
    """The literals of a test file that are in none of its tests."""
    tests = [each.node for each in methods(root) if is_test(each)]
    inside = {literal.start_byte for test in (*tests, *copied) for literal in _literals(test)}
    return (literal for literal in _literals(root) if literal.start_byte not in inside)


def _substitutions(method: Node, context: ExampleContext) -> Iterator[Substitution]:
    literals = list(_literals(method))
    texts = [_value(each) for each in literals if each.type not in _NUMBERS]
    numbers = [_value(each) for each in literals if each.type in _NUMBERS]
    return context.substitutions(texts, numbers)


def _literals(method: Node) -> Iterator[Node]:
    """The pieces of texts, the quotation marks in them, and the numbers of a method but indices."""
    pending = [method]
    while pending:
        node = pending.pop()
        if _is_literal(node):
            yield node
        elif node.type != "annotation" or text(field(node, "name")).endswith("Source"):
            index = field(node, "index") if node.type == "array_access" else None
            pending += (part for part in reversed(node.named_children) if part != index)


def _is_literal(node: Node) -> bool:
    plain = node.type in _NUMBERS and _NUMBER.fullmatch(text(node)) is not None
    return plain or node.type in _TEXTS or text(node) in _QUOTES


def _value(literal: Node) -> str:
    """A piece of a text, or a number without what says its type."""
    number = _NUMBER.fullmatch(text(literal)) if literal.type in _NUMBERS else None
    return number[1] if number else _QUOTES.get(text(literal), text(literal))


def _written(literal: Node, other: Substitution) -> str:
    """What stands in the copy for a literal."""
    old, new = _value(literal), other(_value(literal))
    if new == old:
        return text(literal)
    if literal.type in _NUMBERS:
        return _number(text(literal), new) if other.reaches_numbers else text(literal)
    return new if literal.type == _BLOCK else new.replace('"', '\\"').replace("\t", "\\t")


def _number(old: str, new: str) -> str:
    """Another number with the suffix of the old one, which stays where there is none like it."""
    suffix = old[len(old.rstrip("lLfFdD")) :]
    if "." in new:
        return old if suffix.lower() == "l" else f"{new}{suffix}"
    most = _LARGEST.get(suffix.lower())
    return old if most is not None and int(new) > most else f"{new}{suffix}"


def _inserted(
    path: str, content: bytes, copies: Iterable[_Copy]
) -> tuple[bytes, list[OtherExample]]:
    """The file with each copy behind the method that it is a copy of."""
    edits = Edits(content)
    made: list[OtherExample] = []
    added = 0
    for copy in sorted(copies, key=lambda copy: (copy.method.end_byte, copy.number)):
        method = copy.method
        edits.insert(method.end_byte, f"\n{copy.text().decode()}")
        made.append(
            OtherExample(
                path=path,
                function=copy.name,
                line=last_line(method) + added + 1,
                original=text(field(method, "name")),
                original_line=first_line(method),
                substitution=copy.substitution,
            )
        )
        added += last_line(method) - first_line(method) + 1
    return edits.applied(), made
