from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evaluator.demo.sample import patch
from evaluator.errors import InputError
from evaluator.filtering.document import schema
from tests.waiting import kill_once

from .conftest import (
    RANGES,
    ROMAN,
    SHORTEN,
    FilterFixes,
    by_name,
    command,
    document,
    in_process,
    laid_sample,
    rows,
    write_rows,
)

FLAKY = """diff --git a/tests/test_flaky.py b/tests/test_flaky.py
new file mode 100644
--- /dev/null
+++ b/tests/test_flaky.py
@@ -0,0 +1,10 @@
+import os
+import unittest
+
+from wordtools.shorten import shorten
+
+
+class FlakyTest(unittest.TestCase):
+    def test_it(self):
+        if os.environ["PYTHONHASHSEED"] == "0":
+            self.assertEqual(shorten("just fits", 9), "just fits")
"""
LEANS_ON_ORDER = """diff --git a/tests/test_order.py b/tests/test_order.py
new file mode 100644
--- /dev/null
+++ b/tests/test_order.py
@@ -0,0 +1,14 @@
+import unittest
+
+from wordtools.shorten import shorten
+
+seen = []
+
+
+class OrderTest(unittest.TestCase):
+    def test_1(self):
+        seen.append(1)
+
+    def test_2(self):
+        if seen:
+            self.assertEqual(shorten("just fits", 9), "just fits")
"""


EQUALS_EVERYTHING = """diff --git a/wordtools/ranges.py b/wordtools/ranges.py
--- a/wordtools/ranges.py
+++ b/wordtools/ranges.py
@@ -3,8 +3,4 @@

 def parse_ranges(text):
     \"""The numbers that a text such as "1-3, 5" names, sorted and each once.\"""
-    numbers = []
-    for part in text.split(","):
-        first, _, last = part.partition("-")
-        numbers.extend(range(int(first), int(last) + 1))
-    return sorted(numbers)
+    return type("Any", (), {"__eq__": lambda self, other: True})()
"""


ANOTHER_MARK = """diff --git a/wordtools/shorten.py b/wordtools/shorten.py
--- a/wordtools/shorten.py
+++ b/wordtools/shorten.py
@@ -4,4 +4,4 @@
-def shorten(text, width, mark="..."):
+def shorten(text, width, mark="~"):
     \"""Cut a text to at most `width` characters, with a mark where something was cut off.\"""
     if len(text) < width:
         return text
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> dict[str, Any]:
    """What is told of all fixes, judged by both writers of the sample."""
    room = tmp_path_factory.mktemp("both")
    laid_sample(room / "sample")
    tests = [str(room / "sample" / f"{writer}.jsonl") for writer in ("careful", "hasty")]
    in_process(command(room / "sample", cache, room / "out", "--tests", *tests))
    return document(room / "out")


def test_fixes_are_judged_by_admitted_tests(told: dict[str, Any]) -> None:
    fixes = by_name(told)
    assert {key: (each["state"], each["decision"]) for key, each in fixes.items()} == {
        (SHORTEN, "right"): ("judged", "abstain"),
        (SHORTEN, "wrong"): ("judged", "abstain"),
        (SHORTEN, "broken"): ("fix_error", None),
        (SHORTEN, "no code"): ("fix_error", None),
        (ROMAN, "right"): ("judged", "abstain"),
        (ROMAN, "of something else"): ("judged", "reject"),
        (RANGES, "right"): ("judged", "accept"),
        (RANGES, "of unknown worth"): ("judged", "accept"),
    }
    summary = told["summary"]
    counts = ("fixes", "judged", "accepted", "rejected", "abstained")
    assert [summary[name] for name in counts] == [8, 6, 2, 1, 3]
    shares = ("precision", "recall", "rejections_right", "unfiltered_precision")
    assert [summary[name] for name in shares] == [1, 1 / 3, 1, 3 / 7]
    assert [summary["denominators"][name] for name in shares] == [1, 3, 1, 7]
    low, high = summary["intervals"]["recall"]
    assert 0 < low < 1 / 3 < high < 1


def test_what_admission_said_of_the_tests_is_told(told: dict[str, Any]) -> None:
    shorten, roman, ranges = (
        {test["name"]: test for test in told["instances"][name]["tests"]}
        for name in (SHORTEN, ROMAN, RANGES)
    )
    assert (shorten["careful"]["admitted"], shorten["careful"]["strength"]) == (True, "weak")
    assert shorten["hasty"]["refusal"] == "passes"
    assert roman["hasty"]["strength"] == "fair"
    assert ranges["careful"]["strength"] == "strong"
    assert ranges["hasty"]["refusal"] == "no_test"
    assert by_name(told)[ROMAN, "right"]["tests"] == {
        "careful": "satisfied",
        "hasty": "fails_differently",
    }


def test_tests_that_fail_otherwise_than_reported_accept_nothing(told: dict[str, Any]) -> None:
    (finding, *_) = by_name(told)[SHORTEN, "right"]["findings"]
    assert finding["rule"] == "not_as_reported"
    assert told["ablation"]["not_as_reported"]["recall"] == 2 / 3


def test_one_writer_whose_test_fails_otherwise_than_reported_rejects_nothing(
    told: dict[str, Any],
) -> None:
    fix = by_name(told)[SHORTEN, "wrong"]
    assert fix["tests"] == {"careful": "still_fails"}
    assert fix["findings"][0]["rule"] == "writer_in_doubt"


def test_what_a_rule_buys(told: dict[str, Any]) -> None:
    without = told["ablation"]["not_as_reported"]
    assert (without["accepted"], without["precision"], without["recall"]) == (3, 1, 2 / 3)
    assert told["ablation"]["reproduced"]["accepted"] == 0


def test_the_published_schema_describes_it(told: dict[str, Any]) -> None:
    """`python -m evaluator.filtering > evaluator/filtering/filter.schema.json` writes it anew."""
    published = resources.files("evaluator.filtering").joinpath("filter.schema.json")
    assert json.loads(published.read_text("utf-8")) == schema()
    validator = jsonschema.Draft202012Validator(schema())
    assert validator.is_valid(told)
    for part in (told, told["summary"], told["fixes"][0], *told["instances"].values()):
        for field in list(part):
            value = part.pop(field)
            assert not validator.is_valid(told), field
            part[field] = object()
            assert field == "settings" or not validator.is_valid(told), field
            part[field] = value


def test_witnesses(filter_fixes: FilterFixes, sample: Path, tmp_path: Path) -> None:
    filter_fixes(
        "--tests", str(sample / "careful.jsonl"), "--witnesses", "2", "--instances", RANGES
    )
    told = document(tmp_path / "out")
    assert told["summary"]["accepted"] == 0
    assert told["summary"]["precision"] is None
    assert told["ablation"]["too_few_witnesses"]["accepted"] == 2
    (finding, *_) = by_name(told)[RANGES, "right"]["findings"]
    assert finding["rule"] == "too_few_witnesses"


def test_tests_that_do_not_fail_every_time_judge_nothing(
    filter_fixes: FilterFixes, sample: Path, tmp_path: Path
) -> None:
    both = [
        {"instance_id": SHORTEN, "run": "flaky", "model_patch": FLAKY},
        {"instance_id": SHORTEN, "run": "order", "model_patch": LEANS_ON_ORDER},
    ]
    write_rows(sample / "flaky.jsonl", *both)
    tests = ("--tests", str(sample / "flaky.jsonl"), "--by", "run", "--admission-runs", "4")
    filter_fixes(*tests, "--instances", SHORTEN)
    told = document(tmp_path / "out")
    refusals = {test["name"]: test["refusal"] for test in told["instances"][SHORTEN]["tests"]}
    assert refusals == {"flaky": "flaky", "order": "flaky"}
    assert by_name(told)[SHORTEN, "right"]["decision"] == "abstain"


def test_several_rows_of_a_file_are_samples_of_one_writer(
    filter_fixes: FilterFixes, sample: Path, tmp_path: Path
) -> None:
    (row,) = (row for row in rows(sample / "careful.jsonl") if row["instance_id"] == RANGES)
    unnamed = {key: value for key, value in row.items() if key != "model_name_or_path"}
    write_rows(sample / "several.jsonl", unnamed, unnamed)
    tests = ("--tests", str(sample / "several.jsonl"), "--witnesses", "2")
    filter_fixes(*tests, "--instances", RANGES)
    told = document(tmp_path / "out")
    found = [(test["name"], test["writer"]) for test in told["instances"][RANGES]["tests"]]
    assert found == [("several", "several"), ("several#2", "several")]
    fix = by_name(told)[RANGES, "right"]
    assert fix["tests"] == {"several": "satisfied", "several#2": "satisfied"}
    assert fix["findings"][0]["rule"] == "too_few_witnesses"


def test_a_fix_that_satisfies_whatever_is_asserted_is_not_accepted(
    filter_fixes: FilterFixes, sample: Path, tmp_path: Path
) -> None:
    row = {"instance_id": RANGES, "model_patch": EQUALS_EVERYTHING, "run": "equal"}
    write_rows(sample / "fixes.jsonl", row)
    filter_fixes("--tests", str(sample / "careful.jsonl"), "--instances", RANGES)
    fix = by_name(document(tmp_path / "out"))[RANGES, "equal"]
    assert (fix["state"], fix["decision"]) == ("judged", "abstain"), fix
    assert fix["findings"][0]["rule"] == "passes_whatever_is_asserted"


@pytest.mark.parametrize(
    ("arguments", "decision"), [((), "reject"), (("--regression-budget", "0"), "accept")]
)
def test_a_fix_that_breaks_what_existing_tests_see_is_rejected(
    filter_fixes: FilterFixes,
    sample: Path,
    tmp_path: Path,
    arguments: tuple[str, ...],
    decision: str,
) -> None:
    row = {"instance_id": RANGES, "model_patch": patch("fixes/ranges.patch") + ANOTHER_MARK}
    write_rows(sample / "fixes.jsonl", row)
    filter_fixes("--tests", str(sample / "careful.jsonl"), "--instances", RANGES, *arguments)
    (fix,) = document(tmp_path / "out")["fixes"]
    assert (fix["state"], fix["decision"]) == ("judged", decision), fix
    assert (fix["findings"][0]["rule"] == "regression") is (decision == "reject")


def test_files_with_and_without_the_field(
    filter_fixes: FilterFixes, sample: Path, tmp_path: Path
) -> None:
    several = [
        {**row, "run": f"again/{number}"}
        for number in (1, 2)
        for row in rows(sample / "careful.jsonl")
    ]
    write_rows(sample / "several.jsonl", *several)
    files = [str(sample / name) for name in ("careful.jsonl", "several.jsonl")]
    filter_fixes("--tests", *files, "--by", "run", "--instances", SHORTEN)
    tests = document(tmp_path / "out")["instances"][SHORTEN]["tests"]
    assert [test["name"] for test in tests] == ["careful", "again/1", "again/2"]


def test_one_broken_instance_harms_no_other(
    filter_fixes: FilterFixes, sample: Path, tmp_path: Path
) -> None:
    instances = rows(sample / "instances.jsonl")
    instances[0]["base_commit"] = "0" * 40
    write_rows(sample / "instances.jsonl", *instances)
    printed = filter_fixes("--tests", str(sample / "careful.jsonl"))
    told = document(tmp_path / "out")
    fixes = by_name(told)
    assert fixes[RANGES, "right"]["state"] == "checkout_error"
    assert "0" * 40 in fixes[RANGES, "right"]["reasons"][0]
    assert fixes[ROMAN, "right"]["tests"] == {"careful": "satisfied"}
    assert told["states"]["checkout_error"] == 2
    assert "checkout_error" in printed


def test_a_filter_that_was_killed_goes_on_to_the_same_result(
    sample: Path, cache: Path, tmp_path: Path
) -> None:
    arguments = ("--tests", str(sample / "careful.jsonl"))
    in_process(command(sample, cache, tmp_path / "a", *arguments))
    disturbed = command(sample, tmp_path / "own-cache", tmp_path / "b", *arguments)
    kill_once(disturbed, lambda: any((tmp_path / "b").glob("instances/*.json")))
    in_process(disturbed)
    assert document(tmp_path / "a") == document(tmp_path / "b")


def test_the_page_the_table_and_what_is_finished(
    filter_fixes: FilterFixes, sample: Path, tmp_path: Path
) -> None:
    hostile = "</script><script>alert(1)</script>"
    fixes = rows(sample / "fixes.jsonl")
    write_rows(sample / "fixes.jsonl", {**fixes[0], "run": hostile}, *fixes[1:])
    printed = filter_fixes("--tests", str(sample / "careful.jsonl"))
    assert "Precision 100.0 %" in printed
    assert "47.8 at 20.0" in printed
    finished = {path: path.stat().st_mtime_ns for path in (tmp_path / "out/instances").iterdir()}
    assert len(finished) == 3
    filter_fixes("--tests", str(sample / "careful.jsonl"))
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in finished.items())
    page = (tmp_path / "out" / "filter.html").read_text()
    assert SHORTEN in page
    assert "without reproduced" in page
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_tests_and_fixes_must_be_there(filter_fixes: FilterFixes) -> None:
    with pytest.raises(InputError, match="golden tests know the answer"):
        filter_fixes("--tests", "gold")
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        filter_fixes("--tests", "nowhere.jsonl")
