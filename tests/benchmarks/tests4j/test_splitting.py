"""Repositories go to splits at random, without exceeding what these are to have."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    HumanTest,
    MappingKind,
    RepositorySnapshot,
    SplitName,
    TestFramework,
    Tests4JDataset,
    load_dataset,
    save_dataset,
)
from evaluator.benchmarks.tests4j.splitting import TARGETS, split_dataset
from tests.command_line import fixgate

counts = st.lists(st.integers(0, 60), max_size=25)


def dataset(numbers: list[int]) -> Tests4JDataset:
    """A dataset of repositories with these numbers of tests."""
    return Tests4JDataset(
        name="any",
        mapping=MappingKind.HEURISTIC,
        repositories=tuple(_repository(f"a/r{i}", count) for i, count in enumerate(numbers)),
    )


def _repository(name: str, count: int) -> RepositorySnapshot:
    tests = tuple(HumanTest(name=f"t{number}", source="{}") for number in range(count))
    method = FocalMethod(
        id=f"{name}:A.java:A.f()",
        focal_path="A.java",
        focal_class="A",
        name="f",
        parameters=(),
        source="void f() {}",
        focal_context="",
        test_path="ATest.java",
        test_class="ATest",
        test_context="",
        tests=tests or (HumanTest(name="t", source="{}"),),
    )
    return RepositorySnapshot(
        name=name,
        commit="0" * 40,
        framework=TestFramework.JUPITER,
        methods=(method,) if count else (),
    )


@given(numbers=counts, seed=st.integers())
def test_each_repository_is_in_one_split_and_nothing_else_changes(
    numbers: list[int], seed: int
) -> None:
    given_dataset = dataset(numbers)
    made = split_dataset(given_dataset, seed)
    assert None not in {each.split for each in made.repositories}
    assert [each.model_copy(update={"split": None}) for each in made.repositories] == list(
        given_dataset.repositories
    )
    assert split_dataset(given_dataset, seed) == made


@given(numbers=counts.filter(bool), seed=st.integers())
def test_no_split_exceeds_its_target_by_more_than_a_repository(
    numbers: list[int], seed: int
) -> None:
    """What fits nowhere goes where there is still some room, as there is for all that is left."""
    made = split_dataset(dataset(numbers), seed).repositories
    for split, share in TARGETS.items():
        tests = sum(each.test_count for each in made if each.split == split)
        assert tests <= share * sum(numbers) + max(numbers) + 1e-9


@given(numbers=counts, seed=st.integers(), order=st.randoms())
def test_the_order_of_the_file_does_not_count(
    numbers: list[int], seed: int, order: st.DataObject
) -> None:
    one = dataset(numbers)
    repositories = list(one.repositories)
    order.shuffle(repositories)  # type: ignore[attr-defined]
    other = one.model_copy(update={"repositories": tuple(repositories)})
    splits = {each.name: each.split for each in split_dataset(one, seed).repositories}
    assert splits == {each.name: each.split for each in split_dataset(other, seed).repositories}


def test_many_small_repositories_meet_the_targets() -> None:
    made = split_dataset(dataset([1] * 100), 5).repositories
    sizes = {split: sum(each.split == split for each in made) for split in SplitName}
    assert sizes == {SplitName.TRAIN: 70, SplitName.VALIDATION: 10, SplitName.TEST: 20}


def test_another_seed_gives_another_split() -> None:
    given_dataset = dataset(list(range(20)))
    splits = {tuple(r.split for r in split_dataset(given_dataset, n).repositories) for n in (1, 2)}
    assert len(splits) == 2


def test_the_command_writes_the_dataset_and_what_is_in_it(tmp_path: Path) -> None:
    save_dataset(dataset([5, 7, 9, 60]), tmp_path / "all.json")
    out = tmp_path / "split.json"
    done = fixgate(["tests4j", "split", str(tmp_path / "all.json"), "--out", str(out)])
    assert done.returncode == 0, done.stderr
    assert "train: " in done.stdout
    assert {each.split for each in load_dataset(out).repositories} <= set(SplitName)
    assert "Splits" in out.with_suffix(".html").read_text()
