"""Tests that were generated for an issue are believed as far as they fail as it reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.demo.sample import commit_patch, patch
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verdict import Decision, Verdict
from evaluator.verification.change import change_between
from evaluator.verification.thoroughness import Thoroughness
from evaluator.verification.verify import GivenTests, verify
from evaluator.workspace import Workspace, WorkspaceSettings

TESTS = patch("predictions/careful.shorten.patch")
REPORTED = '`shorten("nine char", 9)` returns `nine...`, not `nine char`, which fits.'
"""What the test compares stands in this issue."""
IN_PROSE = "`shorten` cuts texts that have exactly the width that is asked for."


def verdict(repository: Path, cache: Path, fix: str, issue: str) -> Verdict:
    commit_patch(repository, "change", f"fixes/{fix}.patch")
    settings = WorkspaceSettings(
        (str(repository / ".git"),), cache, ResourceLimits(wall_seconds=60), offline=True
    )
    change = change_between(repository, "main", "change", cache)
    given = [GivenTests("test for #12", TESTS, issue)]
    workspace = Workspace(settings, choose_sandbox("process"))
    return verify(workspace, change, given=given, thoroughness=Thoroughness(reruns=0)).verdict


@pytest.mark.parametrize(
    ("fix", "issue", "decision", "rule"),
    [
        ("shorten", REPORTED, Decision.ACCEPT, "reproduced"),
        ("shorten-wrong", REPORTED, Decision.REJECT, "writers_find_it_unfixed"),
        ("shorten", IN_PROSE, Decision.ABSTAIN, "not_as_reported"),
        ("shorten-wrong", IN_PROSE, Decision.ABSTAIN, "writer_in_doubt"),
    ],
)
def test_as_far_as_they_fail_as_reported(
    repository: Path, cache: Path, fix: str, issue: str, decision: Decision, rule: str
) -> None:
    found = verdict(repository, cache, fix, issue)
    assert (found.decision, found.findings[0].rule) == (decision, rule)
