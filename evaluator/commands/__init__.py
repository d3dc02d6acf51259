"""The judge's commands, one module a command."""

from __future__ import annotations

import click

from evaluator.commands.experiments import experiments
from evaluator.commands.filter import filter_fixes
from evaluator.commands.hydrate import hydrate
from evaluator.commands.replay import replay
from evaluator.commands.sandbox_image import sandbox_image
from evaluator.commands.verify import verify

COMMANDS: tuple[click.Command, ...] = (
    experiments,
    filter_fixes,
    hydrate,
    replay,
    sandbox_image,
    verify,
)
