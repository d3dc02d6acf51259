"""What becomes of a change of a small Java repository, as `fixgate verify` answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verdict import Verdict
from evaluator.verification.change import change_between
from evaluator.verification.thoroughness import QUICK, Thoroughness
from evaluator.verification.verify import GivenTests, verify
from evaluator.workspace import Workspace, WorkspaceSettings
from tests.languages.java.repository import Repository


def judged(
    repository: Repository,
    head: str,
    cache: Path,
    given: Sequence[GivenTests] = (),
    thoroughness: Thoroughness = QUICK,
) -> Verdict:
    """The verdict on what leads from the repository's base to a commit."""
    where = (str(repository.path / ".git"),)
    settings = WorkspaceSettings(where, cache, ResourceLimits(wall_seconds=120))
    workspace = Workspace(settings, choose_sandbox("bubblewrap"))
    change = change_between(repository.path, repository.base, head, cache)
    return verify(workspace, change, given=given, thoroughness=thoroughness).verdict
