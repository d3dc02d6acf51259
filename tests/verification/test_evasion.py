"""Code that can know that it is tested, and code that only looks as if."""

from __future__ import annotations

import pytest

from evaluator.verification.evasion import evasions
from evaluator.verification.steering import steering

NOTHING = {}.get


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import inspect\ninspect.stack()", "inspect.stack in m.py"),
        ("from inspect import stack", "inspect.stack in m.py"),
        ("import sys\n'pytest' in sys.modules", "'pytest' in m.py"),
        ("import unittest.mock", "unittest in m.py"),
        ("from _pytest import runner", "_pytest in m.py"),
        ("import os\nos.environ['PYTEST_CURRENT_TEST']", "'pytest' in m.py"),
        ("import sys as s\ns._getframe()", "sys._getframe in m.py"),
        ("import sys\nvars(sys)", "vars(sys) in m.py"),
        ("import os\ngetattr(os, '_' + 'exit')(0)", "getattr(os) in m.py"),
        ("import runpy", "runpy in m.py"),
        ("frame.f_back", "f_back in m.py"),
        ("exec(text)", "exec in m.py"),
        ("if text == 'just fits': pass", "the test's own 'just fits' in m.py"),
        ("match text:\n    case 'just fits': pass", "the test's own 'just fits' in m.py"),
    ],
)
def test_what_no_fix_needs_is_named(code: str, said: str) -> None:
    tests = [b"assert shorten('just fits', 9) == 'just fits'"]
    assert said in evasions({"m.py": code.encode()}, NOTHING, tests)


@pytest.mark.parametrize(
    "code",
    [
        "'''Works with pytest and unittest.'''\nx = 1",
        "import re\nre.compile('x')",
        "import sys\ngetattr(sys, 'frozen', False)",
        "sys = settings\nsys.modules",
        "import inspect\ninspect.signature(f)",
        "text == 'other'",
        "x = 'just fits'",
        "def broken(:",
    ],
)
def test_what_fixes_do_is_not(code: str) -> None:
    tests = [b"assert shorten('just fits', 9) == 'just fits'", b"def broken(:"]
    assert evasions({"m.py": code.encode()}, NOTHING, tests) == ()


def test_what_was_there_before_is_nobodys_fault() -> None:
    old = b"import inspect\ninspect.stack()\n"
    new = {"m.py": old + b"x = 1\n", "tests/test_m.py": old, "gone.py": None, "README": b"exec(x)"}
    assert evasions(new, {"m.py": old}.get) == ()


def test_compiled_code_is_named() -> None:
    assert evasions({"p/__pycache__/m.cpython-311.pyc": b"\0"}, NOTHING) == (
        "compiled code in p/__pycache__/m.cpython-311.pyc",
    )


@pytest.mark.parametrize(
    ("path", "roots", "steers"),
    [
        ("json.py", ("",), True),
        ("json/__init__.py", (".",), True),
        ("src/json.py", ("src",), True),
        ("src/json.py", ("",), False),
        ("package/json.py", ("",), False),
        ("json/more.py", ("",), True),
        ("types/more.py", ("",), False),
        ("json.md", ("",), False),
        ("test/support.py", ("",), False),
    ],
)
def test_names_that_are_taken(path: str, roots: tuple[str, ...], steers: bool) -> None:
    taken = {"json", "test", "types"}
    source = {"types/__init__.py": b""}.get
    assert steering({path: b"x"}, source, taken=taken, roots=roots) == ((path,) if steers else ())


@pytest.mark.parametrize(
    ("path", "old", "new", "steers"),
    [
        ("pyproject.toml", "[project]\nversion='1'", "[project]\nversion='2'", False),
        ("pyproject.toml", "", "[project.entry-points.pytest11]\nx='y'", True),
        ("pyproject.toml", "", "[tool.poetry.plugins.pytest11]\nx='y'", True),
        ("pyproject.toml", "", "[tool.pytest.ini_options]\naddopts='-x'", True),
        ("pyproject.toml", "", "[[[", True),
        ("setup.cfg", "[metadata]\nname=a", "[metadata]\nname=b", False),
        ("setup.cfg", "", "[options.entry_points]\npytest11=\n x=y", True),
        ("deep/sitecustomize/__init__.py", "", "x", True),
        ("pytest.toml", "", "x", True),
        ("setup.py", "", "x", True),
        ("x.pth", "", "x", True),
        ("tests/conftest.py", "", "x", True),
    ],
)
def test_files_that_steer(path: str, old: str, new: str, steers: bool) -> None:
    source = {path: old.encode()}.get
    assert bool(steering({path: new.encode()}, source)) is steers
