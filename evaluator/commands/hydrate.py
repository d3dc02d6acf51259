"""`fixgate hydrate`: lay down all that a replay needs, so that it runs without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from evaluator.commands.options import REPOSITORIES, ManyValuesCommand, workspace, workspace_options
from evaluator.model import Instance, Revision
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.hydrate import HydrateStep, StepStatus, mirror_template
from evaluator.swtbench.hydrate import hydrate as lay_down
from evaluator.swtbench.trial import fixed_subject
from evaluator.workspace import Workspace


@click.command(cls=ManyValuesCommand)
@click.argument("instances")
@click.option(
    "--to",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data/swt-bench"),
    show_default=True,
    help="Where to lay it down; what is there already is kept.",
)
@click.option("--repos", multiple=True, default=[REPOSITORIES], show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@workspace_options
def hydrate(
    instances: str,
    directory: Path,
    repos: tuple[str, ...],
    workers: int,
    *,
    cache: Path | None,
    **shared: Any,
) -> None:
    """Lay down the dataset, a mirror of each repository and every environment of INSTANCES.

    Replay later without a network: fixgate replay DIRECTORY/NAME.jsonl --cache DIRECTORY/cache
    --repos 'DIRECTORY/mirrors/{owner}+{name}/repo' --offline ...
    """
    chosen = load_instances(instances).instances
    own = workspace((mirror_template(directory),), cache=cache or directory / "cache", **shared)
    steps = lay_down(
        chosen,
        repos,
        directory,
        lambda instance: _build(own, instance),
        _tell,
        name=Path(instances).stem,
        workers=workers,
    )
    failed = [step for step in steps if step.outcome is StepStatus.FAILED]
    click.echo(f"{len(steps) - len(failed)} of {len(steps)} steps done")
    if failed:
        raise SystemExit(1)


def _build(own: Workspace, instance: Instance) -> list[str]:
    subject = fixed_subject(own, instance, instance.patch)
    return [subject.environments[revision].key for revision in Revision]


def _tell(step: HydrateStep) -> None:
    reason = f": {step.reason}" if step.reason else ""
    click.echo(f"{step.part} {step.name}: {step.outcome}{reason}")
