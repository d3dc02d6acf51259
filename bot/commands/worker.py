"""`fixgate worker`: does what waits in the queues."""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path

import click

from bot import assembly
from bot.commands.starting import env_file_option, started
from bot.queue import Lane
from bot.queue.tasks import Work
from bot.queue.worker import Pace, work
from bot.settings import Settings
from evaluator.checkout.scratch import Scratch, fastest_root
from evaluator.errors import SandboxError
from evaluator.sandbox.engine import engine, reap


@click.command()
@click.option(
    "--queue",
    "lanes",
    type=click.Choice([lane.value for lane in Lane]),
    multiple=True,
    default=[lane.value for lane in Lane],
    show_default=True,
    help="Which work to do: `quick` answers events, `long` runs code. Give each its own workers.",
)
@env_file_option
def worker(lanes: tuple[str, ...], env_file: Path | None) -> None:
    """Handle events and do jobs, until it is told to end; a second time ends what is in hand."""
    settings = started(env_file)
    assembly.store(settings).database.migrate()
    chosen = [Lane(lane) for lane in lanes]
    runs_code = Lane.LONG in chosen
    clean_up = functools.partial(remove_left_behind, settings) if runs_code else lambda: None
    pace = Pace.of(settings.beat_seconds)
    work(settings.redis_url, chosen, Work(settings), clean_up=clean_up, pace=pace)


def remove_left_behind(settings: Settings) -> None:
    """Remove the containers and work trees of processes that are no more."""
    if settings.sandbox.name in ("auto", "docker"):
        with contextlib.suppress(SandboxError), engine() as client:
            reap(client)
    Scratch(fastest_root(settings.data / "cache").absolute())
