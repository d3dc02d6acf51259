from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import InputError
from evaluator.filtering.inputs import Fix, load_fixes
from evaluator.model import Instance

from .conftest import write_rows

ONE = Instance("o__n-1", "o/n", "0" * 40, "", "")
FIX = {"instance_id": "o__n-1", "model_patch": "x"}


def test_fixes_are_named_by_their_run_their_model_or_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    rows: list[dict[str, object]] = [
        {"run": 1, "resolved": True},
        {"name": "b", "model_name_or_path": "m", "resolved": False},
        {"model_name_or_path": "m"},
        {},
    ]
    write_rows(path, *({**FIX, **row} for row in rows), {**FIX, "instance_id": "o__n-9"})
    loaded = load_fixes(path, [ONE])
    assert loaded.fixes == (
        Fix("o__n-1", "1", "x", True),
        Fix("o__n-1", "b", "x", False),
        Fix("o__n-1", "m", "x", None),
        Fix("o__n-1", "mine", "x", None),
    )
    assert loaded.unknown_ids == ("o__n-9",)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"instance_id": "o__n-1"}], 'line 1, field "model_patch": is missing'),
        ([{"model_patch": "x"}], 'line 1, field "instance_id": is missing'),
        ([{**FIX, "resolved": "yes"}], 'line 1, field "resolved": expected true, false or null'),
        ([{**FIX, "run": ["x"]}], 'line 1, field "run": expected text, found a list'),
        ([FIX, FIX], "a fix named 'mine' stands already (line 1)"),
        ([], "holds no fixes"),
    ],
)
def test_bad_files(tmp_path: Path, rows: list[dict[str, Any]], said: str) -> None:
    path = tmp_path / "mine.jsonl"
    write_rows(path, *rows)
    with pytest.raises(InputError, match=re.escape(said)) as raised:
        load_fixes(path, [ONE])
    assert "mine.jsonl" in str(raised.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_fixes(tmp_path / "none.jsonl", [ONE])
