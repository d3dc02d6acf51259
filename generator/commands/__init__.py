"""The writer's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

import evaluator.commands

KINDS: Mapping[str, str] = {
    **evaluator.commands.KINDS,
    "generate": "generator.remote:writing_group",
}
"""How workers of a queue make the items of commands, the judge's included."""
COMMANDS: Mapping[str, tuple[str, str]] = {
    "generate": (
        "generator.commands.generate:generate",
        "Write tests that reproduce the issues of INSTANCES, or the one of --issue in --repo.",
    ),
    "tests4j capacity": (
        "generator.commands.tests4j_capacity:capacity",
        "Train soft tokens to recall test classes of DATASET, and plot what they recall (RQ3).",
    ),
    "tests4j experiment": (
        "generator.commands.tests4j_experiment:experiment",
        "Train the runs of TOML on DATASET, have them write tests, and compare their losses.",
    ),
    "tests4j generate": (
        "generator.commands.tests4j_generate:generate",
        "Write unit tests for the methods of DATASET.",
    ),
    "tests4j pretrain": (
        "generator.commands.tests4j_pretrain:pretrain",
        "Train a GPT-NeoX and a BPE tokenizer from scratch on the source files in PLACES.",
    ),
    "tests4j sizes": (
        "generator.commands.tests4j_sizes:sizes",
        "Count the parameters of the thesis's settings on models of random weights.",
    ),
    "tests4j train": (
        "generator.commands.tests4j_train:train",
        "Tune a language model to write the tests of DATASET, whose splits it must have.",
    ),
    "trajectory": (
        "generator.commands.trajectory:trajectory",
        "Write a page beside each trajectory in PATHS: files, or folders of them.",
    ),
}
"""Where each is, and what it is for: a process imports its own alone, and `--help` none."""
