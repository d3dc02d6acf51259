"""Python's test frameworks: how files become arguments, and which part of the probe runs them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from evaluator.languages.protocol import Framework
from evaluator.languages.python.frameworks.django import Django
from evaluator.languages.python.frameworks.pytest import Pytest
from evaluator.languages.python.frameworks.sympy import Sympy
from evaluator.languages.python.frameworks.unittest import Unittest

FRAMEWORKS: Mapping[str, Framework] = MappingProxyType(
    {
        "pytest": Pytest(),
        "unittest": Unittest(),
        "django": Django(),
        "sympy": Sympy(),
        "sphinx": Pytest(),
    }
)
