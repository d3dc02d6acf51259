"""The App's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "demo": "bot.commands.demo:demo",
    "minter": "bot.commands.minter:minter",
    "serve": "bot.commands.serve:serve",
    "sweep": "bot.commands.sweep:sweep",
    "worker": "bot.commands.worker:worker",
}
"""Where each is, by its name: a process imports its own alone."""
