"""An attempt at a reproducing test, and how it tells that it shows what is reported."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from evaluator.outcome import Failure
from generator.issue_only.django.writing import TestModule

Shows = Callable[[Failure], bool]
"""Whether a test's failure on the base commit is what the ticket reports."""

TELLS_OF_ERROR = re.compile(
    r"\b\w+(?:Error|Exception|Configured|ResultSet)\b|\bcrash|\brais(?:es?|ing)\b"
)
_DATABASE_ERRORS = frozenset(
    {"ProgrammingError", "OperationalError", "DatabaseError", "IntegrityError", "DataError"}
)
_FIELD_ERRORS = frozenset({"FieldError", "FieldDoesNotExist"})
_ENOUGH = 0.7
"""Share of a message's words that a line of the ticket has to hold."""


@dataclass(frozen=True)
class Attempt:
    """A test and the failure that it must have on the base commit.

    `rule` made it and is right as often as `confidence` says; `words` tell what is reported.
    """

    rule: str
    confidence: float
    module: TestModule
    shows: Shows
    words: str


def reported_error(text: str, *, made_up: bool = False) -> Shows:
    """The exception stands in the ticket: its type, and its message where one is told.

    Where models are `made_up`, an error about their fields says nothing.

    Databases have names of their own for one mistake, so that for their errors any of them will
    do, or that the ticket tells of a crash or of invalid SQL.
    """

    def shows(failure: Failure) -> bool:
        name = failure.exception_type.rpartition(".")[2]
        if name == "AssertionError" and failure.message:
            return False
        if made_up and name in _FIELD_ERRORS:
            return False
        if name in _DATABASE_ERRORS:
            return _tells_of_database(text)
        if not re.search(rf"\b{re.escape(name)}\b", text):
            return False
        return _message_told(failure.message, text) or not re.search(rf"\b{name}: +\S", text)

    return shows


def same_type(text: str) -> Shows:
    """The project's own code raises an exception of a type that the ticket names."""

    def shows(failure: Failure) -> bool:
        name = failure.exception_type.rpartition(".")[2]
        inside = failure.frame is not None and failure.frame.path.startswith("django/")
        return inside and bool(re.search(rf"\b{re.escape(name)}\b", text))

    return shows


def any_of(*ways: Shows) -> Shows:
    """One of several ways is enough."""
    return lambda failure: any(way(failure) for way in ways)


def reported_assertion(text: str) -> Shows:
    """An assertion fails with the message that the ticket shows."""
    return lambda failure: (
        assertion_fails(failure)
        and bool(failure.message.strip())
        and _message_told(failure.message, text)
    )


def assertion_fails(failure: Failure) -> bool:
    """The test's own assertion fails."""
    return failure.exception_type.rpartition(".")[2] == "AssertionError"


def _tells_of_database(text: str) -> bool:
    words = r"crash|syntax error|invalid SQL|ambiguous|malformed"
    return bool(re.search(rf"\b(?:{'|'.join(_DATABASE_ERRORS)}|{words})", text))


def _message_told(message: str, text: str) -> bool:
    words = set(re.findall(r"\w+", message.partition("\n")[0]))
    if not words:
        return True
    lines = (set(re.findall(r"\w+", line)) for line in text.splitlines())
    return any(len(words & line) >= _ENOUGH * len(words) for line in lines)
