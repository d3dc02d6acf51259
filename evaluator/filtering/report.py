"""What a filter found: as `filter.json`, on a terminal, and as `filter.html`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.filtering.document import (
    SCHEMA_VERSION,
    AdmittedTests,
    CrossValidationFigures,
    FilterDocument,
    FilteredIssue,
    FilterFigures,
    JudgedFix,
    NamedShares,
    PaperFigures,
    RepositoryFold,
    RuleFinding,
    ShareDenominators,
    ShareIntervals,
)
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

PAPER = PaperFigures(precision=0.478, recall=0.20)


def write_filter(
    path: Path, results: Sequence[InstanceResult], *, settings: Mapping[str, object]
) -> None:
    """Write `filter.json`. `settings` is what the filter was started with, as JSON values."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = build_document(results, settings=settings).model_dump(mode="json")
    write_whole(path, json.dumps(document, indent=1, sort_keys=True).encode())


def build_document(
    results: Sequence[InstanceResult], *, settings: Mapping[str, object]
) -> FilterDocument:
    """The document that `write_filter` writes. The same results give the same document."""
    fixes = all_fixes(results)
    return FilterDocument(
        schema_version=SCHEMA_VERSION,
        settings=dict(settings),
        summary=_figures(summarize(fixes)),
        paper=PAPER,
        ablation={rule: _figures(found) for rule, found in ablation(fixes).items()},
        cross_validation=_validation(cross_validate(results)),
        states={state: sum(fix.state is state for fix in fixes) for state in FixState},
        instances={result.instance_id: _issue(result) for result in results},
        fixes=tuple(map(_judged, fixes)),
    )


def _figures(summary: FilterSummary) -> FilterFigures:
    shares = {name: getattr(summary, name) for name in NamedShares.model_fields}
    return FilterFigures(
        fixes=summary.fixes,
        judged=summary.judged,
        accepted=summary.accepted,
        rejected=summary.rejected,
        abstained=summary.abstained,
        intervals=ShareIntervals(**{name: share.interval for name, share in shares.items()}),
        denominators=ShareDenominators(**{name: s.denominator for name, s in shares.items()}),
        **{name: share.value for name, share in shares.items()},
    )


def _validation(found: CrossValidation | None) -> CrossValidationFigures | None:
    if found is None:
        return None
    folds = (
        RepositoryFold(repo=fold.repo, without=fold.without, summary=_figures(fold.summary))
        for fold in found.folds
    )
    return CrossValidationFigures(
        summary=_figures(found.summary), kept=dict(found.kept), folds=tuple(folds)
    )


def _issue(result: InstanceResult) -> FilteredIssue:
    return FilteredIssue(repo=result.repo, tests=tuple(map(_tests, result.tests)))


def _tests(tests: TestSet) -> AdmittedTests:
    return AdmittedTests(
        name=tests.name,
        writer=tests.writer,
        admitted=tests.admitted,
        refusal=tests.refusal,
        strength=tests.strength.name.lower(),
        reason=tests.reason,
    )


def _judged(fix: FixResult) -> JudgedFix:
    findings = (
        RuleFinding(rule=each.rule, decision=each.decision, reason=each.reason)
        for each in fix.findings
    )
    return JudgedFix(
        instance_id=fix.instance_id,
        name=fix.name,
        resolved=fix.resolved,
        state=fix.state,
        decision=fix.decision,
        reasons=fix.reasons,
        findings=tuple(findings),
        tests=dict(fix.outcomes),
    )


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
    return (Text(name), *map(str, counts), *map(with_count, shares))


def with_count(share: Share) -> str:
    """A share in per cent, with what it is of."""
    return f"{percent(share.value)} ({share.count}/{share.denominator})"


def _compared(summary: FilterSummary) -> str:
    interval = summary.precision.interval
    low_high = f" [{percent(interval[0])}, {percent(interval[1])}]" if interval else ""
    return (
        f"Precision {percent(summary.precision.value)} %{low_high} at a recall of "
        f"{percent(summary.recall.value)} %; "
        f"unfiltered {with_count(summary.unfiltered_precision)}; "
        f"the paper's filter {percent(PAPER.precision)} at {percent(PAPER.recall)}."
    )


def _cross_validated(found: CrossValidation) -> str:
    """What was reached on repositories that the rules were not chosen on."""
    precision, recall = found.summary.precision, found.summary.recall
    low, high = precision.interval or (0.0, 1.0)
    return (
        f"Cross-validated over {len(found.folds)} repositories: precision {with_count(precision)} "
        f"[{percent(low)}, {percent(high)}] at a recall of {with_count(recall)}."
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
    """One line of the table of figures; `purpose` says what the rule is for."""

    name: str
    purpose: str
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
        purpose = (RULES[rule].__doc__ or "").partition("\n")[0]
        yield FigureRow(f"without {rule}", purpose, summary)


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
