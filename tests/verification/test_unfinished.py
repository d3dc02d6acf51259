"""Changes that end a hang, a leak or a crash: without them a run of the tests is cut short."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from evaluator import execution
from evaluator.demo.sample import commit, git
from evaluator.sandbox.protocol import ExitReason
from evaluator.verdict import Decision
from evaluator.verification.change import change_between
from evaluator.verification.thoroughness import QUICK
from evaluator.verification.verify import Verification
from evaluator.verification.verify import verify as verify_change

from .conftest import Verify, waiting

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

    def test_d_larger_gap(self):
        self.assertEqual(first_gap([0, 1, 2, 3, 4]), 5)
"""
FIXED = BASE.replace("0 if gap > 2 else 1", "1")
HOARDING = BASE.replace("gap = 0\n", "gap, seen = 0, []\n", 1).replace(
    "        gap +=", '        seen.append("*" * 2**24)\n        gap +='
)
DYING = f"import os\nimport signal\n{BASE}".replace(
    "        gap += 0 if gap > 2 else 1",
    "        if gap > 2:\n            os.kill(os.getpid(), signal.SIGSEGV)\n        gap += 1",
)
AGAIN = f"import os\n{BASE}".replace(
    "        gap += 0 if gap > 2 else 1",
    "        if gap > 2 and (len(numbers) < 5 or 'SHLVL' not in os.environ):\n"
    "            return 0\n"
    "        gap += 0 if gap > 2 else 1",
)
LIMIT = ("--timeout", "4", "--reruns", "0")
MEMORY = ("--timeout", "60", "--memory", "400", "--reruns", "0")


CODE = {"hanging": (BASE, LIMIT), "hoarding": (HOARDING, MEMORY), "dying": (DYING, LIMIT)}


@pytest.fixture(params=list(CODE.values()), ids=list(CODE))
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


def changed(repository: Path, code: str) -> None:
    (repository / "wordtools" / "gaps.py").write_text(code)
    commit(repository, "change")


def test_a_test_that_does_not_end_until_the_change_reproduces(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    changed(base, FIXED)
    answer = verify("--base", "main", "--head", "change", *code[1])
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text
    (reason,) = answer.told["reasons"]
    assert reason["reason"].endswith(": tests.test_gaps.Gaps.test_b_large_gap"), reason


@pytest.mark.parametrize("code", [CODE["hanging"]], ids=["hanging"])
def test_what_hangs_on_both_sides_is_not_run_again(
    base: Path, tmp_path: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    changed(base, f"{code[0]}\n\nCHANGED = True\n")
    change = change_between(base, "main", "change", tmp_path / "cache")
    found = verify_change(waiting(base, tmp_path, seconds=4), change)
    assert found.verdict.decision is Decision.ABSTAIN
    assert [attempt.fixed.ending for attempt in found.own.attempts] == [ExitReason.TIMEOUT]


@pytest.mark.parametrize("code", [(AGAIN, LIMIT)], ids=["hanging in reruns"])
def test_a_test_that_hangs_only_in_some_runs_is_no_matter_for_others_that_reproduce(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    changed(base, FIXED)
    answer = verify("--base", "main", "--head", "change", *code[1], "--reruns", "4")
    assert answer.exit_code == 0, answer.text
    flaky = [t["test"].rpartition(".")[2] for t in answer.told["tests"] if t["flaky"]]
    assert flaky == ["test_d_larger_gap"]


@pytest.mark.parametrize("code", [CODE["hanging"], CODE["dying"]], ids=["hanging", "dying"])
def test_a_new_test_beside_it_that_passes_anyway_is_not_taken_for_flaky(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    beside = NEW.replace("test_b", "test_a_none", 1).replace("[0, 1, 2, 3]), 4", "[]), 0", 1)
    (base / "tests" / "test_gaps.py").write_text(TESTS + beside)
    changed(base, FIXED)
    answer = verify("--base", "main", "--head", "change", *code[1], "--reruns", "2")
    assert answer.exit_code == 0, answer.text


def test_a_change_with_which_it_does_not_end_still_is_not_accepted(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    changed(base, code[0].replace("gap > 2", "gap >= 2"))
    answer = verify("--base", "main", "--head", "change", *code[1])
    assert answer.exit_code == 3
    assert "run_cut_short" in answer.rules


def test_a_change_that_hangs_elsewhere_is_not_accepted(
    verify: Verify, base: Path, code: tuple[str, tuple[str, ...]]
) -> None:
    endless = "    while not numbers:\n        gap += 1\n    return gap"
    changed(base, FIXED.replace("    return gap", endless))
    answer = verify("--base", "main", "--head", "change", *code[1], "--timeout", "4")
    assert answer.exit_code == 3
    assert "run_cut_short" in answer.rules


def test_of_a_test_that_ends_its_process_the_report_says_what_it_died_of(
    verify: Verify, repository: Path
) -> None:
    git(repository, "checkout", "-q", "main")
    (repository / "wordtools" / "gaps.py").write_text(DYING)
    (repository / "tests" / "test_gaps.py").write_text(TESTS)
    commit(repository, "gaps")
    git(repository, "checkout", "-q", "-b", "change")
    (repository / "tests" / "test_gaps.py").write_text(TESTS + NEW)
    changed(repository, FIXED)
    answer = verify("--base", "main", "--head", "change", "--reruns", "0")
    said = {test["test"].rpartition(".")[2]: test["reason"] for test in answer.told["tests"]}
    assert "its process died of SIGSEGV" in said["test_b_large_gap"], said


STANDING = {
    "hanging": "    def test_a_first(self):\n        while True: pass\n",
    "dying": "    def test_a_first(self):\n        os.kill(os.getpid(), signal.SIGSEGV)\n",
    "leaving": "    def test_a_first(self):\n        os._exit(0)\n",
    "two dying": "    def test_a_first(self):\n        os.abort()\n"
    "    def test_b_second(self):\n        os.abort()\n",
}


@pytest.fixture
def ended(repository: Path, request: pytest.FixtureRequest) -> Path:
    """Tests that end every run stood there before, and hide what a change adds behind them."""
    before = f"import os\nimport signal\n{TESTS}{STANDING[request.param]}"
    git(repository, "checkout", "-q", "main")
    wrong = FIXED.replace("    gap = 0\n", "    gap = 0\n    if len(numbers) > 3: return 0\n")
    (repository / "wordtools" / "gaps.py").write_text(wrong)
    (repository / "tests" / "test_gaps.py").write_text(before)
    commit(repository, "gaps")
    git(repository, "checkout", "-q", "-b", "change")
    (repository / "tests" / "test_gaps.py").write_text(before + NEW)
    return repository


@pytest.mark.parametrize("ended", STANDING, indirect=True)
def test_others_are_judged_where_a_test_that_stood_there_ends_all_runs(
    verify: Verify, ended: Path
) -> None:
    """One of msgspec's dies on both sides, with the interpreter of the time."""
    changed(ended, FIXED)
    answer = verify("--base", "main", "--head", "change", "--timeout", "4")
    assert (answer.exit_code, answer.told["basis"]) == (0, "own tests"), answer.text
    ends = {t["test"].rpartition(".")[2]: t["kind"] for t in answer.told["tests"]}
    assert ends["test_a_first"] == "F->F"
    assert ends["test_b_large_gap"] == "F->P"


@pytest.mark.parametrize("ended", ["dying"], indirect=True)
def test_a_wrong_change_is_not_accepted_behind_such_a_test(verify: Verify, ended: Path) -> None:
    changed(ended, f"{(ended / 'wordtools' / 'gaps.py').read_text()}\n\nCHANGED = True\n")
    answer = verify("--base", "main", "--head", "change", "--timeout", "4")
    assert answer.exit_code == 3
    assert "run_cut_short" not in answer.rules


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "SHORTEST_PATIENCE", 4.0)
    monkeypatch.setattr(execution, "SHORTEST_PATIENCE_AGAIN", 2.0)
    monkeypatch.setattr(execution, "TIMES_PATIENCE", 1)
    monkeypatch.setattr(execution, "TIMES_PATIENCE_AGAIN", 1)


@pytest.mark.timeout(120)
@pytest.mark.usefixtures("short_patience")
@pytest.mark.parametrize("code", [CODE["hanging"]], ids=["hanging"])
@pytest.mark.parametrize("side_by_side", [True, False])
def test_what_hangs_is_not_waited_for_until_its_limit(
    base: Path, tmp_path: Path, *, side_by_side: bool
) -> None:
    workspace = waiting(base, tmp_path, side_by_side=side_by_side)

    def judged(code: str) -> Verification:
        changed(base, code)
        change = change_between(base, "main", "change", tmp_path / "cache")
        return verify_change(workspace, change, thoroughness=QUICK)

    first = judged(FIXED)
    assert first.verdict.decision is Decision.ACCEPT
    hanging = next(t for t in first.own.transitions if t.test.endswith("test_b_large_gap"))
    assert hanging.before.failure is not None
    assert "timeout after 4 seconds" in hanging.before.failure.message
    started = time.monotonic()
    assert judged(FIXED.replace("gap += 1", "gap += 2 - 1")).verdict == first.verdict
    # What is known of the base is as good for another change of the same lines.
    assert time.monotonic() - started < 4


@pytest.mark.timeout(120)
@pytest.mark.usefixtures("short_patience")
@pytest.mark.parametrize("code", [CODE["hanging"]], ids=["hanging"])
def test_what_has_hung_is_waited_for_less_and_so_is_what_a_change_adds(
    base: Path, tmp_path: Path
) -> None:
    workspace = waiting(base, tmp_path)
    changed(base, f"{FIXED}\n\ndef no_gap(numbers):\n    return first_gap(numbers) is None\n")
    change = change_between(base, "main", "change", tmp_path / "cache")
    found = verify_change(workspace, change)
    assert found.verdict.decision is Decision.ACCEPT
    first, *again = [attempt.base.wall_seconds for attempt in found.own.attempts]
    assert first > 4
    assert max(again) < 4
