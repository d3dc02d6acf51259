"""Evaluations made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluator.benchmarks.tests4j.document import document, write_document
from evaluator.benchmarks.tests4j.results import MethodResult, TestResult
from evaluator.benchmarks.tests4j.samples import Fate

Test = tuple[Fate, str, float]
"""Its fate, its source or the reason, and its BLEU."""


def test_result(
    method: str, model: str, number: int, fate: Fate, said: str, bleu: float
) -> TestResult:
    correct = fate is Fate.CORRECT
    return TestResult(
        method=method,
        model=model,
        reply=number,
        name=f"test{number}",
        source=said if correct else "",
        fate=fate,
        reason="" if correct else said,
        bleu=bleu,
        crystal_bleu=bleu / 2,
    )


test_result.__test__ = False  # type: ignore[attr-defined]


def method_result(
    model: str,
    repository: str,
    name: str,
    lines: tuple[int, int],
    tests: Sequence[Test],
) -> MethodResult:
    method = f"{repository}:src/A.java:a.A.{name}()"
    return MethodResult(
        repository,
        method,
        tuple(test_result(method, model, number, *test) for number, test in enumerate(tests)),
        lines=lines,
        branches=(0, 2),
    )


def write_run(directory: Path, model: str, results: Sequence[MethodResult]) -> Path:
    directory.mkdir(parents=True)
    write_document(directory / "tests4j.json", document("small", model, results))
    return directory
