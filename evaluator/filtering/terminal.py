"""Tells a filter on a terminal: its figures, what each rule buys, and what was not judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.filtering.cross_validation import CrossValidation, cross_validate
from evaluator.filtering.document import PAPER
from evaluator.filtering.results import FixResult, FixState, InstanceResult
from evaluator.filtering.summary import FilterSummary, Share, ablation, all_fixes, summarize
from evaluator.report.wording import percent, shortened

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
