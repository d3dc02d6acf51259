"""What `fixgate doctor` looks at without the App: the model and the sandboxes."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from evaluator import Command, ResourceLimits, SandboxError, choose_sandbox
from generator.commands.model_options import settings_from_options
from generator.model.diagnosis import Health, ModelCheck, diagnose

_SIGNS = {Health.GOOD: ("✓", "green"), Health.NOTE: ("·", "yellow"), Health.BAD: ("✗", "red")}
_TROUBLE = 2
_NOTHING = Command(("/bin/true",), "/", (), limits=ResourceLimits(wall_seconds=60))


def endpoint_findings(given: dict[str, Any]) -> Iterator[ModelCheck]:
    """The model, its endpoint and key as the options give them, and the sandboxes."""
    return itertools.chain(diagnose(settings_from_options(given), os.environ), _sandboxes())


def show(findings: Iterable[ModelCheck]) -> None:
    """Print findings as they come; raises SystemExit(2) where one of them is bad."""
    console, health = Console(), []
    for finding in findings:
        health.append(finding.health)
        console.print(_line(finding), soft_wrap=True)
    if Health.BAD in health:
        raise SystemExit(_TROUBLE)


def _line(finding: ModelCheck) -> Text:
    sign, colour = _SIGNS[finding.health]
    return Text.assemble((sign, colour), " ", (f"{finding.what}: ", "bold"), finding.text)


def _sandboxes() -> Iterator[ModelCheck]:
    """Each that has walls, by running something in it; trouble only where none works."""
    tried = {name: _problem(name) for name in ("docker", "bubblewrap")}
    works = "" in tried.values()
    for name, problem in tried.items():
        health = Health.NOTE if works else Health.BAD
        yield ModelCheck(health if problem else Health.GOOD, f"sandbox {name}", problem or "works")


def _problem(name: str) -> str:
    try:
        done = choose_sandbox(name).run(_NOTHING)
    except SandboxError as error:
        return str(error)
    return "" if done.exit_code == 0 else f"ends with {done.ending}: {done.output.strip()[:300]}"
