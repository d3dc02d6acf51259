"""Rows that hold the golden tests where the golden code belongs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.swtbench.dataset import load_instances

from .conftest import CODE, TESTS, Write, diff_of, problem, row


def test_swapped_rows_are_turned_round_with_a_note(write: Write) -> None:
    wrapped = f"<patch>\n{TESTS}\n</patch>"
    path = write(row(1, patch=wrapped, test_patch=CODE), row(2, patch=TESTS, test_patch=CODE))
    dataset = load_instances(str(path))
    assert {i.patch.strip() for i in dataset.instances} == {CODE.strip()}
    assert {i.test_patch.strip() for i in dataset.instances} == {TESTS.strip()}
    (note,) = dataset.notes
    assert note.startswith(f'{path}: 2 of 2 rows hold the golden tests in "patch"')


def test_a_wrapper_is_taken_off_usual_rows_too(write: Write) -> None:
    path = write(row(patch=f"<patch>\n{CODE}</patch>"))
    dataset = load_instances(str(path))
    assert dataset.instances[0].patch.strip() == CODE.strip()
    assert dataset.notes == ()


@pytest.mark.parametrize(
    ("patch", "test_patch"),
    [
        (TESTS, diff_of("tests/test_other.py")),
        (TESTS, diff_of("tests/test_other.py", "src/thing.py")),
        (diff_of("tests/test_thing.py", "src/thing.py"), diff_of("src/other.py")),
    ],
)
def test_unclear_rows_are_refused(write: Write, patch: str, test_patch: str) -> None:
    said = problem(write(row(patch=patch, test_patch=test_patch)))
    assert said.startswith('line 1, field "patch": cannot tell')


def test_an_unclear_row_is_as_the_others_are(write: Write) -> None:
    fix = diff_of("tests/helpers/test_base.py")
    usual = load_instances(str(write(row(1), row(2, patch=fix)))).instances
    assert (usual[1].patch, usual[1].test_patch) == (fix, TESTS)
    swapped = [row(1, patch=TESTS, test_patch=CODE), row(2, patch=TESTS, test_patch=fix)]
    dataset = load_instances(str(write(*swapped)))
    assert (dataset.instances[1].patch, dataset.instances[1].test_patch) == (fix, TESTS)
    assert "2 of 2 rows" in dataset.notes[0]


def test_an_unclear_row_among_both_kinds_is_refused(write: Write) -> None:
    rows = [row(1), row(2, patch=TESTS, test_patch=CODE), row(3, patch=TESTS)]
    assert problem(write(*rows)).startswith('line 3, field "patch": cannot tell')


def test_tests_without_a_test_file_are_no_swap(write: Write) -> None:
    (instance,) = load_instances(str(write(row(test_patch=diff_of("data.py"))))).instances
    assert instance.patch == CODE


@pytest.mark.dataset
@pytest.mark.parametrize("name", ["lite_dev", "verified_dev"])
def test_public_datasets_swapped(data: Path, tmp_path: Path, name: str) -> None:
    path = tmp_path / "swapped.jsonl"
    with path.open("w") as stream:
        for line in (data / f"{name}.jsonl").read_text().splitlines():
            fields = json.loads(line)
            patch = f"<patch>\n{fields['test_patch']}\n</patch>"
            stream.write(
                json.dumps(fields | {"patch": patch, "test_patch": fields["patch"]}) + "\n"
            )
    swapped, usual = load_instances(str(path)), load_instances(str(data / f"{name}.jsonl"))
    assert "read the right way round" in swapped.notes[0]
    assert [i.patch for i in swapped.instances] == [i.patch for i in usual.instances]
