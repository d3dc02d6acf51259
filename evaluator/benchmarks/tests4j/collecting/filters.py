"""The nine filters, and how many repositories each of them leaves (thesis, table 3.2)."""

from __future__ import annotations

import datetime
import enum
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from evaluator.benchmarks.tests4j.collecting.metadata import Existence, RepositoryMetadata
from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot

DAYS_A_YEAR = 365.25
MEGABYTE = 1000
"""Kilobytes, as GitHub's API counts sizes."""
_GRADLE = frozenset({"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"})


class FilterName(enum.StrEnum):
    """The filters in their order; `READABLE` is between the thesis's fifth and sixth one."""

    LEAKAGE = "no training data"
    EXISTENCE = "exists"
    SIZE = "size"
    BUILD = "pom.xml at the root"
    AGE = "last commit"
    READABLE = "clone can be read"
    TOKENS = "tokens"
    TESTS = "mapped tests"
    COMPILES = "compiles"
    PASSES = "tests pass"


@dataclass(frozen=True)
class Thresholds:
    """What repositories must have. The defaults are those of the thesis."""

    as_of: datetime.date
    most_megabytes: float = 300
    most_years: float = 2
    most_tokens: int = 1850
    fewest_tests: int = 80
    most_tests: int = 1000


@dataclass(frozen=True)
class Drop:
    """Which filter drops a repository, and why."""

    filter: FilterName
    reason: str


class CandidateResult(BaseModel):
    """What came of a candidate. `problem` says why nothing can be said of it yet."""

    model_config = ConfigDict(frozen=True)

    repo: str
    metadata: RepositoryMetadata
    dropped_by: FilterName | None = None
    reason: str = ""
    problem: str = ""
    pair_tokens: tuple[int, ...] = ()
    """Tokens of each method with each of its tests"""
    tests: int | None = None
    """Mapped tests that are not too long; null where this is not known"""
    snapshot: RepositorySnapshot | None = None


def drop_by_metadata(
    metadata: RepositoryMetadata, leaked: Collection[str], thresholds: Thresholds
) -> Drop | None:
    """The first of the filters 1 to 5 that drops a repository; None where none does."""
    return next(_drops(metadata, leaked, thresholds), None)


def _drops(
    metadata: RepositoryMetadata, leaked: Collection[str], thresholds: Thresholds
) -> Iterator[Drop]:
    if {metadata.repo.lower(), metadata.name.lower()} & set(leaked):
        yield Drop(FilterName.LEAKAGE, "a list of training data names it")
    if metadata.existence is not Existence.FOUND:
        yield Drop(FilterName.EXISTENCE, metadata.existence)
    if metadata.kilobytes > thresholds.most_megabytes * MEGABYTE:
        yield Drop(FilterName.SIZE, f"{metadata.kilobytes / MEGABYTE:.0f} MB")
    if "pom.xml" not in metadata.root_files:
        yield Drop(FilterName.BUILD, build_of(metadata))
    years = years_since_commit(metadata, thresholds.as_of)
    if years > thresholds.most_years:
        yield Drop(FilterName.AGE, f"{years:.1f} years ago")


def build_of(metadata: RepositoryMetadata) -> str:
    """What builds a repository, by the files at its root: maven, gradle or other."""
    if "pom.xml" in metadata.root_files:
        return "maven"
    return "gradle" if _GRADLE & set(metadata.root_files) else "other"


def years_since_commit(metadata: RepositoryMetadata, as_of: datetime.date) -> float:
    """Years from the last commit to a date; 0 where it is later or not known."""
    if metadata.committed_at is None:
        return 0.0
    return max((as_of - metadata.committed_at.date()).days / DAYS_A_YEAR, 0.0)


def pair_tokens(snapshot: RepositorySnapshot) -> tuple[int, ...]:
    """The tokens of each method with each of its tests, where they were counted."""
    return tuple(
        (method.tokens or 0) + test.tokens
        for method in snapshot.methods
        for test in method.tests
        if test.tokens is not None
    )


def without_long_pairs(snapshot: RepositorySnapshot, most_tokens: int) -> RepositorySnapshot:
    """A repository without tests that have too many tokens together with their method."""
    return _keeping(
        snapshot,
        {
            (method.id, number)
            for method in snapshot.methods
            for number, test in enumerate(method.tests)
            if (method.tokens or 0) + (test.tokens or 0) <= most_tokens
        },
    )


def sampled(snapshot: RepositorySnapshot, most_tests: int, seed: int) -> RepositorySnapshot:
    """A repository with a random sample of its tests where it has too many.

    The same seed gives the same sample, whatever other repositories there are.
    """
    pairs = [(m.id, number) for m in snapshot.methods for number in range(len(m.tests))]
    if len(pairs) <= most_tests:
        return snapshot
    randomness = random.Random(f"{seed} {snapshot.name}")  # noqa: S311 - no secret
    return _keeping(snapshot, set(randomness.sample(pairs, most_tests)))


def _keeping(
    snapshot: RepositorySnapshot, pairs: Collection[tuple[str, int]]
) -> RepositorySnapshot:
    methods = (_with_tests(method, pairs) for method in snapshot.methods)
    kept = tuple(method for method in methods if method.tests)
    return snapshot.model_copy(update={"methods": kept})


def _with_tests(method: FocalMethod, pairs: Collection[tuple[str, int]]) -> FocalMethod:
    tests = tuple(t for number, t in enumerate(method.tests) if (method.id, number) in pairs)
    return method.model_copy(update={"tests": tests})


class FilterRow(BaseModel):
    """A row of table 3.2. `dropped` is the share of those that were there before it."""

    filter: FilterName
    before: int
    after: int
    dropped: float


def filter_table(results: Sequence[CandidateResult], last: FilterName) -> tuple[FilterRow, ...]:
    """How many candidates each filter leaves, up to the last one that was applied.

    Candidates of which nothing can be said yet are left out.
    """
    known = [each for each in results if not each.problem]
    rows = []
    for current in list(FilterName)[: list(FilterName).index(last) + 1]:
        left = [each for each in known if each.dropped_by is not current]
        share = (len(known) - len(left)) / len(known) if known else 0.0
        rows.append(FilterRow(filter=current, before=len(known), after=len(left), dropped=share))
        known = left
    return tuple(rows)
