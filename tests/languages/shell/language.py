"""Plain shell scripts as a language: a check is a function `check_*` in `tests/check_*.sh`."""

from __future__ import annotations

import datetime
import hashlib
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, ClassVar

from pydantic import Field

from evaluator.diff import Changes, Source
from evaluator.environment import fields
from evaluator.environment.configuration import read_configuration
from evaluator.environment.types import Addition, Environment, Recipe, SharedDownloads
from evaluator.languages import Language
from evaluator.languages.failures import Failures
from evaluator.languages.safeguards import NegatedTests, Safeguards
from evaluator.languages.sources import Sources
from evaluator.model import Run, TestOutcome
from evaluator.sandbox.protocol import Sandbox

PROBE = Path(__file__).parent / "probe"
NO_CODE = re.compile(rb"\s*(#.*)?")


class ShellFields(fields.RecipeFields):
    framework: Annotated[str, fields.known_framework(["checks"])] = "checks"
    variables: fields.Variables = Field(default={})
    test_arguments: fields.Texts = ()


@dataclass(frozen=True, kw_only=True)
class ShellRecipe(Recipe):
    language: ClassVar[str] = "shell"

    framework: str = "checks"


@dataclass(frozen=True, kw_only=True)
class ShellEnvironment(Environment):
    @property
    def programs(self) -> tuple[Path, ...]:
        return ()

    def variables(self, tree: str, seed: int) -> Mapping[str, str]:
        return {"LC_ALL": "C", "RANDOM_SEED": str(seed)}

    def launch(self, probe: str, results: str) -> tuple[str, ...]:
        python = str(Path(sys.executable).resolve())
        return (python, "-I", "-S", f"{probe}/supervise.py", results)


@dataclass(frozen=True)
class ShellTests:
    produced: frozenset[str] = frozenset()

    def is_test(self, path: str) -> bool:
        return path.startswith("tests/")

    def is_runnable(self, path: str) -> bool:
        return PurePosixPath(path).match("check_*.sh")


@dataclass(frozen=True)
class ShellEnvironments:
    """Nothing is installed: the machine's own shell runs everything."""

    def read_fields(self, table: Mapping[str, Any]) -> Mapping[str, Any]:
        return fields.given_fields(table, ShellFields)

    def discover(self, tree: Path) -> Recipe:
        return ShellRecipe(**read_configuration(tree, "shell"))

    def recipe(self, repo: str, version: str, tree: Path) -> Recipe:
        return self.discover(tree)

    def lacking(self, environment: Environment, outcome: TestOutcome, tree: Path) -> str:
        return ""

    def additions(self, environment: Environment, run: Run, tree: Path) -> Sequence[Addition]:
        return ()

    def is_outdated(self, environment: Environment, paths: Iterable[str]) -> bool:
        return False

    def is_compiled(self, path: str) -> bool:
        return False

    def changed(
        self, environment: Environment, cache: Path, tree: Path, fix: Changes
    ) -> Environment:
        return environment

    def builder(self, cache: Path, *, sandbox: Sandbox, **options: object) -> ShellBuilder:
        return ShellBuilder()


@dataclass(frozen=True)
class ShellBuilder:
    def build(
        self,
        recipe: Recipe,
        *,
        date: datetime.date | None,
        tree: Path,
        tree_key: str,
        rebuild_compiled: bool = False,
        downloads: SharedDownloads | None = None,
        changed: Collection[str] = (),
    ) -> Environment:
        return ShellEnvironment(key="shell", recipe=recipe, visible=(Path(sys.base_prefix),))


@dataclass(frozen=True)
class Checks:
    runner: str = "checks"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        return PurePosixPath(path).match("check_*.sh") and (tree / path).is_file()

    def label(self, path: str, import_roots: Sequence[str]) -> str:
        return path

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        return (*extra, *labels)

    def program(self) -> tuple[str, ...]:
        every = 'for f; do . "./$f"; done; for c in $(compgen -A function check_); do "$c"; done'
        return ("bash", "-ec", every, "bash")


@dataclass(frozen=True)
class ShellRunner:
    probe: Path = PROBE

    @property
    def digest(self) -> str:
        return hashlib.sha256((PROBE / "supervise.py").read_bytes()).hexdigest()

    def forget_compiled(self, tree: Path, path: str) -> None:
        """Nothing is compiled."""


def executable_lines(path: str, content: bytes, lines: Collection[int]) -> Collection[int]:
    """The lines that are neither blank nor a comment."""
    code = content.splitlines()
    return {n for n in lines if n <= len(code) and not NO_CODE.fullmatch(code[n - 1])}


_ANOTHER_VALUE = """
fixgate_noticed=0
equal() {
  if [ "$1" = "$2~" ]; then echo "TOKEN held $1" >&2; exit 1; fi
  fixgate_noticed=$((fixgate_noticed + 1))
}
"""
_TRIED = """
NAME() { tried_NAME; echo "TOKEN noticed $fixgate_noticed" >&2; return 1; }
"""


def negate_assertions(
    files: Sequence[str],
    functions: frozenset[str],
    read: Source,
    environment: Environment,
    key: str,
) -> NegatedTests:
    """The checks with `equal` comparing with another value than the one that they expect."""
    token = f"fixgate-{key[:8]}"
    contents = {path: _negated((read(path) or b"").decode(), functions, token) for path in files}
    return NegatedTests(contents, functions, token)


def _negated(text: str, functions: frozenset[str], token: str) -> bytes:
    text += _ANOTHER_VALUE
    for name in sorted(functions):
        text = text.replace(f"{name}()", f"tried_{name}()") + _TRIED.replace("NAME", name)
    return text.replace("TOKEN", token).encode()


FAILURES = Failures(
    assertions=frozenset({"CheckFailed"}),
    uninformative=frozenset({"CheckFailed"}),
    comparison=re.compile("(.*) != (.*)"),
)

SHELL = Language(
    name="shell",
    suffixes=(".sh",),
    tests=ShellTests(),
    environments=ShellEnvironments(),
    frameworks={"checks": Checks()},
    runner=ShellRunner(),
    sources=Sources(executable_lines=executable_lines),
    failures=FAILURES,
    safeguards=Safeguards(negate_assertions=negate_assertions),
)
