"""Edits a Python file as a block asks for: finds the definition that is meant, and replaces it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.diff.block_edit import BlockEdit, BlockEditor, Position, Splice, SplicedFile
from evaluator.diff.text import margin
from evaluator.errors import PatchError
from evaluator.languages.python.blocks.code import (
    Chunk,
    Code,
    Definition,
    definitions,
    indented,
    read_code,
)
from evaluator.languages.python.blocks.inserting import PythonFile, insertion, missing_imports

_LONGEST_NAME = 200
_SIMILAR = 0.9
"""How similar a name must be to be taken for another one, 1 being equal."""
_SIMILAR_AND_NEAR = 0.7
"""The same where the line number points at the definition too."""
_NEAR_LINES = 3


@dataclass(frozen=True)
class WantedDefinition:
    """A definition that is looked for.

    `method` prefers those in a class (True) or out of one (False), where that is known; `line` is
    a hint.
    """

    name: str
    is_class: bool | None
    method: bool | None = None
    parent: str = ""
    line: int | None = None


class Finder:
    """Looks among the definitions of a file; one that was found is not found again."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._left = list(definitions)

    def exact(self, wanted: WantedDefinition) -> Definition | None:
        """The definition of that name; the line number chooses between several."""
        named = [d for d in self._of_kind(wanted) if d.name == wanted.name]
        return self._taken(min(named, key=lambda d: _rank(d, wanted), default=None))

    def similar(self, wanted: WantedDefinition) -> Definition | None:
        """The definition with the most similar name, None where no name is similar enough."""
        if len(wanted.name) > _LONGEST_NAME:
            return None
        scored = [(self._similarity(d, wanted), d) for d in self._of_kind(wanted)]
        close = [(score, d) for score, d in scored if score >= _least(d, wanted)]
        best = max(close, key=lambda pair: (pair[0], -pair[1].distance(wanted.line)), default=None)
        return self._taken(None if best is None else best[1])

    def at(self, line: int) -> Definition | None:
        """The innermost definition that a line lies in."""
        around = [d for d in self._left if d.first <= line <= d.last]
        return self._taken(max(around, key=lambda d: d.first, default=None))

    def _of_kind(self, wanted: WantedDefinition) -> Sequence[Definition]:
        return [d for d in self._left if wanted.is_class in (None, d.is_class)]

    def _similarity(self, definition: Definition, wanted: WantedDefinition) -> float:
        if len(definition.name) > _LONGEST_NAME:
            return 0.0
        return difflib.SequenceMatcher(None, definition.name, wanted.name).ratio()

    def _taken(self, definition: Definition | None) -> Definition | None:
        if definition is not None:
            self._left.remove(definition)
        return definition


def _rank(definition: Definition, wanted: WantedDefinition) -> tuple[bool, bool, bool, int, int]:
    return (
        bool(wanted.parent) and definition.parent != wanted.parent,
        bool(definition.parent) and not definition.in_class,
        wanted.method not in (None, definition.in_class),
        definition.distance(wanted.line),
        definition.first,
    )


def _least(definition: Definition, wanted: WantedDefinition) -> float:
    near = wanted.line is not None and definition.distance(wanted.line) <= _NEAR_LINES
    return _SIMILAR_AND_NEAR if near else _SIMILAR


_HEAD = re.compile(r"^[ \t]*(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def created(text: str) -> str:
    """A new file. Raises PatchError for what is no Python code."""
    code = read_code(text)
    return "".join([*code.head, *indented(code.body, code.indent, "")])


def inserted(request: BlockEdit, text: str) -> SplicedFile:
    """The file with code at a place, between two statements."""
    file = PythonFile(text)
    splices, said = insertion(file, request.code, request.position)
    return file.edited(splices, said)


def rewritten(request: BlockEdit, text: str) -> SplicedFile:
    """The file with definitions in place of those of the same, or of a similar name."""
    file = PythonFile(text)
    _require_valid(file)
    code = read_code(request.code)
    if not any(chunk.definition for chunk in code.chunks):
        raise PatchError("the code defines no function or class that could be rewritten")
    placed, said = _placed(file, code, request.position)
    if not placed:
        names = ", ".join(chunk.definition.name for chunk in code.chunks if chunk.definition)
        splices, more = insertion(file, request.code, request.position)
        return file.edited(splices, (f"the file has no {names}: inserted instead", *more))
    return file.edited([*_replacements(file, code, placed), *missing_imports(file, code)], said)


_Placed = list[tuple[Definition, list[Chunk]]]


def _placed(file: PythonFile, code: Code, position: Position) -> tuple[_Placed, list[str]]:
    """Each definition of the file that is replaced, with the chunks that take its place."""
    finder = Finder(definitions(file.tree) if file.tree else ())
    line = position if isinstance(position, int) else None
    placed: _Placed = []
    waiting: list[Chunk] = []
    said: list[str] = []
    single = sum(chunk.definition is not None for chunk in code.chunks) == 1
    for chunk in code.chunks:
        target = _target(finder, chunk, code, line, said if single else None)
        if target is not None:
            placed.append((target, [*waiting, chunk]))
            waiting = []
        elif placed:
            placed[-1][1].append(chunk)
        else:
            waiting.append(chunk)
    return placed, said


def _target(
    finder: Finder, chunk: Chunk, code: Code, line: int | None, said: list[str] | None
) -> Definition | None:
    """The definition that a chunk rewrites; a similar name counts where `said` allows it."""
    if chunk.definition is None:
        return None
    name, is_class = chunk.definition.name, chunk.definition.is_class
    wanted = WantedDefinition(name, is_class, bool(code.indent) or chunk.takes_self, line=line)
    target = finder.exact(wanted)
    if target is None and said is not None:
        target = finder.similar(wanted)
        if target is not None:
            said.append(f"{name} taken for {target.name}")
    return target


def _replacements(file: PythonFile, code: Code, placed: _Placed) -> list[Splice]:
    splices = []
    for target, chunks in placed:
        first = target.first - 1
        indent = margin(file.lines[first])
        blanks = ("\n",) * (1 if target.parent else 2)
        lines: list[str] = []
        for chunk in chunks:
            kept = _without_repeated_comments(chunk.lines, file.lines[:first])
            lines += [*(blanks if lines else ()), *indented(kept, code.indent, indent)]
        splices.append(Splice(first, target.last, tuple(lines)))
    return splices


def _without_repeated_comments(lines: Sequence[str], above: Sequence[str]) -> Sequence[str]:
    """The lines of a chunk without the leading comments that the file has above it already."""
    count = next((i for i, line in enumerate(lines) if not line.lstrip().startswith("#")), 0)
    comments = [line.strip() for line in lines[:count]]
    standing = [line.strip() for line in above[len(above) - count :]]
    return lines[count:] if count and comments == standing else lines


def deleted(request: BlockEdit, text: str) -> SplicedFile:
    """The file without the definitions that the block names."""
    file = PythonFile(text)
    _require_valid(file)
    finder = Finder(definitions(file.tree) if file.tree else ())
    line = request.position if isinstance(request.position, int) else None
    said: list[str] = []
    wanted = _wanted_to_delete(request.code, line)
    targets = [_required(finder, each, said) for each in wanted]
    if not wanted and line is not None:
        found = finder.at(line)
        targets = [found] if found else []
    if not targets:
        raise PatchError("the block does not name the function or class to delete")
    return _cut(file, targets, said)


def _required(finder: Finder, wanted: WantedDefinition, said: list[str]) -> Definition:
    target = finder.exact(wanted)
    if target is None:
        target = finder.similar(wanted)
        if target is None:
            raise PatchError(f"the file has no function or class {wanted.name}")
        said.append(f"{wanted.name} taken for {target.name}")
    return target


def _wanted_to_delete(code: str, line: int | None) -> list[WantedDefinition]:
    """What the code of a `delete` names: whole definitions, first lines of them, or bare names."""
    try:
        chunks = [chunk for chunk in read_code(code).chunks if chunk.definition]
    except PatchError:
        chunks = []
    defined = [
        WantedDefinition(
            chunk.definition.name, chunk.definition.is_class, chunk.takes_self or None, line=line
        )
        for chunk in chunks
        if chunk.definition
    ]
    if defined:
        return defined
    heads = [
        WantedDefinition(name, kind == "class", line=line) for kind, name in _HEAD.findall(code)
    ]
    return heads or [_named(name, line) for name in _names(code)]


def _names(code: str) -> list[str]:
    lines = [line.strip().rstrip(":()") for line in code.split("\n")]
    return [line for line in lines if _DOTTED.fullmatch(line)]


def _named(dotted: str, line: int | None) -> WantedDefinition:
    around, _, name = dotted.rpartition(".")
    return WantedDefinition(name, None, bool(around) or None, around.rpartition(".")[2], line)


def _cut(file: PythonFile, targets: Sequence[Definition], said: Sequence[str]) -> SplicedFile:
    try:
        return file.edited([_without(file, target) for target in targets], said)
    except PatchError:
        # A class or an `if` may be left without a body.
        fillers = [_filled(file, target) for target in targets]
        return file.edited(fillers, said)


def _without(file: PythonFile, target: Definition) -> Splice:
    """Cut a definition with the blank lines after it, so that those before it are left."""
    end = target.last
    while end < len(file.lines) and not file.lines[end].strip():
        end += 1
    ends_class = end < len(file.lines) and len(margin(file.lines[end])) < len(
        margin(file.lines[target.first - 1])
    )
    return Splice(target.first - 1, target.last if ends_class else end, ())


def _filled(file: PythonFile, target: Definition) -> Splice:
    first = target.first - 1
    return Splice(first, target.last, (margin(file.lines[first]) + "pass\n",))


def _require_valid(file: PythonFile) -> None:
    if file.tree is None:
        raise PatchError(
            f"the file is not valid Python ({file.problem}); only BOF and EOF inserts can be done"
        )


BLOCKS = BlockEditor((".py", ".pyi"), created, inserted, rewritten, deleted)
