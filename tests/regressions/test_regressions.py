"""A change that breaks what existing tests see is rejected, wherever that is."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git
from evaluator.model import Status
from evaluator.regressions import run
from evaluator.regressions.contexts import KnownFile, KnownTest
from evaluator.regressions.existing import TestFile
from evaluator.regressions.results import NOT_RUN, ChosenBy
from evaluator.regressions.selection import choose
from evaluator.verdict import Decision
from evaluator.verification.thoroughness import QUICK, THOROUGH, Safeguard

from .conftest import Judge, broken, lay, unsteady

PRICES, LETTER = "shop/prices.py", "shop/letter.py"
OWN_TEST = {
    "tests/test_new.py": """
import unittest

from shop.prices import rounded


class NewTest(unittest.TestCase):
    def test_half_is_rounded_up(self):
        self.assertEqual(rounded(2.5), 3)
"""
}
FIX = {PRICES: ("return round(price)", "return int(price + 0.5)")}


def test_a_fix_that_breaks_nothing_is_accepted(judge: Judge) -> None:
    found = judge(FIX, files=OWN_TEST)
    assert found.verdict.decision is Decision.ACCEPT
    assert found.evidence.regressions.complete
    assert found.evidence.regressions.tests == 4
    assert found.left_out.count(Safeguard.REGRESSIONS) == 0


@pytest.mark.parametrize(
    ("edits", "names"),
    [
        ({PRICES: ("sum(prices)", "max(prices)")}, ["test_letter", "test_total"]),
        ({LETTER: ("Dear", "Cheap")}, ["test_letter"]),
        ({"shop/report.py": ("total:", "sum:")}, ["test_letter"]),
        ({PRICES: ("RATE = 20", "RATE = 10")}, ["test_taxed"]),
    ],
    ids=["same file", "other file", "through another", "on import"],
)
def test_a_broken_neighbour_rejects(
    judge: Judge, edits: dict[str, tuple[str, str]], names: list[str]
) -> None:
    fix = {path: text for path, text in FIX.items() if path not in edits}
    found = judge({**fix, **edits}, files=OWN_TEST if fix else None)
    assert found.verdict.decision is Decision.REJECT
    assert found.verdict.findings[0].rule == "regression"
    assert broken(found) == names


def test_a_budget_of_nothing_runs_nothing(judge: Judge) -> None:
    found = judge({LETTER: ("Dear", "Cheap"), **FIX}, files=OWN_TEST, budget=0)
    assert found.verdict.decision is Decision.ACCEPT
    assert found.evidence.regressions == NOT_RUN
    assert Safeguard.REGRESSIONS in found.left_out


def test_what_fails_without_the_change_says_nothing(judge: Judge, repository: Path) -> None:
    text = (repository / "tests/test_letter.py").read_text()
    lay(repository, {"tests/test_letter.py": text.replace("total: 3", "total: 4")})
    commit(repository, "a test that fails")
    found = judge({PRICES: ("sum(prices)", "sum(prices) + 0")})
    assert broken(found) == []
    assert found.evidence.regressions.tests == 3


def lay_flaky(repository: Path, marks: Path, condition: str, failures: int) -> None:
    """Lay an existing test that fails some times at first where a condition holds."""
    marks.write_text("")
    flaky = f"""
import pathlib
import unittest

import shop.prices


class FlakyTest(unittest.TestCase):
    def test_fails_at_first(self):
        if {condition}:
            marks = pathlib.Path({str(marks)!r})
            marks.write_text(marks.read_text() + "+")
            self.assertGreater(len(marks.read_text()), {failures})
"""
    lay(repository, {"tests/test_flaky.py": flaky})
    commit(repository, "a flaky test")


def test_a_flaky_test_says_nothing(judge: Judge, repository: Path, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    lay_flaky(repository, marks, "shop.prices.RATE == 21", 1)
    found = judge({PRICES: ("RATE = 20", "RATE = 21")})
    assert len(marks.read_text()) > 1
    assert broken(found) == ["test_taxed"]


@pytest.mark.parametrize(
    ("failures", "breaks", "decision"),
    [
        (1, [], Decision.ACCEPT),
        (2, ["test_fails_at_first"], Decision.ABSTAIN),
        (3, ["test_fails_at_first"], Decision.ABSTAIN),
    ],
)
def test_a_test_that_does_not_always_break(
    judge: Judge,
    repository: Path,
    tmp_path: Path,
    failures: int,
    breaks: list[str],
    decision: Decision,
) -> None:
    marks = tmp_path / "marks"
    lay_flaky(repository, marks, "shop.prices.rounded(0.5) == 1", failures)
    found = judge(FIX, files=OWN_TEST)
    assert len(marks.read_text()) > failures
    assert broken(found) == []
    assert unsteady(found) == breaks
    assert found.verdict.decision is decision


@pytest.mark.parametrize(
    ("cut", "breaks"),
    [("> 2", True), ("== 2", True), ("> 1", False)],
    ids=["the last two", "the first", "all"],
)
def test_a_run_that_is_cut_says_nothing_of_what_it_did_not_reach(
    judge: Judge,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cut: str,
    breaks: bool,
) -> None:
    monkeypatch.setattr(run, "_CONFIRMING_SECONDS", 5.0)
    marks = tmp_path / "marks"
    marks.write_text("")
    slow = f"""
import pathlib
import time
import unittest

import shop.prices

if shop.prices.RATE == 20:
    marks = pathlib.Path({str(marks)!r})
    marks.write_text(marks.read_text() + "+")
    if len(marks.read_text()) {cut}:
        time.sleep(60)


class SlowTest(unittest.TestCase):
    def test_rate(self):
        self.assertEqual(shop.prices.RATE, 20)
"""
    lay(repository, {"tests/test_slow.py": slow})
    commit(repository, "a test that is slow at times")
    found = judge({PRICES: ("RATE = 20", "RATE = 21")}, budget=5)
    assert len(marks.read_text()) == 4
    both = ["test_taxed", "test_rate"]
    assert broken(found) == (both if breaks else [])
    assert unsteady(found) == ([] if breaks else both)


def test_tests_that_a_change_edits_are_left_to_others(judge: Judge) -> None:
    edits = {
        PRICES: ("RATE = 20", "RATE = 10"),
        "tests/test_prices.py": ("taxed(100), 120", "taxed(100), 110"),
    }
    assert broken(judge(edits)) == []


def test_support_that_a_change_edits_is_no_regression(judge: Judge, repository: Path) -> None:
    lay(repository, {"tests/support.py": "EXPECTED = 120\n"})
    text = (repository / "tests/test_prices.py").read_text()
    text = text.replace("taxed(100), 120", "taxed(100), EXPECTED")
    lay(repository, {"tests/test_prices.py": f"from tests.support import EXPECTED\n{text}"})
    commit(repository, "support")
    edits = {PRICES: ("RATE = 20", "RATE = 10"), "tests/support.py": ("120", "110")}
    found = judge(edits)
    assert found.verdict.decision is Decision.ABSTAIN
    assert "existing_tests_changed" in [finding.rule for finding in found.verdict.findings]


NAMED_BY_DATA = """
import pathlib
import unittest

from shop.prices import taxed


class DataTest(unittest.TestCase):
    pass


for data in pathlib.Path(__file__).parent.glob("*.txt"):
    price, total = map(int, data.read_text().split())

    def check(self, price=price, total=total):
        self.assertEqual(taxed(price), total)

    setattr(DataTest, f"test_{price}_{total}", check)
"""


def test_a_test_that_has_another_name_with_its_edited_data_is_no_regression(
    judge: Judge, repository: Path
) -> None:
    """Those of html2text are numbered in the order in which a directory lists its files."""
    lay(repository, {"tests/test_prices.py": NAMED_BY_DATA, "tests/case.txt": "100 120\n"})
    commit(repository, "data")
    edits = {PRICES: ("RATE = 20", "RATE = 10"), "tests/case.txt": ("120", "110")}
    found = judge(edits)
    assert found.verdict.decision is Decision.ABSTAIN
    assert [t.test.rpartition(".")[2] for t in found.evidence.regressions.adapted] == [
        "test_100_120"
    ]


def test_a_test_that_hangs_is_broken_too(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_CONFIRMING_SECONDS", 4.0)
    found = judge({"shop/texts.py": ("return text", "while text: pass\n    return text")}, budget=4)
    assert broken(found) == ["test_shout"]
    assert found.evidence.regressions.cut


def test_a_test_that_takes_as_long_without_the_change_does_not_hang(
    judge: Judge, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_CONFIRMING_SECONDS", 5.0)
    slow = """
import time
import unittest

import shop.prices


class SlowTest(unittest.TestCase):
    def test_takes_its_time(self):
        time.sleep(5.2 if shop.prices.rounded(0.5) == 1 else 3)
"""
    lay(repository, {"tests/test_slow.py": slow})
    commit(repository, "a slow test")
    found = judge(FIX, files=OWN_TEST, budget=5)
    assert broken(found) == []
    assert found.evidence.regressions.cut


def test_what_the_budget_cuts_is_said(judge: Judge, repository: Path) -> None:
    slow = "import time\ntime.sleep(30)\n"
    lay(repository, {"tests/test_slow.py": f"{slow}from shop.prices import total\n"})
    commit(repository, "a slow test")
    found = judge({PRICES: ("sum(prices)", "max(prices)")}, budget=4)
    assert not found.evidence.regressions.complete
    assert Safeguard.REGRESSIONS in found.left_out


def test_known_tests_are_chosen_by_what_they_execute(judge: Judge, repository: Path) -> None:
    first = judge(FIX, files=OWN_TEST)
    second = judge({PRICES: ("return price + price", "return price + 0 + price")})
    third = judge({PRICES: ("sum(prices)", "max(prices)")})
    assert first.evidence.regressions.chosen_by == (ChosenBy.IMPORTS,)
    assert second.evidence.regressions.chosen_by == (ChosenBy.CONTEXTS,)
    assert (first.evidence.regressions.tests, second.evidence.regressions.tests) == (4, 1)
    assert broken(third) == ["test_letter", "test_total"]


def test_known_tests_run_in_two_parts_that_are_one_search(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(FIX, files=OWN_TEST)
    breaking = {PRICES: ("sum(prices)", "max(prices)")}
    monkeypatch.setattr(run, "_WORTH_TWO_STARTS", float("inf"))
    one = judge(breaking).evidence.regressions
    monkeypatch.setattr(run, "_WORTH_TWO_STARTS", 0.0)
    two = judge(breaking).evidence.regressions
    assert [t.test for t in two.broken] == [t.test for t in one.broken]
    assert len(two.broken) == 2
    assert (two.tests, two.files, two.affected) == (one.tests, one.files, one.affected)
    assert two.complete


def test_a_new_base_is_another_base(judge: Judge, repository: Path) -> None:
    judge(FIX)
    git(repository, "checkout", "--quiet", "main")
    lay(
        repository,
        {
            "shop/texts.py": "from shop.prices import total\n\n\ndef shout(text):\n"
            "    return text.upper() * total([1])\n"
        },
    )
    commit(repository, "uses another function")
    found = judge({PRICES: ("sum(prices)", "max(prices) + 2")})
    assert broken(found) == ["test_letter", "test_total", "test_shout"]


def test_a_file_that_hangs_leaves_time_for_others_and_is_not_run_again(
    judge: Judge, repository: Path
) -> None:
    hangs = "from shop.prices import total, rounded\nimport time\ntime.sleep(60)\n"
    lay(repository, {"tests/a/__init__.py": "", "tests/a/test_prices.py": hangs})
    commit(repository, "a test file that hangs")
    breaking = {PRICES: ("sum(prices)", "max(prices)")}
    first = judge(breaking, budget=24)
    assert broken(first) == ["test_letter", "test_total"]
    again = judge({PRICES: ("sum(prices)", "min(prices)")}, budget=24)
    assert broken(again) == ["test_letter", "test_total"]
    assert again.evidence.regressions.chosen_by == (ChosenBy.CONTEXTS,)
    assert again.evidence.regressions.cut
    assert Safeguard.REGRESSIONS in again.left_out


def test_slow_tests_are_taken_last_where_time_suffices() -> None:
    quick, slow = (KnownTest(Status.PASSED, seconds, seen=True) for seconds in (0.1, 8.0))
    files = [TestFile(path, "", frozenset(), 2) for path in ("near.py", "far.py")]
    known = {
        "near.py": KnownFile({"near quick": quick, "near slow": slow}, complete=True),
        "far.py": KnownFile({"far quick": quick, "far slow": slow}, complete=True),
    }

    def chosen(seconds: float) -> tuple[Set[str], bool]:
        found = choose(files, known, frozenset(), everything=True, seconds=seconds)
        return found.only, found.partial

    assert chosen(5) == ({"near quick", "far quick"}, True)
    assert chosen(10) == ({"near quick", "far quick", "near slow"}, True)
    assert chosen(20) == ({"near quick", "far quick", "near slow", "far slow"}, False)


def test_where_all_is_slow_the_nearest_is_taken() -> None:
    slow = KnownTest(Status.PASSED, 80.0, seen=True)
    files = [TestFile(path, "", frozenset(), 1) for path in ("near.py", "far.py")]
    known = {file.path: KnownFile({f"{file.path} slow": slow}, complete=True) for file in files}
    found = choose(files, known, frozenset(), everything=True, seconds=5)
    assert (found.known, found.affected) == (("near.py",), 2)


@pytest.mark.parametrize(("judged", "seconds"), [(1, 15), (30, 30), (300, 60)])
def test_existing_tests_take_as_long_as_the_judged_ones(judged: float, seconds: float) -> None:
    assert THOROUGH.regression_budget(judged) == seconds
    assert THOROUGH.with_regressions(120).regression_budget(judged) == 120
    assert QUICK.regression_budget(judged) == 0
