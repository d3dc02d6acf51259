"""A conversation with a model that works in a shell, command by command, until it submits."""

from generator.loop.gate import Gate, no_gate
from generator.loop.kept import Kept, kept_tests
from generator.loop.loop import Ended, Exit, Loop, LoopSettings
from generator.loop.replies import BASH, Call, calls_of

__all__ = [
    "BASH",
    "Call",
    "Ended",
    "Exit",
    "Gate",
    "Kept",
    "Loop",
    "LoopSettings",
    "calls_of",
    "kept_tests",
    "no_gate",
]
