"""What the HTML report shows, made ready for its template."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.model import Evaluation, State, Transition
from evaluator.report.annotated_diff import DiffLine, annotate
from evaluator.report.plots import Panel, Strip, Upset, panel, strip, upset
from evaluator.report.wording import shortened
from evaluator.swtbench.metrics import (
    Agreement,
    Overlap,
    ReplaySummary,
    agreement,
    length_edges,
    overlap,
    success_by_issue_length,
    success_by_repository,
    summarize,
)

Results = Mapping[str, Sequence[Evaluation]]
LinkTo = Callable[[Evaluation], str]
"""The address of an evaluation's evidence relative to the page; empty where there is none."""


@dataclass(frozen=True)
class Caps:
    """How much of each evaluation the page shows; the rest is in `report.json` and the evidence."""

    tests: int
    message: int
    patch: int
    diff_lines: int


ROOMY = Caps(tests=60, message=600, patch=12_000, diff_lines=500)
TIGHT = Caps(tests=15, message=250, patch=3_000, diff_lines=150)
SPARSE = Caps(tests=5, message=120, patch=600, diff_lines=60)


@dataclass(frozen=True)
class PredictionPart:
    """One prediction at the head of the page."""

    name: str
    summary: ReplaySummary
    strip: Strip
    by_repository: Panel
    by_issue_length: Panel
    agreement: Agreement


@dataclass(frozen=True)
class TestRow:
    """A test of a prediction; `message` says why it failed, on R∘X where it did, else on R."""

    __test__ = False

    transition: Transition
    message: str


@dataclass(frozen=True)
class PredictionOutcome:
    """One prediction on one instance.

    `column` is the prediction's place among all, `mark` is success, failure or not_run.
    """

    column: int
    evaluation: Evaluation
    mark: str
    tests: tuple[TestRow, ...]
    hidden_tests: int
    preexisting: Mapping[str, int]
    reasons: tuple[str, ...]
    patch: str
    evidence: str
    differs: bool


@dataclass(frozen=True)
class InstancePart:
    """One instance with the diff of its fix and the outcome of each prediction that has it."""

    instance_id: str
    repo: str
    issue_words: int
    diff: tuple[DiffLine, ...]
    hidden_lines: int
    outcomes: tuple[PredictionOutcome, ...]


@dataclass(frozen=True)
class NotRun:
    """Instances of one prediction that ended in the same state other than graded."""

    name: str
    state: State
    evaluations: tuple[Evaluation, ...]

    @property
    def reason(self) -> str:
        """The first reason that one of them gives, on one line."""
        reasons = (reason for e in self.evaluations for reason in e.reasons)
        return shortened(next(reasons, ""), 240)


@dataclass(frozen=True)
class Page:
    """Everything that the template needs."""

    settings: Mapping[str, str]
    predictions: tuple[PredictionPart, ...]
    overlap: Overlap | None
    upset: Upset | None
    not_run: tuple[NotRun, ...]
    instances: tuple[InstancePart, ...]


def build_page(
    results: Results, *, settings: Mapping[str, Any], caps: Caps, link_to: LinkTo
) -> Page:
    """Make ready what the page shows, each evaluation cut down to `caps`."""
    edges = length_edges(e for evaluations in results.values() for e in evaluations)
    shared = overlap(results)
    several = len(shared.successes) > 1
    return Page(
        settings={name: _plain(value) for name, value in sorted(settings.items())},
        predictions=tuple(_prediction(name, es, edges) for name, es in results.items()),
        overlap=shared if several else None,
        upset=upset(shared) if several and shared.union else None,
        not_run=tuple(_not_run(results)),
        instances=tuple(_instances(results, caps, link_to)),
    )


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _prediction(
    name: str, evaluations: Sequence[Evaluation], edges: Sequence[int]
) -> PredictionPart:
    repositories = success_by_repository(evaluations).items()
    lengths = success_by_issue_length(evaluations, edges)
    return PredictionPart(
        name=name,
        summary=summarize(evaluations),
        strip=strip(name, evaluations),
        by_repository=panel(name, ((repo.rpartition("/")[2], repo, e) for repo, e in repositories)),
        by_issue_length=panel(
            name,
            ((f"{b.low} to {b.high}", f"{b.low} to {b.high} words", b.success) for b in lengths),
        ),
        agreement=agreement(evaluations),
    )


def _not_run(results: Results) -> Iterable[NotRun]:
    for name, evaluations in results.items():
        states = Counter(e.state for e in evaluations if e.state is not State.GRADED)
        for state, _ in sorted(states.items(), key=lambda item: (-item[1], item[0])):
            yield NotRun(name, state, tuple(e for e in evaluations if e.state is state))


def _instances(results: Results, caps: Caps, link_to: LinkTo) -> Iterable[InstancePart]:
    grouped: dict[str, dict[int, Evaluation]] = {}
    for column, evaluations in enumerate(results.values()):
        for evaluation in evaluations:
            grouped.setdefault(evaluation.instance_id, {})[column] = evaluation
    for name in sorted(grouped):
        yield _instance(name, grouped[name], caps, link_to)


def _instance(
    name: str, columns: Mapping[int, Evaluation], caps: Caps, link_to: LinkTo
) -> InstancePart:
    evaluations = list(columns.values())
    patch = next((e.golden_patch for e in evaluations if e.golden_patch), "")
    lines = tuple(annotate(patch, [e.coverage for e in evaluations]))
    return InstancePart(
        instance_id=name,
        repo=next((e.repo for e in evaluations if e.repo), ""),
        issue_words=max(e.issue_words for e in evaluations),
        diff=lines[: caps.diff_lines],
        hidden_lines=len(lines[caps.diff_lines :]),
        outcomes=tuple(_outcome(column, e, caps, link_to(e)) for column, e in columns.items()),
    )


def _outcome(column: int, evaluation: Evaluation, caps: Caps, evidence: str) -> PredictionOutcome:
    own = sorted((t for t in evaluation.transitions if not t.preexisting), key=_telling)
    old = Counter(t.kind for t in evaluation.transitions if t.preexisting)
    compared = agreement([evaluation])
    return PredictionOutcome(
        column=column,
        evaluation=evaluation,
        mark=_mark(evaluation),
        tests=tuple(TestRow(t, _message(t, caps)) for t in own[: caps.tests]),
        hidden_tests=len(own[caps.tests :]),
        preexisting=dict(sorted(old.items())),
        reasons=tuple(shortened(reason, 2 * caps.message) for reason in evaluation.reasons[:8]),
        patch=_cut(evaluation.patch, caps.patch),
        evidence=evidence,
        differs=bool(compared.only_here or compared.only_reference),
    )


def _mark(evaluation: Evaluation) -> str:
    if evaluation.state is not State.GRADED:
        return "not_run"
    return "success" if evaluation.success else "failure"


_ORDER = ("F->P", "F->F", "P->F", "-->F", "F->-")


def _telling(transition: Transition) -> int:
    """The order of tests: what decided about success comes first."""
    kind = transition.kind
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def _message(transition: Transition, caps: Caps) -> str:
    failure = transition.after.failure or transition.before.failure
    if failure is None:
        return ""
    where = f" ({failure.frame.path}:{failure.frame.line})" if failure.frame else ""
    return _cut(failure.message.strip() or failure.exception_type, caps.message) + where


def _cut(text: str, longest: int) -> str:
    hidden = len(text) - longest
    return text if hidden <= 0 else f"{text[:longest]}\n… {hidden} more characters"
