"""Copies of test functions whose example is another one of the same kind."""

from __future__ import annotations

import ast
import contextlib
import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages import language
from evaluator.languages.example_context import ExampleContext
from evaluator.languages.named_data import NO_DATA, NamedData
from evaluator.languages.python.comments import without_comments
from evaluator.languages.python.parsing import Function, first_line, parsed
from evaluator.languages.python.safeguards.siblings import siblings
from evaluator.languages.python.sources.edits import Edits
from evaluator.languages.python.sources.test_code import is_test_function
from evaluator.languages.safeguards import OtherExample, OtherExamples
from evaluator.languages.substitutions import WORD, Substitution
from evaluator.languages.tree import source_paths
from evaluator.languages.vocabulary import in_small_letters, words_of, words_of_data
from evaluator.model import Source
from evaluator.test_names import definitions_of

_NAMING = ("id", "attr", "arg", "name", "module")
_SHARED = ("attr", "arg")
_MARK = "other_example"
_MOST_BYTES = 1_000_000
_MOST_LINES = 400
_LARGEST_NUMBER = 10**15
"""Larger ones are written in many ways, or in none: `1e999` is infinite."""


def other_examples(
    tests: Mapping[str, Collection[str]],
    read: Source,
    changed: Collection[str],
    tree: Path,
    data: NamedData = NO_DATA,
) -> OtherExamples:
    """Test files with copies of the functions of some tests, each with another example.

    `tree` is that of the base. Only literals within a function and its decorators are others: what
    stands in fixtures, in helpers or in data of the file stays, wherever it stands. What is no
    Python of our own version is left out, and so is what is too long to be copied often.
    """
    paths = source_paths(tree, language("python"))
    edited = words_of_data(changed, read, language("python").suffixes)
    known = in_small_letters(words_of(tree, paths, without_comments) | edited)
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
    module = parsed(content)
    if module is None or not _is_plain(content):
        return
    functions = definitions_of(tests, list(_functions(module)))
    beside = map(_written_out, _beside_tests(module, functions))
    of_file = context.of_file(_names(module), beside)
    pairs = (
        (function, substitution)
        for function in functions
        for substitution in _substitutions(function, of_file)
    )
    copies = (_Copy(content, *pair, number) for number, pair in enumerate(pairs))
    if made := [copy for copy in copies if copy.differs]:
        yield path, *_inserted(path, content, made)


def _is_plain(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return len(content) <= _MOST_BYTES and b"\f" not in content and b"\r" not in content


def _functions(module: ast.Module) -> Iterator[tuple[str, str, Function]]:
    """The functions that can be copied, each with its class and name; "" outside of classes."""
    for scope in ast.walk(module):
        owner = scope.name if isinstance(scope, ast.ClassDef) else ""
        for node in ast.iter_child_nodes(scope):
            if isinstance(node, Function) and _is_short(node):
                yield owner, node.name, node


def _is_short(function: Function) -> bool:
    return (function.end_lineno or function.lineno) - function.lineno < _MOST_LINES


def _names(tree: ast.Module) -> frozenset[str]:
    """The words in the names that a test file uses, and the letters that name what others use."""
    held = ((field, getattr(node, field, None)) for node in ast.walk(tree) for field in _NAMING)
    names = {(field, text) for field, text in held if isinstance(text, str)}
    letters = {text for field, text in names if field in _SHARED and len(text) == 1}
    return in_small_letters(letters.union(*(WORD.findall(text) for _, text in names)))


def _beside_tests(module: ast.Module, copied: Sequence[Function]) -> Iterator[ast.Constant]:
    """The literals of a test file that are in none of its tests, but documentation."""
    pending: list[ast.AST] = [module]
    while pending:
        match pending.pop():
            case ast.Constant() as constant:
                yield constant
            case ast.FunctionDef() | ast.AsyncFunctionDef() as function if (
                function in copied or is_test_function(function)
            ):
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case node:
                pending += ast.iter_child_nodes(node)


def _written_out(literal: ast.Constant) -> str:
    text = _text(literal.value)
    return repr(literal.value) if text is None else text


def _substitutions(function: Function, context: ExampleContext) -> Iterator[Substitution]:
    values = [node.value for node in _literals(function)]
    texts = [text for value in values if (text := _text(value)) is not None]
    numbers = [repr(value) for value in values if isinstance(value, int | float)]
    parts = list(_parts_of_f_strings(function))
    for substitution in context.substitutions(texts, numbers, parts):
        # With another layout in some of its texts alone, an example is at odds with itself.
        if not substitution.is_of_layout or all(substitution(part) == part for part in parts):
            yield substitution


def _parts_of_f_strings(function: Function) -> Iterator[str]:
    """The texts within f-strings, which stay as they are, but for messages of assertions."""
    nodes = list(ast.walk(function))
    said = (node.msg for node in nodes if isinstance(node, ast.Assert) and node.msg is not None)
    messages = {id(part) for message in said for part in ast.walk(message)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr) and id(node) not in messages:
            constants = (part.value for part in node.values if isinstance(part, ast.Constant))
            yield from (value for value in constants if isinstance(value, str))


def _literals(function: Function) -> Iterator[ast.Constant]:
    """The texts and numbers of a function but documentation, parts of f-strings, and indices."""
    left_out = {id(part) for node in ast.walk(function) for part in _not_literal(node)}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str | bytes | int | float)
            and id(node) not in left_out
        ):
            yield node


def _not_literal(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.JoinedStr():
            yield from ast.walk(node)
        case ast.Expr(value=ast.Constant() as documentation):
            yield documentation
        case ast.Constant(value=bool()):
            yield node
        case ast.Subscript(slice=place):
            yield from (part for part in ast.walk(place) if _is_number(part))
        case ast.Constant(value=int() | float() as number) if number >= _LARGEST_NUMBER:
            yield node


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, str) else None


@dataclass(frozen=True)
class _Copy:
    """A function of a file with another example in it, and a name of its own."""

    content: bytes
    function: Function
    substitution: Substitution
    number: int

    @property
    def name(self) -> str:
        return f"{self.function.name}_{_MARK}_{self.number}"

    @property
    def differs(self) -> bool:
        return any(self._other(node) != node.value for node in _literals(self.function))

    @property
    def first(self) -> int:
        """The line at which the function begins, with its decorators."""
        return first_line(self.function)

    def text(self) -> bytes:
        """The lines of the copy."""
        edits = Edits(self.content)
        for node in _literals(self.function):
            if (new := self._other(node)) != node.value:
                written = self._written(edits.source[edits.start(node) : edits.end(node)], new)
                edits.replace(edits.start(node), edits.end(node), written)
        place = _place_of_name(edits, self.function)
        edits.replace(place, place + len(self.function.name.encode()), self.name)
        end = self.function.end_lineno or self.function.lineno
        kept = self.content.splitlines(keepends=True)
        after = len(b"".join(kept[end:]))
        whole = edits.applied()
        return whole[len(b"".join(kept[: self.first - 1])) : len(whole) - after]

    def _other(self, node: ast.Constant) -> object:
        """The value that stands in the copy for a literal."""
        value, other = node.value, self.substitution
        if isinstance(value, bytes):
            return other(value.decode("latin-1")).encode("latin-1")
        if isinstance(value, str):
            return other(value)
        made = _evaluated(other(repr(value))) if other.reaches_numbers else value
        return made if isinstance(made, type(value) | float) else value

    def _written(self, source: bytes, value: object) -> str:
        """A value as the literal's source says it, where that can be, so that lines stay."""
        other = self.substitution(source.decode())
        return other if _evaluated(other) == value else repr(value)


def _evaluated(literal: str) -> object:
    """The value of a literal, None for what is none; no word on what Python warns of."""
    match parsed(f"({literal})"):
        case ast.Module(body=[ast.Expr(value=value)]):
            with contextlib.suppress(ValueError):
                return ast.literal_eval(value)
    return None


def _place_of_name(edits: Edits, function: Function) -> int:
    keyword = edits.source.index(b"def", edits.start(function))
    return edits.source.index(function.name.encode(), keyword + len(b"def"))


def _inserted(
    path: str, content: bytes, copies: Iterable[_Copy]
) -> tuple[bytes, list[OtherExample]]:
    """The file with each copy behind the function that it is a copy of."""
    lines = content.splitlines(keepends=True)
    lines[-1] = lines[-1].rstrip(b"\n") + b"\n"
    found: list[OtherExample] = []
    added = 0
    for copy in sorted(copies, key=lambda copy: (copy.function.end_lineno or 0, copy.number)):
        end = (copy.function.end_lineno or 0) + added
        new = [b"\n", *(line + b"\n" for line in copy.text().splitlines())]
        lines[end:end] = new
        below = end + 2 + copy.function.lineno - copy.first
        found.append(
            OtherExample(
                path=path,
                function=copy.name,
                line=below,
                original=copy.function.name,
                original_line=copy.function.lineno,
                substitution=copy.substitution,
            )
        )
        added += len(new)
    return b"".join(lines), found
