"""Changes that end a hang, or a leak: without them the tests run out of time, or of memory."""

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
HOARDING = BASE.replace("gap = 0\n", "gap, seen = 0, []\n", 1).replace(
    "        gap +=", '        seen.append("*" * 2**24)\n        gap +='
)
LIMIT = ("--timeout", "4", "--reruns", "0")
MEMORY = ("--timeout", "60", "--memory", "400", "--reruns", "0")


@pytest.fixture(params=[(BASE, LIMIT), (HOARDING, MEMORY)], ids=["hanging", "hoarding"])
def code(request: pytest.FixtureRequest) -> tuple[str, tuple[str, ...]]:
    """The code of the base, and the limit that its runs pass."""
    found: tuple[str, tuple[str, ...]] = request.param
    return found


@pytest.fixture
def base(repository: Path, code: tuple[str, tuple[str, ...]]) -> Path:
    git(repository, "checkout", "-q", "main")
    (repository / "wordtools" / "gaps.py").write_text(code[0])
    (repository / "tests" / "test_gaps.py").write_text(TESTS)
    commit(repository, "gaps")
    git(repository, "checkout", "-q", "-b", "change")
    (repository / "tests" / "test_gaps.py").write_text(TESTS + NEW)
    return repository


def changed(repository: Path, old: str, new: str) -> None:
    place = repository / "wordtools" / "gaps.py"
    place.write_text(place.read_text().replace(old, new))
    commit(repository, "change")


def test_a_test_that_does_not_end_until_the_change_reproduces(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    changed(base, "0 if gap > 2 else 1", "1")
    answer = verify("--base", "main", "--head", "change", *code[1])
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text
    (reason,) = answer.told["reasons"]
    assert reason["reason"].endswith(": tests.test_gaps.Gaps.test_b_large_gap"), reason


def test_a_change_with_which_it_does_not_end_still_is_not_accepted(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    changed(base, "gap > 2", "gap >= 2")
    answer = verify("--base", "main", "--head", "change", *code[1])
    assert answer.exit_code == 3
    assert "run_cut_short" in answer.rules


def test_a_change_that_hangs_elsewhere_is_not_accepted(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    changed(base, "0 if gap > 2 else 1", "1")
    changed(base, "    return gap", "    while not numbers:\n        gap += 1\n    return gap")
    answer = verify("--base", "main", "--head", "change", *code[1], "--timeout", "4")
    assert answer.exit_code == 3
    assert "run_cut_short" in answer.rules
