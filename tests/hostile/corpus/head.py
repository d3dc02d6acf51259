"""What the corpus consists of: small projects with a reported bug, and changes to them."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Literal

from bot.demo.simulator.git import Tree
from tests.hostile.trees import Content

Files = Mapping[str, Content]
Spoil = Callable[[Tree], None]
"""Does something to a bare repository, in which the head's branch is `BRANCH`."""
BRANCH = "head"
Who = Literal["sloppy", "games", "hostile", "honest"]
"""Overfitted by carelessness, written to satisfy its tests, written to attack; or a right fix."""


@dataclass(frozen=True)
class Project:
    """A repository with a bug, the issue that reports it, and the test of that issue.

    `given` is the issue's frozen test, `fix` a right fix, `own` the tests that an honest pull
    request brings along. Code of an attacker goes before `anchor`, the line of `module` at which
    the faulty function begins its work.
    """

    name: str
    files: Mapping[str, str]
    module: str
    anchor: str
    issue: str
    given: Mapping[str, str]
    fix: Mapping[str, str]
    own: Mapping[str, str]

    def edited(self, path: str, *edits: tuple[str, str]) -> dict[str, str]:
        """One file with texts replaced; each must be there."""
        return {path: replaced(self.files[path], *edits)}

    def refixed(self, *edits: tuple[str, str]) -> dict[str, str]:
        """The module as the right fix leaves it, with texts replaced; each must be there."""
        return {self.module: replaced(self.fix[self.module], *edits)}

    def inside(self, code: str) -> dict[str, str]:
        """The module with code before the faulty line, the bug still in it."""
        margin = self.anchor[: len(self.anchor) - len(self.anchor.lstrip())]
        text = indent(dedent(code).strip("\n") + "\n", margin)
        return self.edited(self.module, (self.anchor, text + self.anchor))

    def after(self, code: str) -> dict[str, str]:
        """The module with code at its end, the bug still in it."""
        return {self.module: f"{self.files[self.module]}\n\n{dedent(code).strip()}\n"}

    def before(self, code: str) -> dict[str, str]:
        """The module with code at its start, the bug still in it."""
        return {self.module: f"{dedent(code).strip()}\n{self.files[self.module]}"}

    def variant(self, name: str, files: Mapping[str, str], **fields: object) -> Project:
        """Another project, with more files or other ones; other fields by name."""
        merged = {**self.files, **files}
        return dataclasses.replace(self, name=name, files=merged, **fields)  # type: ignore[arg-type]

    @property
    def patch_of_given(self) -> str:
        """The frozen tests as a unified diff."""
        return "".join(
            "".join(
                difflib.unified_diff(
                    self.files.get(path, "").splitlines(keepends=True),
                    text.splitlines(keepends=True),
                    f"a/{path}" if path in self.files else "/dev/null",
                    f"b/{path}",
                )
            )
            for path, text in self.given.items()
        )


@dataclass(frozen=True)
class Head:
    """A change to a project: its name, who would write it, what it does in a line, its files.

    A path maps to its new content, None deletes it. `given` is whether the issue's test is held
    against it. `spoil` is what is done to the repository once the head is there, `spoil_other`
    what is done to a clone of it that is judged first, with the same cache. `budget` is how many
    seconds existing tests may take, `seconds` how many a run may take, `memory` how many MiB.
    """

    name: str
    who: Who
    does: str
    project: Project
    files: Files
    given: bool = True
    spoil: Spoil | None = None
    spoil_other: Spoil | None = None
    budget: int = 60
    seconds: int = 60
    memory: int = 6144


def replaced(text: str, *edits: tuple[str, str]) -> str:
    """A text with parts of it replaced. Raises ValueError where one of them is not there."""
    for old, new in edits:
        if old not in text:
            raise ValueError(f"{old!r} is not in {text!r}")
        text = text.replace(old, new)
    return text
