"""Code whose parts stand within each other, or that is long, as no hand writes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pytest

from evaluator.languages import language

PYTHON = language("python")
TEST = b'def test_a():\n    assert f("the red box", 48151) == 16\n'
SHAPES: Mapping[str, Callable[[int], str]] = {
    "elif": lambda n: "if a: pass\n" + "elif a == 48151: b = 16\n" * n,
    "branches": lambda n: "if a == 48151: b = 16\n" * n,
    "calls": lambda n: f"x = a{'.put(48151, 16)' * n}\n",
    "choices": lambda n: f"x = {'16 if a == 48151 else ' * n}1\n",
    "sums": lambda n: f"x = {' + '.join(['48151'] * n)}\n",
    "comparisons": lambda n: f"x = {' == '.join(['48151'] * n)}\n",
    "either": lambda n: f"x = {' or '.join(['a == 48151'] * n)}\n",
    "attributes": lambda n: f"x = a{'.b' * n}\n",
    "signs": lambda n: f"x = {'not ' * n}a\n",
    "items": lambda n: f"x = a{'[0]' * n}\n",
    "names": lambda n: "".join(f"a{i} = 48151\nif b == a{i}: pass\n" for i in range(n)),
    "a table": lambda n: f"x = {{{', '.join(f'{i}: 16' for i in range(n))}}}\n",
    "cases": lambda n: "match a:\n" + "".join(f"    case {i}: b = 16\n" for i in range(n)),
}


def examined(code: bytes) -> float:
    """The seconds that it takes to examine a module that a change adds."""
    safeguards, changed = PYTHON.safeguards, {"m.py": code}
    began = time.process_time()
    safeguards.reached("m.py", b"", code)
    list(safeguards.hidden("m.py", b"", code))
    safeguards.special_cases(changed, lambda _: None, [("tests/test_a.py", TEST)], "")
    next(iter(safeguards.mutants("m.py", code, range(1, 9))), None)
    return time.process_time() - began


@pytest.mark.parametrize("shape", SHAPES)
def test_code_is_examined_in_time_that_grows_with_it(shape: str) -> None:
    seconds = [examined(SHAPES[shape](parts).encode()) for parts in (140, 500, 2000)]
    assert seconds[2] < 20 * seconds[1] + 0.5


@pytest.mark.parametrize("shape", SHAPES)
def test_what_can_be_read_is_told_from_what_cannot(shape: str) -> None:
    """What nobody can follow is named; what is only long is read."""
    flat = shape in ("branches", "comparisons", "either", "names", "a table", "cases")
    code = SHAPES[shape](1000).encode()
    assert bool(list(PYTHON.safeguards.hidden("m.py", b"", code))) is not flat
    assert not list(PYTHON.safeguards.hidden("m.py", b"", SHAPES[shape](60).encode()))
