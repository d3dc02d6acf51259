"""What an issue's text holds, once it is read: parts, examples, errors and claims."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class PartForm(enum.StrEnum):
    """What a part of an issue is by its form alone."""

    HEADING = "heading"
    PROSE = "prose"
    BLOCK = "block"


class PartRole(enum.StrEnum):
    """What a part of an issue stands for, by its heading or by the words that lead to it."""

    EXPECTED = "expected"
    ACTUAL = "actual"
    UNSAID = "unsaid"


@dataclass(frozen=True)
class IssuePart:
    """A piece of an issue, in the order of the text.

    A block is code, a session or output: fenced, indented, or lines with prompts. `language` is
    what its fence names, in lower case, "" if nothing. `line` counts from 1. `role` is that of the
    heading or the sentence that the part stands under, `section` the heading itself.
    """

    kind: PartForm
    text: str
    line: int
    language: str = ""
    section: str = ""
    role: PartRole = PartRole.UNSAID


@dataclass(frozen=True)
class Statement:
    """A statement of code, and what the issue shows of it.

    `source` is complete. `shown` is the output that stands under it
    (in a session up to the next prompt), "" if none. `remark` is the comment on its last line and
    `below` those right under it, which both may be output too; `heralds` are those right above.
    """

    source: str
    line: int
    shown: str = ""
    remark: str = ""
    below: str = ""
    heralds: str = ""


@dataclass(frozen=True)
class Example:
    """The statements of one block.

    `outputs` are the blocks that follow with no other example between them and are no code:
    printed output, tracebacks. `before` is the prose that leads to the example, `after` that
    which follows it, each up to the next example or heading. `role` is that of the block.
    """

    statements: tuple[Statement, ...]
    line: int
    outputs: tuple[IssuePart, ...] = ()
    before: str = ""
    after: str = ""
    section: str = ""
    role: PartRole = PartRole.UNSAID


@dataclass(frozen=True)
class MentionedFrame:
    """A frame of a stack trace, as the issue prints it; `function` is "" where it does not say."""

    path: str
    function: str


@dataclass(frozen=True)
class ReportedError:
    """An exception that stands in the issue with its message, mostly at a traceback's end.

    `exception` is the name as written (`KeyError`, `sympy.core.sympify.SympifyError`).
    `functions` are those of the traceback's frames, the deepest last.
    """

    exception: str
    message: str
    line: int
    functions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The exception's name without its module."""
        return self.exception.rpartition(".")[2]


@dataclass(frozen=True)
class Claim:
    """What a sentence says of an expression: `expression` gives `actual`, should give `expected`.

    Either may be "" where nothing is said; `expression` is "" where the sentence only speaks of
    the output, or the answer. `exception` is the type that it is said to raise,
    `wanted_exception` the type that it should raise.
    """

    expression: str
    line: int
    actual: str = ""
    expected: str = ""
    exception: str = ""
    wanted_exception: str = ""


@dataclass(frozen=True)
class IssueReport:
    """An issue as it was read. `text` is what was read of it: comments and repetitions are gone."""

    title: str
    text: str
    parts: tuple[IssuePart, ...]
    examples: tuple[Example, ...]
    errors: tuple[ReportedError, ...]
    claims: tuple[Claim, ...]
