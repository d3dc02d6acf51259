"""Python files under edits that must leave them Python."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from evaluator.diff.splices import EditableFile, Splice, SplicedFile
from evaluator.errors import PatchError
from evaluator.languages.python.blocks.code import is_docstring, is_future, last_line, parsed


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
