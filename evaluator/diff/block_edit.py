"""Edits of one file as a block asks for them, and what holds for a file that is only text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.diff.splices import EditableFile, Splice, SplicedFile
from evaluator.diff.text import to_lines
from evaluator.errors import PatchError

Position = int | str | None
"""A line from 1, "BOF", "EOF", or None where a block does not say."""


@dataclass(frozen=True)
class BlockEdit:
    """What a block asks for. A line number as `position` is one of the file as it is now."""

    operation: str
    position: Position
    code: str


@dataclass(frozen=True)
class BlockEditor:
    """How blocks edit the files of a language, those with one of `suffixes`.

    `created` makes a new file of code. `inserted`, `rewritten` and `deleted` edit the text of one
    that is there. All raise PatchError with the reason where that cannot be.
    """

    suffixes: tuple[str, ...]
    created: Callable[[str], str]
    inserted: Callable[[BlockEdit, str], SplicedFile]
    rewritten: Callable[[BlockEdit, str], SplicedFile]
    deleted: Callable[[BlockEdit, str], SplicedFile]


def edit(request: BlockEdit, text: str | None, editor: BlockEditor) -> SplicedFile:
    """The file (None: not there) after the request. Raises PatchError with the reason why not."""
    if request.operation == "delete":
        if text is None:
            raise PatchError("there is no such file")
        return editor.deleted(request, text)
    if not request.code.strip():
        raise PatchError("the block holds no code")
    if text is None:
        rewritten = request.operation == "rewrite"
        said = ("the file is not there; it is created",) if rewritten else ()
        return SplicedFile(editor.created(request.code), (), said)
    change = editor.inserted if request.operation == "insert" else editor.rewritten
    return change(request, text)


def created(code: str) -> str:
    """A new file of text."""
    return code.rstrip("\n") + "\n"


def inserted(request: BlockEdit, text: str) -> SplicedFile:
    """The text with lines inserted as they are."""
    file = EditableFile(text)
    lines = [line.rstrip("\n") + "\n" for line in to_lines(request.code)]
    return file.edited([insertion(file, lines, request.position)], ())


def insertion(
    file: EditableFile, lines: Sequence[str], position: Position, blanks: int = 0
) -> Splice:
    """An insertion of lines, at the ends of a file with blank lines around it."""
    if isinstance(position, int):
        index = min(max(position - 1, 0), len(file.lines))
        return Splice(index, index, tuple(lines))
    index = file.beginning if position == "BOF" else len(file.lines)
    return file.spaced(index, lines, blanks)
