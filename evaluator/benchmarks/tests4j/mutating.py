"""Runs the correct tests of methods against mutants of these: coverage without assertions misleads.

Mutants are those of PIT's default operators (https://pitest.org/quickstart/mutators/) in the code
of the method itself. A mutant is killed when a test fails, or the run ends in it or takes too long.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.compiling import Compiled
from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.benchmarks.tests4j.preparing import PreparedRepository, Unit
from evaluator.benchmarks.tests4j.results import Mutants
from evaluator.languages.java.mutation.tool import JOURNAL, MAIN, METHODS
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.protocol import ResourceLimits, Sandbox

_MOST_ROUNDS = 50
_SURVIVED = "survived"
_INVALID = "invalid"


@dataclass(frozen=True)
class MutatedMethod:
    """A MUT by its JVM signature, with the names of the methods that test it."""

    method: FocalMethod
    descriptor: str
    tests: Sequence[str]


@dataclass(frozen=True)
class MutantRunner:
    """Runs in the work tree in which the samples were compiled."""

    sandbox: Sandbox
    prepared: PreparedRepository
    tree: Path
    limits: ResourceLimits

    def run(
        self, compiled: Compiled, unit: Unit, methods: Sequence[MutatedMethod]
    ) -> Mapping[str, Mutants]:
        """The mutants of methods, by their ids; none for those that have none.

        Raises SandboxError.
        """
        (self.tree / METHODS).write_text(json.dumps(_specification(methods)), encoding="utf-8")
        journal = self.tree / JOURNAL
        journal.unlink(missing_ok=True)
        for _ in range(_MOST_ROUNDS):
            before = _content(journal)
            run = run_tests(self.sandbox, self._request(compiled, unit))
            if run.exit_code == 0 or _content(journal) == before:
                break
        return _counted(methods, _states(_content(journal)))

    def _request(self, compiled: Compiled, unit: Unit) -> RunRequest:
        environment, mutator = self.prepared.environment, self.prepared.mutator
        started = dataclasses.replace(
            environment,
            main=MAIN,
            options=(f"-javaagent:{mutator}",),
            compiled=compiled.report,
            visible=(*environment.visible, mutator, compiled.report.parent),
        )
        files = tuple(path for path in compiled.files if unit.holds(path))
        return RunRequest(self.tree, started, files, limits=self.limits)


def _specification(methods: Sequence[MutatedMethod]) -> object:
    rows = [
        {
            "id": each.method.id,
            "class": each.method.focal_class,
            "name": each.method.name,
            "descriptor": each.descriptor,
            "tests": [{"class": each.method.test_class, "method": name} for name in each.tests],
        }
        for each in methods
    ]
    return {"methods": rows}


def _content(journal: Path) -> str:
    """What tests of strangers could have written as well: it is read as such."""
    is_own = journal.is_file() and not journal.is_symlink()
    return journal.read_text(encoding="utf-8", errors="replace") if is_own else ""


def _states(journal: str) -> Mapping[tuple[int, int], str]:
    """The last state of each mutant, by the number of its method and its own."""
    return {(method, mutant): state for method, mutant, state in _lines(journal)}


def _lines(journal: str) -> Iterator[tuple[int, int, str]]:
    for line in journal.splitlines():
        match line.split(" "):
            case [method, mutant, state] if method.isdecimal() and mutant.isdecimal():
                yield int(method), int(mutant), state


def _counted(
    methods: Sequence[MutatedMethod], states: Mapping[tuple[int, int], str]
) -> Mapping[str, Mutants]:
    found = {}
    for number, each in enumerate(methods):
        own = [s for (method, _), s in states.items() if method == number and s != _INVALID]
        if own:
            found[each.method.id] = Mutants(len(own) - own.count(_SURVIVED), len(own))
    return found
