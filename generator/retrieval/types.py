"""What retrieval finds."""

from __future__ import annotations

from dataclasses import dataclass

from generator.languages import Symbol


@dataclass(frozen=True)
class RankedFile:
    """A file, its score (only good for comparing within one ranking), and why it is there."""

    path: str
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class RankedSymbol:
    """A function or class of a file, its score within one ranking, and why it is there."""

    path: str
    symbol: Symbol
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Anchor:
    """Where in a test file a new test is put.

    `class_name` is the qualified class it goes into, "" for the top level; `beside` the test that
    it follows, "" where the file has none; `line` (from 1) the line that it starts on, as
    a language's `placed` may take it.
    """

    path: str
    class_name: str
    beside: str
    line: int
    reason: str
