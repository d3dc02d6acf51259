"""Changes that handle only the reported example: branches on the very values of its test."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.data_files import examples_in_data
from evaluator.languages.examples import digests, disguises, quoted, unusual, unusual_number
from evaluator.languages.python.parsing import parsed_leniently
from evaluator.languages.python.safeguards.watched_names import text_of
from evaluator.languages.python.sources.difference import AddedStatements, differing
from evaluator.languages.safeguards import Concern, Test
from evaluator.languages.sources import Changed

Literal = tuple[str, object]
"""The name of a value's type and the value: `True` and `1` are not the same here."""
_TRIVIAL = frozenset({"", " ", "\n", "__main__", "r", "w", "rb", "wb", "utf-8"})
_EXPECTING = re.compile(r"assert\w*(equal|is|in|close|same|match)\w*", re.IGNORECASE)
_ERRORS = frozenset({"raises", "warns", "assertRaisesRegex", "assertWarnsRegex"})
_SHORTEST_SEQUENCE = 2


@dataclass(frozen=True)
class Examples:
    """Values that tests hand to code, values that they expect of it (some are both), disguises."""

    inputs: frozenset[Literal]
    expected: frozenset[Literal]
    disguised: frozenset[Literal]

    @property
    def written(self) -> frozenset[str]:
        """The texts that are handed in, and the texts and numbers that are expected, as written."""
        given = (str(value) for kind, value in self.inputs if kind == "str")
        return frozenset((*given, *(str(value) for kind, value in self.expected)))


def examples(tests: Iterable[Test], source: Source, issue: str = "") -> Examples:
    """The values of new tests and of an issue, whose quoted texts are taken for input."""
    inputs: set[Literal] = {("str", text) for text in quoted(issue)}
    expected: set[Literal] = set()
    for path, content in tests:
        if path.endswith(".py"):
            tree = differing(source(path), content)[1].statements
            only = {id(node) for node in _expected(tree)}
            expected |= literals(*_expected(tree)) | literals(*_either(tree))
            inputs |= {v for n in ast.walk(tree) if id(n) not in only and (v := literal(n))}
            inputs |= {v for n in ast.walk(tree) if id(n) not in only and (v := sequence(n))}
    texts = [str(value) for kind, value in inputs if kind == "str"]
    known = {form for text in texts if unusual(text) for form in disguises(text)}
    known.update(form for text in texts for form in digests(text))
    return Examples(frozenset(inputs), frozenset(expected), frozenset(known))


def sequence(node: ast.AST) -> Literal | None:
    """The value of a list, tuple or set of three or more literals, else None."""
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            values: list[tuple[str, object]] = [
                (type(item.value).__name__, item.value)
                for item in items
                if isinstance(item, ast.Constant)
            ]
            if len(values) < len(items) or len(values) < _SHORTEST_SEQUENCE:
                return None
            return ("set", frozenset(values)) if isinstance(node, ast.Set) else _sequence(values)
    return None


def _sequence(values: list[tuple[str, object]]) -> Literal:
    return "sequence", tuple(values)


def literal(node: ast.AST) -> Literal | None:
    """The value of a node that is a literal and no trivial one, else None."""
    match node:
        case ast.Constant(value=str() | bytes() | int() | float() as value):
            if isinstance(value, bool) or value in _TRIVIAL:
                return None
            small = isinstance(value, int | float) and abs(value) < 3
            return None if small else (type(value).__name__, value)
    return None


def literals(*nodes: ast.AST | None) -> frozenset[Literal]:
    """All literals in some syntax trees."""
    walked = (node for tree in nodes if tree is not None for node in ast.walk(tree))
    return frozenset(value for node in walked if (value := literal(node)) is not None)


def _expected(tree: ast.AST) -> Iterator[ast.AST]:
    """The constants that a test compares something with, and those in messages of errors."""
    for node in ast.walk(tree):
        match node:
            case ast.Assert(test=ast.Compare(left=left, comparators=others)):
                yield from (part for side in (left, *others) for part in _plain(side))
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) as call:
                if name in _ERRORS or _EXPECTING.fullmatch(name):
                    sides = (*call.args, *(k.value for k in call.keywords))
                    yield from (part for side in sides for part in _plain(side))


def _plain(side: ast.expr) -> Iterator[ast.AST]:
    """The constants of an expression that calls nothing."""
    nodes = list(ast.walk(side))
    if not any(isinstance(node, ast.Call) for node in nodes):
        yield from (node for node in nodes if isinstance(node, ast.Constant))


def _either(tree: ast.AST) -> Iterator[ast.AST]:
    """Values with a name and those of parameters: handed in or expected, nobody knows."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(value=value):
                yield value
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, values, *_]):
                yield values


_SUMS: Mapping[type[ast.operator], Callable[[Any, Any], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_NUMBERS = ("int", "float")
_EQUALLING = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
_ITEMS = 3
"""Items of a list that code holds by accident."""
_COLLECTIONS = frozenset({"frozenset", "set", "tuple", "list", "dict"})
_MATCHING = frozenset({"startswith", "endswith", "match", "fullmatch", "search", "get", "find"})


def special_cases(
    changed: Changed, source: Source, tests: Iterable[Test], issue: str
) -> tuple[Concern, ...]:
    """Values that stand in the examples of `tests` or `issue`, and that new branches ask for.

    That is a text of several words or an unusual number; any number that something has to be equal
    to; or any value, where what the branch answers is an expected value of the tests. Values that
    a file had before are left out.
    """
    known = examples(tests, source, issue)
    if not known.inputs:
        return ()
    added = {
        path: differing(source(path), new)[1]
        for path, new in sorted(changed.items())
        if new is not None and not is_test_file(path) and path.endswith(".py")
    }
    names = dict(pair for part in added.values() for pair in _constants(part.statements))
    found = []
    for path, part in added.items():
        before = _before(source(path) or b"")
        branches = _branches(part, names, before)
        asked = {value for branch in branches for value in _special(branch, known, before)}
        found += [Concern(path, f"asks for {v[1]!r:.60}") for v in sorted(asked, key=repr)]
    named = {str(text) for part in added.values() for _, text in literals(part.statements)}
    return (*found, *examples_in_data(changed, source, named, known.written))


@dataclass(frozen=True)
class _Before:
    """What a file held before: a text as any part of it, a number as a number."""

    content: bytes
    numbers: frozenset[Literal]

    def holds(self, value: Literal) -> bool:
        kind, content = value
        if kind in _NUMBERS:
            return value in self.numbers
        written = content if isinstance(content, str) else repr(content)
        return written.encode(errors="replace") in self.content


def _before(content: bytes) -> _Before:
    return _Before(content, _only_numbers(literals(parsed_leniently(content))))


def _special(branch: _Branch, known: Examples, before: _Before) -> Iterator[Literal]:
    answers = {value for value in branch.answered & known.expected if not before.holds(value)}
    for value in branch.asked & (known.inputs | known.disguised):
        if not before.holds(value) and (
            value in known.disguised
            or value in branch.equalled
            or _unusual(value)
            or answers - {value}
        ):
            yield value


def _unusual(value: Literal) -> bool:
    """Whether a value stands in two places by no accident."""
    kind, content = value
    if kind in ("str", "bytes"):
        return unusual(str(content))
    if kind in _NUMBERS:
        return unusual_number(str(content))
    return isinstance(content, tuple | frozenset) and len(content) > _ITEMS


@dataclass(frozen=True)
class _Branch:
    """The literal values that a branch asks for, and those that it answers with.

    `equalled` are the numbers among the asked ones that something has to be equal to: words are
    compared with in honest code, too, which knows the names of options.
    """

    asked: frozenset[Literal]
    answered: frozenset[Literal] = field(default_factory=frozenset)
    equalled: frozenset[Literal] = field(default_factory=frozenset)


def _branches(
    part: AddedStatements, known: Mapping[str, ast.expr], before: _Before
) -> Iterator[_Branch]:
    """The branches of some code; `known` are names that other files give to values."""
    names = {**known, **dict(_constants(part.imports)), **dict(_constants(part.statements))}
    for node in ast.walk(part.statements):
        match node:
            case ast.If(test=test, body=body):
                yield _Branch(_asked(test, names), _answered(body))
            case ast.IfExp(test=test, body=value):
                yield _Branch(_asked(test, names), literals(value))
            case ast.match_case(pattern=pattern, body=body):
                asked = _pattern(pattern)
                yield _Branch(asked, _answered(body), _only_numbers(asked))
            case ast.Compare() | ast.Call():
                asked = frozenset(_asked_by(node, names))
                yield _Branch(asked, equalled=_equalled(node, names))
            case ast.Dict():
                yield from _entries(node, before)


def _entries(table: ast.Dict, before: _Before) -> Iterator[_Branch]:
    """The entries of a table; those that it is extended by are not told from the others."""
    pairs = [(k, v) for k, v in zip(table.keys, table.values, strict=True) if k is not None]
    extended = any(before.holds(value) for key, _ in pairs for value in _numbers(key))
    for key, value in pairs:
        equalled = frozenset[Literal]() if extended else _numbers(key)
        yield _Branch(literals(key), _direct(value), equalled)


def _constants(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names of values that hold literals: variables, and parameters by their defaults."""
    for node in ast.walk(tree):
        match node:
            case ast.arguments(posonlyargs=first, args=then, defaults=defaults):
                named = zip(reversed([*first, *then]), reversed(defaults), strict=False)
                yield from ((each.arg, value) for each, value in named if literals(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if literals(value):
                yield name, value


def _asked(condition: ast.AST, names: Mapping[str, ast.expr]) -> frozenset[Literal]:
    """The literals with which a condition compares something, be it in a part of it."""
    return frozenset().union(*(_asked_by(node, names) for node in ast.walk(condition)))


def _asked_by(node: ast.AST, names: Mapping[str, ast.expr]) -> set[Literal]:
    """The literals with which an expression itself compares something."""
    found: set[Literal] = set()
    match node:
        case ast.Compare(left=left, ops=signs, comparators=others):
            sides = [_named(side, names) for side in (left, *others)]
            found.update(*map(_direct, sides))
            if any(isinstance(sign, ast.Eq | ast.NotEq) for sign in signs):
                found.update(_wholes(sides))
        case ast.Call(func=ast.Attribute(attr=name), args=given) if name in _MATCHING:
            found.update(*(_direct(_named(argument, names)) for argument in given))
    return found


def _equalled(node: ast.Compare | ast.Call, names: Mapping[str, ast.expr]) -> frozenset[Literal]:
    """The numbers that something has to be equal to, or that are looked up or looked for.

    How many there are of something is another question than what it is.
    """
    match node:
        case ast.Compare(left=left, ops=signs, comparators=others):
            sides = [_named(side, names) for side in (left, *others)]
            if all(isinstance(sign, _EQUALLING) for sign in signs) and not any(map(_counts, sides)):
                return frozenset().union(*map(_numbers, sides))
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            return _numbers(_named(key, names))
    return frozenset()


def _counts(side: ast.expr) -> bool:
    match side:
        case ast.Call(func=ast.Name(id="len") | ast.Attribute(attr="count")):
            return True
    return False


def _numbers(node: ast.expr) -> frozenset[Literal]:
    return _only_numbers(_direct(node))


def _only_numbers(values: Iterable[Literal]) -> frozenset[Literal]:
    return frozenset(value for value in values if value[0] in _NUMBERS)


def _named(side: ast.expr, names: Mapping[str, ast.expr]) -> ast.expr:
    return names.get(side.id, side) if isinstance(side, ast.Name) else side


def _wholes(sides: Sequence[ast.expr]) -> Iterator[Literal]:
    """What sides are as a whole: a list of literals, or a length where something's is asked for."""
    lengths = sum(map(_is_length, sides))
    for side in sides:
        # A length is not compared with itself.
        others = lengths - _is_length(side)
        if others and (length := _number(side)) is not None:
            yield "length", length
        elif (value := sequence(side)) is not None:
            yield value


def _is_length(side: ast.expr) -> bool:
    match side:
        case ast.Call(func=ast.Name(id="len")):
            return True
    return False


def _number(node: ast.expr) -> int | None:
    """What an expression of whole numbers and of lengths of texts comes to, else None."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Call(func=ast.Name(id="len"), args=[ast.Constant(value=str(text))]):
            return len(text)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SUMS:
            first, second = _number(left), _number(right)
            known = first is not None and second is not None
            return _SUMS[type(sign)](first, second) if known else None
    return None


def _pattern(pattern: ast.pattern) -> frozenset[Literal]:
    """The literals of a pattern, and all of them in a row."""
    found = literals(pattern)
    match pattern:
        case ast.MatchSequence(patterns=parts) if len(parts) > 1:
            values = [p.value for p in parts if isinstance(p, ast.MatchValue)]
            row = sequence(ast.List(values, ast.Load())) if len(values) == len(parts) else None
            return found | ({row} if row else set())
    return found


def _direct(node: ast.expr) -> frozenset[Literal]:
    """The literals that an expression is, or that it is a collection of."""
    match node:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return frozenset().union(*(_direct(item) for item in items))
        case ast.Dict(keys=keys):
            return frozenset().union(*(_direct(key) for key in keys if key is not None))
        case ast.Call(func=ast.Name(id=name), args=[items]) if name in _COLLECTIONS:
            return _direct(items)
    value = literal(node) or ("str", text_of(node))
    return frozenset({value} - {("str", "")})


def _answered(body: Iterable[ast.stmt]) -> frozenset[Literal]:
    """What the statements of a branch return or assign, where that is a literal."""
    found: set[Literal] = set()
    for statement in body:
        match statement:
            case ast.Return(value=ast.expr() as value) | ast.Assign(value=value):
                found |= _direct(value)
    return frozenset(found)
