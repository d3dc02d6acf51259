"""The steps of judging a change, said to whoever waits for it or measures it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum


class JudgingStep(StrEnum):
    """What takes time, in the words in which it is shown."""

    CHECKOUT = "laying down the base commit"
    ENVIRONMENT = "building the environment"
    TESTS = "running the tests without the change and with it"
    ALONE = "running each test alone"
    SENSITIVITY = "trying other expected values"
    OTHER_EXAMPLES = "trying other examples"
    PARTS = "taking parts of the change back"
    EXISTING_TESTS = "running existing tests"
    EXECUTED_LINES = "recording which lines each test executes"
    SAMPLE = "running a sample of the test files"


@dataclass(frozen=True)
class BuildingStep:
    """A part of building an environment that may take minutes, in words: a package, a tool."""

    what: str

    def __str__(self) -> str:
        return self.what


Step = JudgingStep | BuildingStep
Observe = Callable[[Step], AbstractContextManager[None]]
"""Entered when a step begins and left when it ends, by the thread that does it."""


def unobserved(step: Step) -> AbstractContextManager[None]:  # noqa: ARG001
    """Nobody waits."""
    return contextlib.nullcontext()
