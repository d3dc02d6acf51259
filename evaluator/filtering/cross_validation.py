"""What the filter reaches on repositories that its rules were not chosen on.

Rules that are chosen and measured on the same fixes look better than they are. Here the optional
rules are chosen anew for each repository, by the fixes of all others (leave one repository out),
and the figures are those of the repository that was left out, put together.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.filtering.results import FixResult, InstanceResult
from evaluator.filtering.summary import FilterSummary, summarize, summarize_decisions
from evaluator.filtering.summary import decision as decision_without
from evaluator.verdict import WRITER_RULES

WANTED_PRECISION = 0.9
"""Rules are chosen for the highest recall at which acceptances are so often right."""


@dataclass(frozen=True)
class Fold:
    """One repository, the rules that were left out as the others would have it, and its figures."""

    repo: str
    without: tuple[str, ...]
    summary: FilterSummary


@dataclass(frozen=True)
class CrossValidation:
    """The folds, the figures over all of them, and how often each optional rule was kept."""

    folds: tuple[Fold, ...]
    summary: FilterSummary
    kept: Mapping[str, int]


def cross_validate(results: Sequence[InstanceResult]) -> CrossValidation | None:
    """Leave one repository out at a time.

    None where fewer than two repositories have fixes of which is known whether they are right.
    """
    by_repo = _by_repo(results)
    if len(by_repo) < 2:
        return None
    optional = _optional(itertools.chain.from_iterable(by_repo.values()))
    folds, decisions = [], []
    for repo, fixes in by_repo.items():
        others = [fix for name, some in by_repo.items() if name != repo for fix in some]
        without = _chosen(others, optional)
        folds.append(Fold(repo, without, summarize(fixes, without=without)))
        decisions += [(fix, decision_without(fix, without=without)) for fix in fixes]
    kept = {rule: sum(rule not in fold.without for fold in folds) for rule in optional}
    return CrossValidation(tuple(folds), summarize_decisions(decisions), kept)


def _by_repo(results: Iterable[InstanceResult]) -> dict[str, list[FixResult]]:
    """The fixes of known worth, by repository."""
    found: dict[str, list[FixResult]] = {}
    for result in results:
        if known := [fix for fix in result.fixes if fix.resolved is not None]:
            found.setdefault(result.repo, []).extend(known)
    return dict(sorted(found.items()))


def _optional(fixes: Iterable[FixResult]) -> tuple[str, ...]:
    """The rules on writers that spoke of some fix; all others hold whatever the data say."""
    spoke = {finding.rule for fix in fixes for finding in fix.findings}
    return tuple(rule for rule in WRITER_RULES if rule in spoke)


def _chosen(fixes: Sequence[FixResult], optional: Sequence[str]) -> tuple[str, ...]:
    """The rules to leave out: recall counts from the wanted precision on, and caution at a tie.

    Who accepts nothing is never wrong.
    """

    def worth(without: tuple[str, ...]) -> tuple[float, float, int]:
        summary = summarize(fixes, without=without)
        precision = 1.0 if summary.precision.value is None else summary.precision.value
        return min(precision, WANTED_PRECISION), summary.recall.value or 0.0, -len(without)

    return max(_subsets(optional), key=worth)


def _subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(len(names) + 1):
        yield from itertools.combinations(names, size)
