"""`fixgate worker`: does what waits in the queues."""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path

import click

from bot import assembly
from bot.commands.starting import env_file_option, started
from bot.queue import QueueName
from bot.queue.tasks import TaskFunctions
from bot.queue.worker import HeartbeatSettings, work
from bot.settings import Settings
from evaluator import SandboxError
from evaluator.checkout.scratch import Scratch, fastest_root
from evaluator.sandbox.engine import engine, reap


@click.command()
@click.option(
    "--queue",
    "queues",
    type=click.Choice([name.value for name in QueueName]),
    multiple=True,
    default=[name.value for name in QueueName],
    show_default=True,
    help="Which work to do: `quick` answers events, `long` runs code. Give each its own workers.",
)
@env_file_option
def worker(queues: tuple[str, ...], env_file: Path | None) -> None:
    """Handle events and do jobs, until it is asked to end; a second time ends what is in hand."""
    settings = started(env_file)
    assembly.migrated_store(settings)
    chosen = [QueueName(name) for name in queues]
    runs_code = QueueName.LONG in chosen
    clean_up = functools.partial(remove_left_behind, settings) if runs_code else lambda: None
    heartbeat = HeartbeatSettings.of(settings.beat_seconds)
    work(
        settings.redis_url, chosen, TaskFunctions(settings), clean_up=clean_up, heartbeat=heartbeat
    )


def remove_left_behind(settings: Settings) -> None:
    """Remove the containers and work trees of processes that are no more."""
    if settings.sandbox.name in ("auto", "docker"):
        with contextlib.suppress(SandboxError), engine() as client:
            reap(client)
    Scratch(fastest_root(settings.data / "cache").absolute())
