"""The class path of a module's code, for tools that run beside the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.types import JavaEnvironment


def class_path(environment: JavaEnvironment, path: str) -> tuple[str, ...]:
    """The classes of the module that a source file belongs to, and what they are compiled against.

    Directories of the tree are relative to it. Raises EnvironmentBuildError where Maven compiles
    the file with no module.
    """
    units = json.loads(environment.project.read_text(encoding="utf-8"))["units"]
    own = next((unit for unit in units if not unit["test"] and _holds(unit, path)), None)
    if own is None:
        raise EnvironmentBuildError(f"Maven compiles {path} with no module's code")
    return tuple(dict.fromkeys(_entries(environment, own)))


def _holds(unit: Mapping[str, Any], path: str) -> bool:
    return any(not root or path.startswith(f"{root}/") for root in unit["roots"])


def _entries(environment: JavaEnvironment, unit: Mapping[str, Any]) -> Iterator[str]:
    yield str(environment.classes / unit["name"])
    yield from filter(None, unit["resources"])
    for entry in unit["classpath"]:
        if entry.startswith("unit:"):
            yield str(environment.classes / entry.removeprefix("unit:"))
        else:
            yield entry.removeprefix("tree:") or "."
