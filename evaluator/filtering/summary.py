"""The figures of a filter: how right its acceptances are, here and on unseen repositories.

Denominators. `precision` is over the accepted fixes of which is known whether they are right,
`recall` over all right fixes, those that could not be judged included, and `unfiltered_precision`
over all fixes of which it is known: what somebody gets who accepts everything.

Rules that are chosen and measured on the same fixes look better than they are. Here the optional
rules are chosen anew for each repository, by the fixes of all others (leave one repository out),
and the figures are those of the repository that was left out, put together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.filtering.results import FixResult, FixState, InstanceResult
from evaluator.verdict import RULES, WRITER_RULES, Decision, decision_of

NORMAL_QUANTILE = 1.959963984540054
"""Of a two-sided 95 % interval."""


@dataclass(frozen=True)
class Share:
    """A share from 0 to 1 with its 95 % Wilson interval; None where the denominator is 0."""

    count: int
    denominator: int

    @property
    def value(self) -> float | None:
        """The share itself."""
        return self.count / self.denominator if self.denominator else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's score interval (Wilson 1927)."""
        if not self.denominator:
            return None
        n, p, z2 = self.denominator, self.count / self.denominator, NORMAL_QUANTILE**2
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        spread = NORMAL_QUANTILE * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        # At the ends of the scale an interval ends there, and not a rounding error beside it.
        low = middle - spread if self.count else 0.0
        return low, middle + spread if self.count < n else 1.0


@dataclass(frozen=True)
class FilterSummary:
    """What filtering some fixes reached; see the module for the denominators."""

    fixes: int
    judged: int
    accepted: int
    rejected: int
    abstained: int
    precision: Share
    recall: Share
    rejections_right: Share
    unfiltered_precision: Share


def summarize(fixes: Sequence[FixResult], *, without: Collection[str] = ()) -> FilterSummary:
    """The figures, with all rules of the verdict or without the named ones."""
    return summarize_decisions([(fix, decision(fix, without=without)) for fix in fixes])


def summarize_decisions(decided: Sequence[tuple[FixResult, Decision | None]]) -> FilterSummary:
    """The figures of fixes and of what was decided on each, None where it was not judged."""
    decisions = [(said, fix.resolved) for fix, said in decided]
    known = [(said, right) for said, right in decisions if right is not None]
    accepted = [right for said, right in known if said is Decision.ACCEPT]
    rejected = [right for said, right in known if said is Decision.REJECT]
    right = sum(bool(resolved) for _, resolved in known)
    return FilterSummary(
        fixes=len(decided),
        judged=sum(fix.state is FixState.JUDGED for fix, _ in decided),
        accepted=sum(said is Decision.ACCEPT for said, _ in decisions),
        rejected=sum(said is Decision.REJECT for said, _ in decisions),
        abstained=sum(said is Decision.ABSTAIN for said, _ in decisions),
        precision=Share(sum(accepted), len(accepted)),
        recall=Share(sum(accepted), right),
        rejections_right=Share(len(rejected) - sum(rejected), len(rejected)),
        unfiltered_precision=Share(right, len(known)),
    )


def decision(fix: FixResult, *, without: Collection[str] = ()) -> Decision | None:
    """The decision on a fix as it would be without some rules; None where it was not judged."""
    if fix.decision is None or not without:
        return fix.decision
    return decision_of([finding for finding in fix.findings if finding.rule not in without])


def ablation(fixes: Sequence[FixResult]) -> Mapping[str, FilterSummary]:
    """The figures without each rule that spoke of some fix."""
    spoke = {finding.rule for fix in fixes for finding in fix.findings}
    return {rule: summarize(fixes, without=[rule]) for rule in RULES if rule in spoke}


def all_fixes(results: Iterable[InstanceResult]) -> tuple[FixResult, ...]:
    """The fixes of all instances, in order."""
    return tuple(fix for result in results for fix in result.fixes)


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
        decisions += [(fix, decision(fix, without=without)) for fix in fixes]
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
