"""Conversations that play a good engineer, on real instances, judged with the golden patch."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from evaluator.diff import apply
from evaluator.judge import judge
from evaluator.languages import is_test_file
from evaluator.model import Instance
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.trial import fixed_subject
from evaluator.workspace import Workspace, WorkspaceSettings, default_cache
from generator.method import MethodContext, MethodSettings
from generator.methods import method
from generator.task import TestRunner, instance_task
from generator.writer import write
from tests.mirrors import mirror_of, mirror_templates

from .conftest import Notes, Scripted

pytestmark = [
    pytest.mark.bubblewrap,
    pytest.mark.dataset,
    pytest.mark.mirrors,
    pytest.mark.network,
    pytest.mark.timeout(1800),
]

CONVERSATIONS = sorted((Path(__file__).parent / "conversations").glob("*.yml"))
QUICK = "sympy__sympy-19637"
"""The one that is always played; the others where FIXGATE_CONVERSATIONS is `all`."""
PLAYED = {
    "agent": ("agent",),
    "swe-agent": ("agent",),
    "swe-agent-plus": ("agent",),
    "pass-then-invert": ("pass-then-invert",),
    "ensemble": ("agent", "pass-then-invert"),
}


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    settings = WorkspaceSettings(
        repositories=mirror_templates(),
        cache=default_cache(),
        limits=ResourceLimits(),
        side_by_side=False,
    )
    return Workspace(settings, choose_sandbox("bubblewrap"))


@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_a_played_conversation_succeeds(
    workspace: Workspace, data: Path, path: Path, name: str
) -> None:
    if path.stem != QUICK and os.environ.get("FIXGATE_CONVERSATIONS") != "all":
        pytest.skip("played where FIXGATE_CONVERSATIONS is `all`")
    instance = instance_of(data, path.stem)
    mirror_of(instance.repo)
    script = yaml.safe_load(path.read_text(encoding="utf-8"))
    lines = [line for part in PLAYED[name] for line in script[part]]
    task = instance_task(workspace, instance)
    bench = TestRunner(workspace, task.subject)
    written = write(
        method(name), MethodContext(task, bench, MethodSettings(), Notes(), Scripted(lines))
    )
    assert written.admitted, written.reason
    assert succeeds(workspace, instance, written.patch)


def instance_of(data: Path, instance_id: str) -> Instance:
    for name in ("lite_dev.jsonl", "verified_dev.jsonl"):
        for instance in load_instances(str(data / name)).instances:
            if instance.instance_id == instance_id:
                return instance
    pytest.skip(f"{data} holds no {instance_id}")


def succeeds(workspace: Workspace, instance: Instance, patch: str) -> bool:
    """S of SWT-Bench: some test goes from failing to passing, and none fails with the fix."""
    subject = fixed_subject(workspace, instance, instance.patch)
    tests = apply(patch, subject.source, keep=is_test_file).changes
    told = judge(workspace.executor, subject, tests).transitions
    kinds = [t.kind for t in told if not t.preexisting]
    return "F->P" in kinds and not any(kind.endswith("F") for kind in kinds)
