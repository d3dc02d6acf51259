"""The result's file has a published schema, and figures that follow from its rows."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.document import (
    document,
    read_document,
    schema,
    write_document,
)
from evaluator.benchmarks.tests4j.metrics import figures, macro, micro, stages
from evaluator.benchmarks.tests4j.results import MethodResult, MutantResult, Mutants, TestResult
from evaluator.benchmarks.tests4j.samples import Fate
from evaluator.environment.types import Uncompiled
from tests.docs.conftest import ROOT

COUNTS = st.integers(0, 50).flatmap(lambda every: st.tuples(st.integers(0, every), st.just(every)))
TESTS = st.builds(
    TestResult,
    method=st.just("m"),
    model=st.just("model"),
    reply=st.integers(0, 9),
    name=st.text(max_size=5),
    source=st.text(max_size=5),
    fate=st.sampled_from(Fate),
    reason=st.text(max_size=5),
)
MUTANTS = st.builds(MutantResult, st.integers(1, 99), st.sampled_from(["MATH"]), st.booleans())


def mutants_of(each: list[MutantResult]) -> Mutants:
    return Mutants(sum(mutant.killed for mutant in each), len(each), tuple(each))


RESULTS = st.builds(
    MethodResult,
    repository=st.sampled_from(["o/a", "o/b"]),
    method=st.text(max_size=5),
    tests=st.lists(TESTS, max_size=4).map(tuple),
    lines=st.none() | COUNTS,
    branches=st.none() | COUNTS,
    mutants=st.none() | st.lists(MUTANTS, max_size=3).map(mutants_of),
    error=st.sampled_from(["", "", "no JDK"]),
    left_out=st.none() | st.just(Uncompiled("core", "no library")),
)


@given(st.lists(TESTS))
def test_fewer_and_fewer_tests_come_further(tests: list[TestResult]) -> None:
    counts = stages(tests)
    assert list(counts) == sorted(counts, reverse=True)
    assert counts[0] == sum(test.fate not in (Fate.DUPLICATE, Fate.LEFT_OUT) for test in tests)


@given(st.lists(COUNTS, min_size=1))
def test_micro_is_macro_weighted_by_totals(counts: list[tuple[int, int]]) -> None:
    weighted = sum((macro([each]) or 0) * each[1] for each in counts)
    every = sum(total for _, total in counts)
    found = micro(counts)
    assert found is None if every == 0 else found == pytest.approx(weighted / every)


@given(st.integers(1, 50), st.lists(st.integers(0, 50), min_size=1))
def test_micro_is_macro_where_all_methods_are_alike(every: int, covered: list[int]) -> None:
    counts = [(min(each, every), every) for each in covered]
    assert micro(counts) == pytest.approx(macro(counts))


@given(st.lists(RESULTS, max_size=5))
def test_what_could_not_be_evaluated_changes_no_figure(results: list[MethodResult]) -> None:
    evaluated = [each for each in results if not each.error and not each.left_out]
    assert figures(results) == figures(evaluated)


@given(results=st.lists(RESULTS, max_size=4))
def test_the_document_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, results: list[MethodResult]
) -> None:
    path = tmp_path_factory.mktemp("document") / "tests4j.json"
    found = document("data", "model", results)
    write_document(path, found)
    assert read_document(path) == found
    jsonschema.Draft202012Validator(schema()).validate(json.loads(path.read_bytes()))


def test_the_published_schema_is_that_of_the_document() -> None:
    """`python -m evaluator.benchmarks.tests4j result` shows it."""
    published = Path(ROOT, "docs", "tests4j-result.schema.json").read_text("utf-8")
    assert json.loads(published) == json.loads(json.dumps(schema()))
