"""Assertions that hold whatever is expected, by the change or by the code as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git
from evaluator.verification import sensitivity
from evaluator.verification.change import change_between
from evaluator.verification.verify import verify as verify_change

from .conftest import Verify, waiting

SETS = """\
class AllBut:
    def __init__(self, *out):
        self.out = set(out)

    def __contains__(self, item):
        return item not in self.out

    def __le__(self, other):
        return self.out.is_superset(other.out)
"""
RIGHT = SETS.replace("is_superset", "issuperset")
NO_LIMITS = RIGHT.replace("return item not in self.out", "return len(self.out) > 0")
TEST = """\
import unittest
from wordtools.sets import AllBut

class Sets(unittest.TestCase):
    def test_sets(self):
        assert "c" in AllBut("a", "b")
        assert AllBut("a").out == {"a"}
        assert AllBut("a", "b") <= AllBut("a")
        assert not AllBut("a") <= AllBut("a", "b")
"""
IN_TURNS = """\
import unittest
from wordtools.sets import AllBut

class Sets(unittest.TestCase):
    def test_sets(self):
        for item in ("c", "d"):
            assert item in AllBut("a", "b")
            assert AllBut("a", "b") <= AllBut("a")
            assert not AllBut("a") <= AllBut("a", "b")
"""
EITHER = TEST.replace(
    "        assert not",
    '        assert set(map(bool, ["", "a"])) == {True, False}\n        assert not',
)
AT_LAST = TEST.replace(
    "        assert not", '        assert "c" in AllBut("a")\n        assert not'
)


@pytest.fixture
def base(repository: Path) -> Path:
    git(repository, "checkout", "-q", "main")
    (repository / "wordtools" / "sets.py").write_text(SETS)
    commit(repository, "sets of all but some things")
    git(repository, "checkout", "-q", "-b", "change")
    return repository


def changed(repository: Path, code: str, test: str) -> None:
    (repository / "wordtools" / "sets.py").write_text(code)
    (repository / "tests" / "test_sets.py").write_text(test)
    commit(repository, "change")


def test_what_holds_whatever_is_expected_without_the_change_too_is_not_held_against_it(
    verify: Verify, base: Path
) -> None:
    changed(base, RIGHT, TEST)
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules) == (0, ["reproduced"]), answer.text


def test_other_elements_that_make_the_same_set_are_no_other_value(
    verify: Verify, base: Path
) -> None:
    """As True and False do, each for the other (seen in bidict, where all numbers change sign)."""
    changed(base, RIGHT, EITHER)
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules) == (0, ["reproduced"]), answer.text


@pytest.mark.parametrize("test", [IN_TURNS, AT_LAST])
def test_what_the_base_never_comes_to_is(verify: Verify, base: Path, test: str) -> None:
    """The base fails before: how it would answer there nobody knows."""
    changed(base, RIGHT, test)
    assert verify("--base", "main", "--head", "change").rules[0] == "passes_whatever_is_asserted"


def test_what_only_the_change_makes_hold_is(verify: Verify, base: Path) -> None:
    (base / "wordtools" / "sets.py").write_text(SETS.replace("not in self.out", "in 'bc'"))
    git(base, "commit", "-q", "-a", "-m", "sets of two things")
    git(base, "branch", "-q", "-f", "main")
    changed(base, NO_LIMITS, TEST)
    assert verify("--base", "main", "--head", "change").rules[0] == "passes_whatever_is_asserted"


QUIET = "def shout(text):\n    return text\n"
ENDLESS = """\
class Shout:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        left = len(self.text)
        while left:
            left -= self.text[left - 1] == other[left - 1]
        return len(self.text) == len(other)

def shout(text):
    return Shout(text.upper())
"""
SHOUT_TEST = """\
import unittest
from wordtools.shouts import shout

class Shouts(unittest.TestCase):
    def test_shout(self):
        self.assertEqual(shout("ahoy"), "AHOY")
"""


def test_what_does_not_end_with_other_values_is_given_up_in_time(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sensitivity, "_SHORTEST_LIMIT", 2.0)
    git(repository, "checkout", "-q", "main")
    (repository / "wordtools" / "shouts.py").write_text(QUIET)
    commit(repository, "shouts")
    git(repository, "checkout", "-q", "-b", "change")
    (repository / "wordtools" / "shouts.py").write_text(ENDLESS)
    (repository / "tests" / "test_shouts.py").write_text(SHOUT_TEST)
    commit(repository, "louder")
    change = change_between(repository, "main", "change", tmp_path / "cache")
    found = verify_change(waiting(repository, tmp_path), change).verdict.findings
    assert [finding.rule for finding in found] == ["endless_with_other_values", "reproduced"]


NAMES = """\
class Name:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return isinstance(other, Name) and self.text == other.text

    def __hash__(self):
        return hash(self.text)
"""
ANY_CASE = NAMES.replace("self.text == other.text", "self.text.lower() == other.text.lower()")
WHOLE = ANY_CASE.replace("hash(self.text)", "hash(self.text.lower())")
BY_IDENTITY = ANY_CASE.replace("hash(self.text)", "object.__hash__(self)")
INHERITED = ANY_CASE[: ANY_CASE.index("    def __hash__")] + "    __hash__ = object.__hash__\n"
NAMES_TEST = """\
import unittest
from wordtools.names import Name

class Names(unittest.TestCase):
    def test_names(self):
        self.assertEqual(Name("Ann"), Name("ANN"))
"""
COMPARED = NAMES_TEST.replace("self.assertEqual(", "assert (").replace('), Name("A', ') == Name("A')


@pytest.mark.parametrize("test", [NAMES_TEST, COMPARED])
@pytest.mark.parametrize(
    ("code", "rules"),
    [
        (ANY_CASE, ["equal_with_other_hashes", "reproduced"]),
        (BY_IDENTITY, ["equal_with_other_hashes", "reproduced"]),
        (WHOLE, ["reproduced"]),
        (INHERITED, ["reproduced"]),
    ],
)
def test_what_is_equal_has_the_same_hash(
    verify: Verify, base: Path, code: str, rules: list[str], test: str
) -> None:
    git(base, "checkout", "-q", "main")
    (base / "wordtools" / "names.py").write_text(NAMES)
    commit(base, "names")
    git(base, "checkout", "-q", "-B", "change")
    (base / "wordtools" / "names.py").write_text(code)
    (base / "tests" / "test_names.py").write_text(test)
    commit(base, "names in any case")
    assert verify("--base", "main", "--head", "change").rules == rules
