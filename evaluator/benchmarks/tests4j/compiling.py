"""Compiles samples together, without those that do not compile (thesis, section 3.4.4, p. 17).

The thesis runs Maven again and again until no error is left. Here the compiler alone runs, over the
changed test classes only, and goes on behind errors, so that one or two passes find them all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.benchmarks.tests4j.post_processing import in_class
from evaluator.benchmarks.tests4j.preparing import PreparedRepository, StrippedRepository
from evaluator.benchmarks.tests4j.samples import Sample
from evaluator.benchmarks.tests4j.scaffold import (
    Filled,
    InsertedSample,
    NoScaffoldError,
    as_it_is,
    fill,
    free_names,
)
from evaluator.languages.java import syntax
from evaluator.languages.java.environment.changes import REPORT, compile_tree
from evaluator.sandbox.protocol import Sandbox

_THOROUGH = ("-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW")
_MOST_ROUNDS = 8
_MOST_NESTED = 12
"""Lambdas within lambdas that are compiled: where what they are given to is not known, each doubles
the compiler's time (some seconds for 12). Models that repeat themselves nest them without end."""
_TOO_DEEP = f"more than {_MOST_NESTED} lambdas within each other, which is not compiled"


@dataclass(frozen=True)
class Compiled:
    """Samples that compile, by their test files, and why others do not.

    `report` is the compiler's, with the class path of each unit.
    """

    files: Mapping[str, Filled]
    errors: Mapping[Sample, str]
    report: Path

    def sample(self, path: str, name: str) -> InsertedSample | None:
        """The sample that a method of a test file is; None where it is none."""
        file = self.files.get(path)
        inserted = () if file is None else file.inserted
        return next((each for each in inserted if each.name == name), None)


Errors = Mapping[str, Sequence[tuple[int, str]]]
"""The compiler's errors as (line, message), by file."""


@dataclass(frozen=True)
class SampleFiles:
    """Writes samples, as `edited` makes them, into the test classes of a work tree.

    A sample keeps the name that it got first, by which coverage knows it.
    """

    repository: StrippedRepository
    tree: Path
    names: dict[Sample, str] = field(default_factory=dict)
    edited: Callable[[Sample, str], str] = as_it_is

    def write(self, samples: Sequence[Sample], errors: dict[Sample, str]) -> dict[str, Filled]:
        """The test files of samples. What has no class to go into is added to the errors.

        Raises CheckoutError for a missing test file.
        """
        files: dict[str, Filled] = {}
        for path, own in by_file(samples).items():
            scaffold = self.repository.source(path)
            if own[0] not in self.names:
                self.names.update(free_names(scaffold, own))
            try:
                files[path] = fill(scaffold, own, self.names, self.edited)
            except NoScaffoldError as error:
                errors |= dict.fromkeys(own, str(error))
            else:
                (self.tree / path).write_bytes(files[path].content)
        return files

    def compile(
        self, samples: Sequence[Sample], errors_of: Callable[[], Errors]
    ) -> tuple[Mapping[str, Filled], dict[Sample, str]]:
        """The test files without samples that have errors, and the errors of these.

        `errors_of` compiles the tree. Raises CheckoutError for a missing test file.
        """
        errors = {each: _TOO_DEEP for each in samples if _nested_lambdas(each) > _MOST_NESTED}
        for _ in range(_MOST_ROUNDS):
            files = self.write([each for each in samples if each not in errors], errors)
            found = _errors_by_sample(files, errors_of())
            errors |= found
            if not found:
                return files, errors
        reason = f"its test class still does not compile after {_MOST_ROUNDS} attempts"
        return {}, dict.fromkeys(samples, reason) | errors


@dataclass(frozen=True)
class SampleCompiler:
    """Compiles samples in a work tree of a repository, without Maven."""

    sandbox: Sandbox
    prepared: PreparedRepository
    tree: Path
    names: dict[Sample, str] = field(default_factory=dict)

    def compile(self, samples: Sequence[Sample], place: Path) -> Compiled:
        """Compile into a new directory, leaving out samples with errors until there are none.

        Raises ToolError where the compiler cannot run, and CheckoutError for a missing test file.
        """
        place.mkdir()
        project, environment = self._project(place), self.prepared.environment

        def errors_of() -> Errors:
            report = compile_tree(environment, project, self.tree, place, sandbox=self.sandbox)
            errors: Errors = json.loads(report.read_text(encoding="utf-8"))["errors"]
            return errors

        files = SampleFiles(self.prepared, self.tree, self.names)
        return Compiled(*files.compile(samples, errors_of), place / REPORT)

    def _project(self, place: Path) -> Path:
        """How everything is compiled, with all errors reported: the rounds are ours, by samples."""
        environment = self.prepared.environment
        project = json.loads(environment.project.read_text(encoding="utf-8"))
        for unit in project["units"]:
            unit["options"] += _THOROUGH
            unit["whole_files"] = True
        file = place / "project.json"
        file.write_text(json.dumps(project), encoding="utf-8")
        return file


def by_file(samples: Sequence[Sample]) -> Mapping[str, list[Sample]]:
    """Samples by the files of their test classes."""
    files: dict[str, list[Sample]] = {}
    for sample in samples:
        files.setdefault(sample.method.test_path, []).append(sample)
    return files


def _nested_lambdas(sample: Sample) -> int:
    """How many lambdas stand within each other at most."""
    root = in_class(sample.test.source)
    begun: list[int] = []
    most = 0
    for each in syntax.found(root, "lambda_expression") if root is not None else ():
        while begun and begun[-1] <= each.start_byte:
            begun.pop()
        begun.append(each.end_byte)
        most = max(most, len(begun))
    return most


def _errors_by_sample(files: Mapping[str, Filled], errors: Errors) -> dict[Sample, str]:
    """The first error of each sample; all samples of a file have one that is in none of them."""
    found: dict[Sample, str] = {}
    for path, file in files.items():
        own = _placed(file, errors.get(path, ()))
        if errors.get(path) and not own:
            line, message = errors[path][0]
            reason = f"outside of the samples, line {line}: {message}"
            own = dict.fromkeys((each.sample for each in file.inserted), reason)
        found |= own
    return found


def _placed(file: Filled, errors: Sequence[tuple[int, str]]) -> dict[Sample, str]:
    found: dict[Sample, str] = {}
    for line, message in errors:
        for each in file.inserted:
            if each.holds(line):
                found.setdefault(each.sample, f"line {line - each.first_line + 1}: {message}")
    return found
