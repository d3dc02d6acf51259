"""Where a block's code is inserted: at an end of the file, in a class, or between statements."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

from evaluator.diff.block_edit import EditableFile, Position, Splice, SplicedFile
from evaluator.diff.block_edit import insertion as text_insertion
from evaluator.diff.text import margin
from evaluator.errors import PatchError
from evaluator.languages.python.blocks.code import (
    Code,
    indented,
    is_docstring,
    is_future,
    last_line,
    parsed,
    read_code,
)
from evaluator.languages.python.parsing import first_line


class PythonFile(EditableFile):
    """A file that is to be edited; `tree` is None where it is not valid Python.

    `problem` says why, with the line.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.problem = ""
        self.tree: ast.Module | None = None
        try:
            self.tree = parsed(text)
        except PatchError as error:
            self.problem = str(error)

    @property
    def beginning(self) -> int:
        """The index of the first line that code may stand on.

        What must come first stays first: `#!`, the coding line, the docstring, `from __future__`.
        """
        body = self.tree.body if self.tree else []
        first = [node for node in body[:1] if is_docstring(node)]
        future = [node for node in body if is_future(node)]
        return max([super().beginning, *(last_line(node) for node in [*first, *future])])

    def edited(self, splices: Sequence[Splice], relaxations: Sequence[str]) -> SplicedFile:
        """The file with the splices. Raises PatchError where Python would not be Python after."""
        edit = super().edited(splices, relaxations)
        if self.tree is not None:
            _check(edit.text)
        return edit


def _check(text: str) -> None:
    try:
        parsed(text)
    except PatchError as error:
        raise PatchError(f"the file would no longer be valid Python: {error}") from error


Insertion = tuple[list[Splice], tuple[str, ...]]
"""The splices that an insertion takes, and what had to be forgiven."""


def insertion(file: PythonFile, text: str, position: Position) -> Insertion:
    """The splices that insert code. Raises PatchError with the reason where that cannot be."""
    code = read_code(text)
    if file.tree is None:
        if isinstance(position, int):
            problem = f"the file is not valid Python ({file.problem})"
            raise PatchError(f"{problem}; only BOF and EOF inserts can be done")
        return [text_insertion(file, _top_level(code), position, 2)], ()
    scope = _class_for(file.tree, code, position)
    if scope is not None:
        return _into_class(file, code, scope, position)
    return _into_module(file, file.tree, code, position)


def missing_imports(file: PythonFile, code: Code) -> Iterator[Splice]:
    """The splices that bring the code's leading imports to the file's own, where it lacks them."""
    body = file.tree.body if file.tree else []
    known = {name for node in body if isinstance(node, _IMPORTS) for name in _imported(node)}
    leading = list(itertools.takewhile(lambda node: _is_prologue(node), body))
    start = file.beginning
    end = last_line(leading[-1]) if leading else start
    for node in code.imports:
        names = [
            alias for alias in node.names if (_origin(node), alias.name, alias.asname) not in known
        ]
        if names:
            at = start if is_future(node) else max(start, end)
            line = ast.unparse(_with_names(node, names)) + "\n"
            yield Splice(at, at, (line,))


_IMPORTS = (ast.Import, ast.ImportFrom)


def _with_names(node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> ast.stmt:
    if isinstance(node, ast.Import):
        return ast.Import(names)
    return ast.ImportFrom(node.module, names, node.level)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str, str | None]]:
    for alias in node.names:
        yield _origin(node), alias.name, alias.asname


def _origin(node: ast.Import | ast.ImportFrom) -> str:
    return "" if isinstance(node, ast.Import) else "." * node.level + (node.module or "")


def _is_prologue(node: ast.stmt) -> bool:
    return isinstance(node, _IMPORTS) or is_docstring(node)


def _top_level(code: Code) -> list[str]:
    lines = [*code.head, *indented(code.body, code.indent, "")]
    return lines[next((i for i, line in enumerate(lines) if line.strip()), 0) :]


def _class_for(tree: ast.Module, code: Code, position: Position) -> ast.ClassDef | None:
    """The class that the code is meant for: the last of the file, or the one nearest to a line."""
    if not code.is_method or position == "BOF" or not tree.body:
        return None
    if not isinstance(position, int):
        last = tree.body[-1]
        return last if isinstance(last, ast.ClassDef) else None
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    line = position

    def distance(node: ast.ClassDef) -> tuple[int, int]:
        return max(first_line(node) - line, line - last_line(node), 0), -node.lineno

    return min(classes, key=distance, default=None)


def _into_class(file: PythonFile, code: Code, scope: ast.ClassDef, position: Position) -> Insertion:
    said: tuple[str, ...] = ()
    index = last_line(scope)
    if isinstance(position, int):
        index, said = _gap(file, scope.body, position)
    if not code.indent:
        said = (*said, f"inserted as a method of class {scope.name}")
    indent = margin(file.lines[scope.body[0].lineno - 1])
    lines: list[str] = []
    for chunk in code.chunks:
        lines += [*(["\n"] if lines else []), *indented(chunk.lines, code.indent, indent)]
    return [file.spaced(index, lines, 1), *missing_imports(file, code)], said


def _into_module(file: PythonFile, tree: ast.Module, code: Code, position: Position) -> Insertion:
    defines = any(chunk.definition for chunk in code.chunks)
    if isinstance(position, int) and not defines:
        return _statements(file, code, position), ()
    index = len(file.lines)
    said: tuple[str, ...] = ()
    if isinstance(position, int):
        index, said = _gap(file, tree.body, position, file.beginning)
    elif position == "BOF":
        index = file.beginning
    blanks = 2 if defines else 1
    if any(is_future(node) for node in code.imports):
        lines = [line for c in code.chunks for line in indented(c.lines, code.indent, "")]
        return [*missing_imports(file, code), file.spaced(index, lines, blanks)], said
    return [file.spaced(index, _top_level(code), blanks)], said


def _gap(
    file: PythonFile, body: Sequence[ast.stmt], line: int, start: int | None = None
) -> tuple[int, tuple[str, ...]]:
    """The index between two statements that is nearest to a line, and whether that is elsewhere."""
    ends = [last_line(node) for node in body]
    if start is not None:
        ends = [start, *(end for end in ends if end >= start)]
    index = min(ends, key=lambda end: abs(end - (line - 1)), default=0)
    low, high = sorted((index, max(0, line - 1)))
    if not any(text.strip() for text in file.lines[low:high]):
        return index, ()
    return index, (f"inserted at line {index + 1} and not {line}, between two statements",)


def _statements(file: PythonFile, code: Code, line: int) -> list[Splice]:
    """Statements go where the line says, indented as given or as the lines around them are."""
    index = min(max(line - 1, 0), len(file.lines))
    around = [text for text in file.lines[index - 1 if index else 0 : index + 1] if text.strip()]
    tries = dict.fromkeys([code.indent, *(margin(text) for text in reversed(around)), ""])
    failure = PatchError("the code fits no indentation there")
    for indent in tries:
        lines = (*code.head, *indented(code.body, code.indent, indent))
        splices = [Splice(index, index, lines)]
        try:
            file.edited(splices, ())
        except PatchError as error:
            failure = error
        else:
            return splices
    raise failure
