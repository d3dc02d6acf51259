"""`report.html` of an evaluation: figures, plots, and every test to open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.document import CoverageRow, EvaluationDocument
from evaluator.benchmarks.tests4j.metrics import UnitTestFigures, stages
from evaluator.benchmarks.tests4j.results import TestResult
from evaluator.benchmarks.tests4j.samples import Fate
from evaluator.report.html import LARGEST_PAGE, render_template
from evaluator.report.wording import percent, shortened
from evaluator.storage.files import write_whole

COLUMNS: Mapping[str, str] = {
    "parsable": "Parsable",
    "compilable": "Compilable",
    "executable": "Executable",
    "correct": "Correct",
    "correct_by_name": "By name",
    "milc": "MiLC",
    "malc": "MaLC",
    "mibc": "MiBC",
    "mabc": "MaBC",
    "bleu": "BLEU",
    "crystal_bleu": "crystalBLEU",
    "mutation_score": "Mutants",
}
_STAGES = ("unique", "parsable", "compilable", "executable", "correct")
_MARKS = {
    Fate.CORRECT: "success",
    Fate.EXECUTED: "not_run",
    Fate.DUPLICATE: "not_run",
    Fate.LEFT_OUT: "not_run",
}
_CAPS = (4000, 1000, 300, 0)
"""Characters of a test that the page shows: the most with which it stays small enough."""
_MOST_REASONS = 20
_VARYING = re.compile(r"line \d+: |'[^']*'|\"[^\"]*\"|<[^>]*>|\b\d+\b|[\w.$]+@[0-9a-f]+")


@dataclass(frozen=True)
class Chain:
    """How many tests of a repository came how far: (stage, count, share of unique)."""

    name: str
    stages: tuple[tuple[str, int, float], ...]


@dataclass(frozen=True)
class Reason:
    """Why tests ended at one fate, its varying parts left out, and how many did."""

    fate: Fate
    text: str
    count: int


@dataclass(frozen=True)
class MethodPart:
    """One MUT with its tests."""

    row: CoverageRow
    tests: tuple[TestResult, ...]

    @property
    def badges(self) -> Sequence[tuple[str, str]]:
        """Fates and how often each came out, with the mark that colours them."""
        counts = Counter(test.fate for test in self.tests)
        return [(mark_of(fate), f"{count} {fate.value}") for fate, count in counts.items()]

    @property
    def survivors(self) -> Sequence[str]:
        """The mutants that no test killed, by line and operator."""
        return [f"line {m.line} ({m.operator})" for m in self.row.each_mutant if not m.killed]


def mark_of(fate: Fate) -> str:
    """The colour of a fate."""
    return _MARKS.get(fate, "failure")


def write_page(path: Path, found: EvaluationDocument) -> None:
    """Write the page, with as much of each test as keeps it small enough to open."""
    page = b""
    for cap in _CAPS:
        page = _page(found, cap)
        if len(page) <= LARGEST_PAGE:
            break
    write_whole(path, page)


def _page(found: EvaluationDocument, cap: int) -> bytes:
    return render_template(
        "tests4j_evaluation.html.j2",
        document=found,
        columns=COLUMNS,
        chains=_chains(found),
        reasons=_reasons(found.tests),
        repositories=_parts(found),
        shown=_shown,
        mark_of=mark_of,
        shortened=shortened,
        cap=cap,
    )


def _shown(figures: UnitTestFigures, name: str) -> str:
    return percent(getattr(figures, name))


def _chains(found: EvaluationDocument) -> Sequence[Chain]:
    names = {each.method: each.repository for each in found.methods}
    own: dict[str, list[TestResult]] = {name: [] for name in found.repositories}
    for test in found.tests:
        own[names[test.method]].append(test)
    return [_chain(name, tests) for name, tests in (*own.items(), ("total", found.tests))]


def _chain(name: str, tests: Iterable[TestResult]) -> Chain:
    counts = stages(tests)
    whole = counts[0] or 1
    return Chain(
        name,
        tuple((s, count, count / whole) for s, count in zip(_STAGES, counts, strict=True)),
    )


def _reasons(tests: Iterable[TestResult]) -> Sequence[Reason]:
    """The most frequent reasons, the same for other names and numbers."""
    counts = Counter((test.fate, _common(test.reason)) for test in tests if test.reason)
    return [Reason(*key, count) for key, count in counts.most_common(_MOST_REASONS)]


def _common(reason: str) -> str:
    return shortened(_VARYING.sub("…", reason.partition("\n")[0]), 160)


def _parts(found: EvaluationDocument) -> Mapping[str, Sequence[MethodPart]]:
    tests: dict[str, list[TestResult]] = {}
    for test in found.tests:
        tests.setdefault(test.method, []).append(test)
    parts: dict[str, list[MethodPart]] = {}
    for row in found.methods:
        part = MethodPart(row, tuple(tests.get(row.method, ())))
        parts.setdefault(row.repository, []).append(part)
    return parts
