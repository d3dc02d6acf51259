"""What rules are worth, from recorded tests whose worth can be told by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli import main


def candidate(
    *rules: str, verdict: str = "right", admitted: bool = True, denies: str = "nothing"
) -> dict[str, Any]:
    return {"rules": rules, "admitted": admitted, "denies": denies, "verdict": verdict}


def row(number: int, repo: str, *candidates: dict[str, Any], **fields: str) -> dict[str, Any]:
    return {
        "instance_id": f"{repo}-{number}",
        "repo": repo,
        "method": "issue-only-rules",
        "exit": "abstained",
        "candidates": candidates,
        **fields,
    }


WRONG = candidate("guess", verdict="wrong")
ROWS = [
    row(1, "a/a", WRONG, candidate("claim")),
    row(2, "a/a", candidate("claim", "seen")),
    row(3, "a/a", candidate("claim", verdict="unknown", admitted=False)),
    row(4, "b/b", candidate("claim")),
    row(5, "b/b", WRONG),
    row(6, "b/b", candidate("crash", denies="exception")),
    row(7, "c/c", candidate("claim"), WRONG),
    row(8, "c/c", candidate("only_here", verdict="wrong")),
    row(9, "c/c", exit="not_run"),
]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    return written(tmp_path, ROWS)


def written(folder: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path = folder / "recorded.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def table(path: Path, *arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(
        main, ["experiments", "rules", str(path), *arguments, "--format", "json"]
    )
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.output)
    return told


def rows_of(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {next(iter(one.values())): one for one in told["rows"]}


def figures(one: dict[str, Any]) -> tuple[int, int, int]:
    return one["ran"], one["submitted"], one["right"]


def test_the_surest_test_that_is_left_is_submitted(recorded: Path) -> None:
    told = table(recorded)
    rows = rows_of(told)
    assert figures(rows["all rules"]) == (8, 6, 3)
    assert figures(rows["without guess"]) == (8, 5, 4)
    assert figures(rows["without seen"]) == (8, 5, 2)
    assert rows["without claim"]["rest on it"] == 3
    assert rows["without claim"]["in repositories"] == 3
    assert rows["all rules"]["precision"] == 0.5
    assert rows["all rules"]["S"] == 3 / 8
    assert "one issue only: seen." in told["note"]


def test_precision_has_wilson_intervals(recorded: Path) -> None:
    all_rules = rows_of(table(recorded))["all rules"]
    assert all_rules["from"] == pytest.approx(0.1876, abs=1e-4)
    assert all_rules["to"] == pytest.approx(0.8124, abs=1e-4)


def test_what_only_denies_counts_where_it_is_asked_for(recorded: Path) -> None:
    rows = rows_of(table(recorded, "--denials", "exception"))
    assert figures(rows["all rules"]) == (8, 7, 4)


def test_by_repository(recorded: Path) -> None:
    rows = rows_of(table(recorded, "--by", "repository"))
    assert figures(rows["a/a"]) == (3, 2, 1)
    assert figures(rows["b/b"]) == (2 + 1, 2, 1)
    assert figures(rows["all repositories"]) == (8, 6, 3)


def test_each_repository_is_judged_by_rules_that_the_others_chose(recorded: Path) -> None:
    rows = rows_of(table(recorded, "--by", "fold"))
    assert "guess" in rows["a/a"]["left out"]
    assert "only_here" in rows["a/a"]["left out"]
    assert figures(rows["a/a"]) == (3, 1, 1), "`seen` was never seen elsewhere"
    assert figures(rows["c/c"]) == (2, 1, 1), "`only_here` was never seen elsewhere"
    assert figures(rows["all repositories"]) == (8, 3, 3)


def test_of_one_repository_nothing_can_be_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, ROWS[:3])
    done = CliRunner().invoke(main, ["experiments", "rules", str(path), "--by", "fold"])
    assert done.exit_code == 2
    assert "all issues are of one repository" in done.output


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([row(1, "a/a", method="libro")], "line 1, field \"method\": is 'libro'"),
        ([row(1, "a/a", exit="not_run")], "no issue in there was run"),
        ([{"instance_id": "a"}], 'line 1, field "repo": is missing'),
        ([row(1, "a/a", {"rules": []})], "candidates[0].admitted"),
    ],
)
def test_rows_that_record_no_rules_are_refused(
    tmp_path: Path, rows: list[dict[str, Any]], says: str
) -> None:
    path = written(tmp_path, rows)
    done = CliRunner().invoke(main, ["experiments", "rules", str(path)])
    assert done.exit_code == 2, done.output
    assert says in " ".join(done.output.split())
