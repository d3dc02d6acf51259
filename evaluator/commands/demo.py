"""`fixgate demo`: the main job, on what ships with fixgate."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console

from evaluator.commands.progress import replay_progress
from evaluator.demo.sample import WRITERS, commit_patch, lay_sample, patch
from evaluator.errors import SandboxError
from evaluator.evaluation import Evaluation
from evaluator.report.document import write_report
from evaluator.report.html import write_html
from evaluator.report.terminal import print_replay
from evaluator.report.verification import print_verification
from evaluator.sandbox.choose import choose
from evaluator.sandbox.protocol import Limits, Sandbox
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.predictions import load_predictions
from evaluator.swtbench.replay import Replay, ReplaySettings
from evaluator.verification.change import change_between
from evaluator.verification.verify import GivenTests, local_repository, verify
from evaluator.workspace import Settings, Workspace

_CHANGES = (
    ("a right fix, held against its author's test", "right-fix", ("fixes/shorten.patch",)),
    ("a wrong fix, held against the same test", "wrong-fix", ("fixes/shorten-wrong.patch",)),
)
_TESTS = "predictions/careful.shorten.patch"


@click.command()
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-output"),
    show_default=True,
    help="Directory of the report; what an earlier demo left there is replaced.",
)
def demo(out: Path) -> None:
    """Judge tests and fixes of a small repository that ships with fixgate."""
    console = Console()
    shutil.rmtree(out / "report", ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="fixgate-demo-") as scratch:
        sample = Path(scratch) / "sample"
        lay_sample(sample)
        workspace = _workspace(sample, Path(scratch) / "cache", console)
        results = _replay(workspace, sample, out / "report", console)
        print_replay(console, results)
        for title, branch, patches in _CHANGES:
            _verify(console, workspace, sample / "repository", title, branch, patches)
    click.echo(_CLOSING.format(report=out / "report" / "report.html"))


_CLOSING = """
What this showed: three bugs, each with the tests of two writers. A test counts only when it fails
without the fix and passes with it: "careful" gets there, "hasty" does not (a wrong expected value,
a test that passes anyway, prose in place of a patch). Then a right and a wrong fix for one bug,
held against the careful test: the one is accepted, the other rejected.

The report: {report}"""


def _workspace(sample: Path, cache: Path, console: Console) -> Workspace:
    settings = Settings(
        repositories=(str(local_repository(sample / "repository")),),
        cache=cache,
        limits=Limits(wall_seconds=60),
        offline=True,
        side_by_side=(os.cpu_count() or 1) > 1,
    )
    return Workspace(settings, _sandbox(console))


def _sandbox(console: Console) -> Sandbox:
    """Bubblewrap where it works, else a plain process: the sample is code that we wrote."""
    try:
        sandbox = choose("bubblewrap")
    except SandboxError:
        sandbox = choose("process")
    console.print(f"sandbox: {sandbox.name}", highlight=False)
    return sandbox


def _replay(
    workspace: Workspace, sample: Path, out: Path, console: Console
) -> Mapping[str, Sequence[Evaluation]]:
    instances = load_instances(str(sample / "instances.jsonl")).instances
    sources = ("gold", *(str(sample / f"{writer}.jsonl") for writer in WRITERS))
    loaded = load_predictions(sources, instances)
    replay = Replay(workspace, out, ReplaySettings())
    with replay_progress(console, len(instances) * len(loaded.predictions)) as progress:
        results = replay.run(instances, loaded.predictions, progress)
    write_report(out / "report.json", results, settings={"instances": "demo"})
    write_html(out / "report.html", results, settings={"instances": "demo"})
    return results


def _verify(
    console: Console,
    workspace: Workspace,
    repository: Path,
    title: str,
    branch: str,
    patches: Sequence[str],
) -> None:
    commit_patch(repository, branch, *patches)
    console.rule(title)
    given = [GivenTests("careful test", patch(_TESTS))]
    print_verification(
        console, verify(workspace, change_between(repository, "main", branch), given=given)
    )
