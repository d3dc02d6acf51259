"""`tests4j.json`: what an evaluation came to, for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from evaluator.benchmarks.tests4j.metrics import UnitTestFigures, figures
from evaluator.benchmarks.tests4j.results import MethodResult, MutantResult, TestResult
from evaluator.benchmarks.tests4j.samples import Fate
from evaluator.environment.types import Uncompiled
from evaluator.errors import InputError
from evaluator.schemas import published_schema
from evaluator.storage.files import write_whole
from evaluator.storage.typed import UnreadableError, as_json, read_as

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True)
class CoverageRow:
    """A MUT: (covered, all) lines and branches, null where its class has no such code."""

    repository: str
    method: str
    lines: tuple[int, int] | None
    branches: tuple[int, int] | None
    lines_by_all: tuple[int, int] | None
    branches_by_all: tuple[int, int] | None
    mutants_killed: int | None
    mutants: int | None
    each_mutant: tuple[MutantResult, ...] = ()


@dataclass(frozen=True)
class LeftOutCode:
    """A directory or file that a repository is built without, and why.

    The methods that it or their tests stand in, and the different tests for them, are in no figure.
    """

    place: str
    reason: str
    methods: int
    tests: int


@dataclass(frozen=True)
class EvaluationDocument:
    """The whole file. `failures` are repositories that could not be evaluated, with the reason.

    `left_out` is code that others are built without.
    """

    schema_version: int
    dataset: str
    model: str
    repositories: dict[str, UnitTestFigures]
    total: UnitTestFigures
    failures: dict[str, str]
    methods: tuple[CoverageRow, ...]
    tests: tuple[TestResult, ...]
    left_out: dict[str, tuple[LeftOutCode, ...]] = field(default_factory=dict)


def document(dataset: str, model: str, results: Sequence[MethodResult]) -> EvaluationDocument:
    """Put the results of methods together, in the order of their ids."""
    ordered = sorted(results, key=lambda each: (each.repository, each.method))
    known = [each for each in ordered if not each.error]
    return EvaluationDocument(
        SCHEMA_VERSION,
        dataset,
        model,
        {name: figures(own) for name, own in by_repository(known).items()},
        figures(known),
        {name: own[0].error for name, own in by_repository(_failed(ordered)).items()},
        tuple(map(_row, known)),
        tuple(test for each in known for test in each.tests),
        {
            name: left_out
            for name, own in by_repository(known).items()
            if (left_out := _left_out(own))
        },
    )


def _left_out(results: Sequence[MethodResult]) -> tuple[LeftOutCode, ...]:
    found: dict[Uncompiled, list[MethodResult]] = {}
    for each in results:
        if each.left_out:
            found.setdefault(each.left_out, []).append(each)
    return tuple(
        LeftOutCode(code.place, code.reason, len(own), _different_tests(own))
        for code, own in found.items()
    )


def _different_tests(results: Sequence[MethodResult]) -> int:
    return sum(test.fate is Fate.LEFT_OUT for each in results for test in each.tests)


def by_repository(results: Sequence[MethodResult]) -> Mapping[str, list[MethodResult]]:
    """Results by their repositories."""
    found: dict[str, list[MethodResult]] = {}
    for each in results:
        found.setdefault(each.repository, []).append(each)
    return found


def _failed(results: Sequence[MethodResult]) -> list[MethodResult]:
    return [each for each in results if each.error]


def _row(each: MethodResult) -> CoverageRow:
    mutants = each.mutants
    return CoverageRow(
        each.repository,
        each.method,
        each.lines,
        each.branches,
        each.lines_by_all,
        each.branches_by_all,
        mutants.killed if mutants else None,
        mutants.all if mutants else None,
        mutants.each if mutants else (),
    )


def write_document(path: Path, content: EvaluationDocument) -> None:
    """Write the file, whole or not at all."""
    write_whole(path, json.dumps(as_json(content), indent=1).encode() + b"\n")


def read_document(path: Path) -> EvaluationDocument:
    """Read what `write_document` wrote. Raises InputError naming what is wrong."""
    try:
        return read_as(EvaluationDocument, json.loads(path.read_bytes()))
    except (OSError, ValueError, UnreadableError) as error:
        message = f"{path} is no result of `fixgate tests4j evaluate`: {error}"
        raise InputError(message) from error


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that is published for the file."""
    made = TypeAdapter(EvaluationDocument).json_schema(mode="serialization")
    return published_schema(made, identifier="tests4j-result:1")
