"""`filter.html`: one page that needs nothing else, in the style of the replay report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.filtering.cross_validation import cross_validate
from evaluator.filtering.document import PAPER
from evaluator.filtering.results import FixResult, InstanceResult, SetOutcome, TestSet
from evaluator.filtering.summary import FilterSummary, Share, ablation, all_fixes, summarize
from evaluator.report.html import render_template
from evaluator.report.wording import percent, shortened
from evaluator.storage.files import write_whole
from evaluator.verdict import RULES, Decision

LONGEST_REASON = 600

OUTCOMES = {
    SetOutcome.SATISFIED: "fails without it, passes with it",
    SetOutcome.STILL_FAILS: "fails with it in the same way",
    SetOutcome.FAILS_DIFFERENTLY: "fails with it in another way",
    SetOutcome.BREAKS: "a passing test breaks",
    SetOutcome.SILENT: "no change",
}
_MARKS = {Decision.ACCEPT: "success", Decision.REJECT: "failure", Decision.ABSTAIN: "abstain"}
_TRUTHS = {True: "a right fix", False: "a wrong fix", None: "of unknown worth"}
_WORDS = {Decision.ACCEPT: "accept", Decision.REJECT: "reject", Decision.ABSTAIN: "cannot tell"}


@dataclass(frozen=True)
class FigureRow:
    """One line of the table of figures; `told` says what the rule is for."""

    name: str
    told: str
    summary: FilterSummary


@dataclass(frozen=True)
class FixPart:
    """One fix: a mark for the page's filter, the decision in words, and whether that was right."""

    fix: FixResult
    mark: str
    decision: str
    truth: str
    reasons: tuple[str, ...]
    outcomes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FilteredInstance:
    """One instance with its tests and fixes."""

    instance_id: str
    repo: str
    tests: tuple[TestSet, ...]
    fixes: tuple[FixPart, ...]


def write_page(
    path: Path, results: Sequence[InstanceResult], *, settings: Mapping[str, object]
) -> None:
    """Write the page."""
    fixes = all_fixes(results)
    page = render_template(
        "filter.html.j2",
        rows=tuple(_rows(fixes)),
        summary=summarize(fixes),
        cross_validation=cross_validate(results),
        paper=PAPER,
        instances=tuple(_instance(result) for result in results),
        settings=settings,
        share=_share,
        interval_of=_interval,
        longest=LONGEST_REASON,
        shortened=shortened,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page)


def _rows(fixes: Sequence[FixResult]) -> Iterator[FigureRow]:
    yield FigureRow("all rules", "the verdict as it is", summarize(fixes))
    for rule, summary in ablation(fixes).items():
        told = (RULES[rule].__doc__ or "").partition("\n")[0]
        yield FigureRow(f"without {rule}", told, summary)


def _share(share: Share) -> str:
    return f"{percent(share.value)}"


def _interval(share: Share) -> str:
    if share.interval is None:
        return ""
    return f"[{percent(share.interval[0])}, {percent(share.interval[1])}]"


def _instance(result: InstanceResult) -> FilteredInstance:
    fixes = tuple(_fix(fix) for fix in result.fixes)
    return FilteredInstance(result.instance_id, result.repo, result.tests, fixes)


def _fix(fix: FixResult) -> FixPart:
    judged = fix.decision is not None
    return FixPart(
        fix=fix,
        mark=_MARKS[fix.decision] if fix.decision else "not_run",
        decision=_WORDS[fix.decision] if fix.decision else fix.state.replace("_", " "),
        truth=_TRUTHS[fix.resolved] if judged else "",
        reasons=tuple(shortened(reason, LONGEST_REASON) for reason in fix.reasons[:8]),
        outcomes=tuple((name, OUTCOMES[found]) for name, found in fix.outcomes.items()),
    )
