"""One strong free agent in a shell."""

from __future__ import annotations

from generator.conversations.shell import ShellMethod, admission_gate
from generator.loop import Gate
from generator.method import MethodContext


class Agent(ShellMethod):
    """One free agent: bash in the sandbox, a good engineer's steps, and nothing in its way.

    What it submits is run as it will be judged; where that is not admitted, the agent is shown why
    and may put it right or insist.
    """

    name = "agent"
    steps = 50

    def gate(self, work: MethodContext) -> Gate:
        """Only tests that are admitted are taken at once."""
        return admission_gate(work)
