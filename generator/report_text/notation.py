"""How a language stands in issues, and what holds for one that nothing is known of.

Each field of `Notation` is what a language gives; the functions here are their neutral forms, and
say what each returns. Lines count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from generator.report_text.types import IssuePart, MentionedFrame, ReportedError, Statement

_NEVER = re.compile(r"(?!)")


class Unfenced(Protocol):
    """Code in the lines of one text without fences, looked for from its beginning to its end.

    Lines are given by their index.
    """

    def trace_end(self, at: int) -> int:
        """The line behind the frames of a stack trace that begins at a line, else that line."""
        ...

    def code(self, at: int) -> tuple[str, int]:
        """The statements from a line on and the line behind them; ("", at) where none begins."""
        ...


class NoCode:
    """No code is found."""

    def trace_end(self, at: int) -> int:
        """The line itself."""
        return at

    def code(self, at: int) -> tuple[str, int]:
        """Nothing."""
        return "", at


def is_prompt(line: str) -> bool:
    """Whether a line stands behind the prompt of an interactive session."""
    return False


def begins_trace(line: str) -> bool:
    """Whether a line announces a stack trace."""
    return False


def unfenced(lines: Sequence[str]) -> Unfenced:
    """Finds code in a text that has lost its fences and empty lines."""
    return NoCode()


def statements(block: IssuePart) -> tuple[Statement, ...]:
    """The statements of a block with what it shows of each; none where it holds no such code."""
    return ()


def is_value(statement: Statement) -> bool:
    """Whether a statement may be a printed value as well."""
    return False


def errors(text: str) -> tuple[ReportedError, ...]:
    """The errors in the order of a text; the last of a chain is the one that came out."""
    return ()


def is_code(text: str) -> bool:
    """Whether a piece of text can be read as code."""
    return False


def frames(text: str) -> Iterable[MentionedFrame]:
    """The frames of all stack traces, the deepest of each last."""
    return ()


def imported(text: str) -> Iterable[str]:
    """The dotted names that a text imports and does not write in one piece."""
    return ()


@dataclass(frozen=True)
class Notation:
    """How code, sessions and failures of a language stand in issues.

    `is_statement` is `is_code` for text that is one statement. `exception` matches the name of an
    exception where it begins. `constants` are names, in lower case, that stand for values.
    `boilerplate` finds lines of stack
    traces that name nothing.
    """

    is_prompt: Callable[[str], bool] = is_prompt
    begins_trace: Callable[[str], bool] = begins_trace
    unfenced: Callable[[Sequence[str]], Unfenced] = unfenced
    statements: Callable[[IssuePart], tuple[Statement, ...]] = statements
    is_value: Callable[[Statement], bool] = is_value
    errors: Callable[[str], tuple[ReportedError, ...]] = errors
    is_code: Callable[[str], bool] = is_code
    is_statement: Callable[[str], bool] = is_code
    exception: re.Pattern[str] = _NEVER
    constants: frozenset[str] = frozenset({"true", "false", "null"})
    frames: Callable[[str], Iterable[MentionedFrame]] = frames
    imported: Callable[[str], Iterable[str]] = imported
    boilerplate: re.Pattern[str] = _NEVER

    def is_session(self, text: str) -> bool:
        """Whether a block holds a prompt."""
        return any(self.is_prompt(line) for line in text.split("\n"))
