"""Edits of one file as a block asks for them, and what holds for a file that is only text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.diff.text import bare, ending_of, to_lines
from evaluator.errors import PatchError

_CODING = re.compile(r"^[ \t\f]*#.*?coding[:=]")


@dataclass(frozen=True)
class Splice:
    r"""Lines, each with "\n", in place of those from index `first` up to before `last`."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class SplicedFile:
    """A file after an edit, the splices that made it, and what had to be forgiven."""

    text: str
    splices: tuple[Splice, ...] = ()
    relaxations: tuple[str, ...] = ()

    def moved(self, line: int) -> int:
        """Where a line of the file before the edit, from 1, is after it."""
        above = [splice for splice in self.splices if splice.last < line]
        return line + sum(len(s.lines) - (s.last - s.first) for s in above)


class EditableFile:
    """A text file that is to be edited."""

    def __init__(self, text: str) -> None:
        self.lines = to_lines(text)
        self._ending = ending_of(self.lines)

    @property
    def beginning(self) -> int:
        """The index of the first line behind those that must come first: `#!`, the encoding."""
        return max(
            (
                index + 1
                for index, line in enumerate(self.lines[:2])
                if (index == 0 and line.startswith("#!")) or _CODING.match(line)
            ),
            default=0,
        )

    def edited(self, splices: Sequence[Splice], relaxations: Sequence[str]) -> SplicedFile:
        """The file with the splices. Raises PatchError where two want the same lines."""
        ordered = sorted(splices, key=lambda splice: (splice.first, splice.last))
        pieces: list[str] = []
        done = 0
        for splice in ordered:
            if splice.first < done:
                raise PatchError("two parts of the code want the same lines")
            pieces += self.lines[done : splice.first]
            pieces += [bare(line) + self._ending for line in splice.lines]
            done = splice.last
        text = self._text([*pieces, *self.lines[done:]])
        return SplicedFile(text, tuple(ordered), tuple(relaxations))

    def spaced(self, index: int, lines: Sequence[str], blanks: int) -> Splice:
        """An insertion before the line at an index, with blank lines around it.

        None are put at the start of the file and after a line that opens a block.
        """
        before = _blank_run(self.lines[:index][::-1])
        after = _blank_run(self.lines[index:])
        opens = index == before or self.lines[index - before - 1].rstrip().endswith(":")
        above = 0 if opens else max(0, blanks - before)
        below = 0 if index + after >= len(self.lines) else max(0, blanks - after)
        return Splice(index, index, ("\n",) * above + tuple(lines) + ("\n",) * below)

    def _text(self, lines: Sequence[str]) -> str:
        whole = [line if line.endswith("\n") else line + self._ending for line in lines[:-1]]
        return "".join([*whole, *lines[-1:]])


def _blank_run(lines: Sequence[str]) -> int:
    return next((i for i, line in enumerate(lines) if line.strip()), len(lines))


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
