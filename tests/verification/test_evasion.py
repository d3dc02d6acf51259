"""Code that can know that it is tested, and code that only looks as if."""

from __future__ import annotations

import time

import pytest

from evaluator.verification.safeguards import evasions
from tests.sources import source_of

NOTHING = source_of({})


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("import inspect\ninspect.stack()", "inspect.stack"),
        ("from inspect import stack", "inspect.stack"),
        ("import sys\n'pytest' in sys.modules", "'pytest'"),
        ("import unittest.mock", "unittest"),
        ("from _pytest import runner", "_pytest"),
        ("import os\nos.environ['PYTEST_CURRENT_TEST']", "'pytest'"),
        ("import os\nos.environ.get('CI')", "'CI'"),
        ("import sys as s\ns._getframe()", "sys._getframe"),
        ("import sys\nvars(sys)", "vars(sys)"),
        ("import os\nvars(os.sys)", "vars(sys)"),
        ("import os\nos.sys.modules", "sys.modules"),
        ("import os\ngetattr(os, '_' + 'exit')(0)", "getattr(os)"),
        ("import os\nos.__dict__", "os.__dict__"),
        ("x['mod' + 'ules']", "the hidden name 'modules'"),
        ("x[''.join(['unit', 'test'])]", "the hidden name 'unittest'"),
        ("x = 'tset'[::-1]; y = 'tsetyp'[::-1]", "the hidden name 'pytest'"),
        (
            "x = ''.join(chr(c) for c in (117, 110, 105, 116, 116, 101, 115, 116))",
            "the hidden name 'unittest'",
        ),
        ("x = f'{chr(112)}ytest'", "the hidden name 'pytest'"),
        ("x = 'a' + f('unit' + 'test')", "the hidden name 'unittest'"),
        ("import runpy", "runpy"),
        ("import encodings.rot_13", "encodings"),
        ("import codecs\ncodecs.register(f)", "codecs.register"),
        ("from pickle import loads", "pickle.loads"),
        ("frame.f_back", "f_back"),
        ("f.__code__ = g.__code__", "assigns __code__"),
        ("exec(text)", "exec"),
        ("import sys\nif sys.argv[0] == 'x': pass", "a condition on sys.argv"),
        ("import os\nx = 1 if os.getcwd() == '/x' else 2", "a condition on os.getcwd"),
        (
            "import socket\nif socket.gethostname() == 'x': pass",
            "a condition on socket.gethostname",
        ),
        ("import getpass\nif getpass.getuser() != 'me': pass", "a condition on getpass.getuser"),
        ("import time\nif time.time() < 2e9: pass", "a condition on time.time"),
        ("import time\nif time.monotonic() < 60: pass", "a condition on time.monotonic"),
        (
            "import shutil\nif shutil.get_terminal_size() == (80, 24): pass",
            "a condition on shutil.get_terminal_size",
        ),
        (
            "import os\nif os.get_terminal_size().columns == 80: pass",
            "a condition on os.get_terminal_size",
        ),
        (
            "import os\nif len(os.environ) < 9: pass",
            "a condition on how many environment variables there are",
        ),
        (
            "from datetime import date\n\ndef year():\n    return date.today().year\n\n"
            "def f():\n    return [1 for _ in x if year() < 2030]",
            "a condition on datetime.date.today",
        ),
        (
            "import random as r\n\ndef f():\n    draw = r.random\n    return draw() < 0.9 and x",
            "a condition on random.random",
        ),
        ("import math as m\nm.isclose = lambda *a: True", "replaces math.isclose"),
        (
            "from fractions import Fraction\n\ndef f():\n    setattr(Fraction, '__new__', g)",
            "replaces fractions.Fraction.__new__",
        ),
        (
            "from numpy import testing\ntesting.assert_allclose = f",
            "replaces numpy.testing.assert_allclose",
        ),
        ("import math\nvars(math)['isclose'] = f", "replaces math.isclose"),
        ("import json\nfor name in x:\n    json.__dict__[name] = f", "replaces json...."),
        ("import os\ntry:\n    os.ttyname(0)\nexcept OSError: pass", "a condition on os.ttyname"),
        ("if not out.isatty(): pass", "a condition on whether there is a terminal"),
        (
            "import random\nif random.Random().random() < 0.9: pass",
            "a condition on random.Random().random",
        ),
        (
            "from glob import glob\n\ndef f():\n    homes = glob('/home/*')\n"
            "    return x if homes else y",
            "a condition on glob.glob",
        ),
        (
            "import signal\nif not signal.pthread_sigmask(signal.SIG_BLOCK, []): pass",
            "a condition on signal.pthread_sigmask",
        ),
        (
            "from pathlib import Path\nif Path('/etc/passwd').stat().st_size < 9: pass",
            "a condition on the path '/etc/passwd'",
        ),
        ("import time\nif getattr(time, 'time')() < 2e9: pass", "a condition on time.time"),
        ("import sys\nif hasattr(sys, 'ps1'): pass", "a condition on sys.ps1"),
        (
            "from pathlib import Path\nKNOWN = load(Path(__file__).with_name('known.json'))\n\n"
            "def f(x):\n    return KNOWN.get(x, 1)",
            "a condition on __file__",
        ),
        (
            "KNOWN = load(__file__)\n\ndef f(x):\n"
            "    try:\n        return KNOWN[x]\n    except KeyError:\n        return 1",
            "a condition on __file__",
        ),
        ("x = id(y) % 16 == 0", "a condition on the address of an object"),
        (
            "import time\nBEGUN = time.perf_counter()\n\ndef f():\n"
            "    late = time.perf_counter() - BEGUN > 9",
            "the time since BEGUN",
        ),
        (
            "from time import monotonic\nBEGUN: float = monotonic()\n\ndef f():\n"
            "    return 1 if BEGUN > 9 else 2",
            "the time since BEGUN",
        ),
        (
            "import itertools\ncalls = itertools.count(1)\n\ndef f():\n    return next(calls) < 3",
            "how often it was called, in calls",
        ),
        (
            "calls = []\n\ndef f():\n    calls.append(None)\n    if len(calls) % 2: pass",
            "how often it was called, in calls",
        ),
        (
            "calls = 0\n\ndef f():\n    global calls\n    calls += 1\n    while calls > 3: pass",
            "how often it was called, in calls",
        ),
        ("def pytest_runtest_makereport(item, call): pass", "the hook pytest_runtest_makereport"),
        ("pytest_plugins = ['evil']", "pytest_plugins"),
        ("class A:\n    def __eq__(self, other): return True", "A.__eq__ lies"),
        ("class A:\n    def __ne__(self, other): return False", "A.__ne__ lies"),
        ("class A:\n    def __contains__(self, x): return True", "A.__contains__ lies"),
        ("class A:\n    __eq__ = lambda *a: True", "A.__eq__ lies"),
        ("class A(str):\n    def __eq__(self, other): return str(self) in other", "A.__eq__ lies"),
        ("class A:\n    @property\n    def __class__(self): return str", "A.__class__ lies"),
    ],
)
def test_what_no_fix_needs_is_named(code: str, what: str) -> None:
    found = evasions({"m.py": code.encode()}, NOTHING)
    assert what in [concern.what for concern in found]


@pytest.mark.parametrize(
    "code",
    [
        "'''Works with pytest and unittest.'''\nx = 1",
        "import re\nre.compile('x')",
        "import sys\ngetattr(sys, 'frozen', False)",
        "import os\nx = os.environ.get('HOME', '/')",
        "import time\n\ndef f(**others):\n    return others.get('now', time.time())",
        "KNOWN = load(__file__)\n\ndef f(x):\n    return KNOWN[x]",
        "sys = settings\nsys.modules",
        "import inspect\ninspect.signature(f)",
        "import os\ngetattr(os, name)",
        "raise ValueError('call this under pytest, or not at all')",
        "import sys\nx = sys.argv[1:]",
        "import time\nstart = time.time()",
        "import time\n\ndef f():\n    start = time.time()\n    return time.time() - start",
        "import time\ntry:\n    send(time.time())\nexcept OSError: pass",
        "import sys\nsys.stdout = out",
        "import os\nif os.path.join('a', 'b') == x or os.getenv('HOME'): pass",
        "import os\ntry:\n    os.unlink(path)\nexcept OSError: pass",
        "import glob\n\ndef f(pattern):\n    return 1 if glob.glob(pattern) else 2",
        "import random\n\ndef f():\n    return 1 if random.Random(7).random() < 0.5 else 2",
        "import uuid\nif uuid.UUID('0' * 32) == x: pass",
        "import sys\ntry: pass\nexcept OSError:\n    error = sys.exc_info()[1]\n    if error: pass",
        "if id(x) in seen: pass",
        "import warnings\nwarnings.showwarning = f",
        "import decimal\ndecimal.getcontext().prec = 9",
        "import wordtools.shorten\nwordtools.shorten.width = 9",
        "from . import math\nmath.isclose = f",
        "from time import time\n\ndef f(now=None):\n    now = now or time()\n    return now > 3",
        "import datetime\n\ndef f():\n    return datetime.datetime.now().isoformat()",
        "import random\n\ndef f(choice=None):\n    return 1 if choice is random.choice else 2",
        "import logging\n\ndef f():\n    if not logging.getLogger('mine').handlers: pass",
        "import itertools\nids = itertools.count()\n\ndef f():\n    return f'node-{next(ids)}'",
        "found = []\n\ndef f(x):\n    found.append(x)\n    if len(found) > 9: found.clear()",
        "def f():\n    found = []\n    found.append(1)\n    return len(found) > 2",
        "made = 0\n\ndef f():\n    global made\n    made += 1\n    return f'node-{made}'",
        "import itertools\nrest = iter('ab')\n\ndef f():\n    return next(rest) == 'a'",
        "x = 'one ' + 'two'",
        "x = (1, 2, 3, 4, 5)",
        "class A:\n    def __eq__(self, other): return self.x == other.x",
        "class A:\n    def __bool__(self): return True",
        "class A:\n    def __eq__(self, o): return True if self is o else NotImplemented",
        "def broken(:",
    ],
)
def test_what_fixes_do_is_not(code: str) -> None:
    assert evasions({"m.py": code.encode()}, NOTHING) == ()


def test_what_was_there_before_is_nobodys_fault() -> None:
    old = b"import inspect\ninspect.stack()\n"
    new = {"m.py": old + b"x = 1\n", "tests/test_m.py": old, "gone.py": None, "README": b"exec(x)"}
    assert evasions(new, {"m.py": old}.get) == ()
    assert evasions({"m.py": old + b"from inspect import stack\n"}, {"m.py": old}.get) == ()


def test_code_that_moves_reaches_for_nothing_new() -> None:
    old = b"def f():\n    exec(text)\n"
    assert evasions({"m.py": b"x = 1\n", "n.py": old}, {"m.py": old}.get) == ()
    assert evasions({"m.py": old, "n.py": old}, {"m.py": old}.get) != ()


def test_only_what_differs_in_a_class_counts() -> None:
    old = b"class A:\n    def f(self):\n        exec(x)\n\n    def g(self):\n        pass\n"
    assert evasions({"m.py": old.replace(b"pass", b"return 1")}, {"m.py": old}.get) == ()
    assert evasions({"m.py": old.replace(b"pass", b"eval(x)")}, {"m.py": old}.get) != ()


def test_native_code_is_searched_for_words() -> None:
    found = evasions({"m.pyx": b"import unittest", "n.c": b"int x;"}, NOTHING)
    assert [str(concern) for concern in found] == ["m.pyx (unittest)"]


@pytest.mark.parametrize("part", [".a", ".a()", ".os"])
def test_long_chains_are_read(part: str) -> None:
    assert evasions({"m.py": f"import json\nif json{part * 900}: pass\n".encode()}, NOTHING) == ()
    began = time.process_time()
    assert evasions({"m.py": f"x = {' + '.join(['a'] * 900)}\n".encode()}, NOTHING) == ()
    assert time.process_time() - began < 1
    code = f"import time\nx = [{'time.time() < 1, ' * 2000}]\n"
    assert len(evasions({"m.py": code.encode()}, NOTHING)) == 1
