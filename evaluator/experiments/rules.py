"""What each rule of `issue-only` is worth, from tests that were recorded once: nothing is run.

`fixgate generate --method issue-only-rules` records every test of every rule with whether it is
right. What would have been submitted without a rule is then the surest of the others. What the
reading of a report without it would have brought up instead is not known, and counts as nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evaluator.errors import InputError
from evaluator.experiments.comparisons import Cell, Table
from evaluator.filtering.summary import WANTED_PRECISION, Share
from evaluator.swtbench.fields import RequiredText, RowFields, read_row
from evaluator.swtbench.rows import Problems, read_rows

NOTHING = "nothing"
"""What a test denies whose claim about what is right stands in the report."""


class RecordedTest(RowFields):
    """A test with the rules that it rests on, what it only denies, and whether it is right."""

    admitted: bool
    rules: list[str]
    denies: str
    verdict: str

    @property
    def is_right(self) -> bool:
        """Whether it fails without the true fix and passes with it."""
        return self.verdict == "right"


class RecordedIssue(RowFields):
    """An issue with its tests, the surest first."""

    instance_id: RequiredText
    repo: RequiredText
    method: str
    exit: str
    candidates: list[RecordedTest]

    def submission(self, without: Collection[str], denials: Collection[str]) -> RecordedTest | None:
        """What would be submitted without some rules; None where nothing would."""
        for test in self.candidates:
            allowed = test.denies == NOTHING or test.denies in denials
            if test.admitted and allowed and set(test.rules).isdisjoint(without):
                return test
        return None


METHOD = "issue-only-rules"


@dataclass(frozen=True)
class RuleFigures:
    """How many of some issues had a test submitted, and how many of these were right."""

    issues: int
    submitted: int
    right: int

    @property
    def precision(self) -> Share:
        """Of what was submitted, how much was right."""
        return Share(self.right, self.submitted)

    @property
    def success(self) -> Share:
        """Of all issues, how many had a right test."""
        return Share(self.right, self.issues)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """As tables have them: see `HEADINGS`."""
        low, high = self.precision.interval or (None, None)
        shares = (self.precision.value, low, high, self.success.value)
        return (self.issues, self.submitted, self.right, *shares)


HEADINGS = ("ran", "submitted", "right", "precision", "from", "to", "S")
_NOTE = "Precision with its 95 % Wilson interval, and S over the issues that ran; in percent."


def read_recorded(paths: Sequence[Path]) -> tuple[RecordedIssue, ...]:
    """The issues of files that `generate --method issue-only-rules` wrote, an issue once.

    Those that could not be run are left out. Raises InputError, naming file and line, for rows of
    another method, and where none ran.
    """
    found: dict[str, RecordedIssue] = {}
    for path in paths:
        problems = Problems(str(path))
        for row in read_rows(path, problems):
            read = read_row(row, RecordedIssue, problems)
            if read is not None and read.method != METHOD:
                message = f"is {read.method!r}, not {METHOD!r}: only that records every rule"
                problems.add(row.where, message, field="method")
            elif read is not None and read.exit != "not_run":
                found.setdefault(read.instance_id, read)
        problems.check()
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: no issue in there was run")
    return tuple(found.values())


@dataclass(frozen=True)
class RecordedRules:
    """Recorded issues, and which tests that only deny what is reported count as submitted."""

    issues: Sequence[RecordedIssue]
    denials: Collection[str] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The rules on which any admitted test rests."""
        tests = [test for issue in self.issues for test in issue.candidates if test.admitted]
        return tuple(sorted({rule for test in tests for rule in test.rules}))

    @cached_property
    def by_repository(self) -> Mapping[str, RecordedRules]:
        """The issues of each repository."""
        found: dict[str, list[RecordedIssue]] = defaultdict(list)
        for issue in self.issues:
            found[issue.repo].append(issue)
        return {repo: RecordedRules(found[repo], self.denials) for repo in sorted(found)}

    def others(self, repo: str) -> RecordedRules:
        """The issues of all repositories but one."""
        return RecordedRules([one for one in self.issues if one.repo != repo], self.denials)

    def figures(self, without: Collection[str] = ()) -> RuleFigures:
        """What is reached without some rules."""
        tests = [test for _, test in self.submissions(without)]
        return RuleFigures(len(self.issues), len(tests), sum(test.is_right for test in tests))

    def submissions(
        self, without: Collection[str] = ()
    ) -> Sequence[tuple[RecordedIssue, RecordedTest]]:
        """What is submitted without some rules, with its issue."""
        found = ((issue, issue.submission(without, self.denials)) for issue in self.issues)
        return [(issue, test) for issue, test in found if test is not None]


def by_rule(recorded: RecordedRules) -> Table:
    """What is reached with all rules, and without each, and how much rests on it."""
    rows = [("all rules", "", "", "", *recorded.figures().cells)]
    for rule in recorded.names:
        resting = [(i, t) for i, t in recorded.submissions() if rule in t.rules]
        right = [issue for issue, test in resting if test.is_right]
        repositories = len({issue.repo for issue in right})
        cells = recorded.figures([rule]).cells
        rows.append((f"without {rule}", len(resting), len(right), repositories, *cells))
    headings = ("rules", "rest on it", "of them right", "in repositories", *HEADINGS)
    alone = [str(row[0]).removeprefix("without ") for row in rows if row[2] == 1]
    note = f"{_NOTE} Rules that explain one issue only: {', '.join(alone) or 'none'}."
    return Table("Rules of issue-only", headings, tuple(rows), note)


def by_repository(recorded: RecordedRules) -> Table:
    """What all rules reach in each repository."""
    rows = [(repo, *part.figures().cells) for repo, part in recorded.by_repository.items()]
    rows.append(("all repositories", *recorded.figures().cells))
    return Table("Rules by repository", ("repository", *HEADINGS), tuple(rows), _NOTE)


def by_fold(recorded: RecordedRules) -> Table:
    """Leave one repository out: what the rules that the others would keep reach in it.

    Raises InputError where there is only one.
    """
    if len(recorded.by_repository) < 2:
        raise InputError("all issues are of one repository: none is left to choose rules on")
    rows, folds = list[tuple[Cell, ...]](), list[RuleFigures]()
    for repo, part in recorded.by_repository.items():
        without = chosen(recorded.others(repo))
        folds.append(part.figures(without | _unknown(part, recorded.others(repo))))
        rows.append((repo, ", ".join(sorted(without)) or "-", *folds[-1].cells))
    rows.append(("all repositories", "", *_sum(folds).cells))
    note = (
        f"{_NOTE} A repository is without the rules that the others would leave out to reach "
        f"{WANTED_PRECISION:.0%} precision, and without those that they never saw at work."
    )
    return Table(
        "Leave one repository out", ("repository", "left out", *HEADINGS), tuple(rows), note
    )


def _unknown(part: RecordedRules, others: RecordedRules) -> frozenset[str]:
    """The rules that the others never saw at work."""
    return frozenset(part.names) - frozenset(others.names)


def _sum(folds: Iterable[RuleFigures]) -> RuleFigures:
    counts = [(one.issues, one.submitted, one.right) for one in folds]
    return RuleFigures(*(sum(column) for column in zip(*counts, strict=True)))


def chosen(recorded: RecordedRules) -> frozenset[str]:
    """The rules to leave out: those that give nothing right, then those that cost precision.

    One after the other, the rule whose absence is worth most, as long as it is worth anything:
    precision counts up to the wanted one, then the number of right tests.
    """
    proven = {rule for _, test in recorded.submissions() if test.is_right for rule in test.rules}
    without = frozenset(recorded.names) - proven
    while candidates := [without | {rule} for rule in recorded.names if rule not in without]:
        best = max(candidates, key=lambda names: _worth(recorded, names))
        if _worth(recorded, best) <= _worth(recorded, without):
            return without
        without = best
    return without


def _worth(recorded: RecordedRules, without: Collection[str]) -> tuple[float, int]:
    """Who submits nothing is never right."""
    figures = recorded.figures(without)
    return min(figures.precision.value or 0.0, WANTED_PRECISION), figures.right
