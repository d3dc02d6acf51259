"""The values of examples in tests and issues, which code that is right has no need to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.examples import digests, disguises, quoted, unusual, unusual_number
from evaluator.languages.java.sources.assertions import assertions, message_is_first
from evaluator.languages.java.sources.behaviour import words
from evaluator.languages.java.sources.constants import literals
from evaluator.languages.java.sources.declarations import methods
from evaluator.languages.java.syntax import found, parsed
from evaluator.languages.safeguards import Test

_SMALL = 3
_LONG_HASH = 7
"""Digits of a hash that code holds by no accident."""
_CALLS = ("method_invocation", "object_creation_expression")


@dataclass(frozen=True)
class Examples:
    """Values of tests and of an issue.

    `unusual` stand in two places by no accident, be it in disguise, and so do the `lengths` of
    texts. `inputs` are what tests hand to code, `expected` what they expect of it. `files` are the
    names of the tests' own files, as code can name them.
    """

    unusual: frozenset[str]
    lengths: frozenset[int]
    inputs: frozenset[str]
    expected: frozenset[str]
    files: frozenset[str]


def examples(tests: Iterable[Test], source: Source, issue: str) -> Examples:
    """The values of new tests and of an issue, whose quoted texts are taken for input."""
    tests = tuple(tests)
    said = set(quoted(issue))
    inputs, expected = set(said), set[str]()
    for path, content in tests:
        if path.endswith(".java"):
            said |= _literals(content) - _literals(source(path))
            given, wanted = _used(content, source(path))
            inputs |= given
            expected |= wanted
    known = {value for value in said if is_unusual(value)}
    texts = [value for value in said if not is_number(value)]
    telling = known.intersection(texts)
    forms = {form for text in telling for form in _forms(text)}
    forms |= {form for text in texts for form in _digests(text)}
    return Examples(
        unusual=frozenset(known | forms),
        lengths=frozenset(length for text in telling for length in _lengths(text)),
        inputs=frozenset(filter(_is_telling, inputs)),
        expected=frozenset(filter(_is_telling, expected)),
        files=frozenset(name for path, _ in tests for name in _names(path)),
    )


def is_unusual(value: str) -> bool:
    """Whether a text or a number stands in two places by no accident."""
    return unusual_number(value) if is_number(value) else unusual(value)


def is_number(value: str) -> bool:
    """Whether a literal is a number."""
    return value.replace(".", "", 1).isdigit()


def _is_telling(value: str) -> bool:
    """Whether a value is more than what any code holds."""
    return float(value) >= _SMALL if is_number(value) else len(value.strip()) > 1


def _literals(content: bytes | None) -> set[str]:
    root = parsed(content or b"")
    return set() if root is None else set(literals(root))


def _forms(text: str) -> Iterator[str]:
    """A text in disguise."""
    yield from (str(form) for kind, form in disguises(text) if kind in ("str", "int"))
    yield str(_hash_code(text))


def _digests(text: str) -> Iterator[str]:
    """What a text comes to, but for a hash that is small: code may hold it by accident."""
    yield from (str(form) for _, form in digests(text))
    hash_code = str(_hash_code(text))
    if len(hash_code) >= _LONG_HASH:
        yield hash_code


def _lengths(text: str) -> Iterator[int]:
    yield from (int(str(form)) for kind, form in disguises(text) if kind == "length")


def _hash_code(value: str) -> int:
    """What `String.hashCode` says of a text, without its sign, as it is written."""
    units = memoryview(value.encode("utf-16-le", "surrogatepass")).cast("H")
    number = 0
    for unit in units:
        number = (31 * number + unit) & 0xFFFFFFFF
    return min(number, (1 << 32) - number)


def _used(content: bytes | None, old: bytes | None) -> tuple[set[str], set[str]]:
    """What new methods of a test file hand in, and what they expect."""
    root, before = parsed(content or b""), parsed(old or b"")
    if root is None:
        return set(), set()
    known = {words(each.node) for each in methods(before)} if before is not None else set()
    fresh = [each.node for each in methods(root) if words(each.node) not in known]
    first = message_is_first(root)
    plain = [side for node in fresh for side in _plain_sides(node, message_first=first)]
    only = {side.id for side in plain}
    given = {value for node in fresh for value in _outside(node, only)}
    return given, {value for side in plain for value in literals(side)}


def _plain_sides(method: Node, *, message_first: bool) -> Iterator[Node]:
    """What assertions compare with, where nothing is called for it."""
    for each in assertions(method, message_first=message_first):
        yield from (side for side in each.sides if not any(found(side, *_CALLS)))


def _outside(node: Node, without: set[int]) -> Iterator[str]:
    """The values of a node but for those in some parts of it."""
    pending: list[Node] = [node]
    while pending:
        each = pending.pop()
        if each.id not in without:
            if not each.named_children or each.type == "string_literal":
                yield from literals(each)
            else:
                pending += each.named_children


def _names(path: str) -> Sequence[str]:
    """How code can name a file of the tests: as a resource, or as a class."""
    place = PurePosixPath(path)
    if not is_test_file(path):
        return ()
    _, inside, below = path.partition("/test/resources/")
    if inside:
        return (below, f"/{below}")
    _, inside, below = path.partition("/test/java/")
    if place.suffix != ".java" or not inside:
        return ()
    stem = below.removesuffix(".java")
    return (stem.replace("/", "."), f"{stem}.class", f"/{stem}.class", f"{place.stem}.class")
