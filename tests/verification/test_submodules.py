"""Tests that need what lies in a submodule."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git, patch

from .conftest import Verify

READER = """
import pathlib, unittest
from wordtools.shorten import shorten

CASE = pathlib.Path(__file__).parent / "cases" / "fits.txt"
TEXT, WIDTH, EXPECTED = CASE.read_text().split("|")

class Cases(unittest.TestCase):
    def test_fits(self):
        self.assertEqual(shorten(TEXT, int(WIDTH)), EXPECTED)
"""
SECOND = """
    def test_fits_again(self):
        self.assertEqual(shorten(TEXT, int(WIDTH)), EXPECTED)
"""


@pytest.fixture
def change(repository: Path, tmp_path: Path) -> Path:
    """A repository whose branch `change` is a fix with a test that reads a submodule."""
    cases = tmp_path / "cases"
    cases.mkdir()
    git(cases, "init", "-q", "-b", "main")
    (cases / "fits.txt").write_text("just fits|9|just fits")
    commit(cases, "a case")
    git(repository, "checkout", "-q", "main")
    local = ("-c", "protocol.file.allow=always")
    git(repository, *local, "submodule", "--quiet", "add", str(cases), "tests/cases")
    commit(repository, "cases from elsewhere")
    git(repository, "checkout", "-q", "-b", "change")
    git(repository, "apply", "-", text=patch("fixes/shorten.patch"))
    (repository / "tests" / "test_cases.py").write_text(READER)
    commit(repository, "a fix")
    return repository


def test_what_the_clone_has_of_it_is_there(verify: Verify, change: Path) -> None:
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text


def test_where_tests_fail_anyway_what_the_clone_lacks_is_named(
    verify: Verify, change: Path
) -> None:
    """The tests of uap-java read what a submodule has, and their errors do not say from where."""
    git(change, "checkout", "-q", "main")
    tests = READER.replace("CASE.read_text()", '(CASE.read_text() if CASE.exists() else "a|9|b")')
    (change / "tests" / "test_cases.py").write_text(tests)
    commit(change, "cases")
    git(change, "checkout", "-q", "-B", "change")
    (change / "tests" / "test_cases.py").write_text(f"{tests}\n")
    (change / "wordtools" / "more.py").write_text("MORE = 1\n")
    commit(change, "a change")
    git(change, "tag", "with-no-test")
    (change / "tests" / "test_cases.py").write_text(f"{tests}\n{SECOND}")
    commit(change, "a test of it")
    modules = change / ".git" / "modules"
    modules.rename(modules.with_name("elsewhere"))
    lacking = "such as the submodule tests/cases, which the clone lacks"
    answer = verify("--base", "main", "--head", "with-no-test")
    assert answer.rules == ["nothing_reproduces"], answer.text
    assert answer.text.count(lacking) == 1
    answer = verify("--base", "main", "--head", "change")
    assert answer.rules == ["own_test_fails", "nothing_reproduces"], answer.text
    assert answer.text.count(lacking) == 2


def test_a_clone_without_it_is_told_how_to_bring_it(verify: Verify, change: Path) -> None:
    modules = change / ".git" / "modules"
    modules.rename(modules.with_name("elsewhere"))
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules) == (3, ["tests_not_loaded"]), answer.text
    assert "needs the submodule tests/cases, which the clone lacks" in answer.text


def test_a_change_that_moves_it_or_has_a_link_is_not_run(verify: Verify, change: Path) -> None:
    git(change, "rm", "-q", "tests/cases")
    (change / "wordtools" / "same.py").symlink_to("more.py")
    commit(change, "without it")
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules) == (3, ["more_than_files"]), answer.text
    reason = answer.told["reasons"][0]["reason"]
    assert "tests/cases (a submodule)" in reason
    assert "wordtools/same.py (a symbolic link)" in reason
