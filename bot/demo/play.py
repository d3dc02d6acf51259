"""The whole story, shown on the terminal and kept as pages."""

from __future__ import annotations

import dataclasses
import os
import shutil
import tempfile
from pathlib import Path

import click
from rich.console import Console

from bot.demo.stage import Stage, demo_settings
from bot.demo.story import DURATIONS, WORDTOOLS
from evaluator import (
    ResourceLimits,
    Sandbox,
    SandboxError,
    Workspace,
    WorkspaceSettings,
    choose_sandbox,
    default_cache,
    discover_recipe,
    local_repository,
)
from evaluator.commands.options import replay_progress
from evaluator.demo.sample import WRITERS, lay_repository, lay_sample
from evaluator.report.document import write_report
from evaluator.report.html import write_html
from evaluator.report.terminal import print_replay
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.predictions import load_predictions
from evaluator.swtbench.replay import Replay, ReplaySettings

_PARTS = ("pages", "report")


def play(out: Path) -> None:
    """From an issue to an accepted fix; pages and a report are written below `out`.

    Raises DemoError where it does not end as it should.
    """
    stage = _stage(out)
    with tempfile.TemporaryDirectory(prefix="fixgate-demo-") as scratch:
        sample = Path(scratch) / "sample"
        lay_sample(sample)
        settings = demo_settings(Path(scratch) / "cache", offline=True)
        pages = stage.play(WORDTOOLS, sample / "repository", settings, out / "pages")
        stage.console.rule("tests of two writers, judged")
        judge_tests(sample, settings.cache, out / "report", stage.sandbox, stage.console)
    click.echo(_STORY + _WRITERS)
    click.echo(_PAGES.format(**pages) + _REPORT.format(out / "report" / "report.html"))


def play_java(out: Path) -> None:
    """The same story in a Java repository, with the user's own cache; pages below `out`.

    Raises EnvironmentBuildError where a JDK, Maven or what these download is missing, and DemoError
    where it does not end as it should.
    """
    stage = _stage(out)
    with tempfile.TemporaryDirectory(prefix="fixgate-demo-") as scratch:
        repository = Path(scratch) / "repository"
        base = lay_repository(repository, DURATIONS.tree, "A function, a bug")
        settings = demo_settings(default_cache(), offline=False)
        own = dataclasses.replace(settings, repositories=(str(local_repository(repository)),))
        stage.console.print("Maven and the JDK build the repository ...")
        Workspace(own, stage.sandbox).base(DURATIONS.repository, base, discover_recipe)
        pages = stage.play(DURATIONS, repository, settings, out / "pages")
    click.echo(_STORY + _PAGES.format(**pages))


_STORY = """
What this showed. An issue got a test that fails for the reported reason. A pull request that claims
to fix it was refused, because that test still fails; another was accepted, because the test fails
without it and passes with it."""
_WRITERS = """ Then tests of two writers for three bugs: they count only when they
fail without the fix and pass with it; "careful" gets there, "hasty" does not."""
_PAGES = """
Look at it in a browser:
  the issue, with the test   {issue}
  the wrong pull request     {wrong}
  the right pull request     {right}
  fixgate's dashboard        {dashboard}"""
_REPORT = """
  the report on the tests    {}"""


def _stage(out: Path) -> Stage:
    """What an earlier demo left in `out` is gone."""
    _pass_by_proxies()
    for part in _PARTS:
        shutil.rmtree(out / part, ignore_errors=True)
    console = Console()
    return Stage(_sandbox(console), console)


def _pass_by_proxies() -> None:
    """All servers of the demo are on this machine, which a proxy elsewhere cannot reach."""
    for name in ("no_proxy", "NO_PROXY"):
        known = os.environ.get(name)
        os.environ[name] = f"{known},127.0.0.1" if known else "127.0.0.1"


def _sandbox(console: Console) -> Sandbox:
    """Bubblewrap where it works, else a plain process: the sample is code that we wrote."""
    try:
        sandbox = choose_sandbox("bubblewrap")
    except SandboxError:
        sandbox = choose_sandbox("process")
    console.print(f"sandbox: {sandbox.name}", highlight=False)
    return sandbox


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
