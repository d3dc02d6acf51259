"""The writer's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, tuple[str, str]] = {
    "generate": (
        "generator.commands.generate:generate",
        "Write tests that reproduce the issues of INSTANCES, or the one of --issue in --repo.",
    ),
    "tests4j generate": (
        "generator.commands.tests4j_generate:generate",
        "Write unit tests for the methods of DATASET.",
    ),
    "trajectory": (
        "generator.commands.trajectory:trajectory",
        "Write a page beside each trajectory in PATHS: files, or folders of them.",
    ),
}
"""Where each is, and what it is for: a process imports its own alone, and `--help` none."""
