from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
from rich.console import Console

from evaluator.commands.showing_steps import StepDisplay
from evaluator.demo.sample import commit, commit_patch, git, patch
from evaluator.steps import BuildingStep, JudgingStep
from tests.command_line import fixgate

from .conftest import Verify

FIX, TESTS = "fixes/shorten.patch", "instances/shorten.tests.patch"
NEW_TEST = "tests.test_shorten.ShortenTest.test_text_that_just_fits_stays"


@pytest.fixture
def reproducer(tmp_path: Path) -> str:
    file = tmp_path / "reproducer.patch"
    file.write_text(patch("predictions/careful.shorten.patch"))
    return str(file)


def test_a_fix_with_its_test_is_accepted(verify: Verify, repository: Path) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    answer = verify("--base", "main", "--head", "fix")
    assert answer.exit_code == 0, answer.error
    assert answer.told["decision"] == "accept"
    assert answer.told["coverage"] == {"executable": 2, "covered": 2}
    (new,) = [test for test in answer.told["tests"] if test["kind"] == "F->P"]
    assert new["test"] == NEW_TEST
    assert new["reason"].startswith("AssertionError: 'just f...' != 'just fits'")


@pytest.mark.parametrize("inside", ["", ".git"])
def test_a_repository_may_have_any_name(
    verify: Verify, repository: Path, tmp_path: Path, inside: str
) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    named = repository.rename(tmp_path / ".my project (2)")
    answer = verify("--repo", str(named / inside), "--base", "main", "--head", "fix", "--quick")
    assert answer.exit_code == 0, answer.error


def test_what_is_left_out_is_said(verify: Verify, repository: Path) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    quick = verify("--base", "main", "--head", "fix", "--quick")
    full = verify("--base", "main", "--head", "fix", "--reruns", "2")
    assert quick.told["left_out"] == ["reruns", "alone", "other examples", "mutants", "regressions"]
    assert full.told["left_out"] == []


def test_each_step_is_named_while_it_lasts(verify: Verify, repository: Path) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    answer = verify("--base", "main", "--head", "fix")
    steps = [line.partition(" s  ")[2] for line in answer.error.splitlines()]
    assert steps == [
        "laying down the base commit",
        "building the environment",
        "running the tests without the change and with it",
        "running each test alone",
        "trying other expected values",
        "trying other examples",
        "taking parts of the change back",
        "running existing tests",
    ]


def test_what_moves_on_a_terminal_leaves_nothing_behind() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    with StepDisplay(console)(JudgingStep.ENVIRONMENT):
        pass
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "building the environment" in shown
    assert shown.endswith("\x1b[2K")


def test_a_step_within_another_is_shown_beside_it_and_leaves_nothing_behind() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    shown = StepDisplay(console)
    with shown(JudgingStep.ENVIRONMENT):
        with shown(BuildingStep("building psycopg-c")):
            pass
        with shown(BuildingStep("running Maven")):
            pass
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert text.endswith("\x1b[2K")


def test_in_a_log_what_lasts_is_said_again() -> None:
    said = _Lines()
    shown = StepDisplay(Console(file=said, width=80), reminder_seconds=0.01)
    with shown(JudgingStep.ENVIRONMENT):
        said.wait_for("still building the environment")
        with shown(BuildingStep("building psycopg-c")):
            said.wait_for("still building psycopg-c")
    texts = [line.partition(" s  ")[2] for line in said.getvalue().splitlines()]
    inner = texts.index("building psycopg-c")
    assert texts[0] == "building the environment"
    assert {*texts[1:inner]} == {"still building the environment"}
    assert {*texts[inner + 2 :]} <= {"still building psycopg-c", "still building the environment"}


class _Lines(io.StringIO):
    """What was written, for who waits for a text."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Condition()

    def write(self, text: str) -> int:
        with self.written:
            count = super().write(text)
            self.written.notify_all()
        return count

    def wait_for(self, text: str) -> None:
        with self.written:
            assert self.written.wait_for(lambda: text in self.getvalue(), timeout=60)


def test_the_table_shows_whole_names_of_the_tests_that_say_something(
    repository: Path, cache: Path
) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    shared = ("--sandbox", "process", "--offline", "--quick", "--cache", str(cache))
    change = ("--repo", str(repository), "--base", "main", "--head", "fix")
    lines = [line.split() for line in fixgate(["verify", *change, *shared]).stdout.splitlines()]
    (row,) = [line for line in lines if line[1:4] == ["change", "failed", "passed"]]
    assert row[0].startswith("tests.test_shorten")
    assert [
        line
        for line in lines
        if line[1:] == ["more", "tests", "pass", "without", "the", "change", "and", "with", "it"]
    ]


def test_a_fix_without_a_test_cannot_be_told(verify: Verify, repository: Path) -> None:
    commit_patch(repository, "fix", FIX)
    answer = verify("--base", "main", "--head", "fix")
    assert (answer.exit_code, answer.rules) == (3, ["nothing_reproduces"])


def test_a_given_test_decides(verify: Verify, repository: Path, reproducer: str) -> None:
    commit_patch(repository, "right", FIX)
    commit_patch(repository, "wrong", "fixes/shorten-wrong.patch")
    right = verify("--base", "main", "--head", "right", "--tests", reproducer)
    wrong = verify("--base", "main", "--head", "wrong", "--tests", reproducer)
    assert (right.exit_code, right.told["decision"]) == (0, "accept")
    assert (wrong.exit_code, wrong.told["decision"]) == (1, "reject")
    assert wrong.rules[0] == "given_test_still_fails"


def test_a_change_that_breaks_a_passing_test_is_rejected(verify: Verify, repository: Path) -> None:
    git(repository, "checkout", "-q", "-B", "breaks", "main")
    git(repository, "apply", "-", text=patch(TESTS))
    code = repository / "wordtools" / "shorten.py"
    code.write_text(code.read_text().replace("if len(text) < width", "if len(text) == width"))
    commit(repository, "fixes one case, breaks the other")
    answer = verify("--base", "main", "--head", "breaks")
    assert (answer.exit_code, answer.rules[0]) == (1, "passing_test_breaks")


@pytest.mark.parametrize(
    ("requirements", "exit_code", "rule"),
    [("python-dateutil\n", 3, "configuration_changed"), ("", 1, "passing_test_breaks")],
)
def test_what_needs_a_package_that_the_change_asks_for_is_not_said_to_break(
    verify: Verify, repository: Path, requirements: str, exit_code: int, rule: str
) -> None:
    git(repository, "checkout", "-q", "-B", "asks", "main")
    git(repository, "apply", "-", text=patch(FIX))
    git(repository, "apply", "-", text=patch(TESTS))
    code = repository / "wordtools" / "shorten.py"
    code.write_text(f"import dateutil\n{code.read_text()}")
    if requirements:
        (repository / "requirements.txt").write_text(requirements)
    commit(repository, "with a package that is not there")
    answer = verify("--base", "main", "--head", "asks")
    assert (answer.exit_code, answer.rules[0]) == (exit_code, rule)
    assert exit_code == 1 or "needs python-dateutil, tested with none" in answer.text


def test_a_change_of_how_tests_are_run_cannot_be_told(verify: Verify, repository: Path) -> None:
    git(repository, "checkout", "-q", "-B", "steers", "main")
    git(repository, "apply", "-", text=patch(FIX))
    git(repository, "apply", "-", text=patch(TESTS))
    (repository / "tests" / "conftest.py").write_text("def pytest_runtest_call(item): pass\n")
    commit(repository, "with a conftest")
    answer = verify("--base", "main", "--head", "steers")
    assert (answer.exit_code, answer.rules[0]) == (3, "configuration_changed")


def test_the_report_is_compared_with_the_failure(
    verify: Verify, repository: Path, tmp_path: Path
) -> None:
    commit_patch(repository, "fix", "fixes/ranges.patch", "instances/ranges.tests.patch")
    issue = tmp_path / "issue.md"
    issue.write_text(patch("instances/ranges.issue.md"))
    answer = verify("--base", "main", "--head", "fix", "--issue", str(issue))
    symptoms = {t["test"].rpartition(".")[2]: t["symptom"] for t in answer.told["tests"]}
    assert symptoms["test_single_number"] is True
    assert symptoms["test_overlap_counts_once"] is False


def test_the_base_is_where_the_change_left_it(verify: Verify, repository: Path) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    fork = git(repository, "rev-parse", "main").strip()
    (repository / "README.md").write_text("moved on\n")
    commit(repository, "main moves on")
    answer = verify("--base", "main", "--head", "fix")
    assert (answer.exit_code, answer.told["base"]) == (0, fork)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--base", "nowhere"), "nowhere"),
        (("--base", "--output=x"), "is not a revision"),
        (("--base", "main", "--tests", "missing.patch"), "missing.patch"),
    ],
)
def test_bad_input_is_named(verify: Verify, arguments: tuple[str, ...], message: str) -> None:
    answer = verify(*arguments)
    assert answer.exit_code == 2
    assert message in answer.error
    assert "Traceback" not in answer.error


def test_a_patch_of_prose_is_refused(verify: Verify, repository: Path, tmp_path: Path) -> None:
    commit_patch(repository, "fix", FIX)
    prose = tmp_path / "prose.patch"
    prose.write_text("I would test that it works.")
    answer = verify("--base", "main", "--head", "fix", "--tests", str(prose))
    assert answer.exit_code == 2
    assert "prose.patch" in answer.error


def test_a_directory_that_is_no_repository(verify: Verify, tmp_path: Path) -> None:
    answer = verify("--base", "main", "--repo", str(tmp_path))
    assert answer.exit_code == 2
    assert "not a git repository" in answer.error


PLURAL = """
import re

ENDING = re.compile("(x)$")


def plural(word):
    return word + ("es" if ENDING.search(word) else "s")
"""
LOADING = """
import unittest


class PluralTest(unittest.TestCase):
    def test_a(self):
        from wordtools.plural import plural

        self.assertEqual(plural("a"), "as")
"""
ANOTHER = """
    def test_b(self):
        from wordtools.plural import plural

        self.assertEqual(plural("arch"), "arches")
"""


def test_what_runs_on_loading_belongs_to_no_test(verify: Verify, repository: Path) -> None:
    """The first test to need a module loads it, and need not be one that fails without the fix."""
    code, tests = repository / "wordtools" / "plural.py", repository / "tests" / "test_plural.py"
    git(repository, "checkout", "-q", "main")
    code.write_text(PLURAL)
    tests.write_text(LOADING)
    commit(repository, "plurals")
    git(repository, "checkout", "-q", "-B", "change", "main")
    code.write_text(PLURAL.replace("(x)$", "(x|ch)$"))
    tests.write_text(LOADING + ANOTHER)
    commit(repository, "plurals of words in -ch")
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.told["decision"]) == (0, "accept"), answer.text


BESIDE = """
import subprocess
import sys
import unittest

from wordtools.shorten import shorten


class BesideTest(unittest.TestCase):
    def test_as_before(self):
        self.assertEqual(shorten("a", 9), "a")

    def test_what_just_fits(self):
        {reading}
"""
IN_A_PROCESS = """
        code = "from wordtools.shorten import shorten; print(shorten('just fits', 9))"
        said = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
        self.assertEqual(said.stdout.decode().strip(), "just fits")
"""
OF_THE_TEXT = """
        with open(sys.modules["wordtools.shorten"].__file__) as file:
            self.assertEqual(file.read().count("<="), 1)
"""


@pytest.mark.parametrize(
    ("reading", "rules"),
    [(IN_A_PROCESS, ["reproduced"]), (OF_THE_TEXT, ["change_not_executed", "reproduced"])],
    ids=["in a process of its own", "its text"],
)
def test_what_a_test_executes_in_another_process_is_not_known(
    verify: Verify, repository: Path, reading: str, rules: list[str]
) -> None:
    commit_patch(repository, "fix", FIX)
    git(repository, "checkout", "-q", "fix")
    test = BESIDE.format(reading=reading.strip())
    (repository / "tests" / "test_beside.py").write_text(test)
    commit(repository, "test")
    answer = verify("--base", "main", "--head", "fix")
    assert [rule for rule in answer.rules if rule in (*rules, "change_not_executed")] == rules
    assert answer.exit_code == (0 if rules == ["reproduced"] else 3), answer.text


VERSION = """
import unittest
from importlib.metadata import version

import wordtools


class VersionTest(unittest.TestCase):
    def test_as_installed(self):
        self.assertEqual(wordtools.__version__, version("wordtools"))
"""


def test_a_change_that_raises_the_version_is_installed_with_it(
    verify: Verify, repository: Path
) -> None:
    git(repository, "checkout", "-q", "main")
    code = repository / "wordtools" / "__init__.py"
    described, test = repository / "pyproject.toml", repository / "tests" / "test_version.py"
    code.write_text('__version__ = "1.0"\n')
    described.write_text('[project]\nname = "wordtools"\nversion = "1.0"\n')
    test.write_text(VERSION)
    commit(repository, "a version")
    commit_patch(repository, "fix", FIX, TESTS)
    git(repository, "checkout", "-q", "fix")
    code.write_text('__version__ = "1.1"\n')
    described.write_text('[project]\nname = "wordtools"\nversion = "1.1"  # as there\n')
    commit(repository, "raise it")
    answer = verify("--base", "main", "--head", "fix", "--regression-budget", "20")
    assert answer.exit_code == 0, answer.text
    described.write_text('[project]\nname = "wordtools"\nversion = "1.0"\n')
    commit(repository, "raise one of two")
    answer = verify("--base", "main", "--head", "fix", "--regression-budget", "20")
    assert answer.rules == ["regression", "reproduced"], answer.text


IMPORTING = """
import unittest
from wordtools.shorten import shorten

class Cases(unittest.TestCase):
    def test_fits(self):
        self.assertEqual(shorten("just fits", 9), "just fits")
"""


def test_what_a_test_may_import_through_a_link_is_no_file(verify: Verify, repository: Path) -> None:
    git(repository, "checkout", "-q", "main")
    (repository / "tests" / "wordtools").symlink_to("../wordtools/tests")
    commit(repository, "a link with the name of the package")
    git(repository, "checkout", "-q", "-b", "linked")
    git(repository, "apply", "-", text=patch("fixes/shorten.patch"))
    (repository / "tests" / "test_cases.py").write_text(IMPORTING)
    commit(repository, "a fix")
    answer = verify("--base", "main", "--head", "linked")
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text


def test_a_linked_work_tree_is_judged_where_it_stands(
    verify: Verify, repository: Path, tmp_path: Path
) -> None:
    commit_patch(repository, "fix", FIX, TESTS)
    linked = str(tmp_path / "linked")
    git(repository, "worktree", "add", "--quiet", "--detach", linked, "fix")
    answer = verify("--repo", linked, "--base", "main", "--head", "HEAD")
    assert answer.exit_code == 0, answer.text + answer.error
