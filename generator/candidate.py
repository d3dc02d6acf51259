"""Candidate tests: what a method proposes before admission and choice."""

from __future__ import annotations

from dataclasses import dataclass, field

from evaluator.diff import Changes


@dataclass(frozen=True)
class Candidate:
    """Tests that a method proposes.

    `tests` holds the new contents of test files, relative to the base commit; it is empty where
    nothing in the proposal could be applied. `origin` is the method or the stage of one that made
    it, `note` says in a sentence what it shows. `raw` is the proposal as it was written, which is
    what well-formedness is judged by, and `problem` why (part of) it could not be used.
    """

    tests: Changes
    origin: str
    note: str = ""
    raw: str = ""
    problem: str = ""
    symptoms: tuple[str, ...] = field(default=())
