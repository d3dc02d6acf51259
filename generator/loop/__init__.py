"""A conversation with a model that works in a shell, command by command, until it submits."""

from generator.loop.gate import Gate, no_gate
from generator.loop.kept import CODE, TESTS, Kept, Wanted, kept
from generator.loop.loop import LONGEST_REPLY, Ended, Exit, Loop, LoopSettings
from generator.loop.replies import BASH, Call, calls_of
from generator.loop.rules import shell_rules

__all__ = [
    "BASH",
    "CODE",
    "LONGEST_REPLY",
    "TESTS",
    "Call",
    "Ended",
    "Exit",
    "Gate",
    "Kept",
    "Loop",
    "LoopSettings",
    "Wanted",
    "calls_of",
    "kept",
    "no_gate",
    "shell_rules",
]
