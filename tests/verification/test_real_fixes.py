"""Golden patches with their own tests: no rule that looks at files has a word to say of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluator.checkout import Repositories
from evaluator.diff import Source, apply
from evaluator.verification.safeguards import evasions, special_cases, unreadable
from tests.mirrors import SWE_BENCH, mirror_of, mirror_templates

pytestmark = [pytest.mark.dataset, pytest.mark.mirrors]
EVERY = 16


NOT_DRAWN = {"mwaskom/seaborn", "pallets/flask", "psf/requests"}
"""Repositories with so few instances that none is among every sixteenth."""
REPOSITORIES = [each for each in SWE_BENCH if each not in NOT_DRAWN]


def rows(data: Path, repository: str) -> Iterator[dict[str, Any]]:
    for name in ("lite", "verified"):
        lines = (data / f"{name}_dev.jsonl").read_text(encoding="utf-8").splitlines()
        yield from (row for row in map(json.loads, lines[::EVERY]) if row["repo"] == repository)


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_golden_patches_raise_no_concern(repository: str, data: Path, tmp_path: Path) -> None:
    mirror_of(repository)
    repositories = Repositories(mirror_templates(), tmp_path)
    for row in rows(data, repository):
        source = repositories.find(row["repo"], row["base_commit"]).source(row["base_commit"])
        assert concerns(row, source) == [], row["instance_id"]


def concerns(row: dict[str, Any], source: Source) -> list[str]:
    fix = apply(row["patch"], source).changes.contents
    tests = apply(row["test_patch"], source).changes.contents
    found = [
        *unreadable(fix, source),
        *evasions(fix, source),
        *special_cases(fix, source, list(tests.items()), row["problem_statement"]),
    ]
    return [str(concern) for concern in found]
