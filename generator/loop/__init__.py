"""A conversation with a model that works in a shell, command by command, until it submits."""

from generator.loop.loop import (
    LONGEST_REPLY,
    Ended,
    Gate,
    Loop,
    LoopExit,
    LoopSettings,
    no_gate,
    shell_rules,
)
from generator.loop.replies import BASH, ShellCall, calls_of
from generator.loop.submission import CODE, TESTS, Submission, SubmissionRule, read_submission

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
