"""What the block format needs to know of Python source: where definitions stand, and indentation.

Lines are counted from 1, as `ast` does. Nothing here changes a byte that it is not asked to.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.diff.text import bare, margin, moved, to_lines
from evaluator.errors import PatchError
from evaluator.languages.python.parsing import NOT_PYTHON, Defined, first_line, parse

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE_RETURN = re.compile("\r(?!\n)")
_IMPORT_LINE = re.compile(r"\s*(import|from)\s")


@dataclass(frozen=True)
class Definition:
    """A function or class in a file: its lines, decorators included, and what it stands in.

    `parent` is the name of the class or function around it ("" at the top level).
    """

    name: str
    is_class: bool
    first: int
    last: int
    parent: str = ""
    in_class: bool = False

    def distance(self, line: int | None) -> int:
        """How far a line is from it; 0 within it, or where no line is given."""
        if line is None:
            return 0
        return max(self.first - line, line - self.last, 0)


@dataclass(frozen=True)
class Chunk:
    """Lines of given code that end with one definition (None: statements only)."""

    lines: tuple[str, ...]
    definition: Definition | None
    takes_self: bool = False


@dataclass(frozen=True)
class Code:
    """Code as a block gives it: leading imports, then chunks, all indented by `indent`.

    `head` are lines of imports that are not indented with the rest, `body` all other lines.
    """

    head: tuple[str, ...]
    body: tuple[str, ...]
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    chunks: tuple[Chunk, ...]
    indent: str

    @property
    def is_method(self) -> bool:
        """Whether it can only be meant for a class: functions that are indented or take `self`."""
        functions = [c for c in self.chunks if c.definition and not c.definition.is_class]
        alone = len(functions) == len(self.chunks) > 0
        return alone and (bool(self.indent) or all(chunk.takes_self for chunk in functions))


@functools.lru_cache(maxsize=8)
def parsed(text: str) -> ast.Module:
    """The syntax tree, which nobody changes. Raises PatchError, with the line, for other text."""
    if _LONE_RETURN.search(text):
        raise PatchError("it holds carriage returns within lines")
    try:
        return parse(_SURROGATE.sub("?", text))
    except SyntaxError as error:
        raise PatchError(f"{error.msg}, line {error.lineno}") from error
    except NOT_PYTHON as error:
        raise PatchError(str(error) or "it is nested too deeply") from error


def definitions(tree: ast.Module) -> tuple[Definition, ...]:
    """All functions and classes of a file, at any depth, in order."""
    return tuple(sorted(_defined(tree, "", False), key=lambda d: (d.first, -d.last)))


def _defined(around: ast.AST, parent: str, in_class: bool) -> Iterator[Definition]:
    waiting = [(around, parent, in_class)]
    while waiting:
        node, parent, in_class = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Defined):
                yield _definition(child, parent, in_class)
                waiting.append((child, child.name, isinstance(child, ast.ClassDef)))
            elif not isinstance(child, ast.expr):
                waiting.append((child, parent, in_class))


def _definition(node: Defined, parent: str = "", in_class: bool = False) -> Definition:
    is_class = isinstance(node, ast.ClassDef)
    return Definition(node.name, is_class, first_line(node), last_line(node), parent, in_class)


def last_line(node: ast.stmt) -> int:
    """The line on which a statement ends."""
    return node.end_lineno or node.lineno


def read_code(text: str) -> Code:
    """Read the code of a block, which may be indented as it stands in its class.

    Imports that are not indented may precede indented code. Raises PatchError for what is no
    Python code.
    """
    lines = [bare(line) + "\n" for line in to_lines(text)]
    failure = PatchError("it is empty")
    for head in dict.fromkeys((0, _import_lines(lines))):
        try:
            return _read(lines[:head], lines[head:])
        except PatchError as error:
            failure = error
    raise PatchError(f"the code is not valid Python: {failure}")


def _read(head: list[str], lines: list[str]) -> Code:
    indent = margin(next((line for line in lines if _is_code(line)), ""))
    wrapped = ["if True:\n", *lines] if indent else lines
    tree = parsed("".join(wrapped))
    outer = tree.body[0] if tree.body else None
    inner = outer.body if indent and isinstance(outer, ast.If) else []
    nodes = [*inner, *tree.body[1:]] if indent else tree.body
    imports = _leading_imports(nodes)
    start = last_line(imports[-1]) if imports else (1 if indent else 0)
    chunks = _chunks(wrapped, nodes[len(imports) :], start)
    above = [node for node in parsed("".join(head)).body if isinstance(node, _IMPORTS)]
    return Code(tuple(head), tuple(lines), (*above, *imports), tuple(chunks), indent)


_IMPORTS = (ast.Import, ast.ImportFrom)


def _leading_imports(nodes: Sequence[ast.stmt]) -> list[ast.Import | ast.ImportFrom]:
    found: list[ast.Import | ast.ImportFrom] = []
    for node in nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            return found
        found.append(node)
    return found


def _chunks(lines: list[str], nodes: Sequence[ast.stmt], start: int) -> Iterator[Chunk]:
    for node in nodes:
        if isinstance(node, Defined):
            last = last_line(node)
            chunk = _without_blank_ends(lines[start:last])
            yield Chunk(chunk, _definition(node), _takes_self(node))
            start = last
    rest = _without_blank_ends(lines[start:])
    if any(_is_code(line) for line in rest):
        yield Chunk(rest, None)


def _takes_self(node: Defined) -> bool:
    if isinstance(node, ast.ClassDef):
        return False
    arguments = [*node.args.posonlyargs, *node.args.args]
    return bool(arguments) and arguments[0].arg in {"self", "cls"}


def _import_lines(lines: Sequence[str]) -> int:
    """How many lines of imports, each on a line of its own, precede the code."""
    count = 0
    while count < len(lines) and (_IMPORT_LINE.match(lines[count]) or not _is_code(lines[count])):
        count += 1
    return count


def _is_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _without_blank_ends(lines: Sequence[str]) -> tuple[str, ...]:
    full = [i for i, line in enumerate(lines) if line.strip()]
    return tuple(lines[full[0] : full[-1] + 1]) if full else ()


def indented(lines: Sequence[str], before: str, after: str) -> list[str]:
    """Lines with one indentation put in place of another; the inside of strings stays as it is."""
    if before == after:
        return list(lines)
    return moved(lines, before, after, _inside_strings(lines, before))


def is_future(node: ast.stmt) -> bool:
    """Whether a statement imports from `__future__`."""
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is nothing but a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _inside_strings(lines: Sequence[str], indent: str) -> set[int]:
    """The lines, from 1, that start within a string."""
    shift = 1 if indent else 0
    try:
        tree = parsed("if True:\n" * shift + "".join(lines))
    except PatchError:
        return set()
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            inside |= set(range(node.lineno + 1 - shift, (node.end_lineno or 0) + 1 - shift))
    return inside
