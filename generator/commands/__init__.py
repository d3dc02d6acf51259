"""The writer's commands, one module a command."""

from __future__ import annotations

import click

from generator.commands.doctor import doctor
from generator.commands.generate import generate
from generator.commands.trajectory import trajectory

COMMANDS: tuple[click.Command, ...] = (doctor, generate, trajectory)
