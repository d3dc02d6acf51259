"""Changes that end a hang: the tests of it run out of time without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git

from .conftest import Verify

BASE = """
def first_gap(numbers):
    gap = 0
    while gap in numbers:
        gap += 0 if gap > 2 else 1
    return gap
"""
TESTS = """
import unittest
from wordtools.gaps import first_gap

class Gaps(unittest.TestCase):
    def test_a_small_gap(self):
        self.assertEqual(first_gap([0, 2]), 1)
"""
NEW = """
    def test_b_large_gap(self):
        self.assertEqual(first_gap([0, 1, 2, 3]), 4)

    def test_c_after_it(self):
        self.assertEqual(first_gap([]), 0)
"""
LIMIT = ("--timeout", "4", "--reruns", "0")


@pytest.fixture
def base(repository: Path) -> Path:
    git(repository, "checkout", "-q", "main")
    (repository / "wordtools" / "gaps.py").write_text(BASE)
    (repository / "tests" / "test_gaps.py").write_text(TESTS)
    commit(repository, "gaps")
    git(repository, "checkout", "-q", "-b", "change")
    (repository / "tests" / "test_gaps.py").write_text(TESTS + NEW)
    return repository


def changed(repository: Path, code: str) -> None:
    (repository / "wordtools" / "gaps.py").write_text(code)
    commit(repository, "change")


def test_a_test_that_hangs_until_the_change_reproduces(verify: Verify, base: Path) -> None:
    changed(base, BASE.replace("0 if gap > 2 else 1", "1"))
    answer = verify("--base", "main", "--head", "change", *LIMIT)
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text
    (reason,) = answer.told["reasons"]
    assert reason["reason"].endswith(": tests.test_gaps.Gaps.test_b_large_gap"), reason


def test_a_change_with_which_it_hangs_still_is_not_accepted(verify: Verify, base: Path) -> None:
    changed(base, BASE.replace("gap > 2", "gap >= 2"))
    answer = verify("--base", "main", "--head", "change", *LIMIT)
    assert answer.exit_code == 3
    assert "run_cut_short" in answer.rules
