"""Counted lines are the lines at which `sys.settrace` stops, step by step, on each interpreter.

The differences that remain, all on the side of what is truly executed:

- a statement of several lines counts when it begins, a tracer sees its first line last;
- until 3.9 the compiler jumps over `break` and `continue`, which a tracer then never sees;
- type parameters and the later lines of a pattern count with what they belong to;
- 3.11 and 3.12 put the constant of a `%` that became an f-string on the line of the `def`.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.interpreters import MINORS, python

from .conftest import compared
from .drivers import DRIVERS

SNIPPETS = sorted(Path(__file__).with_name("snippets").glob("*.py"))
DIFFERS = re.compile(r"#.* (begun, never ended|with its first line|only when asked for)$")
JUMPED_OVER = ("break", "continue")
STANDARD = {
    6: ("argparse", "shlex"),
    8: ("argparse", "html.parser"),
    11: tuple(DRIVERS),
    13: ("enum",),
}


def least_minor(snippet: Path) -> int:
    found = re.search(r"_py3(\d+)$", snippet.stem)
    return int(found[1]) if found else 6


@pytest.mark.parametrize(
    ("snippet", "minor"),
    [
        pytest.param(snippet, minor, id=f"{snippet.stem}-3.{minor}")
        for snippet in SNIPPETS
        for minor in MINORS
        if minor >= least_minor(snippet)
    ],
)
def test_snippets(snippet: Path, minor: int) -> None:
    lines = snippet.read_text().split("\n")
    for step in compared(python(minor), snippet):
        assert step.counted == step.traced
        assert step.lost == set()
        assert [lines[n - 1] for n in step.extra if not DIFFERS.search(lines[n - 1])] == []


@pytest.mark.parametrize(
    ("minor", "module"), [(minor, module) for minor, all_ in STANDARD.items() for module in all_]
)
def test_standard_library(minor: int, module: str) -> None:
    executable = python(minor)
    asked = [str(executable), "-c", f"import {module} as m; print(m.__file__)"]
    source = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
    lines = ["", *source.read_text(encoding="utf-8").split("\n")]
    steps = compared(executable, source, DRIVERS[module])
    assert sum(len(step.events) for step in steps) > 100
    for step in steps:
        assert step.counted == step.traced
        assert [lines[n] for n in step.lost if not lines[n].startswith("def ")] == []
        assert [lines[n] for n in step.extra if lines[n].split()[0] not in JUMPED_OVER] == []


def test_counts_of_plain_lines_are_exact() -> None:
    snippet = Path(__file__).with_name("snippets") / "simple.py"
    final: dict[int, int] = {}
    events: dict[int, int] = {}
    for step in compared(python(11), snippet):
        final.update(step.counts)
        events.update(step.events)
    body_of_plain = range(9, 18)
    assert {n: final.get(n) for n in body_of_plain} == {n: events.get(n) for n in body_of_plain}
    assert final[9] == 3
