"""SWE-agent, as SWT-Bench has it."""

from __future__ import annotations

from generator.conversations.shell import ShellMethod
from generator.loop import Gate, no_gate
from generator.method import MethodContext


class SweAgent(ShellMethod):
    """A shell loop of 20 calls (SWE-agent in SWT-Bench, section 4.2).

    Nobody looks at the tests before they are submitted.
    """

    name = "swe-agent"
    steps = 20

    def gate(self, work: MethodContext) -> Gate:  # noqa: ARG002 - nothing is looked at
        """Every submission is taken as it is."""
        return no_gate
