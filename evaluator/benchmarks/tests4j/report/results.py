"""Tables of evaluations: the thesis's 3.5 and 5.1 to 5.4, and what its research questions ask."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evaluator.benchmarks.tests4j.document import EvaluationDocument
from evaluator.benchmarks.tests4j.metrics import UnitTestFigures
from evaluator.benchmarks.tests4j.report.runs import EvaluatedRun
from evaluator.benchmarks.tests4j.samples import Fate
from evaluator.experiments.comparisons import Cell, Table
from evaluator.swtbench.metrics import Overlap, compare

_COVERAGES = ("milc", "malc", "mibc", "mabc")
_STAGES = ("parsable", "compilable", "executable", "correct", "correct_by_name")
_HEADINGS = (
    *("MUTs", "MiLC", "MaLC", "MiBC", "MaBC"),
    *("unique", "parsable", "compilable", "executable", "correct", "by name"),
    *("correct tests", "BLEU", "crystalBLEU", "mutation score"),
)
_MEANING = (
    "In percent, but for counts. MiLC, MaLC, MiBC, MaBC: lines (L) and branches (B) of the MUTs "
    "that are covered, through all of them (Mi) or as the mean of each MUT (Ma). Parsable to "
    "correct: fractions of the unique tests; a correct one runs without error and calls its MUT, "
    "or, by name, an overload of it."
)
_ASSERTS = re.compile(r"\b(?:assert\w*|fail|verify\w*|expect\w*)\s*\(|\bexpected\w*\s*=")


def by_run(runs: Sequence[EvaluatedRun]) -> Table:
    """Table 5.1: each run in total, and how many of its correct tests assert anything."""
    rows = tuple(
        (run.name, *_figures(run.document.total), _asserting(run), run.loss) for run in runs
    )
    note = (
        f"{_MEANING} Asserting: correct tests that hold an assertion, by its name. Loss: as given."
    )
    headings = ("run", *_HEADINGS, "asserting", "loss")
    return Table("Runs (table 5.1)", headings, _text_of_loss(rows), note)


def _text_of_loss(rows: tuple[tuple[Cell, ...], ...]) -> tuple[tuple[Cell, ...], ...]:
    """A loss is no share, which other figures are."""
    return tuple((*row[:-1], None if row[-1] is None else f"{row[-1]:.4f}") for row in rows)


def summary(runs: Sequence[EvaluatedRun]) -> Table:
    """The figures of each run that fit on a terminal."""
    rows = tuple(
        (run.name, total.milc, total.mibc, total.unique, total.executable, total.correct)
        for run in runs
        for total in (run.document.total,)
    )
    headings = ("run", "MiLC", "MiBC", "unique", "executable", "correct")
    return Table("Runs", headings, rows, "In percent, but for the number of unique tests.")


def by_repository(run: EvaluatedRun) -> Table:
    """Table 3.5 of the human tests, 5.2 to 5.4 of any other run."""
    document = run.document
    rows: list[tuple[Cell, ...]] = [
        (name, *_figures(found)) for name, found in sorted(document.repositories.items())
    ]
    rows.append(("total", *_figures(document.total)))
    number = "table 3.5" if run.is_truth else "tables 5.2 to 5.4"
    note = " ".join([_MEANING, *_not_counted(document)])
    headings = ("repository", *_HEADINGS)
    return Table(f"{run.name}: by repository ({number})", headings, tuple(rows), note)


def _not_counted(document: EvaluationDocument) -> Iterator[str]:
    """Sentences on what no figure is about."""
    failures = "; ".join(f"{name}: {why}" for name, why in sorted(document.failures.items()))
    if failures:
        yield f"Not evaluated: {failures}."
    left_out = "; ".join(
        f"{name} without {code.place} ({code.methods} methods, {code.tests} tests): {code.reason}"
        for name, codes in sorted(document.left_out.items())
        for code in codes
    )
    if left_out:
        yield f"Built in part: {left_out}."


def _figures(found: UnitTestFigures) -> tuple[Cell, ...]:
    stages = [getattr(found, name) for name in _STAGES]
    return (
        found.methods,
        *(getattr(found, name) for name in _COVERAGES),
        found.unique,
        *stages,
        _count(found, found.correct),
        *(found.bleu, found.crystal_bleu, found.mutation_score),
    )


def _count(found: UnitTestFigures, share: float | None) -> int:
    return round((share or 0.0) * found.unique)


def _asserting(run: EvaluatedRun) -> float | None:
    correct = [test for test in run.document.tests if test.fate is Fate.CORRECT]
    if not correct:
        return None
    return sum(bool(_ASSERTS.search(test.source)) for test in correct) / len(correct)


def side_by_side(runs: Sequence[EvaluatedRun]) -> Table:
    """RQ4: line coverage and executable tests of each run by repository, EvoSuite's among them."""
    names = sorted({name for run in runs for name in run.document.repositories})
    rows: list[tuple[Cell, ...]] = [(name, *_of_repository(runs, name)) for name in names]
    rows.append(("total", *(cell for run in runs for cell in _pair(run.document.total))))
    rows.append(("repositories without an executable test", *_without(runs, names)))
    headings = [f"{run.name}: {what}" for run in runs for what in ("MiLC", "executable tests")]
    note = "MiLC in percent. A run that has no row for a repository did not evaluate it."
    return Table("Runs by repository (RQ4)", ("repository", *headings), tuple(rows), note)


def _of_repository(runs: Sequence[EvaluatedRun], name: str) -> Iterator[Cell]:
    for run in runs:
        found = run.document.repositories.get(name)
        yield from (None, None) if found is None else _pair(found)


def _pair(found: UnitTestFigures) -> tuple[Cell, Cell]:
    return found.milc, _count(found, found.executable)


def _without(runs: Sequence[EvaluatedRun], names: Sequence[str]) -> Iterator[Cell]:
    for run in runs:
        figures = [run.document.repositories.get(name) for name in names]
        yield None
        yield sum(not _count(each, each.executable) for each in figures if each is not None)


def shared_methods(runs: Sequence[EvaluatedRun]) -> Overlap:
    """The MUTs with a correct test, by run."""
    return compare(
        {
            run.name: frozenset(
                test.method for test in run.document.tests if test.fate is Fate.CORRECT
            )
            for run in runs
        }
    )


def overlap_table(shared: Overlap) -> Table:
    """How many MUTs two runs both have a correct test for, and which one alone has."""
    names = tuple(shared.successes)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one,
            *(len(shared.successes[one] & shared.successes[other]) for other in names),
            len(shared.unique[one]),
        )
        for one in names
    )
    note = f"MUTs with a correct test; all runs together have one for {len(shared.union)}."
    return Table("MUTs that runs share", ("run", *names, "it alone"), rows, note)


def reasons(runs: Sequence[EvaluatedRun]) -> Table:
    """Why tests came no further: the most frequent reasons of each stage, by run."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        counts: dict[tuple[str, str], int] = {}
        for test in run.document.tests:
            if test.reason and test.fate not in (Fate.DUPLICATE, Fate.LEFT_OUT):
                key = (test.fate.value, _kind(test.reason))
                counts[key] = counts.get(key, 0) + 1
        ordered = sorted(counts.items(), key=lambda it: (-it[1], it[0]))
        rows += [(run.name, *key, count) for key, count in ordered[:_SHOWN]]
    headings = ("run", "came as far as", "reason", "tests")
    note = f"The {_SHOWN} most frequent of each run; names, numbers and texts in them are left out."
    return Table("Why tests came no further", headings, tuple(rows), note)


_SHOWN = 12
_PLACE = re.compile(r"^line \d+: ")
_OWN = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|<[^<>]*>|\b\d+\b")


def _kind(reason: str) -> str:
    """A reason without what only this test has."""
    return _OWN.sub("…", _PLACE.sub("", reason.partition("\n")[0]))[:100]
