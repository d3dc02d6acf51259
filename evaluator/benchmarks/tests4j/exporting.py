"""The dataset as others read it: one JSON file, or Parquet with a card of the Hugging Face hub."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluator.benchmarks.tests4j.dataset import (
    RepositorySnapshot,
    Tests4JDataset,
    save_dataset,
    schema,
)
from evaluator.errors import extra_needed
from evaluator.storage.files import write_whole

_NOT_SPLIT = "all"
_COLUMNS = (
    *("repository", "commit", "framework", "java_level", "id", "focal_path", "focal_class"),
    *("name", "parameters", "source", "tokens", "focal_context"),
    *("test_path", "test_class", "test_context", "tests"),
)
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_LARGEST = "100K<n<1M"


def export_json(dataset: Tests4JDataset, folder: Path) -> tuple[Path, ...]:
    """Write `dataset.json` and the schema that describes it; the files are returned."""
    files = (folder / "dataset.json", folder / "tests4j.schema.json")
    save_dataset(dataset, files[0])
    write_whole(files[1], json.dumps(schema(), indent=2).encode() + b"\n")
    return files


def export_parquet(dataset: Tests4JDataset, folder: Path) -> tuple[Path, ...]:
    """Write a Parquet file for each split, one row a method, and `README.md`, the card of a hub.

    The files are returned. Raises InputError where pyarrow, of the extra `hub`, is not installed.
    """
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    files = []
    for split, repositories in _splits(dataset).items():
        rows = [row for each in repositories for row in _rows(each)]
        files.append(data / f"{split}-00000-of-00001.parquet")
        _write_parquet(rows, files[-1])
    card = folder / "README.md"
    write_whole(card, _card(dataset).encode())
    return (*files, card)


def _splits(dataset: Tests4JDataset) -> Mapping[str, list[RepositorySnapshot]]:
    found: dict[str, list[RepositorySnapshot]] = {}
    for each in dataset.repositories:
        found.setdefault(each.split or _NOT_SPLIT, []).append(each)
    return found


def _rows(repository: RepositorySnapshot) -> list[dict[str, Any]]:
    common = repository.model_dump(mode="json", exclude={"methods", "name", "split", "exclude"})
    return [
        {"repository": repository.name, **common, **method.model_dump(mode="json")}
        for method in repository.methods
    ]


def _write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    with extra_needed("hub", "Parquet", "use --format json"):
        import pyarrow
        import pyarrow.parquet
    text, number = pyarrow.string(), pyarrow.int64()
    test = pyarrow.struct([("name", text), ("source", text), ("tokens", number)])
    kinds = {"parameters": pyarrow.list_(text), "tokens": number, "tests": pyarrow.list_(test)}
    fields = [(name, kinds.get(name, text)) for name in _COLUMNS]
    table = pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(fields))
    pyarrow.parquet.write_table(table, path)


def _card(dataset: Tests4JDataset) -> str:
    """The card, as https://huggingface.co/docs/hub/datasets-cards describes it."""
    splits = _splits(dataset)
    files = "".join(
        f"      - split: {name}\n        path: data/{name}-*.parquet\n" for name in splits
    )
    methods = sum(len(each.methods) for each in dataset.repositories)
    tests = sum(each.test_count for each in dataset.repositories)
    size = next((name for most, name in _SIZES if methods < most), _LARGEST)
    rows = "\n".join(
        f"| {each.name} | {each.commit} | {each.split or ''} | {len(each.methods)} "
        f"| {each.test_count} |"
        for each in dataset.repositories
    )
    return f"""---
pretty_name: {json.dumps(dataset.name)}
license: other
language:
  - code
tags:
  - java
  - unit-tests
size_categories:
  - {size}
configs:
  - config_name: default
    data_files:
{files}---

# {dataset.name}

{methods} Java methods of {len(dataset.repositories)} repositories, and {tests} tests that people
wrote for them. A row is a method with its surroundings and its tests; tests were assigned to
methods by the mapping `{dataset.mapping}` of fixgate. Code is under the licence of its repository.

| repository | commit | split | methods | tests |
| --- | --- | --- | --- | --- |
{rows}
"""
