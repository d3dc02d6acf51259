"""Changes whose tests are files of data, which tests of the base read."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git, patch

from .conftest import Verify

READER = """
import pathlib, unittest
from wordtools.shorten import shorten

class Cases(unittest.TestCase):
    def test_cases(self):
        for case in pathlib.Path(__file__).parent.glob("cases/*.txt"):
            text, width, expected = case.read_text().strip().split("|")
            self.assertEqual(shorten(text, int(width)), expected)
"""
LONG = "abcdefghi|6|abc...\n"
OTHER = """
import unittest

class Other(unittest.TestCase):
    def test_other(self):
        self.assertTrue("cases/ are read elsewhere")

    def test_another(self):
        self.assertTrue(OTHER_CASES)

OTHER_CASES = "cases"
"""


@pytest.fixture
def base(repository: Path) -> Path:
    git(repository, "checkout", "-q", "main")
    cases = repository / "tests" / "cases"
    cases.mkdir()
    (cases / "long.txt").write_text(LONG)
    (cases.parent / "test_cases.py").write_text(READER)
    (cases.parent / "test_aside.py").write_text(OTHER)
    commit(repository, "tests that read cases")
    return repository


def changed(repository: Path, fix: str, case: str) -> None:
    git(repository, "checkout", "-q", "-b", "change")
    git(repository, "apply", "-", text=patch(fix))
    (repository / "tests" / "cases" / "fits.txt").write_text(case)
    commit(repository, "change")


def test_the_tests_that_read_new_data_judge(verify: Verify, base: Path) -> None:
    changed(base, "fixes/shorten.patch", "just fits|9|just fits\n")
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text
    assert [test["test"] for test in answer.told["tests"]] == ["tests.test_cases.Cases.test_cases"]


def test_a_fix_that_does_not_do_what_new_data_wants_is_not_accepted(
    verify: Verify, base: Path
) -> None:
    changed(base, "fixes/shorten-wrong.patch", "just fits|9|just fits\n")
    assert verify("--base", "main", "--head", "change").exit_code != 0


def test_data_that_changes_no_result_reproduces_nothing(verify: Verify, base: Path) -> None:
    changed(base, "fixes/shorten.patch", LONG)
    assert verify("--base", "main", "--head", "change").rules == ["nothing_reproduces"]


def test_what_an_edited_case_expected_is_not_forgotten(verify: Verify, base: Path) -> None:
    git(base, "checkout", "-q", "-b", "change")
    (base / "tests" / "cases" / "long.txt").write_text("abcdefghi|6|abcdef\n")
    (base / "wordtools" / "shorten.py").write_text(
        '"""Texts."""\n\n\ndef shorten(text, width, mark="..."):\n    return text[:width]\n'
    )
    commit(base, "change")
    answer = verify("--base", "main", "--head", "change")
    assert answer.exit_code == 1
    assert answer.rules[:2] == ["regression", "existing_tests_changed"], answer.text


NAMING = """
import pathlib, unittest
from wordtools.shorten import shorten

class Sample(unittest.TestCase):
    def test_sample(self):
        case = pathlib.Path(__file__).parent.parent / "samples" / "fits.txt"
        text, width, expected = case.read_text().strip().split("|")
        self.assertEqual(shorten(text, int(width)), expected)
"""


def sampled(repository: Path, fix: str, place: str = "samples") -> None:
    git(repository, "checkout", "-q", "-b", "change", "main")
    if fix:
        git(repository, "apply", "-", text=patch(fix))
    (repository / place).mkdir(exist_ok=True)
    (repository / place / "fits.txt").write_text("just fits|9|just fits\n")
    naming = NAMING.replace('"samples"', f'"{place}"')
    (repository / "tests" / "test_sample.py").write_text(naming)
    commit(repository, "change")


def test_data_elsewhere_that_a_test_names_is_there_without_the_change(
    verify: Verify, repository: Path
) -> None:
    sampled(repository, "fixes/shorten.patch")
    answer = verify("--base", "main", "--head", "change")
    assert answer.exit_code == 0, answer.text
    (test,) = answer.told["tests"]
    assert "FileNotFoundError" not in str(test)
    assert "AssertionError" in str(test)


def test_that_data_elsewhere_is_there_now_reproduces_nothing(
    verify: Verify, repository: Path
) -> None:
    sampled(repository, "fixes/shorten-wrong.patch")
    assert verify("--base", "main", "--head", "change").exit_code != 0


def test_data_that_code_reads_is_part_of_the_change(verify: Verify, repository: Path) -> None:
    sampled(repository, "fixes/shorten.patch")
    code = repository / "wordtools" / "shorten.py"
    reads = 'import pathlib\n\nSAMPLES = pathlib.Path("samples", "fits.txt").read_text()\n'
    code.write_text(reads + code.read_text())
    commit(repository, "code that reads it")
    answer = verify("--base", "main", "--head", "change")
    assert "FileNotFoundError" in str(answer.told["tests"]), answer.text


def test_data_that_is_packed_with_code_is_part_of_the_change(
    verify: Verify, repository: Path
) -> None:
    sampled(repository, "fixes/shorten.patch", "wordtools")
    answer = verify("--base", "main", "--head", "change")
    assert "FileNotFoundError" in str(answer.told["tests"])


SETTINGS = (
    "[build-system]\nbuild-backend = 'flit_core'\n[tool.pytest.ini_options]\naddopts = '-x'\n"
)


def laid(repository: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        target = repository / "tests" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    commit(repository, "data")


def test_settings_that_tests_read_steer_nothing(verify: Verify, base: Path) -> None:
    changed(base, "fixes/shorten.patch", "just fits|9|just fits\n")
    laid(base, {"samples/one/pyproject.toml": SETTINGS, "samples/one/one/__init__.py": ""})
    answer = verify("--base", "main", "--head", "change")
    assert answer.exit_code == 0, answer.text


@pytest.mark.parametrize(
    "files",
    [
        {
            "samples/pyproject.toml": SETTINGS,
            "samples/one/test_one.py": "def test(): assert True\n",
        },
        {
            "samples/pyproject.toml": SETTINGS,
            "samples/one/cases.py": "class CasesTest:\n    pass\n",
        },
        {"pyproject.toml": SETTINGS},
        {"samples/conftest.py": "import wordtools\n"},
    ],
)
def test_settings_at_or_above_tests_steer_them(
    verify: Verify, base: Path, files: dict[str, str]
) -> None:
    changed(base, "fixes/shorten.patch", "just fits|9|just fits\n")
    laid(base, files)
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, "configuration" in answer.text) == (3, True), answer.text


SHARED = """
from wordtools.shorten import shorten

class ForAllWidths:
    def test_long(self):
        self.assertEqual(shorten("abcdefghi", self.width), "abc...")
"""
HEIR = """
import unittest
from tests.test_shared import ForAllWidths

class Six(ForAllWidths, unittest.TestCase):
    width = 6
"""
NEW_TEST = (
    SHARED
    + """
    def test_fits(self):
        self.assertEqual(shorten("a" * self.width, self.width), "a" * self.width)
"""
)
CUT = '"""Texts."""\n\n\ndef shorten(text, width, mark="..."):\n    return text[:width]\n'


@pytest.fixture
def inherited(repository: Path) -> Path:
    """A base whose tests stand in one class, and run in another one that inherits them."""
    git(repository, "checkout", "-q", "main")
    (repository / "tests" / "test_shared.py").write_text(SHARED)
    (repository / "tests" / "test_heir.py").write_text(HEIR)
    commit(repository, "tests to inherit")
    git(repository, "checkout", "-q", "-b", "change")
    return repository


def test_what_is_new_in_inherited_tests_judges(verify: Verify, inherited: Path) -> None:
    """Seen in commons-fileupload, whose AbstractSizesTest runs in other modules only."""
    git(inherited, "apply", "-", text=patch("fixes/shorten.patch"))
    (inherited / "tests" / "test_shared.py").write_text(NEW_TEST)
    commit(inherited, "change")
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text
    kinds = {each["test"]: each["kind"] for each in answer.told["tests"]}
    assert kinds == {
        "tests.test_heir.Six.test_fits": "F->P",
        "tests.test_heir.Six.test_long": "P->P",
    }


def test_what_inherited_tests_expected_is_not_forgotten(verify: Verify, inherited: Path) -> None:
    (inherited / "wordtools" / "shorten.py").write_text(CUT)
    (inherited / "tests" / "test_shared.py").write_text(NEW_TEST.replace("abc...", "abcdef"))
    commit(inherited, "change")
    answer = verify("--base", "main", "--head", "change")
    assert answer.rules[:2] == ["regression", "existing_tests_changed"], answer.text
