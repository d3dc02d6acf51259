"""A dataset that stays in its file is the one that is read as a whole, mistakes included."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from evaluator.benchmarks.tests4j.dataset import (
    SplitName,
    Tests4JDataset,
    load_dataset,
    save_dataset,
)
from evaluator.errors import InputError
from generator.tuning.data.dataset_file import DatasetFile, open_dataset
from generator.tuning.data.encoding import PairEncoding, pairs_of
from generator.tuning.data.store import stored_pairs
from generator.unit_tests.prompts import ContextChoice
from tests.benchmarks.tests4j.documents import MISTAKES, change, document, mistaken
from tests.benchmarks.tests4j.strategies import datasets

from .small import tokenizer

MEGABYTE = 1_000_000


@given(dataset=datasets)
def test_methods_are_those_of_the_whole_dataset(
    tmp_path_factory: pytest.TempPathFactory, dataset: Tests4JDataset
) -> None:
    path = tmp_path_factory.mktemp("dataset") / "dataset.json"
    save_dataset(dataset, path)
    opened = open_dataset(path)
    assert isinstance(opened, DatasetFile)
    assert opened.name == dataset.name
    for _ in range(2):
        assert list(opened.methods()) == list(dataset.methods())


def test_pairs_have_the_same_key_from_either(divided: Path, tmp_path: Path) -> None:
    encoding = PairEncoding(tokenizer(), ContextChoice.ALL, 300)
    whole, opened = (
        stored_pairs(tmp_path / name, pairs_of(dataset, SplitName.TRAIN), encoding)
        for name, dataset in [("a", load_dataset(divided)), ("b", open_dataset(divided))]
    )
    assert whole.key == opened.key
    assert [whole[index] for index in range(5)] == [opened[index] for index in range(5)]


MORE_MISTAKES = [
    (change("repositories", None), "repositories: should be a valid array"),
    (change("repositories", {}), "repositories: should be a valid array"),
    (change("repositories", "all"), "repositories: should be a valid array"),
    (change("repositories", [3]), "repositories[0]: should be an object"),
    (change("name", []), "name: should be a valid string"),
    (lambda made: made.update({"a.b": 1}), "a.b: is not known; remove it"),
    (lambda made: made.pop("repositories"), "repositories: is missing; add it"),
    (lambda made: made.pop("name"), "name: is missing; add it"),
]


@pytest.mark.parametrize(("mistake", "message"), [*MISTAKES, *MORE_MISTAKES])
def test_what_is_wrong_is_named(
    tmp_path: Path, mistake: Callable[[dict[str, Any]], object], message: str
) -> None:
    path = mistaken(mistake, tmp_path)
    with pytest.raises(InputError) as error:
        open_dataset(path)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"3", b"\xff", b'{"name": "a\xff"}', b"{}{}"]
)
def test_what_is_no_json_object_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wrong.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"wrong\.json is no Tests4J dataset"):
        open_dataset(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json cannot be read: No such file"):
        open_dataset(tmp_path / "none.json")


def test_one_repository_is_in_memory(tmp_path: Path) -> None:
    whole = document()
    (first,) = whole["repositories"]
    (method,) = first["methods"]
    method["focal_context"] = "x" * MEGABYTE
    whole["repositories"] = [
        {
            **first,
            "name": f"acme/{number}",
            "methods": [{**method, "id": method["id"].replace("acme/app", f"acme/{number}")}],
        }
        for number in range(20)
    ]
    path = tmp_path / "large.json"
    path.write_text(json.dumps(whole))
    tracemalloc.start()
    try:
        assert sum(1 for _ in open_dataset(path).methods()) == 20
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 6 * MEGABYTE
