"""`fixgate worker`: does what waits in the queues."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import click

from bot import assembly
from bot.commands.starting import env_file_option, started
from bot.queue import QueueName
from bot.queue.tasks import TaskFunctions
from bot.queue.worker import work
from bot.settings import Settings
from bot.telemetry import start_telemetry
from evaluator import InputError
from evaluator.commands.options import repos_option, workspace_options
from evaluator.commands.queue_options import check_answers, shared_option, worker_settings
from evaluator.distributed.batch_worker import remove_left_behind, serve_batches
from evaluator.distributed.queue import BATCH
from evaluator.distributed.worker import HeartbeatSettings
from generator.commands import KINDS


@click.command()
@click.option(
    "--queues",
    "--queue",
    "queues",
    type=click.Choice([*(name.value for name in QueueName), BATCH]),
    multiple=True,
    default=[name.value for name in QueueName],
    show_default=True,
    help="Which work to do: `quick` answers events, `long` runs code, `batch` does what replay, "
    "filter and generate with --queue ask for. Give each its own workers.",
)
@env_file_option
@click.option(
    "--redis",
    "redis_url",
    metavar="URL",
    envvar="FIXGATE_REDIS_URL",
    help="With `batch`: the Redis that the commands name as --queue; all options from here on "
    "belong to `batch`.  [env var: FIXGATE_REDIS_URL]",
)
@shared_option
@repos_option
@workspace_options
def worker(
    queues: tuple[str, ...],
    env_file: Path | None,
    redis_url: str | None,
    shared: str | None,
    repos: tuple[str, ...],
    **options: Any,
) -> None:
    """Handle events and do jobs, until it is asked to end; a second time ends what is in hand."""
    if BATCH not in queues:
        _work_for_app([QueueName(name) for name in queues], env_file)
        return
    if set(queues) != {BATCH}:
        raise InputError("--queues batch needs no App: give it workers of its own")
    if not redis_url:
        raise InputError("--queues batch: name the Redis with --redis redis://...")
    check_answers(redis_url)
    serve_batches(worker_settings(redis_url, shared, repos, KINDS, **options))


def _work_for_app(chosen: list[QueueName], env_file: Path | None) -> None:
    settings = started(env_file)
    start_telemetry("fixgate-worker", settings.environment)
    assembly.migrated_store(settings)
    runs_code = QueueName.LONG in chosen
    clean_up = functools.partial(clean_up_after, settings) if runs_code else lambda: None
    heartbeat = HeartbeatSettings.of(settings.beat_seconds)
    work(
        settings.redis_url, chosen, TaskFunctions(settings), clean_up=clean_up, heartbeat=heartbeat
    )


def clean_up_after(settings: Settings) -> None:
    """Remove the containers and work trees of processes that are no more."""
    remove_left_behind(settings.sandbox.name, settings.data / "cache")
