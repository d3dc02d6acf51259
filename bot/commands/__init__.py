"""The App's commands, one module a command."""

from __future__ import annotations

import click

from bot.commands.demo import demo
from bot.commands.minter import minter
from bot.commands.serve import serve
from bot.commands.sweep import sweep
from bot.commands.worker import worker

COMMANDS: tuple[click.Command, ...] = (demo, minter, serve, sweep, worker)
