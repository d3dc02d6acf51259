"""Runs the correct tests of methods against mutants of these: coverage without assertions misleads.

Mutants are those of PIT's default operators (https://pitest.org/quickstart/mutators/) in the code
of the method itself. A mutant is killed when a test fails, or the run ends in it or takes too long.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.compiling import Compiled
from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.benchmarks.tests4j.preparing import PreparedRepository, Unit
from evaluator.benchmarks.tests4j.results import MutantResult, Mutants
from evaluator.languages.java.mutation.tool import JOURNAL, MAIN, METHODS
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.protocol import ResourceLimits, Sandbox

_MOST_ROUNDS = 50
_SURVIVED = "survived"
_INVALID = "invalid"
_LONGEST = 40
"""Characters of the name of an operator."""


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


def _states(journal: str) -> Mapping[tuple[int, int], MutantResult]:
    """The mutants that can be run, by the number of their method and their own.

    The last line of each counts: what was begun and has no end took the run with it.
    """
    found: dict[tuple[int, int], MutantResult] = {}
    for line in journal.splitlines():
        match line.split(" "):
            case [method, number, state, at, operator] if _are_numbers(method, number, at):
                key = int(method), int(number)
                found.pop(key, None)
                if state != _INVALID:
                    found[key] = MutantResult(int(at), operator[:_LONGEST], state != _SURVIVED)
    return found


def _are_numbers(*words: str) -> bool:
    return all(word.isdecimal() for word in words)


def _counted(
    methods: Sequence[MutatedMethod], mutants: Mapping[tuple[int, int], MutantResult]
) -> Mapping[str, Mutants]:
    found: dict[str, Mutants] = {}
    ordered = sorted(mutants.items(), key=lambda it: it[0])
    for number, each in enumerate(methods):
        own = tuple(mutant for (method, _), mutant in ordered if method == number)
        if own:
            found[each.method.id] = Mutants(sum(mutant.killed for mutant in own), len(own), own)
    return found
