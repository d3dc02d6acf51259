"""Read what the probe wrote. The run may have been killed, and its tests may write there too.

Each line is numbered and signed by the probe's supervisor inside the sandbox (for one, see
`evaluator/languages/python/probe/main.py`). What follows its signature may still be anything: a
line that cannot be understood is passed over, and nothing that a line holds can raise here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluator.model import Failure, Frame, Phase, Status, TestOutcome

KEY_BYTES = 32
LARGEST_FILE_BYTES = 64 * 1024**2
LONGEST_TEXT = 4200
GREATEST_COUNT = 2**53


@dataclass
class ProbeResults:
    """The events of one run, put together.

    `started` holds tests that began and did not end, with their files. `abort` is what stopped the
    run as a whole, `service` why a service did not come up, `exit_code` None where the run did not
    come to its own end.
    """

    outcomes: dict[str, TestOutcome] = field(default_factory=dict)
    started: dict[str, str] = field(default_factory=dict)
    hits: dict[str, dict[int, int]] = field(default_factory=dict)
    contexts: dict[str, dict[str, set[int]]] = field(default_factory=dict)
    executed: dict[str, dict[str, set[int]]] = field(default_factory=dict)
    unseen: set[str] = field(default_factory=set)
    untraced: dict[str, str] = field(default_factory=dict)
    abort: Failure | None = None
    service: str = ""
    exit_code: int | None = None


class _ForgedError(Exception):
    """Something other than the supervisor wrote the results, or took some away."""


def read_results(
    path: Path, key: bytes, rewrite: Callable[[str], str] = lambda text: text
) -> ProbeResults:
    """Put the events of a results file together; an absent file is a run that reported nothing.

    A file with a line that was not signed with `key`, or with one missing, says nothing but that.
    `rewrite` is applied to the text of each line before it is read.
    """
    results = ProbeResults()
    try:
        for event in _events(path, key, rewrite):
            handler = HANDLERS.get(_text(event, "event"))
            if handler is not None:
                handler(results, event)
    except _ForgedError as error:
        return ProbeResults(abort=Failure("", str(error)))
    return results


def _events(path: Path, key: bytes, rewrite: Callable[[str], str]) -> Iterator[dict[str, Any]]:
    for line in _authentic(path, key):
        try:
            event = json.loads(rewrite(line.decode()))
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event


def _authentic(path: Path, key: bytes) -> Iterator[bytes]:
    """The lines without their signatures; one that a kill cut off at the end is left out."""
    if path.is_symlink() or not path.is_file():
        return
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE_BYTES)
    for number, signed in enumerate(content.split(b"\n")[:-1]):
        signature, _, line = signed.partition(b" ")
        if not hmac.compare_digest(signature, sign(key, number, line)):
            raise _ForgedError(f"line {number + 1} of the results is not the supervisor's")
        yield line


def sign(key: bytes, number: int, line: bytes) -> bytes:
    """The signature of the line with this number, counted from 0."""
    numbered = b"%d %s" % (number, line)
    return hashlib.blake2b(numbered, key=key, digest_size=32).hexdigest().encode()


def _start(results: ProbeResults, event: dict[str, Any]) -> None:
    test = _text(event, "test")
    if test and test not in results.outcomes:
        results.started[test] = _text(event, "file")


def _outcome(results: ProbeResults, event: dict[str, Any]) -> None:
    test, status = _text(event, "test"), _text(event, "status")
    if not test or status not in set(Status):
        return
    phase = _text(event, "phase")
    results.started.pop(test, None)
    results.outcomes[test] = TestOutcome(
        test=test,
        file=_text(event, "file"),
        status=Status(status),
        phase=Phase(phase) if phase in set(Phase) else None,
        duration_seconds=_seconds(event.get("duration")),
        failure=_failure(event.get("failure")),
        description=_text(event, "description"),
    )


def _hits(results: ProbeResults, event: dict[str, Any]) -> None:
    test = _text(event, "test")
    for path, lines in _mapping(event.get("lines")).items():
        for line, count in _mapping(lines).items():
            if not line.isdecimal() or not _is_count(count):
                continue
            results.hits.setdefault(_clean(path), {})[int(line[:9])] = count
            if test:
                context = results.contexts.setdefault(test, {})
                context.setdefault(_clean(path), set()).add(int(line[:9]))


def _executed(results: ProbeResults, event: dict[str, Any]) -> None:
    lines = event.get("lines")
    numbers = {line for line in lines if _is_count(line)} if isinstance(lines, list) else set()
    paths = results.executed.setdefault(_text(event, "test"), {})
    paths.setdefault(_text(event, "path"), set()).update(numbers)


def _unseen(results: ProbeResults, event: dict[str, Any]) -> None:
    results.unseen.add(_text(event, "test"))


def _untraced(results: ProbeResults, event: dict[str, Any]) -> None:
    results.untraced[_text(event, "path")] = _text(event, "reason")


def _abort(results: ProbeResults, event: dict[str, Any]) -> None:
    results.abort = _failure(event.get("failure"))


def _service(results: ProbeResults, event: dict[str, Any]) -> None:
    results.service = _text(event, "message")


def _end(results: ProbeResults, event: dict[str, Any]) -> None:
    code = event.get("exit_code")
    results.exit_code = code if isinstance(code, int) else None


HANDLERS = {
    "start": _start,
    "outcome": _outcome,
    "hits": _hits,
    "executed": _executed,
    "unseen": _unseen,
    "untraced": _untraced,
    "abort": _abort,
    "service": _service,
    "end": _end,
}


def _failure(value: object) -> Failure | None:
    fields = _mapping(value)
    if not fields:
        return None
    frame = _frame(fields.get("frame"))
    return Failure(_text(fields, "type"), _text(fields, "message"), frame)


def _frame(value: object) -> Frame | None:
    match value:
        case [str(path), int(line), str(function)]:
            return Frame(_clean(path), line, _clean(function))
    return None


def _text(event: Mapping[str, Any], name: str) -> str:
    value = event.get(name)
    return _clean(value) if isinstance(value, str) else ""


def _clean(text: str) -> str:
    """Bounded, and without the lone surrogates that could not be written out again."""
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_count(value: object) -> bool:
    return type(value) is int and 0 < value <= GREATEST_COUNT


def _seconds(value: object) -> float:
    if type(value) in (int, float) and 0 <= value < GREATEST_COUNT:  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    return 0.0
