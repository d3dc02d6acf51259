"""The judge's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, tuple[str, str]] = {
    "environment": (
        "evaluator.commands.environment:environment",
        "Find and build the environment of a repository, and run some of its tests in it.",
    ),
    "experiments": (
        "evaluator.commands.experiments:experiments",
        "Tables and analyses of the paper, made from the report.json files of replays.",
    ),
    "filter": (
        "evaluator.commands.filter:filter_fixes",
        "Judge fixes for INSTANCES by generated tests; golden tests and fixes are never looked at.",
    ),
    "hydrate": (
        "evaluator.commands.hydrate:hydrate",
        "Lay down the dataset, a mirror of each repository and every environment of INSTANCES.",
    ),
    "replay": (
        "evaluator.commands.replay:replay",
        "Judge predictions on INSTANCES: a JSONL, JSON or Parquet file, or a dataset of the hub.",
    ),
    "sandbox-image": (
        "evaluator.commands.sandbox_image:sandbox_image",
        "Make the image that the docker sandbox uses when no other is named.",
    ),
    "tests4j collect": (
        "evaluator.commands.tests4j_collect:collect",
        "Choose repositories among CANDIDATES by the nine filters of Tests4J.",
    ),
    "tests4j evaluate": (
        "evaluator.commands.tests4j_evaluate:evaluate",
        "Compile, run and score unit tests for the methods of DATASET.",
    ),
    "tests4j export": (
        "evaluator.commands.tests4j_export:export",
        "Write DATASET to a folder as JSON, or as Parquet with a card for the Hugging Face hub.",
    ),
    "tests4j map": (
        "evaluator.commands.tests4j_map:map_tests",
        "Assign the tests of REPOSITORIES to methods, and write a dataset.",
    ),
    "tests4j report": (
        "evaluator.commands.tests4j_report:tests4j_report",
        "Make the tables and figures of Tests4J from evaluations in DIRECTORIES.",
    ),
    "tests4j split": (
        "evaluator.commands.tests4j_split:split",
        "Put each repository of DATASET into training, validation or test data.",
    ),
    "verify": (
        "evaluator.commands.verify:verify",
        "Do tests fail without a change and pass with it?",
    ),
}
"""Where each is, and what it is for: a process imports its own alone, and `--help` none.

A name of two words is that of a group and of a command in it.
"""
GROUPS: Mapping[str, str] = {
    "tests4j": "Unit tests for Java methods, measured by running them (Tests4J).",
}
"""What groups of commands are for."""
KINDS: Mapping[str, str] = {
    "filter": "evaluator.filtering.remote:filter_group",
    "replay": "evaluator.swtbench.remote:replay_group",
}
"""How workers of a queue make the items of commands (`evaluator.distributed.tasks.MakeGroup`)."""
