"""`fixgate sweep`: looks after what was lost."""

from __future__ import annotations

import datetime
import logging
import time
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from bot import assembly
from bot.commands.starting import env_file_option, started
from bot.errors import GitHubError
from bot.github.minter_client import MinterClient
from bot.queue import JobQueue
from bot.queue.sweeper import Sweeper
from bot.settings import Settings
from evaluator.distributed.connections import UNREACHABLE, retrying
from evaluator.distributed.worker import HeartbeatSettings

ASK_AGAIN_SECONDS = 30.0
"""Where GitHub, the minter or the store did not answer."""
_log = logging.getLogger(__name__)


@click.command()
@click.option("--every", type=click.FloatRange(min=1), default=15.0, help="Seconds between looks.")
@click.option(
    "--ask-every",
    type=click.FloatRange(min=1),
    default=600.0,
    help="Seconds between asking GitHub for deliveries that never arrived.",
)
@click.option("--once", is_flag=True, help="Look once, and end.")
@env_file_option
def sweep(*, every: float, ask_every: float, once: bool, env_file: Path | None) -> None:
    """Queue what was not, try again what died, report what was not; ask GitHub for the rest.

    One is enough; of several, one works at a time.
    """
    settings = started(env_file)
    sweeper = _sweeper(settings, datetime.timedelta(seconds=ask_every))
    ask_at = time.monotonic()
    while True:
        if time.monotonic() >= ask_at:
            ask_at = time.monotonic() + _ask(sweeper, ask_every)
        wait = _look(sweeper, every, HeartbeatSettings.of(settings.beat_seconds))
        if once:
            return
        time.sleep(wait)


def _sweeper(settings: Settings, first_pause: datetime.timedelta) -> Sweeper:
    store = assembly.migrated_store(settings)
    minter = MinterClient(settings.minter_address, settings.minter_secret())
    queue = JobQueue(retrying(settings.redis_url), 60 * settings.job_minutes)
    keep = datetime.timedelta(days=settings.keep_days)
    return Sweeper(store, queue, minter, keep, first_pause)


def _look(sweeper: Sweeper, every: float, heartbeat: HeartbeatSettings) -> float:
    """Look once; how many seconds to wait then."""
    try:
        sweeper.sweep()
    except UNREACHABLE as error:
        _log.warning("Redis does not answer: %s", error)
        # Until then every living worker has reported that it is alive, even to an empty Redis.
        return heartbeat.alive_seconds
    except SQLAlchemyError as error:
        _log.warning("the store does not answer: %s", error)
    return every


def _ask(sweeper: Sweeper, every: float) -> float:
    """Ask GitHub for what never arrived; after how many seconds to do so again."""
    try:
        asked = sweeper.ask_for_failed_deliveries()
    except (GitHubError, SQLAlchemyError) as error:
        _log.warning("failed deliveries cannot be asked for: %s", error)
        return min(every, ASK_AGAIN_SECONDS)
    if asked:
        _log.info("asked GitHub for %d deliveries that never arrived", asked)
    return every
