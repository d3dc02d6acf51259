"""Existing tests, and what they read, that a change edits, deletes or leans on."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git, patch

from .conftest import Verify

TESTS = "tests/test_shorten.py"
OLD = 'self.assertEqual(shorten("short", 9), "short")'
NEW_TEST = """
    def test_fits(self):
        self.assertEqual(shorten("just fits", 9), "just fits")
"""


def changed(repository: Path, **edits: str | None) -> None:
    """A branch with the right fix, and files edited: their new text, None to delete them."""
    git(repository, "checkout", "-q", "-B", "change", "main")
    git(repository, "apply", "-", text=patch("fixes/shorten.patch"))
    for name, text in edits.items():
        path = repository / "tests" / f"{name}.py"
        path.unlink() if text is None else path.write_text(text)
    commit(repository, "change")


def existing(repository: Path, name: str, text: str) -> str:
    """A file that stands on the base already."""
    git(repository, "checkout", "-q", "main")
    (repository / "tests" / name).write_text(text)
    commit(repository, "more tests")
    return text


def test_an_edited_expectation_is_for_people_to_decide(verify: Verify, repository: Path) -> None:
    before = "from wordtools.shorten import shorten\nimport unittest\n\n"
    expects = "class Old(unittest.TestCase):\n    def test_cut(self):\n        self.assertEqual("
    old = existing(repository, "test_old.py", f'{before}{expects}shorten("abcdef", 6), "abc...")\n')
    new = old.replace('"abc..."', '"abcdef"')
    changed(repository, test_old=new)
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules[0]) == (3, "existing_tests_changed")
    assert "what 1 existing test expects: tests.test_old.Old.test_cut" in answer.text
    changed(repository, test_old=None, test_new=new)
    assert verify("--base", "main", "--head", "change").rules[0] == "existing_tests_changed"
    skipped = old.replace("    def", "    @unittest.skip('later')\n    def")
    changed(repository, test_old=skipped, test_new=new)
    assert verify("--base", "main", "--head", "change").rules[0] == "existing_tests_changed"


def test_a_test_of_a_name_that_is_gone_says_why_its_whole_file_fails(
    verify: Verify, repository: Path
) -> None:
    standing = git(repository, "show", f"main:{TESTS}")
    git(repository, "checkout", "-q", "main")
    module = repository / "wordtools" / "shorten.py"
    module.write_text(module.read_text() + "\n\ndef widest():\n    return 80\n")
    both = standing.replace("import shorten", "import shorten, widest")
    old = f"{both}\n\nclass Widest(unittest.TestCase):\n    def test_it(self):\n"
    (repository / TESTS).write_text(f"{old}        self.assertEqual(widest(), 80)\n")
    commit(repository, "a name")
    changed(repository, test_shorten=standing.replace("    def", f"{NEW_TEST[1:]}\n    def", 1))
    module.write_text(module.read_text().partition("\n\n\ndef widest")[0] + "\n")
    commit(repository, "without the name")
    answer = verify("--base", "main", "--head", "change")
    assert answer.rules[0] == "existing_tests_changed", answer.text
    assert f"{TESTS}, as it was, cannot be loaded with the change: ImportError" in answer.text


def test_edited_data_is_for_people_to_decide(verify: Verify, repository: Path) -> None:
    text = """
import pathlib, unittest
from wordtools.shorten import shorten

class Golden(unittest.TestCase):
    def test_golden(self):
        golden = pathlib.Path(__file__).with_name("golden.txt").read_text()
        self.assertEqual(shorten("abcdef", 6), golden)
"""
    existing(repository, "golden.txt", "abc...")
    existing(repository, "test_golden.py", text)
    changed(repository, test_new=text.replace("golden)", '"abcdef")').replace("Golden", "New"))
    (repository / "tests" / "golden.txt").write_text("abcdef")
    git(repository, "add", "--all")
    git(repository, "commit", "-q", "--amend", "--no-edit")
    assert verify("--base", "main", "--head", "change").rules[0] == "existing_tests_changed"


def test_tests_that_are_added_moved_or_reworded_take_nothing(
    verify: Verify, repository: Path
) -> None:
    standing = git(repository, "show", f"main:{TESTS}")
    more = standing.replace("\n    def ", f"{NEW_TEST}\n    def ", 1).replace("width", "width ")
    changed(repository, test_shorten=None, test_cutting=more)
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text


@pytest.mark.parametrize(
    ("test", "rule"),
    [
        ("self.assertTrue(hasattr(module, 'WIDEST'))", "wrong_reason"),
        ("self.assertEqual(module.WIDEST, 80)", "wrong_reason"),
    ],
)
def test_own_tests_of_what_is_new_show_no_behaviour(
    verify: Verify, repository: Path, test: str, rule: str
) -> None:
    text = f"""
import unittest
from wordtools import shorten as module

class Own(unittest.TestCase):
    def test_it(self):
        {test}
"""
    changed(repository, test_own=text)
    module = repository / "wordtools" / "shorten.py"
    module.write_text(module.read_text() + "\n\nWIDEST = 80\n")
    commit(repository, "a name")
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules[0]) == (3, rule)


def test_a_test_that_leans_on_others_is_not_believed(verify: Verify, repository: Path) -> None:
    text = """
import unittest
from wordtools.shorten import shorten

STATE = []

class Own(unittest.TestCase):
    def test_a(self):
        STATE.append(shorten("just fits", 9))
        self.assertTrue(STATE)

    def test_b(self):
        self.assertNotIn("just f...", STATE or ["just f..."])

    def test_c(self):
        self.assertEqual(shorten("just fits", 9), "just fits")
"""
    changed(repository, test_own=text)
    answer = verify("--base", "main", "--head", "change", "--reruns", "0")
    assert (answer.exit_code, answer.rules[0]) == (3, "leans_on_other_tests"), answer.text
    assert "test_b" in answer.text
