"""Java's test frameworks: how files become arguments, and which part of the probe runs them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from evaluator.languages.java.frameworks.junit import Junit
from evaluator.languages.protocol import Framework

FRAMEWORKS: Mapping[str, Framework] = MappingProxyType({"junit": Junit()})
