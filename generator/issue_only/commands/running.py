"""Runs a scenario in the sandbox, in a directory of its own."""

from __future__ import annotations

import shlex

from evaluator.diff import Changes
from evaluator.languages.python.environment.types import python_environment
from evaluator.sandbox.protocol import Limits
from generator.bench import Workbench
from generator.issue_only.commands.scenario import Scenario

_LIMITS = Limits(wall_seconds=120.0, cpu_seconds=120.0)
_FOLDER = ".fixgate_command"


def output_of(bench: Workbench, scenario: Scenario) -> str:
    """What the scenario prints on the base commit. Raises SandboxError."""
    files = {f"{_FOLDER}/{file.name}": file.content.encode() for file in scenario.files}
    with bench.shell(Changes({**files, f"{_FOLDER}/.keep": b""})) as shell:
        python = shlex.quote(str(python_environment(shell.environment).python))
        command = f"{python} -m {scenario.program} {shlex.join(scenario.arguments)}"
        done = shell.script(f"cd {_FOLDER} && {command} < /dev/null 2>&1", limits=_LIMITS)
    return done.output
