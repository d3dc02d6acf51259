"""Tests that are turned round fail where the tests themselves pass, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.verification.control import spoil

PASSING = """
import unittest

def shorten(text):
    return text

def helper():
    return [1]

class SomeTest(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(shorten("a"), "a")

    def test_statement(self):
        assert shorten("a") == "a", "message"

    def test_truth(self):
        self.assertTrue(shorten("a"))

    def test_in(self):
        self.assertIn("a", shorten("abc"))

    def test_raises(self):
        with self.assertRaises(ValueError):
            int("x")

    def test_nothing(self):
        shorten("a")

    def test_returns(self):
        if helper():
            return
        assert False

    def test_returns_inside(self):
        def inner():
            return 1
        self.assertEqual(inner(), 1)

    def test_subtests(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertLess(number, 3)

    def test_none(self):
        self.assertIsNone(None)

    async def runTest(self):
        assert not None
"""


def run(path: Path) -> str:
    command = [sys.executable, "-W", "error", "-m", "unittest", "-v", path.stem]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True).stderr


def test_what_passes_fails_when_it_is_turned_round(tmp_path: Path) -> None:
    names, content = spoil(PASSING.encode())
    assert len(names) == 11
    for name, text in (("test_it.py", PASSING.encode()), ("test_turned.py", content)):
        (tmp_path / name).write_bytes(text)
    usual, turned = run(tmp_path / "test_it.py"), run(tmp_path / "test_turned.py")
    assert usual.count("... ok") == 10
    assert turned.count("... ok") == 0, turned
    assert turned.count("Error: fixgate: what must not hold held") == 0


@pytest.mark.parametrize(
    "change",
    [
        "unittest.TestCase.assertEqual = lambda *a: None",
        "shorten = lambda text: type('Any', (str,), {'__eq__': lambda *a: True})(text)",
    ],
)
def test_what_equals_everything_is_seen(tmp_path: Path, change: str) -> None:
    test = f"{PASSING.partition('def test_statement')[0].rstrip()}\n\n{change}\n"
    (tmp_path / "test_turned.py").write_bytes(spoil(test.encode())[1])
    assert "Error: fixgate: what must not hold held" in run(tmp_path / "test_turned.py")


@pytest.mark.parametrize("content", [b"", b"def broken(:\n", b"\xff\xfe\x00", b"x = 1\n"])
def test_what_holds_no_test_is_left_alone(content: bytes) -> None:
    assert spoil(content)[0] == frozenset()
