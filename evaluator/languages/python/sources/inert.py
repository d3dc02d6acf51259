"""Files as a change leaves them, with the behaviour that they had before.

What the change adds is there: names, parameters, comments, documentation. Nothing that was there
before uses it. Tests that pass on such files look for the additions, and show no other behaviour.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from evaluator.languages.python.parsing import Function, parsed

_DOCUMENTATION = "documentation: "
_STUB = b"raise NotImplementedError"


class _UnlikeError(Exception):
    """The two sides are laid out so differently that one cannot be put into the other."""


@dataclass(frozen=True)
class _Edit:
    """Bytes from `start` to `end` of the new content, and what takes their place."""

    start: int
    end: int
    text: bytes


def inert(before: bytes | None, after: bytes) -> bytes | None:
    """The new content of a file with the behaviour of the old; None where that cannot be made.

    Functions that were there have their old bodies, values their old values; what was removed is
    there again. New functions and classes stay as they are, unless they may change what was there:
    methods of old classes, and what is decorated or derived, only raise NotImplementedError.
    """
    if before is None:
        return after
    old, new = parsed(before), parsed(after)
    if old is None or new is None or not all(map(_is_plain, (before, after))):
        return None
    sides = _Sides(before, after)
    try:
        edits = [*sides.merged(old.body, new.body), *sides.restored(old.body, new.body)]
    except _UnlikeError:
        return None
    merged = _applied(after, edits)
    return merged if parsed(merged) is not None else None


def _is_plain(content: bytes) -> bool:
    """Whether offsets in the syntax tree are those of the bytes."""
    try:
        return not content.decode("utf-8").startswith("\ufeff")
    except UnicodeDecodeError:
        return False


def _applied(content: bytes, edits: Sequence[_Edit]) -> bytes:
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        content = content[: edit.start] + edit.text + content[edit.end :]
    return content


class _Content:
    """A file's bytes, and where the lines begin."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._lines = content.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def start(self, node: ast.stmt) -> int:
        """Where a statement begins, with its decorators."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        if not decorators:
            return self._starts[node.lineno - 1] + node.col_offset
        line = self._lines[decorators[0].lineno - 1]
        return self._starts[decorators[0].lineno - 1] + len(line) - len(line.lstrip())

    def end(self, node: ast.stmt) -> int:
        return self._starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)

    def between(self, first: ast.stmt, last: ast.stmt) -> bytes:
        return self._content[self.start(first) : self.end(last)]

    def __len__(self) -> int:
        return len(self._content)


class _Sides:
    """Both contents of one file."""

    def __init__(self, before: bytes, after: bytes) -> None:
        self._old, self._new = _Content(before), _Content(after)

    def merged(
        self, old: Sequence[ast.stmt], new: Sequence[ast.stmt], *, within: bool = False
    ) -> Iterator[_Edit]:
        """What has to be edited in the new statements of a module, or `within` a class."""
        known = _by_name(old)
        for name, node in _by_name(new).items():
            if name in known:
                yield from self._kept(known[name], node)
            else:
                yield from self._added(node, within=within)

    def restored(self, old: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> Iterator[_Edit]:
        """The statements that are gone, at the end of the new ones."""
        there, last = _by_name(new), new[-1] if new else None
        gone = [node for name, node in _by_name(old).items() if name not in there]
        column = last.col_offset if last else 0
        if any(node.col_offset != column for node in gone):
            raise _UnlikeError
        margin = b"\n" + b" " * column
        text = b"".join(margin + self._old.between(node, node) for node in gone)
        place = self._new.end(last) if last and column else len(self._new)
        if gone:
            yield _Edit(place, place, text + (b"" if column else b"\n"))

    def _added(self, node: ast.stmt, *, within: bool) -> Iterator[_Edit]:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if within or node.decorator_list:
                    yield self._stubbed(node)
            case ast.ClassDef() if not within:
                if node.decorator_list or node.bases or node.keywords:
                    yield from (self._stubbed(each) for each in node.body if _is_function(each))
            case ast.Assign() | ast.AnnAssign() if not within:
                return
            case _:
                yield _Edit(self._new.start(node), self._new.end(node), b"pass")

    def _kept(self, old: ast.stmt, new: ast.stmt) -> Iterator[_Edit]:
        """What has to be edited in a statement that was there."""
        if ast.dump(old) == ast.dump(new) or _name(new) == _DOCUMENTATION:
            return
        if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef) and _alike(old, new):
            yield from self.merged(_code(old), _code(new), within=True)
            yield from self.restored(_code(old), new.body)
        elif _is_function(old) and _is_function(new) and self._fits(old, new):
            yield from self._body(old, new)
        else:
            yield self._replaced([new], [old])

    def _fits(self, old: Function, new: Function) -> bool:
        """Whether the old body can stand in the new function."""
        columns = {node.col_offset for each in (old, new) for node in _code(each)[:1]}
        same = type(old) is type(new) and _dumps(old.decorator_list) == _dumps(new.decorator_list)
        return same and len(columns) == 1 and bool(_code(new)) and _extends(old.args, new.args)

    def _body(self, old: Function, new: Function) -> Iterator[_Edit]:
        if _dumps(_code(old)) != _dumps(_code(new)):
            yield self._replaced(_code(new), _code(old))

    def _replaced(self, new: Sequence[ast.stmt], old: Sequence[ast.stmt]) -> _Edit:
        if old and old[0].col_offset != new[0].col_offset:
            raise _UnlikeError
        text = self._old.between(old[0], old[-1]) if old else b"pass"
        return _Edit(self._new.start(new[0]), self._new.end(new[-1]), text)

    def _stubbed(self, node: Function) -> _Edit:
        return _Edit(self._new.start(node.body[0]), self._new.end(node.body[-1]), _STUB)


def _is_function(node: ast.stmt) -> TypeGuard[Function]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _code(node: Function | ast.ClassDef) -> list[ast.stmt]:
    """The statements of a body but for its documentation."""
    return node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body


def _dumps(nodes: Sequence[ast.AST]) -> list[str]:
    return list(map(ast.dump, nodes))


def _by_name(nodes: Sequence[ast.stmt]) -> dict[tuple[str, int], ast.stmt]:
    """Statements by what they define, else by what they say, each with which of these it is."""
    seen: Counter[str] = Counter()
    found = {}
    for node in nodes:
        name = _name(node)
        found[name, seen[name]] = node
        seen[name] += 1
    return found


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.Expr(value=ast.Constant(value=str())):
            return _DOCUMENTATION
    return ast.dump(node)


def _alike(old: ast.ClassDef, new: ast.ClassDef) -> bool:
    """Whether two classes differ in their bodies at most."""
    first, second = (
        _dumps([*each.bases, *each.keywords, *each.decorator_list]) for each in (old, new)
    )
    return first == second and bool(_code(new))


def _extends(old: ast.arguments, new: ast.arguments) -> bool:
    """Whether new parameters take all that the old ones took, with the same defaults."""
    before, after = _parameters(old), _parameters(new)
    order = [name for name in after if name in before]
    added = [default for name, default in after.items() if name not in before]
    same = all(after.get(name, "") == default for name, default in before.items())
    return same and order == list(before) and "required" not in added


def _parameters(arguments: ast.arguments) -> dict[str, str]:
    """The names of parameters in their order, each with its default."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults = [*[None] * missing, *arguments.defaults, *arguments.kw_defaults]
    named = zip([*positional, *arguments.kwonlyargs], defaults, strict=True)
    found = {each.arg: "required" if value is None else ast.dump(value) for each, value in named}
    many = {f"*{each.arg}": "many" for each in (arguments.vararg, arguments.kwarg) if each}
    return found | many
