"""A conversation with a model that works in a shell, command by command, until it submits."""

from generator.loop.loop import (
    LONGEST_REPLY,
    Ended,
    Exit,
    Gate,
    Loop,
    LoopSettings,
    no_gate,
    shell_rules,
)
from generator.loop.replies import BASH, Call, calls_of
from generator.loop.submission import CODE, TESTS, Submission, Wanted, read_submission

__all__ = [
    "BASH",
    "CODE",
    "LONGEST_REPLY",
    "TESTS",
    "Call",
    "Ended",
    "Exit",
    "Gate",
    "Loop",
    "LoopSettings",
    "Submission",
    "Wanted",
    "calls_of",
    "no_gate",
    "read_submission",
    "shell_rules",
]
