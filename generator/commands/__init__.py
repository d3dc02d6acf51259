"""The writer's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, tuple[str, str]] = {
    "generate": (
        "generator.commands.generate:generate",
        "Write tests that reproduce the issues of INSTANCES, or the one of --issue in --repo.",
    ),
    "tests4j capacity": (
        "generator.commands.tests4j_capacity:capacity",
        "Measure how much of a text fits into soft tokens.",
    ),
    "tests4j experiment": (
        "generator.commands.tests4j_experiment:experiment",
        "Train and compare the runs of a TOML file on DATASET.",
    ),
    "tests4j generate": (
        "generator.commands.tests4j_generate:generate",
        "Write unit tests for the methods of DATASET.",
    ),
    "tests4j pretrain": (
        "generator.commands.tests4j_pretrain:pretrain",
        "Train a small language model from scratch on the source files in PLACES.",
    ),
    "tests4j sizes": (
        "generator.commands.tests4j_sizes:sizes",
        "Count parameters and measure memory of the thesis's settings.",
    ),
    "tests4j train": (
        "generator.commands.tests4j_train:train",
        "Tune a language model to write the tests of DATASET.",
    ),
    "trajectory": (
        "generator.commands.trajectory:trajectory",
        "Write a page beside each trajectory in PATHS: files, or folders of them.",
    ),
}
"""Where each is, and what it is for: a process imports its own alone, and `--help` none."""
