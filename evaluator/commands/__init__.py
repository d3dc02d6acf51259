"""The judge's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "experiments": "evaluator.commands.experiments:experiments",
    "filter": "evaluator.commands.filter:filter_fixes",
    "hydrate": "evaluator.commands.hydrate:hydrate",
    "replay": "evaluator.commands.replay:replay",
    "sandbox-image": "evaluator.commands.sandbox_image:sandbox_image",
    "verify": "evaluator.commands.verify:verify",
}
"""Where each is, by its name: a process imports its own alone."""
