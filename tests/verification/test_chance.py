"""Tests that fail now and then say nothing against a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git

from .conftest import Verify

TEST = """
import pathlib
import unittest

import wordtools.rates


class Rates(unittest.TestCase):
    def test_by_chance(self):
        if wordtools.rates.RATE == 2:
            marks = pathlib.Path({marks!r})
            marks.write_text(marks.read_text() + "+")
            self.assertGreater(len(marks.read_text()), {failures})
"""


@pytest.mark.parametrize(
    ("failures", "exit_code", "rule"),
    [(2, 3, "flaky"), (3, 3, "flaky"), (4, 3, "flaky"), (9, 1, "passing_test_breaks")],
)
def test_what_breaks_by_chance_is_no_reason_to_reject(
    verify: Verify, repository: Path, tmp_path: Path, failures: int, exit_code: int, rule: str
) -> None:
    """One of disruptor's tests failed three times with a change of nothing but blanks."""
    marks = tmp_path / "marks"
    marks.write_text("")
    code = repository / "wordtools" / "rates.py"
    git(repository, "checkout", "-q", "main")
    code.write_text("RATE = 1\n")
    commit(repository, "rates")
    git(repository, "checkout", "-q", "-b", "change")
    code.write_text("RATE = 2\n")
    tests = repository / "tests" / "test_rates.py"
    tests.write_text(TEST.format(marks=str(marks), failures=failures))
    commit(repository, "change")
    answer = verify("--base", "main", "--head", "change", "--regression-budget", "0")
    assert answer.exit_code == exit_code, answer.text
    assert rule in answer.rules
