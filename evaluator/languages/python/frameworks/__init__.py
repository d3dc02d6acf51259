"""Frameworks by the names that recipes use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from evaluator.errors import InputError
from evaluator.languages.python.frameworks.django import Django
from evaluator.languages.python.frameworks.files import Framework
from evaluator.languages.python.frameworks.pytest import Pytest
from evaluator.languages.python.frameworks.sympy import Sympy
from evaluator.languages.python.frameworks.unittest import Unittest

FRAMEWORKS: Mapping[str, Framework] = MappingProxyType(
    {
        "pytest": Pytest(),
        "sphinx": Pytest(),
        "unittest": Unittest(),
        "django": Django(),
        "sympy": Sympy(),
    }
)


def framework(name: str) -> Framework:
    """The framework of a recipe. Raises InputError for a name that is not known."""
    try:
        return FRAMEWORKS[name]
    except KeyError:
        known = ", ".join(sorted(FRAMEWORKS))
        raise InputError(f"framework `{name}` is not known; use one of {known}") from None
