"""That a file of predictions survives kills, and never loses or doubles a row."""

from __future__ import annotations

import json

import pytest

from evaluator.errors import InputError
from evaluator.storage.results import Rows


def row(name, patch="", key="k"):
    return {"instance_id": name, "model_patch": patch, "key": key}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rows_are_kept_and_replaced(tmp_path):
    path = tmp_path / "folder" / "preds.jsonl"
    rows = Rows(path)
    rows.put(row("a"))
    rows.put(row("b"))
    rows.put(row("a", "better"))
    assert lines(path) == [row("b"), row("a", "better")]
    assert Rows(path).get("a", "k") == row("a", "better")
    assert Rows(path).get("a", "other key") is None
    assert Rows(path).get("c", "k") is None


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_line_that_a_kill_left_unfinished_is_dropped(tmp_path, cut):
    path = tmp_path / "preds.jsonl"
    rows = Rows(path)
    rows.put(row("a"))
    whole = path.read_text()
    rows.put(row("b"))
    text = path.read_text()
    path.write_text(text[: max(len(whole), len(text) - cut)])
    kept = Rows(path)
    assert kept.get("a", "k") == row("a")
    kept.put(row("c"))
    assert [r["instance_id"] for r in lines(path)][-1] == "c"
    assert {r["instance_id"] for r in lines(path)} <= {"a", "b", "c"}


@pytest.mark.parametrize("line", ["{", "[1]", '{"model_patch": ""}', '{"instance_id": 3}'])
def test_a_line_that_is_no_row_is_named(tmp_path, line):
    path = tmp_path / "preds.jsonl"
    path.write_text(json.dumps(row("a")) + "\n" + line + "\n")
    with pytest.raises(InputError, match="line 2"):
        Rows(path)
