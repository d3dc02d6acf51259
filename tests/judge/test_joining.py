"""Runs of parts of the test files, joined into one."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from evaluator.joining import joined
from evaluator.model import Run, Status, TestOutcome
from evaluator.sandbox.protocol import ExitReason

PATHS = st.sampled_from(["a.java", "b.java"])
LINES = st.integers(1, 3)
HITS = st.dictionaries(PATHS, st.dictionaries(LINES, st.integers(0, 5)))
EXECUTED = st.dictionaries(
    st.sampled_from(["", "one"]),
    st.dictionaries(PATHS, st.frozensets(LINES).map(lambda lines: tuple(sorted(lines)))),
)


def run_of(test: str) -> Run:
    return Run({test: TestOutcome(test, f"{test}.java", Status.PASSED)}, command=test)


@given(HITS, HITS)
def test_counts_are_added(
    before: dict[str, dict[int, int]], after: dict[str, dict[int, int]]
) -> None:
    found = joined([Run({}, hits=before), Run({}, hits=after)]).hits
    for path in ("a.java", "b.java"):
        for line in (1, 2, 3):
            both = [each.get(path, {}).get(line, 0) for each in (before, after)]
            assert found.get(path, {}).get(line, 0) == sum(both)


@given(EXECUTED, EXECUTED)
def test_what_ran_in_either_ran(
    before: dict[str, dict[str, tuple[int, ...]]], after: dict[str, dict[str, tuple[int, ...]]]
) -> None:
    found = joined([Run({}, executed=before), Run({}, executed=after)]).executed
    assert {*found} == {*before, *after}
    for test, paths in found.items():
        for path, lines in paths.items():
            both = {line for each in (before, after) for line in each.get(test, {}).get(path, ())}
            assert lines == tuple(sorted(both))


def test_all_outcomes_are_there_and_the_first_failure_is_the_exit_code() -> None:
    failed = dataclasses.replace(run_of("two"), exit_code=1, unseen=("two",))
    found = joined([run_of("one"), failed, run_of("three")])
    assert list(found.outcomes) == ["one", "two", "three"]
    assert (found.exit_code, found.unseen) == (1, ("two",))
    assert found.command == "one && two && three"


def test_it_ends_as_the_last_one() -> None:
    cut = dataclasses.replace(run_of("two"), ending=ExitReason.TIMEOUT, exit_code=None)
    found = joined([run_of("one"), cut])
    assert found.ending is ExitReason.TIMEOUT
    assert found.status_of("three", "three.java") is Status.TIMEOUT
    assert joined([cut]) is cut
