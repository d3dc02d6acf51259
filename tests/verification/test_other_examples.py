"""Changes that mend the example of a test and no other of its kind, and changes that mend all."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git

from .conftest import Verify

AMOUNTS = '''
"""Amounts with units: `3 kg`."""

UNITS = {"kg": 1, "ton": 1000, "mg": 0.000001, "pound": 0.45}


class Amount:
    def __init__(self, number=0, unit="kg"):
        self.number, self.unit = number, unit

    def __repr__(self):
        return f"Amount({self.number!r}, {self.unit!r})"

    def __eq__(self, other):
        return (self.number, self.unit) == (other.number, other.unit)


def parse(text):
    """Read an amount, whose number is 1 where there is none."""
    number, _, unit = text.partition(" ")
    if unit not in UNITS:
        raise ValueError(f"no unit {unit!r}")
    return Amount(float(number) or 1, unit)


def known(text):
    """Whether an amount is in a unit that there is."""
    return text.partition(" ")[2] in UNITS


def described(amount, owner):
    """What is said of somebody's amount."""
    gap = ""
    return f"{owner} has {amount.number}{gap}{amount.unit}"


def clipped(text, size):
    """A text, and dots in place of what is too much."""
    return text if len(text) < size else text[: size - 1] + "."


def shares(number, owner, parts):
    """A number in parts, the first of which are larger where it does not go up."""
    return [f"{number // parts} {owner}" for place in range(parts)]


def listed(names):
    """Names in their order."""
    return ", ".join(names[-1:])


def owned(path, owner):
    """What stands in a file for an owner: `Miller:3 kg`; nothing for none."""
    with open(path) as file:
        entries = [line.strip().partition(":") for line in file]
    return [amount for name, _, amount in entries if name == owner]
'''
PARSED = "float(number) or 1"
SAID = 'gap = ""'
CLIPPED = "len(text) < size"
LAST = "names[-1:]"
SHARE = "{number // parts}"
OWNED = "name == owner"
ZERO = """
import unittest

from wordtools.amounts import Amount, parse


class AmountTest(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(parse("0 kg"), Amount(0, "kg"))
"""
SPACE = """
import unittest

from wordtools.amounts import Amount, described


class AmountTest(unittest.TestCase):
    def test_space(self):
        self.assertEqual(described(Amount(3, "kg"), "Miller"), "Miller has 3 kg")
        self.assertEqual(described(Amount(7, "kg"), "Smith"), "Smith has 7 kg")
"""
SIZE = """
import unittest

from wordtools.amounts import clipped


class AmountTest(unittest.TestCase):
    def test_size(self):
        self.assertEqual(clipped("miller, smith", 13), "miller, smith")
"""
# The name is as long as there are parts, by accident.
SHARES = """
import unittest

from wordtools.amounts import shares


class AmountTest(unittest.TestCase):
    def test_shares(self):
        self.assertEqual(shares(1000, "Ann", 3), ["334 Ann", "333 Ann", "333 Ann"])
"""
LISTED = """
import unittest

from wordtools.amounts import listed


class AmountTest(unittest.TestCase):
    def test_listed(self):
        self.assertEqual(listed(["ann", "bob"]), "ann, bob")
"""
LETTERS = LISTED.replace("ann", "p").replace("bob", "q")
HELPED = """
import unittest

from wordtools.amounts import Amount, described

OWNERS = ["Miller", "Smith"]


class AmountTest(unittest.TestCase):
    def check(self, owner):
        self.assertTrue(owner in OWNERS and " kg" in described(Amount(3, "kg"), owner))

    def test_space(self):
        self.check("Miller")
"""
OWNED_BY_ONE = """
import unittest
from pathlib import Path

from wordtools.amounts import owned

OWNERS = Path(__file__).parent / "owners.txt"


class AmountTest(unittest.TestCase):
    def test_owned(self):
        self.assertEqual(owned(OWNERS, "Miller"), ["3 kg"])
"""
REFUSED = """
import unittest

from wordtools.amounts import Amount, parse


class AmountTest(unittest.TestCase):
    def test_stone(self):
        self.assertEqual(parse("3 stone"), Amount(3, "stone"))
"""
KNOWN = """
import unittest

from wordtools.amounts import known


class AmountTest(unittest.TestCase):
    def test_stone(self):
        self.assertTrue(known("3 stone"))
"""
NARROW = [
    (ZERO, PARSED, 'float(number) if number == "0" else float(number) or 1', "decimals"),
    (
        ZERO,
        PARSED,
        'float(number) if unit.endswith("kg") else float(number) or 1',
        "the code lists",
    ),
    (SPACE, SAID, 'gap = " " if owner[0] in "MS" and owner[-1] in "rh" else ""', "other words"),
    (SPACE, SAID, 'gap = " " if amount.number < 9 else ""', "longer numbers"),
    (SIZE, CLIPPED, "len(text) < size + size % 2", "a longer text and its length"),
    (LISTED, LAST, "dict.fromkeys(names)", "the same word twice"),
    (LETTERS, LAST, "dict.fromkeys(names)", "the same letter twice"),
    (SIZE, CLIPPED, "len(text) < size + text.islower()", "words in capitals"),
]


def _changed(repository: Path, test: str, old: str, new: str) -> None:
    code = repository / "wordtools" / "amounts.py"
    code.write_text(AMOUNTS)
    commit(repository, "Amounts")
    git(repository, "checkout", "--quiet", "-b", "change")
    assert old in AMOUNTS
    code.write_text(AMOUNTS.replace(old, new))
    (repository / "tests" / "test_amounts.py").write_text(test)
    commit(repository, "A fix with its test")


@pytest.mark.parametrize(("test", "old", "new", "kind"), NARROW)
def test_a_change_that_mends_no_other_example_is_not_accepted(
    verify: Verify, repository: Path, test: str, old: str, new: str, kind: str
) -> None:
    _changed(repository, test, old, new)
    answer = verify("--base", "main", "--head", "change")
    assert (answer.exit_code, answer.rules[0]) == (3, "mends_only_the_example"), answer.text
    assert kind in answer.told["reasons"][0]["reason"]
    quick = verify("--base", "main", "--head", "change", "--quick")
    assert quick.exit_code == 0, quick.text


@pytest.mark.parametrize(
    ("test", "old", "new"),
    [
        (ZERO, PARSED, "float(number) if number else 1"),
        (SPACE, SAID, 'gap = " "'),
        (HELPED, SAID, 'gap = " "'),
        (SIZE, CLIPPED, "len(text) <= size"),
        (LISTED, LAST, "names"),
        (LETTERS, LAST, "names"),
        (SHARES, SHARE, "{number // parts + (place < number % parts)}"),
        # No other unit needs to be one: it is refused on purpose, or the answer is only no.
        (REFUSED, '"pound": 0.45', '"pound": 0.45, "stone": 6.35'),
        (KNOWN, '"pound": 0.45', '"pound": 0.45, "stone": 6.35'),
    ],
)
def test_a_change_that_mends_the_others_too_is_accepted(
    verify: Verify, repository: Path, test: str, old: str, new: str
) -> None:
    _changed(repository, test, old, new)
    answer = verify("--base", "main", "--head", "change")
    assert answer.exit_code == 0, answer.text


def test_what_a_test_expects_of_a_file_that_it_names_stays(
    verify: Verify, repository: Path
) -> None:
    (repository / "tests" / "owners.txt").write_text("Smith :2 kg\nMiller :3 kg\n")
    _changed(repository, OWNED_BY_ONE, OWNED, "name.strip() == owner")
    answer = verify("--base", "main", "--head", "change")
    assert answer.exit_code == 0, answer.text
