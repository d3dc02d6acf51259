"""Which files import which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.python.sources import SOURCES
from evaluator.regressions.import_graph import ImportGraph

NAMES = [f"m{number}" for number in range(8)]
GRAPHS = st.dictionaries(st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES)))


def import_graph(files: dict[str, bytes], roots: tuple[str, ...] = ("",)) -> ImportGraph:
    return ImportGraph(SOURCES.imports(files, roots))


@pytest.mark.parametrize(
    ("statement", "imported"),
    [
        ("import pkg.deep.leaf", {"pkg/__init__.py", "pkg/deep/__init__.py", "pkg/deep/leaf.py"}),
        (
            "from pkg.deep import leaf",
            {"pkg/__init__.py", "pkg/deep/__init__.py", "pkg/deep/leaf.py"},
        ),
        ("from .. import top", {"pkg/__init__.py", "pkg/top.py"}),
        ("from ..top import (\n    a,\n    b,\n)", {"pkg/__init__.py", "pkg/top.py"}),
        ("def f():\n    from pkg \\\n        import top", {"pkg/__init__.py", "pkg/top.py"}),
        ("import beside", {"pkg/deep/beside.py"}),
        ("NAME = 'pkg.top.Class'", {"pkg/__init__.py", "pkg/top.py"}),
        ("import os, json", set()),
        ("from pkg import (", set()),
    ],
)
def test_statements(statement: str, imported: set[str]) -> None:
    sources = dict.fromkeys(
        ["pkg/__init__.py", "pkg/top.py", "pkg/deep/__init__.py", "pkg/deep/leaf.py"], b""
    )
    sources |= {"pkg/deep/beside.py": b"", "pkg/deep/user.py": statement.encode()}
    assert import_graph(sources).imports["pkg/deep/user.py"] == imported


def test_modules_below_an_import_root() -> None:
    sources = {"src/pkg/a.py": b"", "tests/test_a.py": b"from pkg import a"}
    assert import_graph(sources, ("src",)).imports["tests/test_a.py"] == {"src/pkg/a.py"}


def test_tests_depend_on_the_conftests_above_them() -> None:
    sources = {"a.py": b"", "tests/conftest.py": b"import a", "tests/x/test_x.py": b""}
    assert import_graph(sources).distances(["a.py"])["tests/x/test_x.py"] == 2


@given(GRAPHS, st.sampled_from(NAMES))
def test_distances_are_those_of_the_shortest_way(imports: dict[str, set[str]], start: str) -> None:
    lines = {
        name: "\n".join(f"import {other}" for other in sorted(imports.get(name, ())))
        for name in NAMES
    }
    sources = {f"{name}.py": text.encode() for name, text in lines.items()}
    found = import_graph(sources).distances([f"{start}.py"])
    expected, wave, steps = {start: 0}, {start}, 0
    while wave:
        steps += 1
        wave = {n for n, others in imports.items() if others & wave} - expected.keys()
        expected |= dict.fromkeys(wave, steps)
    assert found == {f"{name}.py": distance for name, distance in expected.items()}
