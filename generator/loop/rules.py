"""What a model is told of its shell before anything else."""

from __future__ import annotations

from generator.loop.loop import LoopSettings
from generator.method import Work
from generator.model.protocol import Message
from generator.prompts import render


def shell_rules(work: Work, settings: LoopSettings) -> Message:
    """The system message: what a command can do, and how it is asked for."""
    tools = work.model is not None and work.model.calls_tools
    return Message("system", render("shell", tools=tools, seconds=settings.command_seconds))
