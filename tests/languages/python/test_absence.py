"""Tests that fail as something does not exist yet, and those that fail by behaviour."""

from __future__ import annotations

import pytest

from evaluator.languages.python.sources.absence import missing
from evaluator.languages.python.sources.additions import additions
from evaluator.model import Failure, Frame, Side, Status, Transition

BASE = b"""
__version__ = "1.0"

def old(text):
    return text

class Thing:
    def get(self):
        return self.lost
"""
HEAD = b"""
__version__ = "1.1"

def old(text, *, width=3):
    return text[:width]

def new():
    return load("new")

class Thing:
    def __init__(self, size):
        self.size = size
        self.lost = None

    def get(self):
        return self.lost

    def put(self):
        return 1
"""
SOURCE = {"p/m.py": BASE, "README.md": b"old"}.get
ADDED = additions(
    {"p/m.py": HEAD, "README.md": b"new", "p/data.json": b"{}", "p/sub.py": b"x = 1\n"}, SOURCE
)


def lacks(kind: str, message: str, code: str = "thing()", path: str = "tests/test_m.py") -> str:
    """What a test lacks that fails so on the last line of its code."""
    lines = ["from p import m", "", "def test_it(tmp_path_or_not=None):", *code.splitlines()]
    text = "\n".join([*lines[:3], *(f"    {line}" for line in lines[3:])])
    frame = Frame(path, len(lines), "test_it")
    before = Side(Status.FAILED, failure=Failure(kind, message, frame))
    transition = Transition("tests/test_m.py::test_it", "tests/test_m.py", before, before)
    return missing(transition, {"tests/test_m.py": text.encode()}.get, SOURCE, ADDED)


def test_what_a_change_adds() -> None:
    assert ADDED.names >= {"width", "new", "put", "size", "lost", "sub"}
    assert ADDED.names.isdisjoint({"old", "get", "text", "Thing"})
    assert ADDED.signatures >= {"old", "__init__", "Thing"}
    assert "get" not in ADDED.signatures
    assert ADDED.versions == {"1.1"}
    assert ADDED.files == {"p/data.json", "p/sub.py"}


@pytest.mark.parametrize(
    ("kind", "message", "code", "what"),
    [
        ("AttributeError", "'Thing' object has no attribute 'put'", "t.put()", "the name 'put'"),
        ("TypeError", "old() got an unexpected keyword argument 'width'", "x", "the name 'width'"),
        ("TypeError", "Thing() takes no arguments", "m.Thing(1)", "a parameter of 'Thing'"),
        (
            "TypeError",
            "old() takes 1 positional argument but 2 were given",
            "x",
            "a parameter of 'old'",
        ),
        ("FileNotFoundError", "No such file: '/testbed/p/data.json'", "x", "the file data.json"),
        ("AssertionError", "", "assert hasattr(m, 'new')", "the name 'new'"),
        ("AssertionError", "", "names = dir(m)\nassert 'new' in names", "the name 'new'"),
        ("AssertionError", "", "assert m.__version__ == expected", "a version"),
        ("AssertionError", "", "assert run('--version') == '1.1'", "a version"),
        (
            "AssertionError",
            "",
            "text = inspect.getsource(m.old)\nassert 'width' in text",
            "a text of the sources",
        ),
        (
            "AssertionError",
            "",
            "assert 'width' in open(m.__file__).read()",
            "a text of the sources",
        ),
        ("AssertionError", "", "assert 'new' in Path('README.md').read_text()", "a text of the "),
        ("AssertionError", "", "if not hasattr(m, 'new'):\n    raise AssertionError", "the name"),
    ],
)
def test_what_does_not_exist_yet(kind: str, message: str, code: str, what: str) -> None:
    assert lacks(kind, message, code).startswith(what)


@pytest.mark.parametrize(
    ("kind", "message", "code", "path"),
    [
        ("AssertionError", "'abc' != 'ab'", "assert m.old('abc') == 'ab'", "tests/test_m.py"),
        ("AttributeError", "'NoneType' object has no attribute 'strip'", "x", "tests/test_m.py"),
        ("AttributeError", "'Thing' object has no attribute 'lost'", "x", "p/m.py"),
        ("TypeError", "old() got an unexpected keyword argument 'other'", "x", "tests/test_m.py"),
        ("TypeError", "unsupported operand type(s)", "x", "tests/test_m.py"),
        ("FileNotFoundError", "No such file: '/tmp/x/config'", "x", "tests/test_m.py"),
        ("AssertionError", "", "assert hasattr(m.Thing(), 'color')", "tests/test_m.py"),
        (
            "AssertionError",
            "",
            "tmp_path = make()\nassert 'x' in (tmp_path / 'README.md').read_text()",
            "tests/test_m.py",
        ),
        ("AssertionError", "", "assert m.old(open(__file__).read())", "tests/test_m.py"),
        ("ValueError", "1.1", "m.old('1.0')", "p/m.py"),
    ],
)
def test_what_fails_by_behaviour(kind: str, message: str, code: str, path: str) -> None:
    assert lacks(kind, message, code, path) == ""


def test_a_name_that_only_the_test_asks_the_code_for_is_missing() -> None:
    said = "cannot import name 'new' from 'p.m'"
    assert lacks("ImportError", said, path="p/m.py") == "the name 'new'"
