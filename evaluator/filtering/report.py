"""What a filter found: as `filter.json`, on a terminal, and as `filter.html`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.filtering.results import FixResult, FixState, InstanceResult, SetOutcome, TestSet
from evaluator.filtering.summary import (
    CrossValidation,
    FilterSummary,
    Share,
    ablation,
    all_fixes,
    cross_validate,
    summarize,
)
from evaluator.report.html import render_template
from evaluator.report.wording import percent, shortened
from evaluator.storage.files import write_whole
from evaluator.verdict import RULES, Decision

SCHEMA_VERSION = 1
PAPER = {"precision": 0.478, "recall": 0.20}
"""The fix filter of SWT-Bench (section 5.4), for comparison."""

Json = dict[str, Any]


def write_filter(
    path: Path, results: Sequence[InstanceResult], *, settings: Mapping[str, object]
) -> None:
    """Write `filter.json`. `settings` is what the filter was started with, as JSON values."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = build_document(results, settings=settings)
    write_whole(path, json.dumps(document, indent=1, sort_keys=True).encode())


def build_document(results: Sequence[InstanceResult], *, settings: Mapping[str, object]) -> Json:
    """The document that `write_filter` writes.

    Shares are from 0 to 1 and null where their denominator is 0. `ablation` maps a rule of the
    verdict to the summary without it; `cross_validation` is null with fewer than two repositories
    of which is known which fixes are right. The same results give the same document.
    """
    fixes = all_fixes(results)
    return {
        "schema_version": SCHEMA_VERSION,
        "settings": dict(settings),
        "summary": _summary(summarize(fixes)),
        "paper": PAPER,
        "ablation": {rule: _summary(found) for rule, found in ablation(fixes).items()},
        "cross_validation": _cross_validation(cross_validate(results)),
        "states": {s.value: sum(fix.state is s for fix in fixes) for s in FixState},
        "instances": {
            result.instance_id: {"repo": result.repo, "tests": [_test(t) for t in result.tests]}
            for result in results
        },
        "fixes": [_fix(fix) for fix in fixes],
    }


def _summary(summary: FilterSummary) -> Json:
    shares = {
        "precision": summary.precision,
        "recall": summary.recall,
        "rejections_right": summary.rejections_right,
        "unfiltered_precision": summary.unfiltered_precision,
    }
    return {
        "fixes": summary.fixes,
        "judged": summary.judged,
        "accepted": summary.accepted,
        "rejected": summary.rejected,
        "abstained": summary.abstained,
        **{name: share.value for name, share in shares.items()},
        "intervals": {name: _interval(share) for name, share in shares.items()},
        "denominators": {name: share.denominator for name, share in shares.items()},
    }


def _cross_validation(found: CrossValidation | None) -> Json | None:
    if found is None:
        return None
    return {
        "summary": _summary(found.summary),
        "kept": dict(found.kept),
        "folds": [
            {"repo": f.repo, "without": list(f.without), "summary": _summary(f.summary)}
            for f in found.folds
        ],
    }


def _interval(share: Share) -> list[float] | None:
    return None if share.interval is None else list(share.interval)


def _test(test: TestSet) -> Json:
    return {
        "name": test.name,
        "writer": test.writer,
        "admitted": test.admitted,
        "refusal": test.refusal,
        "strength": test.strength.name.lower(),
        "reason": test.reason,
    }


def _fix(fix: FixResult) -> Json:
    return {
        "instance_id": fix.instance_id,
        "name": fix.name,
        "resolved": fix.resolved,
        "state": fix.state,
        "decision": fix.decision,
        "reasons": list(fix.reasons),
        "findings": [
            {"rule": f.rule, "decision": f.decision, "reason": f.reason} for f in fix.findings
        ],
        "tests": dict(fix.outcomes),
    }


_HEADINGS = ("accept", "reject", "cannot tell", "precision", "recall", "rejections right")


def print_filter(console: Console, results: Sequence[InstanceResult]) -> None:
    """The table of figures, the ablation of the verdict's rules, and states of what failed."""
    fixes = all_fixes(results)
    summary = summarize(fixes)
    table = Table(box=None, pad_edge=False)
    table.add_column("fixes", overflow="fold")
    for heading in _HEADINGS:
        table.add_column(heading, justify="right")
    table.add_row(*_row(f"{summary.judged} judged of {summary.fixes}", summary))
    for rule, found in ablation(fixes).items():
        table.add_row(*_row(f"without {rule}", found))
    console.print(table)
    console.print(Text())
    console.print(Text(_compared(summary)))
    if validated := cross_validate(results):
        console.print(Text(_cross_validated(validated)))
    _print_unjudged(console, fixes)


def _row(name: str, summary: FilterSummary) -> tuple[Text | str, ...]:
    counts = (summary.accepted, summary.rejected, summary.abstained)
    shares = (summary.precision, summary.recall, summary.rejections_right)
    return (Text(name), *map(str, counts), *map(told, shares))


def told(share: Share) -> str:
    """A share in per cent, with what it is of."""
    return f"{percent(share.value)} ({share.count}/{share.denominator})"


def _compared(summary: FilterSummary) -> str:
    interval = summary.precision.interval
    low_high = f" [{percent(interval[0])}, {percent(interval[1])}]" if interval else ""
    return (
        f"Precision {percent(summary.precision.value)} %{low_high} at a recall of "
        f"{percent(summary.recall.value)} %; unfiltered {told(summary.unfiltered_precision)}; "
        f"the paper's filter {percent(PAPER['precision'])} at {percent(PAPER['recall'])}."
    )


def _cross_validated(found: CrossValidation) -> str:
    """What was reached on repositories that the rules were not chosen on."""
    precision, recall = found.summary.precision, found.summary.recall
    low, high = precision.interval or (0.0, 1.0)
    return (
        f"Cross-validated over {len(found.folds)} repositories: precision {told(precision)} "
        f"[{percent(low)}, {percent(high)}] at a recall of {told(recall)}."
    )


def _print_unjudged(console: Console, fixes: Sequence[FixResult]) -> None:
    failed = [fix for fix in fixes if fix.state is not FixState.JUDGED]
    for state, count in Counter(fix.state for fix in failed).most_common():
        first = next(fix for fix in failed if fix.state is state)
        reason = shortened(first.reasons[0], 200) if first.reasons else "no reason given"
        console.print(Text(f"{state}: {count}, first {first.instance_id} {first.name}: {reason}"))


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
        interval_of=_percentages,
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


def _percentages(share: Share) -> str:
    if share.interval is None:
        return ""
    return f"[{percent(share.interval[0])}, {percent(share.interval[1])}]"


def _instance(result: InstanceResult) -> FilteredInstance:
    fixes = tuple(_fix_part(fix) for fix in result.fixes)
    return FilteredInstance(result.instance_id, result.repo, result.tests, fixes)


def _fix_part(fix: FixResult) -> FixPart:
    judged = fix.decision is not None
    return FixPart(
        fix=fix,
        mark=_MARKS[fix.decision] if fix.decision else "not_run",
        decision=_WORDS[fix.decision] if fix.decision else fix.state.replace("_", " "),
        truth=_TRUTHS[fix.resolved] if judged else "",
        reasons=tuple(shortened(reason, LONGEST_REASON) for reason in fix.reasons[:8]),
        outcomes=tuple((name, OUTCOMES[found]) for name, found in fix.outcomes.items()),
    )
