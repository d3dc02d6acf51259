"""`filter.json` as models, of which its published JSON Schema is made."""

from __future__ import annotations

from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from pydantic import Field

from evaluator.admission import Refusal, Strength
from evaluator.filtering.results import FixState, SetOutcome
from evaluator.model import Count, Share
from evaluator.schemas import Section, published_schema
from evaluator.verdict import Decision

SCHEMA_VERSION: Final = 1

Figure = TypeVar("Figure")


class NamedShares(Section, Generic[Figure]):
    """Each share of a filter's figures."""

    precision: Figure
    """Right fixes among the accepted ones of which it is known"""
    recall: Figure
    """Accepted fixes among all right ones, those that could not be judged included"""
    rejections_right: Figure
    """Wrong fixes among the rejected ones of which it is known"""
    unfiltered_precision: Figure
    """Right fixes among all of which it is known: what accepting everything gives"""


class ShareIntervals(NamedShares[tuple[Share, Share] | None]):
    """95 % Wilson intervals; null where the denominator is 0."""


class ShareDenominators(NamedShares[Count]):
    """The number of fixes that each share is over."""


class FilterFigures(NamedShares[Share | None]):
    """The figures of some fixes; shares are from 0 to 1, and null where the denominator is 0."""

    fixes: Count
    """Number of fixes"""
    judged: Count
    """Those with a decision"""
    accepted: Count
    """Those that were accepted"""
    rejected: Count
    """Those that were rejected"""
    abstained: Count
    """Those of which cannot be told whether they are right"""
    intervals: ShareIntervals
    denominators: ShareDenominators


class PaperFigures(Section):
    """The fix filter of SWT-Bench (section 5.4), for comparison."""

    precision: Share
    recall: Share


class RepositoryFold(Section):
    """A repository that was left out while rules were chosen."""

    repo: str
    """`OWNER/NAME`"""
    without: tuple[str, ...]
    """Rules that the other repositories would leave out"""
    summary: FilterFigures
    """Its figures without these rules"""


class CrossValidationFigures(Section):
    """Rules chosen anew for each repository by all others (leave one repository out)."""

    summary: FilterFigures
    """Figures of all repositories, each with the rules that the others chose"""
    kept: dict[str, Count]
    """By optional rule, in how many folds it was kept"""
    folds: tuple[RepositoryFold, ...]


class AdmittedTests(Section):
    """One set of tests for an instance, and what admission found."""

    name: str
    """Name of the predictions"""
    writer: str
    """Who wrote them; sets of one writer count once"""
    admitted: bool
    """Whether they judge fixes"""
    refusal: Refusal | None
    """Why they do not; null where they do"""
    strength: Annotated[str, Field(json_schema_extra={"enum": [s.name.lower() for s in Strength]})]
    """How well their failure fits the issue"""
    reason: str
    """The same in words"""


class FilteredIssue(Section):
    """One instance."""

    repo: str
    """`OWNER/NAME`"""
    tests: tuple[AdmittedTests, ...]


class RuleFinding(Section):
    """What one rule of the verdict found."""

    rule: str
    """Its name"""
    decision: Decision
    """What it pleads for"""
    reason: str
    """Why, in words"""


class JudgedFix(Section):
    """One fix."""

    instance_id: str
    name: str
    """Its run, or its model"""
    resolved: bool | None
    """Whether it is right, as published; null where that is not known"""
    state: FixState
    decision: Decision | None
    """Null where it could not be judged"""
    reasons: tuple[str, ...]
    """Why it was decided so, or what failed"""
    findings: tuple[RuleFinding, ...]
    tests: dict[str, SetOutcome]
    """What each admitted set of tests shows of it"""


class FilterDocument(Section):
    """What a filter found.

    Files with the same schema_version keep every field described here; new fields may be added in
    the same version only with a change of this file.
    """

    schema_version: Literal[1]
    settings: dict[str, Any]
    """What the filter was started with"""
    summary: FilterFigures
    paper: PaperFigures
    ablation: dict[str, FilterFigures]
    """By rule of the verdict, the figures without it"""
    cross_validation: CrossValidationFigures | None
    """Null with fewer than two repositories of which is known which fixes are right"""
    states: Annotated[dict[FixState, Count], Field(min_length=len(FixState))]
    """Number of fixes in each state"""
    instances: dict[str, FilteredIssue]
    """By instance id"""
    fixes: tuple[JudgedFix, ...]


def schema() -> dict[str, Any]:
    """The JSON Schema of `filter.json`."""
    made = FilterDocument.model_json_schema()
    return published_schema({**made, "title": "fixgate filter"}, identifier="filter:1")
