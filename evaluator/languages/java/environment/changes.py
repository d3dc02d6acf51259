"""Compiles what a tree has changed since the base commit, once for all runs of its tests."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path

from evaluator.environment.tools import BUILD_LIMITS, ToolError, at_own_path, run_command
from evaluator.environment.types import Environment
from evaluator.languages.java.environment.types import JavaEnvironment, java_environment
from evaluator.sandbox.protocol import Command, ResourceLimits, Sandbox

_EXTENSIONS = (
    "META-INF/services/javax.annotation.processing.Processor",
    "META-INF/services/com.sun.source.util.Plugin",
)
"""What lists classes that run in the compiler, where a project has it and not a jar."""


def compile_changes(
    environment: Environment,
    tree: Path,
    place: Path,
    *,
    sandbox: Sandbox,
    limits: ResourceLimits,
) -> Environment:
    """The environment with the changes compiled in `place`, or as it is for runs that have to.

    Each run compiles for itself where the project's own code runs in the compiler, as that may look
    at where it runs, and where the compiler does not come to an end, so that the run says why.
    """
    own = java_environment(environment)
    if _extends_compiler(own, tree):
        return own
    classes, report = place / "classes", place / "report.json"
    arguments = (own.project, tree, own.classes, classes, report)
    command = Command(
        argv=(*_compiling(own), *map(str, arguments)),
        directory=str(place),
        mounts=(*own.mounts, at_own_path(tree), at_own_path(place, writable=True)),
        limits=dataclasses.replace(BUILD_LIMITS, wall_seconds=limits.wall_seconds),
    )
    try:
        run_command(sandbox, command)
    except ToolError:
        return own
    if _lists_extensions(classes.glob("*")):
        return own
    return dataclasses.replace(own, compiled=report, visible=(*own.visible, place))


def _compiling(environment: JavaEnvironment) -> tuple[str, ...]:
    main = ("-cp", str(environment.probe), "fixgate.compile.Main")
    return (str(environment.java), *environment.compiler, *main)


def _extends_compiler(environment: JavaEnvironment, tree: Path) -> bool:
    units = json.loads(environment.project.read_text(encoding="utf-8"))["units"]
    if any(option.startswith("-processor") for unit in units for option in unit["options"]):
        return True
    resources = (tree / path for unit in units for path in unit["resources"])
    return _lists_extensions([*resources, *environment.classes.glob("*")])


def _lists_extensions(places: Iterable[Path]) -> bool:
    return any((place / listed).exists() for place in places for listed in _EXTENSIONS)
