"""The paper's analyses, through the command, on reports with figures that can be told by hand."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bot.cli import main
from evaluator.experiments.analyses import Contingency
from evaluator.model import Evaluation, Side, State, Status, Transition
from evaluator.report.document import write_report

F_TO_P = Transition("t", "test_x.py", Side(Status.FAILED), Side(Status.PASSED))


def evaluation(name, index, success, state=State.GRADED):
    return Evaluation(
        f"o__r-{index}",
        name,
        state,
        repo="o/r" if index % 2 else "o/other",
        well_formed=True,
        success=success,
        transitions=(F_TO_P,) if success else (),
        issue_words=10 * index,
    )


@pytest.fixture
def report(tmp_path):
    """Ten instances: `one` succeeds on 0 to 4 and `two` on 3 to 8; one did not run for `two`."""
    results = {
        "one": [evaluation("one", i, i < 5) for i in range(10)],
        "two": [
            *(evaluation("two", i, i >= 3) for i in range(9)),
            evaluation("two", 9, False, State.ENVIRONMENT_ERROR),
        ],
    }
    write_report(tmp_path / "report.json", results, settings={})
    return tmp_path / "report.json"


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "one.jsonl"
    lines = [
        {
            "instance_id": f"o__r-{i}",
            "model_patch": "diff" if i < 6 else "",
            "method": "libro",
            "model": "small",
            "settings": {"samples": 5, "rounds": 0, "given_patch": "", "names_test_file": True},
            "calls": i,
            "cost_usd": 0.5,
            "seconds": 2.0,
            "confidence": i / 10,
        }
        for i in range(10)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def run(*arguments):
    done = CliRunner().invoke(main, ["experiments", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


def table(*arguments):
    return json.loads(run(*arguments, "--format", "json"))["rows"]


def test_methods(report):
    one, two = table("methods", report)
    assert (one["ran"], one["S"], one["F->P"], one["P->P"]) == ("10/10", 0.5, 0.5, 0)
    assert (two["ran"], two["S"]) == ("9/10", 6 / 9)


def test_coverage_has_no_figure_without_changed_lines(report):
    assert table("coverage", report)[0]["ΔC all"] is None
    assert "-" in run("coverage", report)


def test_models_and_information_take_files_together_and_tell_what_is_left_out(report, rows):
    (row,) = table("models", report, "--rows", rows)
    assert (row["method"], row["model"], row["S"]) == ("libro", "small", 0.5)
    told = run("information", report, "--rows", rows, "--format", "markdown")
    assert "left out: two" in told
    assert "| libro |" in told


def test_slices(report):
    lengths = table("length", report, "--bins", "2")
    assert [(r["slice"], r["S"]) for r in lengths if r["prediction"] == "one"] == [
        ("0 to 40 words", 1.0),
        ("41 to 90 words", 0.0),
    ]
    repositories = table("repositories", report)
    assert [r["ran"] for r in repositories] == [5, 5, 5, 4]


def test_dates(report, tmp_path):
    rows = [
        {
            "instance_id": f"o__r-{i}",
            "repo": "o/r",
            "base_commit": "a" * 40,
            "patch": "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n",
            "test_patch": "diff --git a/test_x.py b/test_x.py\n--- a/test_x.py\n+++ b/test_x.py\n"
            "@@ -1 +1 @@\n-a\n+b\n",
            "created_at": f"20{10 + i}-01-01T00:00:00Z",
        }
        for i in range(9)
    ]
    dataset = tmp_path / "dataset.jsonl"
    dataset.write_text("\n".join(map(json.dumps, rows)))
    told = table("date", report, "--dataset", dataset, "--split", "2014-06-01")
    assert [(r["ran"], r["S"]) for r in told if r["prediction"] == "one"] == [(5, 1.0), (4, 0.0)]


def test_overlap(report):
    one, two = table("overlap", report)
    assert (one["S"], one["alone"], one["with two"]) == (5, 3, 2)
    assert (two["S"], two["alone"]) == (6, 4)
    assert "all together 9, 50 % more than the best (two)" in run("overlap", report)


def test_independence(report, tmp_path):
    fixes = tmp_path / "fixes.jsonl"
    fixes.write_text(
        "\n".join(
            json.dumps({"instance_id": f"o__r-{i}", "run": 1, "resolved": i < 5}) for i in range(10)
        )
    )
    one, _ = table("independence", report, "--fixes", fixes)
    assert (one["both"], one["tests only"], one["fix only"], one["neither"]) == (5, 0, 0, 5)
    assert float(one["p"]) == pytest.approx(2 / 252, rel=0.01)


def test_effort_and_confidence(report, rows):
    (row,) = table("effort", report, "--rows", rows)
    assert (row["samples"], row["rounds"], row["calls"], row["USD"]) == (5, "default", "4.5", "0.5")
    confidence = table("confidence", report, "--rows", rows)
    assert [(r["submitted"], r["precision"]) for r in confidence] == [(2, 1.0), (2, 1.0), (2, 0.5)]


@given(*[st.integers(0, 12)] * 4)
def test_a_p_value_is_a_probability_and_does_not_mind_which_is_called_what(a, b, c, d):
    p_value = Contingency(a, b, c, d).p_value
    assert 0 < p_value <= 1
    assert p_value == pytest.approx(Contingency(a, c, b, d).p_value)
    assert p_value == pytest.approx(Contingency(d, c, b, a).p_value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "no rows"),
        ("{", "line 1"),
        ("[]", "no rows"),
        ("[1]", "line 1"),
        ('{"instance_id": "a"}', "settings"),
    ],
)
def test_rows_that_cannot_be_used_are_named(report, tmp_path, content, problem):
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    done = CliRunner().invoke(main, ["experiments", "effort", str(report), "--rows", str(path)])
    assert done.exit_code == 2
    assert problem in done.output
    assert "bad.jsonl" in done.output


def test_two_reports_must_not_hold_the_same_prediction(report):
    done = CliRunner().invoke(main, ["experiments", "methods", str(report), str(report)])
    assert done.exit_code == 2
    assert "`one`" in done.output
