"""A conversation with a model that works in a shell, command by command, until it submits."""

from generator.loop.loop import (
    CODE,
    LONGEST_REPLY,
    TESTS,
    Ended,
    Gate,
    Loop,
    LoopExit,
    LoopSettings,
    Submission,
    SubmissionRule,
    no_gate,
    read_submission,
    shell_rules,
)
from generator.loop.replies import BASH, ShellCall, calls_of

__all__ = [
    "BASH",
    "CODE",
    "LONGEST_REPLY",
    "TESTS",
    "Ended",
    "Gate",
    "Loop",
    "LoopExit",
    "LoopSettings",
    "ShellCall",
    "Submission",
    "SubmissionRule",
    "calls_of",
    "no_gate",
    "read_submission",
    "shell_rules",
]
