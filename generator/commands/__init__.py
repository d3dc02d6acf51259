"""The writer's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "doctor": "generator.commands.doctor:doctor",
    "generate": "generator.commands.generate:generate",
    "trajectory": "generator.commands.trajectory:trajectory",
}
"""Where each is, by its name: a process imports only its own."""
