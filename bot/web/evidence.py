"""What was kept of a verification, as its page shows it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator import ChangedLine, LineState, Revision
from evaluator.model import ChangeCoverage
from evaluator.report.annotated_diff import DiffLine, annotate

MOST_TESTS = 200
_TELLING = ("F->P", "F->F", "P->F")


@dataclass(frozen=True)
class Span:
    """Neighbouring changed lines of one side of a file of which the same is known."""

    side: str
    first: int
    last: int
    state: str
    tests: Sequence[str]


@dataclass(frozen=True)
class FileCoverage:
    """A file, its changed lines that can be executed, and how many of them are."""

    path: str
    spans: Sequence[Span]
    covered: int
    executable: int


@dataclass(frozen=True)
class VerdictEvidence:
    """Reasons, tests and logs are as they were kept; the most telling tests come first.

    `diff` is the change with what the tests do with each line, `hidden_lines` of it were not kept.
    """

    base: str
    head: str
    reasons: Sequence[Mapping[str, Any]]
    tests: Sequence[Mapping[str, Any]]
    hidden_tests: int
    covered: int
    executable: int
    files: Sequence[FileCoverage]
    diff: Sequence[DiffLine]
    hidden_lines: int
    logs: Sequence[Mapping[str, str]]


def evidence_of(details: str) -> VerdictEvidence:
    """Read what was kept of a verification."""
    kept = json.loads(details)
    tests = sorted(kept.get("tests", ()), key=_rank)
    coverage = kept.get("coverage", {})
    return VerdictEvidence(
        base=kept.get("base", ""),
        head=kept.get("head", ""),
        reasons=kept.get("reasons", ()),
        tests=tests[:MOST_TESTS],
        hidden_tests=len(tests[MOST_TESTS:]),
        covered=coverage.get("covered", 0),
        executable=coverage.get("executable", 0),
        files=_files(kept.get("lines", ())),
        diff=_annotated(kept.get("diff", ""), kept.get("lines", ())),
        hidden_lines=kept.get("hidden_lines", 0),
        logs=kept.get("logs", ()),
    )


def _annotated(diff: str, lines: Sequence[Mapping[str, Any]]) -> Sequence[DiffLine]:
    changed = (
        ChangedLine(one["path"], one["line"], Revision(one["side"]), LineState(one["state"]))
        for one in lines
    )
    return tuple(annotate(diff, [ChangeCoverage(tuple(changed))])) if diff else ()


def _rank(test: Mapping[str, Any]) -> tuple[bool, int]:
    kind = test.get("kind")
    rank = _TELLING.index(kind) if kind in _TELLING else len(_TELLING)
    return bool(test.get("preexisting")), rank


def _files(lines: Sequence[Mapping[str, Any]]) -> Sequence[FileCoverage]:
    ordered = sorted(lines, key=lambda line: (line["path"], line["side"], line["line"]))
    return tuple(
        _file(path, list(group))
        for path, group in itertools.groupby(ordered, key=lambda line: line["path"])
    )


def _file(path: str, lines: Sequence[Mapping[str, Any]]) -> FileCoverage:
    executable = [line for line in lines if line["state"] != "not_executable"]
    covered = sum(line["state"] == "covered" for line in executable)
    return FileCoverage(path, tuple(_spans(lines)), covered, len(executable))


def _spans(lines: Sequence[Mapping[str, Any]]) -> Sequence[Span]:
    """Lines that follow one another with the same side, state and tests, together."""
    spans: list[Span] = []
    for line in lines:
        tests = tuple(line.get("tests", ()))
        here = Span(line["side"], line["line"], line["line"], line["state"], tests)
        if spans and _follows(spans[-1], here):
            here = Span(here.side, spans[-1].first, here.last, here.state, tests)
            spans.pop()
        spans.append(here)
    return spans


def _follows(span: Span, line: Span) -> bool:
    same = (span.side, span.state, span.tests) == (line.side, line.state, line.tests)
    return same and span.last + 1 == line.first
