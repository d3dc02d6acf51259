"""Compiles what a tree has changed since the base commit, once for all runs of its tests."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from evaluator.environment.tools import BUILD_LIMITS, ToolError, at_own_path, run_command
from evaluator.environment.types import Environment
from evaluator.languages.java.environment.compiler import compiling
from evaluator.languages.java.environment.types import JavaEnvironment, java_environment
from evaluator.sandbox.guise import USUAL
from evaluator.sandbox.protocol import Command, Mount, ResourceLimits, Sandbox

REPORT, CLASSES = "report.json", "classes"
"""What compiling makes, side by side, as the probe's `run.py` expects it."""
_EXTENSIONS = (
    "META-INF/services/javax.annotation.processing.Processor",
    "META-INF/services/com.sun.source.util.Plugin",
)
"""What lists classes that run in the compiler, as no option names them; those of jars are fixed."""


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
    building = dataclasses.replace(BUILD_LIMITS, wall_seconds=limits.wall_seconds)
    try:
        report = compile_tree(own, own.project, tree, place, sandbox=sandbox, limits=building)
    except ToolError:
        return own
    if _lists_extensions((place / CLASSES).glob("*")):
        return own
    return dataclasses.replace(own, compiled=report, visible=(*own.visible, place))


def compile_tree(
    environment: JavaEnvironment,
    project: Path,
    tree: Path,
    place: Path,
    *,
    sandbox: Sandbox,
    limits: ResourceLimits = BUILD_LIMITS,
) -> Path:
    """Compile what differs from the base commit into `place`: the compiler's report.

    `project` says how, as the environment's own does. Raises ToolError.
    """
    report = place / REPORT
    mounted = Mount(tree.resolve(), PurePosixPath(USUAL.tree))
    seen = sandbox.location(mounted)
    arguments = (project, seen, environment.classes, place / CLASSES, report)
    command = Command(
        argv=compiling(environment.java, environment.compiler, environment.probe, arguments),
        directory=str(place),
        mounts=(mounted, *environment.mounts, at_own_path(place, writable=True)),
        limits=limits,
    )
    run_command(sandbox, command)
    return report


def _extends_compiler(environment: JavaEnvironment, tree: Path) -> bool:
    units = json.loads(environment.project.read_text(encoding="utf-8"))["units"]
    resources = (tree / path for unit in units for path in unit["resources"])
    return _lists_extensions([*resources, *environment.classes.glob("*")])


def _lists_extensions(places: Iterable[Path]) -> bool:
    return any((place / listed).exists() for place in places for listed in _EXTENSIONS)
