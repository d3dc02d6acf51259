"""`fixgate tests4j report`: tables and figures of evaluations and datasets."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.dataset import SplitName, save_dataset
from evaluator.benchmarks.tests4j.report.correlation import (
    Correlation,
    Point,
    correlations,
    pearson,
    ranks,
    spearman,
)
from evaluator.benchmarks.tests4j.samples import Fate
from tests.command_line import fixgate
from tests.unit_tests.examples import dataset, method, repository

from .evaluations import method_result, write_run

GOOD = (Fate.CORRECT, "@Test void a() { assertEquals(1, it()); }", 0.9)
SILENT = (Fate.CORRECT, "@Test void b() { it(); }", 0.3)
BROKEN = (Fate.NOT_COMPILED, "line 3: cannot find symbol: class Foo7", 0.2)
GARBAGE = (Fate.UNPARSABLE, "no test", 0.0)
ONE, TWO = "acme/one", "acme/two"


@pytest.fixture
def directories(tmp_path: Path) -> list[str]:
    human = [
        method_result("truth", ONE, "f", (4, 4), [GOOD]),
        method_result("truth", ONE, "g", (2, 4), [GOOD]),
        method_result("truth", TWO, "f", (3, 4), [GOOD]),
    ]
    model = [
        method_result("ZS-Hard-All+m", ONE, "f", (2, 4), [GOOD, SILENT, BROKEN]),
        method_result("ZS-Hard-All+m", ONE, "g", (0, 4), [GARBAGE]),
        method_result("ZS-Hard-All+m", TWO, "f", (0, 4), [BROKEN, BROKEN]),
    ]
    made = [
        write_run(tmp_path / "truth", "truth", human),
        write_run(tmp_path / "model", "ZS-Hard-All+m", model),
    ]
    return [str(path) for path in made]


def reported(arguments: list[str], out: Path) -> Mapping[str, Any]:
    done = fixgate(["tests4j", "report", *arguments, "--out", str(out)])
    assert done.returncode == 0, done.stderr
    found: Mapping[str, Any] = json.loads((out / "tests4j-report.json").read_text())
    return found


def test_runs_are_compared(directories: list[str], tmp_path: Path) -> None:
    found = reported(directories, tmp_path / "out")
    assert found["runs"] == ["truth", "ZS-Hard-All+m"]
    truth, model = found["sections"]["Runs"][0]["rows"]
    assert (truth["MiLC"], truth["MaLC"], truth["unique"]) == (0.75, 0.75, 3)
    assert model["MiLC"] == pytest.approx(2 / 12)
    assert model["MaLC"] == pytest.approx(1 / 6)
    assert (model["unique"], model["correct tests"]) == (6, 2)
    assert (model["parsable"], model["compilable"]) == (pytest.approx(5 / 6), pytest.approx(1 / 3))
    assert (truth["asserting"], model["asserting"]) == (1, 0.5)
    tables = found["sections"]["By repository"]
    assert [table["title"] for table in tables] == [
        "truth: by repository (table 3.5)",
        "ZS-Hard-All+m: by repository (tables 5.2 to 5.4)",
    ]
    assert [row["repository"] for row in tables[0]["rows"]] == [ONE, TWO, "total"]


def test_repositories_without_a_test_are_counted(directories: list[str], tmp_path: Path) -> None:
    (table,) = reported(directories, tmp_path / "out")["sections"]["EvoSuite and models"]
    *_, without = table["rows"]
    assert without["ZS-Hard-All+m: executable tests"] == 1
    assert without["truth: executable tests"] == 0


def test_shared_methods_and_reasons_are_shown(directories: list[str], tmp_path: Path) -> None:
    found = reported(directories, tmp_path / "out")
    (table,) = found["sections"]["Overlap"]
    assert table["rows"][0] == {"run": "truth", "truth": 3, "ZS-Hard-All+m": 1, "it alone": 2}
    assert [part["runs"] for part in found["shared_methods"]] == [
        ["truth"],
        ["ZS-Hard-All+m", "truth"],
    ]
    reasons = found["sections"]["Reasons"][0]["rows"]
    assert reasons[0]["reason"] == "cannot find symbol: class Foo7"
    assert reasons[0]["tests"] == 3


def test_losses_are_compared_with_coverage(directories: list[str], tmp_path: Path) -> None:
    losses = tmp_path / "losses.json"
    worse = [method_result("worse", ONE, "f", (1, 12), [GARBAGE])]
    losses.write_text('{"worse": 2.5, "ZS-Hard-All+m": 1.5}')
    other = write_run(tmp_path / "worse", "worse", worse)
    arguments = [*directories, str(other), "--losses", str(losses)]
    table = reported(arguments, tmp_path / "out")["sections"]["Similarity and coverage"][0]
    (row,) = (r for r in table["rows"] if (r["measure"], r["against"]) == ("loss", "MiLC"))
    assert (row["points"], row["Pearson"], row["95 %"]) == (2, "-1.00", None)


def test_datasets_are_described(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    save_dataset(dataset(repository(method(), split=SplitName.TEST, java_level="8")), path)
    found = reported(["--dataset", str(path)], tmp_path / "out")
    splits, _, sizes, methods = found["sections"]["Datasets"]
    assert splits["rows"][0] == {
        "split": "test",
        "repositories": 1,
        "MUTs": 1,
        "tests": 1,
        "share of tests": 1,
    }
    assert sizes["rows"][2]["median"] == "1"
    assert {"figure": "repositories of Java 8", "value": 1} in methods["rows"]


def test_the_page_escapes_what_tests_hold(tmp_path: Path) -> None:
    evil = (Fate.NOT_COMPILED, "<script>alert(1)</script>", 0.1)
    model = "<img src=x>"
    path = write_run(tmp_path / "run", model, [method_result(model, ONE, "f", (0, 1), [evil])])
    reported([str(path)], tmp_path / "out")
    page = (tmp_path / "out" / "tests4j-report.html").read_text()
    assert "<script>alert" not in page
    assert "<img" not in page


@pytest.mark.browser
def test_the_page_can_be_looked_at(directories: list[str], tmp_path: Path) -> None:
    reported(directories, tmp_path / "out")
    picture = tmp_path / "page.png"
    command = ["chromium", "--headless", "--no-sandbox", f"--screenshot={picture}"]
    page = (tmp_path / "out" / "tests4j-report.html").as_uri()
    subprocess.run([*command, "--window-size=1300,3600", page], check=True, capture_output=True)
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("losses", "said"),
    [
        ("{", "is no JSON"),
        ('{"truth": "low"}', "should map runs to numbers"),
        ('{"nobody": 1}', "no such run (there are truth, ZS-Hard-All+m)"),
    ],
)
def test_wrong_losses_are_named(
    directories: list[str], tmp_path: Path, losses: str, said: str
) -> None:
    path = tmp_path / "losses.json"
    path.write_text(losses)
    arguments = [*directories, "--losses", str(path), "--out", str(tmp_path / "out")]
    done = fixgate(["tests4j", "report", *arguments])
    assert done.returncode == 2
    assert said in done.stderr


def test_wrong_directories_are_named(tmp_path: Path) -> None:
    begin = ["tests4j", "report", "--out", str(tmp_path / "out")]
    done = fixgate([*begin, str(tmp_path)])
    assert done.returncode == 2
    assert "tests4j.json is no result of `fixgate tests4j evaluate`" in done.stderr
    assert "name directories" in fixgate(begin).stderr


NUMBERS = st.lists(st.floats(-1e3, 1e3).map(lambda it: round(it, 3)), min_size=4, max_size=20)


def test_correlations_are_those_of_the_books() -> None:
    """Anscombe's first set (1973): r = 0.816; its interval by Fisher's transformation."""
    across = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    up = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    found = pearson(across, up)
    assert found.value == pytest.approx(0.8164, abs=1e-4)
    assert found.low == pytest.approx(0.4244, abs=1e-3)
    assert found.high == pytest.approx(0.9507, abs=1e-3)
    assert spearman(across, up).value == pytest.approx(0.8182, abs=1e-4)


def test_what_cannot_be_computed_is_left_out() -> None:
    assert pearson([1, 1, 1], [1, 2, 3]) == Correlation(3, None)
    assert pearson([], []) == Correlation(0, None)
    three = pearson([1, 2, 3], [2, 4, 6])
    assert three.value == pytest.approx(1)
    assert (three.pairs, three.low, three.high) == (3, None, None)
    with pytest.raises(ValueError, match="cannot be paired"):
        pearson([1], [])


def test_points_that_lack_a_figure_are_left_out() -> None:
    points: list[Point] = [
        {"BLEU": 0.1, "MiLC": 0.2},
        {"BLEU": None, "MiLC": 0.1},
        {"BLEU": 0.2, "MiLC": 0.3},
    ]
    table = correlations(points, "points")
    counts = {row[:2]: row[2] for row in table.rows}
    assert counts["BLEU", "MiLC"] == 2
    assert counts["loss", "MiLC"] == 0


@given(values=NUMBERS, data=st.data())
def test_correlations_keep_their_rules(values: list[float], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.floats(-1e3, 1e3), min_size=len(values), max_size=len(values)))
    found = pearson(values, other)
    turned = pearson(values, [-value for value in other])
    if found.value is None:
        assert len(set(values)) == 1 or len(set(other)) == 1
        return
    if found.low is not None and found.high is not None:
        assert -1 <= found.low <= found.value <= found.high <= 1
    else:
        assert abs(found.value) == 1
    assert turned.value == pytest.approx(-found.value, abs=1e-6)
    raised = spearman([math.atan(value) for value in values], other)
    assert raised.value == pytest.approx(spearman(values, other).value)


@given(values=NUMBERS)
def test_ranks_add_up(values: list[float]) -> None:
    found = ranks(values)
    assert sum(found) == len(values) * (len(values) + 1) / 2
    assert sorted(found) == [rank for _, rank in sorted(zip(values, found, strict=True))]
