"""`fixgate doctor`: what works here, and what to do about the rest."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from evaluator import Command, ResourceLimits, SandboxError, choose_sandbox
from generator.commands.model_options import endpoint_options, settings_from_options
from generator.model.diagnosis import Health, ModelCheck, diagnose

_SIGNS = {Health.GOOD: ("✓", "green"), Health.NOTE: ("·", "yellow"), Health.BAD: ("✗", "red")}
_TROUBLE = 2
_NOTHING = Command(("/bin/true",), "/", (), limits=ResourceLimits(wall_seconds=60))


@click.command()
@endpoint_options
@click.option(
    "--ca-bundle",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Certificates to trust beside those of the system.",
)
def doctor(**given: Any) -> None:
    """Check the model, its endpoint and key, and the sandboxes, and say what to do.

    Asks the model two short questions. Exit code 2: something that was named does not work.
    """
    settings = settings_from_options(given)
    console = Console()
    health = []
    for finding in itertools.chain(diagnose(settings, os.environ), _sandboxes()):
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
