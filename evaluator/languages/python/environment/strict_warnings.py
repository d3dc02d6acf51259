"""Warnings that keep tests from being loaded where a project has pytest turn them into errors.

A release that came after the project's last look warns of what it will no longer have, be it inside
of another package, and none of the project's tests can be loaded (`filterwarnings = error`).

Only what tells of the future is ignored. The tests of a change can warn of what they like, and what
a strict project learns by the others, such as a coroutine that nobody awaits, is a fault of now.
"""

from __future__ import annotations

import dataclasses

from evaluator.environment.types import Addition
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.model import Failure

_CATEGORIES = ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning")
_SHORTEST_TEXT = 10
"""A filter holds for all warnings that begin with its text: a shorter one would hide others."""


def filter_for(failure: Failure) -> str:
    """The filter of Python (`ignore:TEXT:CATEGORY`) for a warning that was raised, "" for others.

    A colon ends the text of a filter, which holds for what begins with it.
    """
    text = failure.message.strip().partition("\n")[0].partition(":")[0].strip()
    known = failure.exception_type in _CATEGORIES and len(text) >= _SHORTEST_TEXT
    return f"ignore:{text}:{failure.exception_type}" if known else ""


def with_filter(what: str, recipe: PythonRecipe, ignored: str) -> Addition | None:
    """The recipe with one filter more; None for a framework that knows none."""
    if recipe.framework != "pytest":
        return None
    arguments = (*recipe.test_arguments, "-W", ignored)
    more = dataclasses.replace(recipe, test_arguments=arguments)
    return Addition(what, f"-W {ignored}", more, key="test_arguments", alone=True)
