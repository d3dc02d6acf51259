"""Which packages an environment has, and which of them has a module."""

from __future__ import annotations

import functools
from pathlib import Path

from packaging.utils import canonicalize_name

from evaluator.languages.python.environment.import_names import distribution_of
from evaluator.languages.python.environment.types import PythonEnvironment


def present(environment: PythonEnvironment) -> set[str]:
    """The names of the packages that an environment has, or cannot have."""
    names = (pin.partition("==")[0] for pin in environment.packages)
    return {*map(canonicalize_name, names), *environment.unbuilt}


def installed_distribution(environment: PythonEnvironment, module: str) -> str:
    """The name of the package that has a module, by its usual name or its files; "" for none."""
    likely = distribution_of(module)
    if likely in present(environment):
        return likely
    return _having(_library(environment), module.partition(".")[0])


@functools.lru_cache(maxsize=1000)
def _having(library: Path, module: str) -> str:
    """The package that installed a module or package at the top; "" for none.

    https://packaging.python.org/en/latest/specifications/recording-installed-packages/
    """
    beginnings = (f"{module}/", f"{module}.py,")
    for record in sorted(library.glob("*/site-packages/*.dist-info/RECORD")):
        files = record.read_text(encoding="utf-8", errors="replace").splitlines()
        if any(line.startswith(beginnings) for line in files):
            return canonicalize_name(record.parent.name.partition("-")[0])
    return ""


def _library(environment: PythonEnvironment) -> Path:
    return environment.python.parents[1] / "lib"
