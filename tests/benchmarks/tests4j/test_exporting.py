"""What is exported holds the dataset as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings

from evaluator.benchmarks.tests4j.dataset import Tests4JDataset, load_dataset, save_dataset
from evaluator.benchmarks.tests4j.exporting import export_parquet
from evaluator.benchmarks.tests4j.splitting import split_dataset
from tests.benchmarks.tests4j.strategies import datasets
from tests.benchmarks.tests4j.test_splitting import dataset
from tests.command_line import fixgate

parquet = pytest.importorskip("pyarrow.parquet")


@settings(max_examples=20)
@given(made=datasets)
def test_parquet_holds_every_method(
    tmp_path_factory: pytest.TempPathFactory, made: Tests4JDataset
) -> None:
    *files, _ = export_parquet(made, tmp_path_factory.mktemp("export"))
    rows = {row["id"]: row for file in files for row in parquet.read_table(file).to_pylist()}
    assert len(rows) == sum(len(each.methods) for each in made.repositories)
    for repository, method in made.methods():
        row = rows[method.id]
        assert (row["repository"], row["commit"]) == (repository.name, repository.commit)
        dumped = method.model_dump(mode="json")
        assert {name: row[name] for name in dumped} == dumped


def test_the_card_names_a_file_for_each_split(tmp_path: Path) -> None:
    save_dataset(split_dataset(dataset([3] * 12), 1), tmp_path / "all.json")
    arguments = ["tests4j", "export", str(tmp_path / "all.json"), "--out", str(tmp_path / "hub")]
    done = fixgate([*arguments, "--format", "parquet"])
    assert done.returncode == 0, done.stderr
    _, header, text = (tmp_path / "hub" / "README.md").read_text().split("---\n", 2)
    (configuration,) = yaml.safe_load(header)["configs"]
    for part in configuration["data_files"]:
        assert len(list((tmp_path / "hub").glob(part["path"]))) == 1
    assert {part["split"] for part in configuration["data_files"]} == {
        "train",
        "validation",
        "test",
    }
    assert "| a/r3 |" in text


def test_a_split_is_exported_as_json(tmp_path: Path) -> None:
    save_dataset(split_dataset(dataset([3] * 12), 1), tmp_path / "all.json")
    arguments = ["tests4j", "export", str(tmp_path / "all.json"), "--out", str(tmp_path / "json")]
    assert fixgate([*arguments, "--split", "test"]).returncode == 0
    exported = load_dataset(tmp_path / "json" / "dataset.json")
    assert {each.split for each in exported.repositories} == {"test"}
    assert (tmp_path / "json" / "tests4j.schema.json").is_file()
