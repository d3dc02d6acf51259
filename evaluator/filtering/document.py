"""`filter.json`: the figures of a filter, and what was decided on each fix and why."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluator.filtering.cross_validation import CrossValidation, cross_validate
from evaluator.filtering.results import FixResult, FixState, InstanceResult, TestSet
from evaluator.filtering.summary import FilterSummary, Share, ablation, all_fixes, summarize
from evaluator.storage.files import write_whole

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
