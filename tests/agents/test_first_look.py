"""What a model in a shell is told before its first step, and how it finds its way."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit
from evaluator.errors import InputError
from evaluator.sandbox.choose import choose_sandbox
from generator.costs import Budget
from generator.generation import Assignment, Generation, GenerationSettings
from generator.method import MethodContext, MethodSettings
from generator.methods import method
from generator.model.choosing import ChosenModel
from generator.task import Task
from generator.writer import write

from .conftest import TEST_OF_FOUR, Bench, Scripted, bench, block, model_of

SUBMITTED = (block(TEST_OF_FOUR), block("submit"))
FAILING = """

    def test_of_old(self):
        self.assertEqual(to_roman(1), "one")
"""


def first_message(work: MethodContext) -> str:
    write(method("agent"), work)
    return model_of(work).asked[0][1].content


def broken(directory: Path, test_file: str) -> MethodContext:
    """Work on the sample after a commit that writes a test file."""
    own = bench(directory, choose_sandbox("process"))
    (own.repository / "tests" / "test_roman.py").write_text(test_file)
    commit(own.repository, "another day")
    return own.work(SUBMITTED)


def test_short_files_the_nearest_tests_and_what_counts_are_there(sample: Bench) -> None:
    said = first_message(sample.work(SUBMITTED))
    assert "`tests/test_roman.py`, `tests/" in said
    assert "`wordtools/roman.py`, as it stands:\n\n<file>\n" in said
    assert "are named `test_*.py`" in said
    assert "fail as they stand" not in said


def test_tests_that_fail_anyhow_are_reported_first(sample: Bench, tmp_path: Path) -> None:
    standing = (sample.repository / "tests" / "test_roman.py").read_text()
    said = first_message(broken(tmp_path, standing.rstrip() + FAILING))
    assert (
        "tests of `tests/test_roman.py` fail as they stand, most often with AssertionError" in said
    )
    assert "In this environment, 1 of " in said


def test_a_file_that_cannot_be_loaded_is_reported_first(sample: Bench, tmp_path: Path) -> None:
    standing = (sample.repository / "tests" / "test_roman.py").read_text()
    work = broken(tmp_path, f"import nothing_of_this_name\n{standing}")
    written = write(method("agent"), work)
    assert "cannot be loaded as it stands (ModuleNotFoundError: No module named" in (
        model_of(work).asked[0][1].content
    )
    assert "passes on the code as it is" not in model_of(work).told()
    assert "cannot be loaded" in written.reason


def test_git_knows_the_tree_as_one_commit(sample: Bench) -> None:
    look = block("git log --oneline | wc -l; git status --short | wc -l; wc -l < README.md")
    change = block(
        TEST_OF_FOUR + "git status --short; git diff | grep '^+ '; git stash -q; git status -s"
    )
    work = sample.work([look, change, block("git stash pop -q"), block("submit")])
    assert write(method("agent"), work).admitted
    assert model_of(work).told(1).splitlines()[2:4] == ["1", "0"]
    assert " M tests/test_roman.py" in model_of(work).told(2)
    assert '+        self.assertEqual(to_roman(4), "IV")' in model_of(work).told(2)
    assert model_of(work).told(2).count("tests/test_roman.py") == 1


def test_long_outputs_can_be_read_whole(sample: Bench) -> None:
    work = sample.work([block("seq 9000"), block("sed -n 4321p ../scratch/output-1.txt")])
    write(method("agent"), work)
    assert "characters are left out here; all of it is in " in model_of(work).told(1)
    assert "/scratch/output-1.txt ...]" in model_of(work).told(1)
    assert "4321" in model_of(work).told(2)


def test_files_that_are_as_they_were_are_not_left_out(sample: Bench) -> None:
    touched = block(
        TEST_OF_FOUR + "cp wordtools/roman.py x; mv x wordtools/roman.py; echo >> README.md"
    )
    written = write(method("swe-agent"), sample.work([touched, block("submit")]))
    assert written.considered[0].candidate.problem == "README.md: is no test file"


def test_the_time_of_a_command_is_set_and_said(sample: Bench) -> None:
    work = sample.work([block("sleep 30")], settings=MethodSettings(command_seconds=1))
    write(method("agent"), work)
    assert "A script may take 1 seconds" in model_of(work).asked[0][0].content
    assert "a command may take 1 seconds" in model_of(work).told(1)


@pytest.mark.parametrize(
    "settings",
    [GenerationSettings(budget=Budget(usd=1)), GenerationSettings(total=Budget(usd=1))],
)
def test_a_limit_that_cannot_be_kept_is_refused_before_any_work(
    sample: Bench, tmp_path: Path, settings: GenerationSettings
) -> None:
    def make() -> Task:
        raise AssertionError("work was begun")

    model = ChosenModel(Scripted([]), None)
    generation = Generation(sample.workspace, method("agent"), model, tmp_path / "out", settings)
    with pytest.raises(InputError, match="a limit of money cannot be kept"):
        generation.run([Assignment("x", {}, make, MethodSettings())], lambda row, costs: None)
