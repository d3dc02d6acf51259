"""`report.json`: every evaluation of a replay with its summaries, in a versioned shape.

`schema` beside this module has its shape. Same results give the same bytes, apart from `timings`
and `duration_seconds`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluator.errors import InputError
from evaluator.model import Evaluation, State
from evaluator.report.schema import (
    SCHEMA_VERSION,
    AgreementFigures,
    Denominators,
    GroupFigures,
    Interval,
    Intervals,
    LengthFigures,
    OverlapFigures,
    SummaryFigures,
)
from evaluator.storage.evaluations import JsonObject, from_json, to_json
from evaluator.storage.files import write_whole
from evaluator.swtbench.metrics import (
    Estimate,
    LengthBin,
    agreement,
    length_edges,
    overlap,
    success_by_issue_length,
    success_by_repository,
    summarize,
)

TIME_FIELDS = frozenset({"timings", "duration_seconds"})

Results = Mapping[str, Sequence[Evaluation]]
"""Name of a prediction -> one evaluation per instance."""


def write_report(path: Path, results: Results, *, settings: Mapping[str, Any]) -> None:
    """Write `report.json`. `settings` is what the replay was started with, as JSON values."""
    document = build_report(results, settings=settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(document, sort_keys=True, indent=1).encode())


def build_report(results: Results, *, settings: Mapping[str, Any]) -> JsonObject:
    """The document that `write_report` writes."""
    everything = [evaluation for evaluations in results.values() for evaluation in evaluations]
    edges = length_edges(everything)
    return {
        "schema_version": SCHEMA_VERSION,
        "settings": dict(settings),
        "predictions": {
            name: {
                "instances": {e.instance_id: to_json(e) for e in evaluations},
                "summary": _summary(evaluations, edges),
            }
            for name, evaluations in results.items()
        },
        "overlap": _overlap(results),
    }


def read_report(path: Path) -> dict[str, tuple[Evaluation, ...]]:
    """The evaluations that a `report.json` holds, by prediction and in the order of their ids.

    Raises InputError where the file is not a report of this version.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a readable report: {error}") from error
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version != SCHEMA_VERSION:
        raise InputError(f"{path}: schema_version is {version}, expected {SCHEMA_VERSION}")
    return {
        name: tuple(from_json(instance) for _, instance in sorted(content["instances"].items()))
        for name, content in document["predictions"].items()
    }


def without_timings(document: Any) -> Any:
    """The document less everything that differs between two runs that came to the same results."""
    if isinstance(document, Mapping):
        kept = {key: value for key, value in document.items() if key not in TIME_FIELDS}
        return {key: without_timings(value) for key, value in kept.items()}
    if isinstance(document, list):
        return [without_timings(item) for item in document]
    return document


def _summary(evaluations: Sequence[Evaluation], edges: Sequence[int]) -> JsonObject:
    summary = summarize(evaluations)
    estimates = summary.estimates
    repositories = success_by_repository(evaluations).items()
    figures = SummaryFigures(
        instances=summary.instances,
        graded=summary.graded,
        states={state: summary.states.get(state, 0) for state in State},
        intervals=Intervals(**{name: _interval(one) for name, one in estimates.items()}),
        denominators=Denominators(**{name: one.denominator for name, one in estimates.items()}),
        by_repository={repo: GroupFigures(**_group(one)) for repo, one in repositories},
        by_issue_length=tuple(map(_length, success_by_issue_length(evaluations, edges))),
        agreement=_agreement(evaluations),
        **{name: one.value for name, one in estimates.items()},
    )
    return figures.model_dump(mode="json")


def _interval(estimate: Estimate) -> Interval:
    if estimate.low is None or estimate.high is None:
        return None
    return estimate.low, estimate.high


def _group(estimate: Estimate) -> JsonObject:
    return {
        "success_rate": estimate.value,
        "interval": _interval(estimate),
        "denominator": estimate.denominator,
    }


def _length(length: LengthBin) -> LengthFigures:
    return LengthFigures(words_from=length.low, words_to=length.high, **_group(length.success))


def _agreement(evaluations: Sequence[Evaluation]) -> AgreementFigures:
    found = agreement(evaluations)
    return AgreementFigures(
        compared=found.compared,
        rate=found.rate,
        only_here=found.only_here,
        only_reference=found.only_reference,
    )


def _overlap(results: Results) -> JsonObject:
    shared = overlap(results)
    figures = OverlapFigures(
        union=tuple(sorted(shared.union)),
        unique={name: tuple(sorted(ids)) for name, ids in shared.unique.items()},
        pairs=tuple((one, other, count) for (one, other), count in sorted(shared.pairs.items())),
    )
    return figures.model_dump(mode="json")
