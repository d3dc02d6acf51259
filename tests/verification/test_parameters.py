"""Tests of unittest that have parameters: libraries make a method of each case."""

from __future__ import annotations

from pathlib import Path

from evaluator.demo.sample import commit, git, patch

from .conftest import Verify

TESTS = """
import sys, unittest
from wordtools.shorten import shorten


def expand(*cases):
    def made(function):
        members = sys._getframe(1).f_locals
        for number, case in enumerate(cases):
            members[f"{{function.__name__}}_{{number}}"] = lambda self, c=case: function(self, *c)
    return made


class Parameters(unittest.TestCase):
    @expand(("just fits", 9), ("as well", 7))
    def test_fits(self, text, width):
        {assertion}

    def test_fits_too(self):
        self.assertTrue(shorten("a", 3))
"""


def changed(repository: Path, assertion: str) -> None:
    git(repository, "checkout", "-q", "-b", "change")
    git(repository, "apply", "-", text=patch("fixes/shorten.patch"))
    path = repository / "tests" / "test_parameters.py"
    path.write_text(TESTS.format(assertion=assertion))
    commit(repository, "change")


def test_cases_with_names_of_their_own_are_tried_with_other_values(
    verify: Verify, repository: Path
) -> None:
    changed(repository, "self.assertEqual(shorten(text, width), text)")
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text
    assert "test_fits_0" in answer.told["reasons"][0]["reason"]


def test_cases_that_assert_nothing_are_not_counted(verify: Verify, repository: Path) -> None:
    changed(repository, "int(shorten(text, width).count('...') * 'x' or 1)")
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules[0]) == (3, "nothing_asserted"), answer.text
