"""The dataset's file: what is written is read again, and what is wrong is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given

from evaluator.benchmarks.tests4j.dataset import (
    Tests4JDataset,
    load_dataset,
    save_dataset,
    schema,
)
from evaluator.errors import InputError
from tests.benchmarks.tests4j.documents import METHOD, MISTAKES, change, mistaken
from tests.benchmarks.tests4j.strategies import datasets
from tests.docs.conftest import ROOT


@given(dataset=datasets)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, dataset: Tests4JDataset
) -> None:
    path = tmp_path_factory.mktemp("dataset") / "dataset.json"
    save_dataset(dataset, path)
    assert load_dataset(path) == dataset
    jsonschema.Draft202012Validator(schema()).validate(json.loads(path.read_bytes()))


def test_the_published_schema_is_that_of_the_models() -> None:
    """`python -m evaluator.benchmarks.tests4j > docs/tests4j.schema.json` writes it anew."""
    published = (ROOT / "docs" / "tests4j.schema.json").read_text("utf-8")
    assert json.loads(published) == schema()
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize(("mistake", "message"), MISTAKES)
def test_what_is_wrong_is_named(
    tmp_path: Path, mistake: Callable[[dict[str, Any]], object], message: str
) -> None:
    path = mistaken(mistake, tmp_path)
    with pytest.raises(InputError) as error:
        load_dataset(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{\n 'no'", "line 2 column 2"),
        (b"[]", "the file: should be an object"),
        (b"\xff", "Invalid JSON"),
        (b"", "Invalid JSON"),
    ],
)
def test_what_is_no_json_object_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        load_dataset(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json cannot be read: No such file"):
        load_dataset(tmp_path / "none.json")


def test_many_mistakes_are_counted(tmp_path: Path) -> None:
    path = mistaken(change(f"{METHOD}.tests", [{}] * 30), tmp_path)
    with pytest.raises(InputError, match="and 41 more"):
        load_dataset(path)
