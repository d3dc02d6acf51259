"""That a file of predictions survives kills, and never loses or doubles a row."""

from __future__ import annotations

import json

import pytest

from evaluator.errors import InputError
from evaluator.storage.results import ResultLines


def row(name, patch="", key="k"):
    return {"instance_id": name, "model_patch": patch, "key": key}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_rows_are_kept_and_replaced(tmp_path):
    path = tmp_path / "folder" / "preds.jsonl"
    rows = ResultLines(path)
    rows.write("a", "k", row("a"))
    rows.write("b", "k", row("b"))
    rows.write("a", "k", row("a", "better"))
    assert lines(path) == [row("b"), row("a", "better")]
    assert ResultLines(path).get("a", "k") == row("a", "better")
    assert ResultLines(path).get("a", "other key") is None
    assert ResultLines(path).get("c", "k") is None


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_line_that_a_kill_left_unfinished_is_dropped(tmp_path, cut):
    path = tmp_path / "preds.jsonl"
    rows = ResultLines(path)
    rows.write("a", "k", row("a"))
    whole = path.read_text()
    rows.write("b", "k", row("b"))
    text = path.read_text()
    path.write_text(text[: max(len(whole), len(text) - cut)])
    kept = ResultLines(path)
    assert kept.get("a", "k") == row("a")
    kept.write("c", "k", row("c"))
    assert [r["instance_id"] for r in lines(path)][-1] == "c"
    assert {r["instance_id"] for r in lines(path)} <= {"a", "b", "c"}


@pytest.mark.parametrize("line", ["{", "[1]", '{"model_patch": ""}', '{"instance_id": 3}'])
def test_a_line_that_is_no_row_is_named(tmp_path, line):
    path = tmp_path / "preds.jsonl"
    path.write_text(json.dumps(row("a")) + "\n" + line + "\n")
    with pytest.raises(InputError, match="line 2"):
        ResultLines(path)
