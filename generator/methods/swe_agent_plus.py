"""SWE-agent+, as SWT-Bench has it."""

from __future__ import annotations

from generator.conversations.shell import ShellMethod, failing_gate
from generator.loop import Gate
from generator.method import MethodContext


class SweAgentPlus(ShellMethod):
    """A shell loop of 20 calls whose tests must be seen to fail (SWE-agent+, section 4.2).

    The prompt asks for it, and a submission of tests that pass is refused.
    """

    name = "swe-agent-plus"
    steps = 20
    insisting = False

    def gate(self, work: MethodContext) -> Gate:
        """Some test has to fail."""
        return failing_gate(work)
