"""A line's count does not depend on which other lines are counted, nor does what a module does."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.languages.python.frameworks import PROBE

SNIPPETS = Path(__file__).with_name("snippets")
NAMES = ("simple.py", "loops.py", "exceptions.py", "expressions.py", "functions.py")


@pytest.fixture(scope="module")
def hits() -> Iterator[ModuleType]:
    """The probe's counting module, loaded beside the tests but installed nowhere."""
    sys.path.insert(0, str(PROBE))
    try:
        spec = importlib.util.find_spec("fixgate_probe_hits")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(PROBE))


def executed(hits: ModuleType, name: str, lines: set[int]) -> tuple[list[str], dict[int, int]]:
    counters = hits.Counters(str(SNIPPETS), {name: sorted(lines)})
    names: dict[str, Any] = {"__name__": "snippet"}
    source = (SNIPPETS / name).read_bytes()
    exec(counters.compile(source, str(SNIPPETS / name), "exec"), names)
    results = [outcome(call) for call in names["calls"]]
    return results, counters.risen().get(name, {})


def outcome(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except (NameError, StopIteration) as error:
        return repr(error)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(NAMES), chosen=st.sets(st.integers(1, 110), max_size=12))
def test_any_subset(hits: ModuleType, name: str, chosen: set[int]) -> None:
    every = set(range(1, 111))
    plain_results, _ = executed(hits, name, set())
    all_results, all_counts = executed(hits, name, every)
    results, counts = executed(hits, name, chosen)
    assert results == all_results == plain_results
    assert counts == {line: n for line, n in all_counts.items() if line in chosen}
