"""`fixgate serve`: the web process, or the whole App in one command."""

from __future__ import annotations

import dataclasses
import os
import sys
import threading
from pathlib import Path

import click

from bot import assembly
from bot.commands.starting import check_writable, env_file_option, own_token, started
from bot.embedded import run_embedded
from bot.github.channel import new_channel
from bot.queue import JobQueue
from bot.serving import AsgiApplication, ClientTimeouts, HttpServer, asgi
from bot.settings import Settings
from bot.telemetry import start_telemetry
from bot.web import make_app, make_setup_app
from bot.web.address import listening
from bot.web.login import login_link
from evaluator.distributed.connections import failing_fast

_MOMENT = 1.0
"""Seconds that an answer is given to reach the browser."""


@click.command()
@click.option(
    "--embedded",
    is_flag=True,
    help="Run workers, minter, sweeper and a Redis beside the web, as children of this command.",
)
@click.option(
    "--smee",
    "uses_smee",
    is_flag=True,
    help="With --embedded: get webhooks through a channel of smee.io, to try fixgate on a machine "
    "that GitHub cannot reach. FIXGATE_SMEE names one; else it is made, and kept with the data.",
)
@env_file_option
def serve(*, embedded: bool, uses_smee: bool, env_file: Path | None) -> None:
    """Take webhooks and show the dashboard; without an App yet, the page that makes one.

    Settings come from the environment: FIXGATE_HOST and FIXGATE_PORT say where to listen,
    FIXGATE_PUBLIC_URL where GitHub reaches this.
    """
    settings = started(env_file)
    if uses_smee and not embedded:
        raise click.UsageError("--smee goes with --embedded; `fixgate smee` listens by itself")
    if embedded:
        _run_embedded(settings, uses_smee=uses_smee)
    elif settings.is_set_up:
        _serve(_usual_app(settings), settings)
    else:
        _serve(_setup_app(settings), settings)


def _run_embedded(settings: Settings, *, uses_smee: bool) -> None:
    check_writable(settings.data)
    token = own_token(settings)
    if uses_smee:
        settings = _with_channel(settings)
    if settings.is_out_of_reach:
        click.echo(
            f"GitHub cannot reach {settings.webhook_url}: set FIXGATE_PUBLIC_URL, or use --smee"
        )
    if sys.stdout.isatty():  # a log keeps what is printed, and others may read it
        click.echo(f"Log in within ten minutes: {login_link(settings.public_url, token)}")
    run_embedded(settings)


def _with_channel(settings: Settings) -> Settings:
    """With a channel for webhooks, which stays the same for a directory of data."""
    kept = settings.data / "smee-channel"
    if not settings.smee:
        if not kept.is_file():
            kept.write_text(new_channel(), "utf-8")
        settings = dataclasses.replace(settings, smee=kept.read_text("utf-8").strip())
    click.echo(f"Webhooks come through {settings.smee}")
    return settings


def _usual_app(settings: Settings) -> AsgiApplication:
    start_telemetry("fixgate-web", settings.environment)
    store = assembly.migrated_store(settings)
    queue = JobQueue(failing_fast(settings.redis_url), 60 * settings.job_minutes)
    return make_app(settings, store, queue)


def _setup_app(settings: Settings) -> AsgiApplication:
    token = own_token(settings)
    click.echo(f"No App is set up yet: open {settings.public_url}/setup")
    store = assembly.migrated_store(settings)
    return asgi(make_setup_app(settings, store, token, _begin_anew_soon))


def _serve(app: AsgiApplication, settings: Settings) -> None:
    timeouts = ClientTimeouts(headers=settings.header_seconds, body=settings.body_seconds)
    server = HttpServer(app, listening(settings.host, settings.port), timeouts)
    click.echo(f"Listening on http://{settings.host}:{settings.port}")
    server.run()


def _begin_anew_soon() -> None:
    """Replace this process, and with it all that it has seen of the App's key."""
    arguments = [sys.executable, *sys.orig_argv[1:]]
    threading.Timer(_MOMENT, os.execv, (sys.executable, arguments)).start()
