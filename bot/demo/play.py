"""The whole story, shown on the terminal and kept as pages."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from bot.demo.app import DemoApp
from bot.demo.simulator import GitHubSimulator
from bot.demo.snapshot import Snapshot, SnapshotSite
from bot.demo.story import Played, Story
from evaluator import (
    ResourceLimits,
    Sandbox,
    SandboxError,
    Workspace,
    WorkspaceSettings,
    choose_sandbox,
    local_repository,
)
from evaluator.commands.options import replay_progress
from evaluator.demo.sample import WRITERS, lay_sample
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
    console = Console()
    _pass_by_proxies()
    for part in _PARTS:
        shutil.rmtree(out / part, ignore_errors=True)
    sandbox = _sandbox(console)
    with tempfile.TemporaryDirectory(prefix="fixgate-demo-") as scratch:
        sample = Path(scratch) / "sample"
        lay_sample(sample)
        console.rule("an issue, a wrong fix, a right fix")
        pages = _play(sample / "repository", Path(scratch) / "app", out / "pages", sandbox, console)
        console.rule("tests of two writers, judged")
        judge_tests(sample, Path(scratch) / "cache", out / "report", sandbox, console)
    click.echo(_CLOSING.format(report=out / "report" / "report.html", **pages))


_CLOSING = """
What this showed. An issue got a test that fails for the reported reason. A pull request that claims
to fix it was refused, because that test still fails; another was accepted, because the test fails
without it and passes with it. Then tests of two writers for three bugs: they count only when they
fail without the fix and pass with it; "careful" gets there, "hasty" does not.

Look at it in a browser:
  the issue, with the test   {issue}
  the wrong pull request     {wrong}
  the right pull request     {right}
  fixgate's dashboard        {dashboard}
  the report on the tests    {report}"""


def _play(
    repository: Path, data: Path, out: Path, sandbox: Sandbox, console: Console
) -> dict[str, Path]:
    """The story, then its pages: where each of them lies."""

    def show(who: str, what: str) -> None:
        line = f"[bold]{who:>8}[/bold]  {escape(what)}" if who else escape(what)
        console.print(line, highlight=False, soft_wrap=True)

    data.mkdir()
    with GitHubSimulator() as github:
        story = Story(github, repository, show)
        with DemoApp(github, "alice", data, sandbox) as app:
            return _pages(github, app, story.play(app), out)


def _pages(github: GitHubSimulator, app: DemoApp, played: Played, out: Path) -> dict[str, Path]:
    login = {"Authorization": f"Bearer {app.dashboard_token}"}
    snapshot = Snapshot(
        (SnapshotSite(github.web_url, "github"), SnapshotSite(app.url, "dashboard", login)), out
    )
    addresses = {
        "issue": github.web_url + played.issue,
        "wrong": github.web_url + played.wrong,
        "right": github.web_url + played.right,
        "dashboard": f"{app.url}/",
    }
    snapshot.take(*addresses.values())
    return {name: snapshot.saved[address] for name, address in addresses.items()}


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
