"""EvoSuite (Fraser and Arcuri, 2011) on the classes of a dataset, run in the sandbox.

EvoSuite is the user's own: a jar, and a JDK that it runs on. It executes the repository's code, so
that it gets no network, a private work tree, and a limit of time. Of 1.0.6 (Maven Central) and
1.2.0 (its releases) none runs on a JDK newer than 8 or 11.
"""

from __future__ import annotations

import re
import threading
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path

from evaluator import (
    CommandResult,
    ExitReason,
    FixgateError,
    InputError,
    Shell,
    Workspace,
    discover_recipe,
)
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from evaluator.diff import Changes
from evaluator.languages.java.environment.class_path import class_path
from evaluator.languages.java.environment.jdk import Jdk
from evaluator.languages.java.environment.types import JavaEnvironment
from evaluator.storage import digest_of
from generator.costs import CostTracker
from generator.unit_tests.writer import UnitTests
from generator.unit_tests.writers.evosuite_tests import calling_tests

_OUT = "fixgate-evosuite"
_START = 300.0
"""Seconds beside the search: starting, minimizing, assertions, writing."""
_WITHOUT_RUNTIME = (
    *("-Dno_runtime_dependency=true", "-Dp_functional_mocking=0", "-Dmock_if_no_generator=false"),
    *("-Dreplace_calls=false", "-Dreplace_system_in=false", "-Dreplace_gui=false"),
    *("-Dvirtual_fs=false", "-Dvirtual_net=false"),
)
"""Tests that compile without EvoSuite's own library, whatever it mocks or replaces otherwise."""
_PROBLEM = re.compile(r"ERROR|Exception|Error:|Fatal")
_OLD_JDK = re.compile(r"tools\.jar|java\.net\.URLClassLoader")


class EvoSuiteError(FixgateError):
    """EvoSuite wrote no tests for a class; the message is its own."""


@dataclass(frozen=True)
class EvoSuiteSettings:
    """The user's EvoSuite. `seconds` are those of the search for each class, `seed` is its own."""

    jar: Path
    jdk: Jdk
    seconds: int = 60
    seed: int = 0


Outcome = Future[str]
"""The source of a generated class, or an EvoSuiteError."""


@dataclass(frozen=True)
class EvoSuiteWriter:
    """Runs EvoSuite once for each class, and shares what it writes out among the methods."""

    workspace: Workspace
    evosuite: EvoSuiteSettings
    name: str = "EvoSuite"
    _outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def settings(self) -> object:
        """The jar by its content, the JDK, and the budget."""
        own = self.evosuite
        return [digest_of([own.jar]), own.jdk.version, own.seconds, own.seed]

    def write(
        self, repository: RepositorySnapshot, method: FocalMethod, _costs: CostTracker
    ) -> UnitTests:
        """The generated tests that call the method. Raises CheckoutError, EnvironmentBuildError."""
        try:
            generated = self._generated(repository, method)
        except EvoSuiteError as error:
            return UnitTests.nothing(str(error))
        found = calling_tests(method, generated)
        return UnitTests(found) if found else UnitTests.nothing("none of the tests calls it")

    def _generated(self, repository: RepositorySnapshot, method: FocalMethod) -> str:
        key = repository.name, method.focal_class
        with self._lock:
            outcome = self._outcomes.get(key)
            begins = outcome is None
            outcome = self._outcomes.setdefault(key, Future())
        if begins:
            try:
                outcome.set_result(self._run(repository, method))
            except FixgateError as error:
                outcome.set_exception(error)
        return outcome.result()

    def _run(self, repository: RepositorySnapshot, method: FocalMethod) -> str:
        subject = self.workspace.base(repository.name, repository.commit, discover_recipe)
        with self.workspace.shell(subject, Changes()) as shell:
            done = self._search(shell, method)
            written = sorted((shell.tree / _OUT).rglob("*_ESTest.java"))
            if not written or written[0].is_symlink():
                raise EvoSuiteError(_problem(done))
            return written[0].read_text(encoding="utf-8", errors="replace")

    def _search(self, shell: Shell, method: FocalMethod) -> CommandResult:
        environment = shell.environment
        if not isinstance(environment, JavaEnvironment):
            raise EvoSuiteError("the repository has no Java that Maven builds")
        own = self.evosuite
        limits = replace(
            shell.limits, wall_seconds=own.seconds + _START, cpu_seconds=4 * (own.seconds + _START)
        )
        entries = class_path(environment, method.focal_path)
        # It refuses a class path of which anything is not there.
        there = [entry for entry in entries if (shell.tree / entry).exists()]
        argv = (
            # It starts another virtual machine, by this variable.
            *("env", f"JAVA_HOME={own.jdk.home}", str(own.jdk.java)),
            *("-jar", str(own.jar.resolve()), "-class", method.focal_class),
            *("-projectCP", ":".join(there)),
            *("-seed", str(own.seed), f"-Dsearch_budget={own.seconds}", f"-Dtest_dir={_OUT}"),
            *("-Dtest_scaffolding=false", "-Dshow_progress=false", *_WITHOUT_RUNTIME),
        )
        return shell.run(argv, limits=limits, visible=(own.jar.resolve(), *own.jdk.visible))


def evosuite_settings(jar: Path | None, jdk: Jdk, seconds: int, seed: int) -> EvoSuiteSettings:
    """The settings that options give. Raises InputError without a jar."""
    if jar is None:
        raise InputError(
            "--method evosuite needs a jar: name it with --evosuite-jar (Maven Central has "
            "org.evosuite:evosuite-master:1.0.6, its releases on GitHub have 1.2.0)"
        )
    return EvoSuiteSettings(jar, jdk, seconds, seed)


def _problem(done: CommandResult) -> str:
    """Why there is no test, in EvoSuite's words as far as it has any."""
    if done.ending is not ExitReason.EXITED:
        return f"EvoSuite was stopped: {done.ending}"
    lines = [line.strip() for line in done.output.splitlines() if line.strip()]
    said = [line for line in lines if _PROBLEM.search(line)][:2] or lines[-1:] or ["nothing"]
    hint = ""
    if _OLD_JDK.search(done.output):
        hint = "; this version needs JDK 8: name one with --java-home"
    return f"EvoSuite wrote no test: {' / '.join(said)[:400]}{hint}"
