"""A sandbox that says what it does, for whoever waits."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.sandbox.protocol import Command, CommandResult, Mount, Sandbox
from evaluator.steps import BuildingStep, Observe


@dataclass(frozen=True)
class ObservedSandbox:
    """Runs commands in another sandbox; those that have a purpose are observed as steps."""

    sandbox: Sandbox
    observe: Observe

    @property
    def name(self) -> str:
        """That of the other one."""
        return self.sandbox.name

    def location(self, mount: Mount) -> str:
        """As the other one has it."""
        return self.sandbox.location(mount)

    def run(self, command: Command) -> CommandResult:
        """As the other one does. Raises SandboxError."""
        if not command.purpose:
            return self.sandbox.run(command)
        with self.observe(BuildingStep(command.purpose)):
            return self.sandbox.run(command)
