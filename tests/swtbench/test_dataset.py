"""Instances read from files: what is right comes through, what is wrong is named."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.model import Instance
from evaluator.swtbench.dataset import load_instances, save_instances, to_row

from .conftest import CODE, TESTS, Write, problem, refused, row


def test_reads_all_fields(write: Write) -> None:
    path = write(
        row(
            problem_statement="It fails.",
            hints_text="Try.",
            created_at="2020-01-02T03:04:05Z",
            version="3.1",
            FAIL_TO_PASS='["a::b", "c"]',
            PASS_TO_PASS=["d"],
            environment_setup_commit="e" * 40,
            unheard_of=[1],
        )
    )
    dataset = load_instances(str(path))
    assert dataset.notes == ()
    assert dataset.instances == (
        Instance(
            instance_id="owner__name-1",
            repo="owner/name",
            base_commit=f"{1:040x}",
            patch=CODE,
            test_patch=TESTS,
            problem_statement="It fails.",
            hints_text="Try.",
            created_at=datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.UTC),
            version="3.1",
            fail_to_pass=("a::b", "c"),
            pass_to_pass=("d",),
            environment_setup_commit="e" * 40,
        ),
    )


@pytest.mark.parametrize("nothing", ["", None, "missing"])
def test_optional_fields_may_be_empty_null_or_missing(write: Write, nothing: object) -> None:
    names = ["problem_statement", "hints_text", "created_at", "version", "FAIL_TO_PASS"]
    names += ["PASS_TO_PASS", "environment_setup_commit"]
    fields = {} if nothing == "missing" else dict.fromkeys(names, nothing)
    (instance,) = load_instances(str(write(row(**fields)))).instances
    assert instance.created_at is None
    assert instance.fail_to_pass == instance.pass_to_pass == ()
    assert instance.version == instance.hints_text == instance.environment_setup_commit == ""


@pytest.mark.parametrize(
    ("written", "hour"),
    [
        ("2020-01-02T03:04:05Z", 3),
        ("2020-01-02T03:04:05", 3),
        ("2020-01-02 03:04:05+00:00", 3),
        ("2020-01-02T03:04:05.250000+02:00", 1),
        (" 2020-01-02T03:04:05-0100 ", 4),
        ("20200102T030405Z", 3),
        ("2020-01-02", 0),
    ],
)
def test_dates_in_several_forms(write: Write, written: str, hour: int) -> None:
    (instance,) = load_instances(str(write(row(created_at=written)))).instances
    assert instance.created_at is not None
    moment = instance.created_at.astimezone(datetime.UTC)
    assert (moment.date(), moment.hour) == (datetime.date(2020, 1, 2), hour)


@pytest.mark.parametrize("field", ["instance_id", "repo", "base_commit", "patch", "test_patch"])
def test_required_fields(write: Write, field: str) -> None:
    without = row()
    del without[field]
    assert problem(write(without)) == f'line 1, field "{field}": is missing'
    assert problem(write(row(2), row(**{field: None}))) == f'line 2, field "{field}": is null'
    assert problem(write(row(**{field: ""}))) == f'line 1, field "{field}": is empty'
    assert (
        problem(write(row(**{field: ["x"]})))
        == f'line 1, field "{field}": expected text, found a list'
    )


@pytest.mark.parametrize("value", ["main", "abc", "g" * 40, "a" * 65, "../../etc", "-x" * 20])
def test_a_commit_is_an_id(write: Write, value: str) -> None:
    said = problem(write(row(base_commit=value)))
    assert said.startswith('line 1, field "base_commit": ')
    assert "40 hexadecimal digits" in said


@pytest.mark.parametrize(
    "value", ["a/b", "..", "a..b", ".hidden", "-x", "a\\b", "a b", "a\0", "\n"]
)
def test_an_id_names_a_directory(write: Write, value: str) -> None:
    said = problem(write(row(instance_id=value)))
    assert said.startswith('line 1, field "instance_id": ')
    assert "names a directory" in said


@pytest.mark.parametrize("value", ["name", "a/b/c", "../b", "a/..", "https://x/y", "a/b\n"])
def test_a_repository_is_owner_and_name(write: Write, value: str) -> None:
    said = problem(write(row(repo=value)))
    assert said.startswith('line 1, field "repo": ')
    assert said.endswith("a repository is named OWNER/NAME")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("version", 3.1, "expected text, found a number"),
        ("hints_text", True, "expected text, found true or false"),
        ("problem_statement", {}, "expected text, found an object"),
        ("created_at", "yesterday", "'yesterday' is no ISO 8601 date"),
        ("created_at", 1577934245, "expected text, found a number"),
        ("FAIL_TO_PASS", "[not json", "the text is no JSON list of tests"),
        ("FAIL_TO_PASS", "{}", "expected a list of test names"),
        ("PASS_TO_PASS", [1], "expected a list of test names"),
        ("PASS_TO_PASS", 7, "expected a list of test names"),
        ("patch", "Change the loop, please.", "'Change the loop, please.' is no unified diff"),
        ("problem_statement", "\ud83d", "holds half of a surrogate pair"),
    ],
)
def test_wrong_values(write: Write, field: str, value: object, said: str) -> None:
    assert problem(write(row(**{field: value}))).startswith(f'line 1, field "{field}": {said}')


def test_long_values_are_cut_in_messages(write: Write) -> None:
    assert len(problem(write(row(patch="long " * 10_000)))) < 150


def test_all_problems_are_told_at_once(write: Write) -> None:
    rows = [row(n, base_commit="main", version=n) for n in range(1, 21)]
    head, *lines = refused(write(*rows))
    assert head == ": 40 problems found; mend or remove the rows"
    assert len(lines) == 21
    assert lines[0].startswith('line 1, field "base_commit"')
    assert lines[1].startswith('line 1, field "version"')
    assert lines[-1] == "and 20 more"


def test_duplicates_name_both_lines(write: Write) -> None:
    said = problem(write(row(1), row(2), row(1, base_commit="c" * 40)))
    assert said == 'line 3, field "instance_id": owner__name-1 is there already (line 1)'


_TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
_INSTANCES = st.builds(
    Instance,
    instance_id=st.from_regex(r"[a-z]{1,5}__[a-z.]{1,5}-[0-9]{1,4}", fullmatch=True).filter(
        lambda name: ".." not in name
    ),
    repo=st.just("owner/name"),
    base_commit=st.from_regex(r"[0-9a-f]{40}", fullmatch=True),
    patch=_TEXT.map(lambda text: CODE + text.replace("diff --git", "")),
    test_patch=st.just(TESTS),
    problem_statement=_TEXT,
    hints_text=_TEXT,
    created_at=st.none()
    | st.datetimes(
        datetime.datetime(1990, 1, 1),  # hypothesis adds the zone
        timezones=st.just(datetime.UTC) | st.just(datetime.timezone(datetime.timedelta(hours=5))),
    ),
    version=_TEXT,
    fail_to_pass=st.lists(_TEXT).map(tuple),
    pass_to_pass=st.lists(_TEXT).map(tuple),
    environment_setup_commit=_TEXT,
)


@settings(deadline=None, max_examples=60)
@given(instances=st.lists(_INSTANCES, min_size=1, max_size=4, unique_by=lambda i: i.instance_id))
def test_what_is_saved_is_read_again(
    instances: list[Instance], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    save_instances(instances, folder / "saved.jsonl")
    assert load_instances(str(folder / "saved.jsonl")).instances == tuple(instances)
    (folder / "saved.json").write_text(json.dumps([to_row(i) for i in instances], indent=1))
    assert load_instances(str(folder / "saved.json")).instances == tuple(instances)


@pytest.mark.dataset
@pytest.mark.parametrize(("name", "count"), [("lite_dev", 145), ("verified_dev", 246)])
def test_public_datasets(data: Path, tmp_path: Path, name: str, count: int) -> None:
    dataset = load_instances(str(data / f"{name}.jsonl"))
    assert len(dataset.instances) == count
    assert dataset.notes == ()
    assert all(instance.fail_to_pass for instance in dataset.instances)
    save_instances(dataset.instances, tmp_path / "saved.jsonl")
    assert load_instances(str(tmp_path / "saved.jsonl")) == dataset
