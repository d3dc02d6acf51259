"""Tests of two writers, judged on three bugs of the sample."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console

from evaluator import ResourceLimits, Sandbox, Workspace, WorkspaceSettings, local_repository
from evaluator.commands.progress import replay_progress
from evaluator.demo.sample import WRITERS
from evaluator.report.document import write_report
from evaluator.report.html import write_html
from evaluator.report.terminal import print_replay
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.predictions import load_predictions
from evaluator.swtbench.replay import Replay, ReplaySettings


def judge_tests(sample: Path, cache: Path, out: Path, sandbox: Sandbox, console: Console) -> None:
    """Replay the predictions of the sample, print their table, and write the report to `out`."""
    settings = WorkspaceSettings(
        repositories=(str(local_repository(sample / "repository")),),
        cache=cache,
        limits=ResourceLimits(wall_seconds=60),
        offline=True,
        side_by_side=(os.cpu_count() or 1) > 1,
    )
    instances = load_instances(str(sample / "instances.jsonl")).instances
    sources = ("gold", *(str(sample / f"{writer}.jsonl") for writer in WRITERS))
    loaded = load_predictions(sources, instances)
    replay = Replay(Workspace(settings, sandbox), out, ReplaySettings())
    with replay_progress(console, len(instances) * len(loaded.predictions)) as progress:
        results = replay.run(instances, loaded.predictions, progress)
    write_report(out / "report.json", results, settings={"instances": "demo"})
    write_html(out / "report.html", results, settings={"instances": "demo"})
    print_replay(console, results)
