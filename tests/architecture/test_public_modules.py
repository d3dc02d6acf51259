"""What `bot` and `generator` import of `evaluator`: its public names, and few modules besides."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import bot
import evaluator
import generator

PUBLIC = {"evaluator", "evaluator.diff", "evaluator.languages", "evaluator.storage"}
"""What anybody may import; see docs/library.md."""
BOT = {
    "checkout",
    "checkout.git",
    "checkout.scratch",
    "commands",
    "commands.options",
    "commands.queue_options",
    "demo.sample",
    "distributed.batch_worker",
    "distributed.connections",
    "distributed.processes",
    "distributed.queue",
    "distributed.redis_server",
    "distributed.worker",
    "environment.configuration",
    "field_paths",
    "model",
    "report.annotated_diff",
    "report.document",
    "report.failures",
    "report.html",
    "report.terminal",
    "report.verification",
    "sandbox.engine",
    "schemas",
    "steps",
    "swtbench.dataset",
    "swtbench.predictions",
    "swtbench.replay",
    "verdict",
}
"""What changes together with `bot`: the queue, the demo's replay, messages, git, traces."""
GENERATOR = {
    "batch",
    "benchmarks.tests4j.dataset",
    "benchmarks.tests4j.evaluating",
    "benchmarks.tests4j.focal",
    "benchmarks.tests4j.outcomes",
    "benchmarks.tests4j.predictions",
    "benchmarks.tests4j.preparing",
    "benchmarks.tests4j.samples",
    "benchmarks.tests4j.tokens",
    "checkout",
    "checkout.mirror",
    "commands",
    "commands.options",
    "commands.queue_options",
    "diff.blocks",
    "diff.paths",
    "diff.search",
    "diff.text",
    "diff.unified",
    "distributed.tasks",
    "environment.tools",
    "field_paths",
    "issue_text",
    "languages.java.environment.class_path",
    "languages.java.environment.jdk",
    "languages.java.environment.project",
    "languages.java.environment.types",
    "languages.java.sources.declarations",
    "languages.java.syntax",
    "languages.python.blocks.code",
    "languages.registry",
    "report.figures",
    "report.html",
    "report.lines",
    "schemas",
    "swtbench.dataset",
    "swtbench.predictions",
    "swtbench.trial",
    "transitions",
}
"""What changes together with `generator`: commands, benchmarks, and how patches are read."""


def imported(package: ModuleType) -> Iterator[tuple[str, str]]:
    """Each module that files of a package import, and what from it.

    What a language's folder imports from the same language's of `evaluator` is its own affair.
    """
    folder = Path(str(package.__file__)).parent
    for file in folder.rglob("*.py"):
        own = ".".join(("evaluator", *file.relative_to(folder).parts[:2], ""))
        for module, name in imported_by(file):
            if not f"{module}.".startswith(own):
                yield module, name


def imported_by(file: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def others(package: ModuleType) -> set[str]:
    """The modules of `evaluator` that a package imports beside the public ones."""
    found = {module for module, _ in imported(package)} - PUBLIC
    return {name.removeprefix("evaluator.") for name in found if name.startswith("evaluator.")}


def test_what_has_a_public_name_is_imported_by_it() -> None:
    public = set(dir(evaluator))
    for package in (bot, generator):
        found = [(m, name) for m, name in imported(package) if m.startswith("evaluator.")]
        assert [(m, name) for m, name in found if name in public] == []


def test_few_modules_are_imported_besides() -> None:
    assert others(bot) <= BOT
    assert others(generator) <= GENERATOR


def test_nobody_beneath_imports_the_public_names() -> None:
    assert "evaluator" not in {module for module, _ in imported(evaluator)}
