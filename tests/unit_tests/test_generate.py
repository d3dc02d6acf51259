"""`fixgate tests4j generate`, with models that play a script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaluator.benchmarks.tests4j.dataset import HumanTest, SplitName, save_dataset
from evaluator.languages.java.syntax import parsed
from tests.command_line import fixgate

from .examples import ADDS, dataset, method, repository

CENTS = method("cents", parameters=(), source="public long cents() {\n        return cents;\n    }")
SECRET = method("hide", parameters=(), source="private void hide() {}")
PURSE = method(
    "plus",
    focal_path="src/main/java/acme/Purse.java",
    focal_class="acme.Purse",
    source="public Purse plus(Money money) { return this; }",
    focal_context="public abstract class Purse {\n    public abstract int size();\n}\n",
    tests=(
        HumanTest(
            name="grows",
            source="@Test\npublic void grows() {\n    purse = purse.plus(new Purse());\n}",
        ),
    ),
)
MODEL = ["--method", "endpoint", "--no-reply-cache"]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.json"
    methods = (method(), CENTS, SECRET, PURSE)
    save_dataset(dataset(repository(*methods, split=SplitName.TEST)), path)
    return path


def script(tmp_path: Path, lines: object) -> str:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(lines))
    return f"scripted:{path}"


def rows(path: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def replies(path: Path) -> Mapping[str, list[str]]:
    return {row["method"]: row["replies"] for row in rows(path)}


def is_member(code: str) -> bool:
    root = parsed(f"class A {{\n{code}\n}}\n".encode())
    return root is not None and not root.has_error


def test_human_tests_are_predictions_too(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "truth.jsonl"
    done = fixgate(["tests4j", "generate", str(small), "--method", "truth", "--out", str(out)])
    assert done.returncode == 0, done.stderr
    assert replies(out)[method().id] == [ADDS]
    assert {row["model"] for row in rows(out)} == {"truth"}


def test_a_model_is_asked_for_every_sample(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.jsonl"
    model = script(tmp_path, [f"reply {number}" for number in range(32)])
    arguments = [*MODEL, "--model", model, "--methods", "1", "--out", str(out)]
    done = fixgate(["tests4j", "generate", str(small), *arguments])
    assert done.returncode == 0, done.stderr
    (row,) = rows(out)
    assert row["replies"] == [f"reply {number}" for number in range(32)]
    assert row["model"] == "ZS-Hard-All+scripted:script.json"
    assert (row["end"], row["calls"]) == ("complete", 32)
    assert "acme/money" in done.stderr


def test_limits_and_errors_leave_rows_that_another_run_completes(
    small: Path, tmp_path: Path
) -> None:
    out = tmp_path / "model.jsonl"
    model = script(tmp_path, ["one", "two", "three", "four", "five", "six"])
    arguments = [*MODEL, "--methods", "1", "--temperature", "0.2", "--out", str(out)]
    begin = ["tests4j", "generate", str(small), *arguments, "--model", model]
    done = fixgate([*begin, "--max-calls", "2"])
    assert done.returncode == 0, done.stderr
    (row,) = rows(out)
    assert (row["replies"], row["end"]) == (["one", "two"], "incomplete")
    assert "limit of calls" in row["problem"]
    fixgate([*begin, "--samples", "3"])
    (row,) = rows(out)
    assert (row["replies"], row["end"]) == (["one", "two", "three"], "complete")
    kept = out.read_bytes()
    fixgate([*begin, "--samples", "3"])
    assert out.read_bytes() == kept


def test_a_model_that_ends_early_harms_no_other_method(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.jsonl"
    model = script(tmp_path, {"long cents() {\n        return": ["@Test void a() {}"], "": []})
    options = ["--temperature", "0.2", "--samples", "1", "--out", str(out)]
    done = fixgate(["tests4j", "generate", str(small), *MODEL, "--model", model, *options])
    assert done.returncode == 0, done.stderr
    ends = {row["method"]: row["end"] for row in rows(out)}
    assert ends[CENTS.id] == "complete"
    assert sorted(ends.values()) == ["complete", "incomplete", "incomplete", "incomplete"]


def test_random_calls_use_what_is_declared(small: Path, tmp_path: Path) -> None:
    out, again = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    for path in (out, again):
        arguments = ["--method", "random", "--samples", "6", "--out", str(path)]
        done = fixgate(["tests4j", "generate", str(small), *arguments])
        assert done.returncode == 0, done.stderr
    found = replies(out)
    assert found == replies(again)
    assert 1 < len(found[method().id]) <= 6
    for test in (*found[method().id], *found[CENTS.id]):
        assert is_member(test)
        assert "@Test\npublic void test" in test
        assert "acme.Money subject = " in test
        assert "assert" not in test
    assert all("subject.plus(" in test for test in found[method().id])
    problems = {row["method"]: row["problem"] for row in rows(out)}
    assert problems[SECRET.id] == "the method is private"
    assert problems[PURSE.id] == "nothing known makes a Purse"


def test_tests_of_similar_methods_of_other_classes_are_adapted(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "similar.jsonl"
    done = fixgate(["tests4j", "generate", str(small), "--method", "retrieval", "--out", str(out)])
    assert done.returncode == 0, done.stderr
    found = replies(out)
    (test,) = found[method().id]
    assert "money = money.plus(new Money());" in test
    assert ADDS not in found[CENTS.id]
    assert found[PURSE.id][0] == ADDS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "endpoint"], "name one with --model"),
        (["--method", "truth", "--repository", "no/such"], "the dataset has no no/such"),
        (["--method", "truth", "--split", "train"], "no method is left"),
        (["--method", "none"], "Invalid value for '--method'"),
    ],
)
def test_wrong_options_are_named(
    small: Path, tmp_path: Path, arguments: list[str], said: str
) -> None:
    out = ["--out", str(tmp_path / "out.jsonl")]
    done = fixgate(["tests4j", "generate", str(small), *arguments, *out])
    assert done.returncode == 2
    assert said in done.stderr


def test_files_of_another_form_are_refused(small: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"instance_id": "a", "model_patch": ""}\n')
    done = fixgate(["tests4j", "generate", str(small), "--method", "truth", "--out", str(other)])
    assert done.returncode == 2
    assert "other.jsonl, line 1: holds no row of predictions (no method)" in done.stderr
    done = fixgate(["tests4j", "generate", str(other), "--method", "truth", "--out", str(small)])
    assert done.returncode == 2
    assert "other.jsonl is no Tests4J dataset" in done.stderr
