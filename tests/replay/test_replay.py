from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from evaluator.demo.sample import commit, git
from evaluator.report.schema import schema

from .conftest import Fixgate, report, rows, write_rows

IDS = ("demo__wordtools-ranges", "demo__wordtools-roman", "demo__wordtools-shorten")


def test_good_tests_succeed_and_bad_ones_do_not(
    replay: Fixgate, sample: Path, tmp_path: Path
) -> None:
    sources = [str(sample / f"{writer}.jsonl") for writer in ("careful", "hasty")]
    done = replay("--predictions", "gold", *sources)
    assert done.returncode == 0, done.stderr
    document = report(tmp_path / "out")
    jsonschema.validate(document, schema())
    predictions = document["predictions"]
    assert {name: p["summary"]["success_rate"] for name, p in predictions.items()} == {
        "gold": 1,
        "careful": 1,
        "hasty": 0,
    }
    gold = predictions["gold"]["instances"]
    # The fix of `roman` changes a module-level constant: executed once on import, with and
    # without the golden tests, so that its count does not rise.
    assert [gold[i]["change_coverage"] for i in IDS] == [1, 0, 1]
    hasty = predictions["hasty"]["instances"]
    assert not hasty["demo__wordtools-ranges"]["well_formed"]
    assert next(t["test"] for t in hasty["demo__wordtools-roman"]["transitions"]) == (
        "tests.test_roman.ToRomanTest.test_adds_up"
    )
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000


def test_change_coverage_by_hand(replay: Fixgate, sample: Path, tmp_path: Path) -> None:
    replay("--predictions", str(sample / "careful.jsonl"))
    ranges = report(tmp_path / "out")["predictions"]["careful"]["instances"][IDS[0]]
    lines = {(line["side"], line["line"]): line["state"] for line in ranges["coverage"]["lines"]}
    assert lines == {
        ("R", 6): "covered",
        ("R", 9): "covered",
        ("R∘X", 6): "covered",
        ("R∘X", 9): "covered",
    }


def test_a_finished_replay_is_not_done_again(replay: Fixgate, tmp_path: Path) -> None:
    replay("--predictions", "gold")
    first = (tmp_path / "out" / "report.json").read_bytes()
    finished = tmp_path / "out" / "instances" / "gold"
    stamps = {path: path.stat().st_mtime_ns for path in finished.iterdir()}
    assert len(stamps) == 3
    replay("--predictions", "gold")
    assert {path: path.stat().st_mtime_ns for path in finished.iterdir()} == stamps
    assert (tmp_path / "out" / "report.json").read_bytes() == first


def test_one_broken_instance_harms_no_other(replay: Fixgate, sample: Path, tmp_path: Path) -> None:
    instances = rows(sample / "instances.jsonl")
    instances[0]["base_commit"] = "0" * 40
    instances[1]["patch"] = instances[1]["patch"].replace("VALUES = [(1000", "NOTHING LIKE IT")
    write_rows(sample / "instances.jsonl", instances)
    done = replay("--predictions", "gold")
    assert done.returncode == 0, done.stderr
    found = report(tmp_path / "out")["predictions"]["gold"]["instances"]
    assert [found[i]["state"] for i in IDS] == ["checkout_error", "golden_error", "graded"]
    assert "0" * 40 in found[IDS[0]]["reasons"][0]
    assert found[IDS[2]]["success"]


def test_a_missing_prediction_is_a_state_of_its_own(
    replay: Fixgate, sample: Path, tmp_path: Path
) -> None:
    write_rows(sample / "careful.jsonl", rows(sample / "careful.jsonl")[:1])
    replay("--predictions", str(sample / "careful.jsonl"))
    summary = report(tmp_path / "out")["predictions"]["careful"]["summary"]
    states = {state: count for state, count in summary["states"].items() if count}
    assert states == {"graded": 1, "missing_prediction": 2}


def test_one_file_of_several_runs_is_split(replay: Fixgate, sample: Path, tmp_path: Path) -> None:
    predictions = [
        {**row, "run": f"lite/{writer}"}
        for writer in ("careful", "hasty")
        for row in rows(sample / f"{writer}.jsonl")
    ]
    write_rows(sample / "both.jsonl", predictions)
    done = replay("--predictions", str(sample / "both.jsonl"), "--by", "run")
    assert done.returncode == 0, done.stderr
    assert set(report(tmp_path / "out")["predictions"]) == {"lite/careful", "lite/hasty"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--predictions", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--predictions", "gold", "--instances", "demo__nothing"), "demo__nothing"),
    ],
)
def test_bad_options_are_told_by_name(
    replay: Fixgate, arguments: tuple[str, ...], message: str
) -> None:
    done = replay(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_bad_rows_are_named_by_file_line_and_field(replay: Fixgate, sample: Path) -> None:
    instances = rows(sample / "instances.jsonl")
    del instances[1]["base_commit"]
    write_rows(sample / "instances.jsonl", instances)
    done = replay("--predictions", "gold")
    assert done.returncode == 2
    assert "instances.jsonl" in done.stderr
    assert "line 2" in done.stderr
    assert "base_commit" in done.stderr


def test_reruns_find_a_flaky_test(replay: Fixgate, sample: Path, tmp_path: Path) -> None:
    flaky = (
        "diff --git a/tests/test_flaky.py b/tests/test_flaky.py\nnew file mode 100644\n"
        "--- /dev/null\n+++ b/tests/test_flaky.py\n@@ -0,0 +1,9 @@\n"
        "+import os\n+import unittest\n+\n+from wordtools.roman import to_roman\n+\n+\n"
        "+class FlakyTest(unittest.TestCase):\n+    def test_it(self):\n"
        '+        self.assertEqual(os.environ["PYTHONHASHSEED"] != "0" or to_roman(4), "IV")\n'
    )
    write_rows(
        sample / "flaky.jsonl",
        [{"instance_id": IDS[1], "model_patch": flaky, "model_name_or_path": "x"}],
    )
    options = ("--predictions", str(sample / "flaky.jsonl"), "--instances", IDS[1])
    replay(*options, out=tmp_path / "once")
    replay(*options, "--reruns", "2", out=tmp_path / "thrice")
    once, thrice = (
        report(tmp_path / n)["predictions"]["flaky"]["instances"][IDS[1]]
        for n in ("once", "thrice")
    )
    assert once["success"]
    assert not thrice["success"]
    assert thrice["transitions"][0]["flaky"]


def test_the_evidence_repeats_the_run(replay: Fixgate, sample: Path, tmp_path: Path) -> None:
    replay("--predictions", str(sample / "careful.jsonl"), "--instances", IDS[0])
    evidence = tmp_path / "out" / "evidence" / "careful" / IDS[0]
    outcomes = json.loads((evidence / "tests-base.json").read_text())["outcomes"]
    failed = outcomes["tests.test_ranges.ParseRangesTest.test_number_without_dash"]
    assert failed["status"] == "failed" or failed["failure"]["exception_type"] == "ValueError"
    assert "test_ranges" in (evidence / "commands.txt").read_text()


def test_a_file_that_the_repository_lacks_is_named_where_the_golden_tests_need_it(
    replay: Fixgate, sample: Path, tmp_path: Path
) -> None:
    repository = sample / "repository"
    with (repository / "wordtools" / "__init__.py").open("a") as stream:
        stream.write("from . import words\n")
    (repository / "wordtools" / "words.py").write_text("WORDS = ()\n")
    commit(repository, "A module that everything needs")
    instances = rows(sample / "instances.jsonl")
    head = git(repository, "rev-parse", "HEAD").strip()
    write_rows(sample / "instances.jsonl", [{**row, "base_commit": head} for row in instances])
    blob = git(repository, "rev-parse", "HEAD:wordtools/words.py").strip()
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    replay("--predictions", "gold", "--instances", IDS[0])
    found = report(tmp_path / "out")["predictions"]["gold"]["instances"][IDS[0]]
    assert found["state"] == "golden_error"
    assert "wordtools/words.py" in found["reasons"][-1]
