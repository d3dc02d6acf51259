"""What a run wrote is read whatever it is: cut off, mangled, forged or huge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator.model import Failure, Frame, Phase, Status, TestOutcome
from evaluator.probe_results import KEY_BYTES, ProbeResults, read_results, sign

OUTCOME = {
    "event": "outcome",
    "test": "test_a.py::test_x",
    "file": "test_a.py",
    "status": "failed",
    "phase": "call",
    "duration": 0.5,
    "description": "What it does.",
    "failure": {"type": "ValueError", "message": "no", "frame": ["a.py", 3, "f"]},
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["event", "test", "file", "status", "phase", "duration", "failure", "lines", "exit_code"]
)
NAMES = st.sampled_from(["start", "outcome", "hits", "abort", "end", "untraced", "service"])
EVENTS = st.builds(
    lambda name, event: {**event, "event": name}, NAMES, st.dictionaries(FIELDS, JSON)
)


KEY = bytes(KEY_BYTES)


def signed(*lines: bytes) -> bytes:
    """The lines as the supervisor writes them."""
    return b"".join(sign(KEY, n, line) + b" " + line + b"\n" for n, line in enumerate(lines))


def as_bytes(event: object) -> bytes:
    return json.dumps(event).encode()


def read(path: Path) -> ProbeResults:
    return read_results(path, KEY)


@pytest.fixture
def results_file(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def test_an_outcome(results_file: Path) -> None:
    results_file.write_bytes(signed(as_bytes(OUTCOME)))
    assert read(results_file).outcomes == {
        "test_a.py::test_x": TestOutcome(
            test="test_a.py::test_x",
            file="test_a.py",
            status=Status.FAILED,
            phase=Phase.CALL,
            duration_seconds=0.5,
            failure=Failure("ValueError", "no", Frame("a.py", 3, "f")),
            description="What it does.",
        )
    }


def test_a_run_that_was_cut_off(results_file: Path) -> None:
    start = {"event": "start", "test": "test_a.py::test_y", "file": "test_a.py"}
    lines = signed(as_bytes(OUTCOME), as_bytes(start), as_bytes(OUTCOME))
    results_file.write_bytes(lines[:-40])
    results = read(results_file)
    assert list(results.outcomes) == ["test_a.py::test_x"]
    assert results.started == {"test_a.py::test_y": "test_a.py"}
    assert results.exit_code is None


def test_the_last_word_on_a_test_counts(results_file: Path) -> None:
    later = {**OUTCOME, "status": "error", "phase": "teardown"}
    results_file.write_bytes(signed(as_bytes(OUTCOME), as_bytes(later)))
    assert read(results_file).outcomes["test_a.py::test_x"].status is Status.ERROR


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"event": "outcome", "test": "x", "status": "wonderful"}',
        b'{"event": "outcome", "test": {"a": 1}, "status": "passed"}',
        b'{"event": ["outcome"]}',
        b'{"event": "hits", "lines": {"a.py": {"one": 1, "2": -1, "3": "4", "5": 1e3}}}',
        b'{"event": "start"}',
    ],
)
def test_lines_that_say_nothing(results_file: Path, line: bytes) -> None:
    results_file.write_bytes(signed(line, as_bytes(OUTCOME)))
    results = read(results_file)
    assert list(results.outcomes) == ["test_a.py::test_x"]
    assert results.started == {}
    assert all(not lines for lines in results.hits.values())


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(EVENTS | JSON, max_size=5), noise=st.binary(max_size=30))
def test_nothing_that_is_written_can_raise(
    results_file: Path, events: list[object], noise: bytes
) -> None:
    lines = [as_bytes(event) for event in events]
    results_file.write_bytes(signed(*lines, noise.replace(b"\n", b"")))
    results = read(results_file)
    assert all(isinstance(outcome, TestOutcome) for outcome in results.outcomes.values())
    assert all(test.encode() for test in (*results.outcomes, *results.started))


def test_no_file_or_a_link_to_another(results_file: Path, tmp_path: Path) -> None:
    assert read(results_file).outcomes == {}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(signed(as_bytes(OUTCOME)))
    results_file.symlink_to(elsewhere)
    assert read(results_file).outcomes == {}


FIRST, SECOND = signed(as_bytes(OUTCOME), as_bytes(OUTCOME)).splitlines(keepends=True)


@pytest.mark.parametrize(
    "content",
    [
        as_bytes(OUTCOME) + b"\n",
        FIRST + as_bytes(OUTCOME) + b"\n" + SECOND,
        FIRST + FIRST,
        SECOND,
        SECOND + FIRST,
        FIRST.replace(b"failed", b"passed"),
        b"\n" + FIRST,
        bytes(100) + FIRST,
        b"\xff" * 64 + b" {}\n",
    ],
)
def test_a_file_that_others_wrote_to_tells_nothing_but_that(
    results_file: Path, content: bytes
) -> None:
    results_file.write_bytes(content)
    results = read(results_file)
    assert (results.outcomes, results.exit_code) == ({}, None)
    assert results.abort is not None
    assert "not the supervisor's" in results.abort.message
