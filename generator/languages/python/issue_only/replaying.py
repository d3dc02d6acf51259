"""Runs a program's steps in the sandbox and reports what each did."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator import ResourceLimits, Shell, Subject
from evaluator.diff import Changes
from evaluator.languages.python.environment.types import python_environment
from generator.languages.python.issue_only.program import Program
from generator.task import TestRunner

SECONDS = 30
"""Time of the processor that one statement may take."""

TOTAL_SECONDS = 120
"""After these no more statements are begun."""

_LIMITS = ResourceLimits(wall_seconds=600.0, cpu_seconds=300.0)
_FOLDER = ".fixgate_statements"
_INSIDE = Path(__file__).parent / "inside"
_NO_PACKAGES = frozenset(
    {"tests", "test", "doc", "docs", "examples", "bin", "build", "tools", "benchmarks", "utils"}
)


@dataclass(frozen=True)
class Raised:
    """An exception. `names` are those of its class and its bases; frames go from the statement in.

    A frame is (file relative to the tree or in <>, line, function). `slow` says that nothing was
    raised but the time was over. `causes` are (name, message) of what led to it. `shown_by` names
    the way of showing the step's value that raised it, "" where the step itself did.
    """

    name: str
    message: str
    names: tuple[str, ...] = ()
    frames: tuple[tuple[str, int, str], ...] = ()
    slow: bool = False
    causes: tuple[tuple[str, str], ...] = ()
    shown_by: str = ""


@dataclass(frozen=True)
class StepResult:
    """What one step did.

    `views` are the texts of its value by the way of showing it (`repr`, `str`, `pretty`), empty
    for a statement or None. `imports` are the lines that defined names which the issue left out.
    `same` says for each of the step's texts whether it is code of the same value, None where it
    is no code.
    """

    views: Mapping[str, str] = dataclasses.field(default_factory=dict)
    type_name: str = ""
    stdout: str = ""
    raised: Raised | None = None
    imports: tuple[str, ...] = ()
    same: tuple[bool | None, ...] = ()


def replay(runner: TestRunner, program: Program) -> tuple[StepResult, ...]:
    """What the steps did on the base commit, one by one; fewer than steps where the process died.

    Raises SandboxError.
    """
    with runner.shell(_files(program, packages(runner.subject))) as shell:
        return replay_in(shell)


def replay_in(shell: Shell) -> tuple[StepResult, ...]:
    """As `replay`, in a shell whose tree holds what `_files` lays there."""
    script = f"{_FOLDER}/fixgate_statements.py"
    arguments = (f"{_FOLDER}/program.json", f"{_FOLDER}/results.jsonl")
    variables = "MPLBACKEND=Agg PYTHONIOENCODING=utf-8"
    python = python_environment(shell.environment).python
    command = f"{variables} exec {python} {script} {' '.join(arguments)}"
    shell.script(command, limits=_LIMITS)
    return _read(shell.source(f"{_FOLDER}/results.jsonl") or b"")


def packages(subject: Subject) -> tuple[str, ...]:
    """The packages at the roots of a repository: where its own names come from."""
    environment = python_environment(next(iter(subject.environments.values())))
    found = {
        folder.name: None
        for root in environment.recipe.import_roots
        for folder in sorted((subject.pristine / root).glob("*/"))
        if (folder / "__init__.py").is_file() and folder.name not in _NO_PACKAGES
    }
    return tuple(found)


def _files(program: Program, roots: Sequence[str]) -> Changes:
    specification = {
        "setup": program.setup,
        "statements": [{"source": s.source, "texts": s.texts} for s in program.steps],
        "packages": roots,
        "unicode": program.unicode,
        "displays": program.displays,
        "seconds": SECONDS,
        "total_seconds": TOTAL_SECONDS,
    }
    scripts = {
        f"{_FOLDER}/{path.name}": path.read_bytes() for path in sorted(_INSIDE.glob("fixgate_*.py"))
    }
    return Changes({**scripts, f"{_FOLDER}/program.json": json.dumps(specification).encode()})


def _read(results: bytes) -> tuple[StepResult, ...]:
    lines = results.decode(errors="replace").split("\n")[:-1]
    return tuple(_outcome(json.loads(line)) for line in lines)


def _outcome(result: Mapping[str, Any]) -> StepResult:
    return StepResult(
        views=result.get("views", {}),
        type_name=result.get("type", ""),
        stdout=result["stdout"],
        raised=_raised(result["error"]) if "error" in result else None,
        imports=tuple(result["imports"]),
        same=tuple(result["texts"]),
    )


def _raised(error: Mapping[str, Any]) -> Raised:
    return Raised(
        error["type"],
        error["message"],
        tuple(error["names"]),
        tuple((path, line, name) for path, line, name in error["frames"]),
        error["slow"],
        tuple((name, message) for name, message in error["causes"]),
        error.get("shown_by", ""),
    )
