"""`fixgate serve`: the web process, or the whole App in one command."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import click
import flask
import waitress

from bot import assembly
from bot.commands.starting import env_file_option, own_token, started
from bot.embedded import run_embedded
from bot.queue import JobQueue
from bot.queue.queue import failing_fast
from bot.settings import Settings
from bot.web import make_app, make_setup_app
from bot.web.webhook import LARGEST_BODY

THREADS = 32
"""As many deliveries are written together as threads wait for that, at most."""
_MOMENT = 1.0
"""Seconds that an answer is given to reach the browser."""


@click.command()
@click.option(
    "--embedded",
    is_flag=True,
    help="Run workers, minter, sweeper and a Redis beside the web, as children of this command.",
)
@env_file_option
def serve(*, embedded: bool, env_file: Path | None) -> None:
    """Take webhooks and show the dashboard; without an App yet, the page that makes one.

    Settings come from the environment: FIXGATE_HOST and FIXGATE_PORT say where to listen,
    FIXGATE_PUBLIC_URL where GitHub reaches this.
    """
    settings = started(env_file)
    if embedded:
        own_token(settings)
        run_embedded(settings)
    elif settings.is_set_up:
        _serve(_usual_app(settings), settings)
    else:
        _serve(_setup_app(settings), settings)


def _usual_app(settings: Settings) -> flask.Flask:
    store = assembly.store(settings)
    store.database.migrate()
    queue = JobQueue(failing_fast(settings.redis_url), 60 * settings.job_minutes)
    return make_app(settings, store, queue)


def _setup_app(settings: Settings) -> flask.Flask:
    token = own_token(settings)
    click.echo(f"No App is set up yet: open {settings.public_url}/setup")
    return make_setup_app(settings, token, _begin_anew_soon)


def _serve(app: flask.Flask, settings: Settings) -> None:
    click.echo(f"Listening on http://{settings.host}:{settings.port}")
    waitress.serve(
        app,
        host=settings.host,
        port=settings.port,
        threads=THREADS,
        # One more, so that it is Flask which refuses, with an answer that says why.
        max_request_body_size=LARGEST_BODY + 1,
        # Most deliveries in one piece; poll(2) instead of select(2) for any number of clients.
        recv_bytes=65536,
        asyncore_use_poll=True,
        ident=None,
    )


def _begin_anew_soon() -> None:
    """Replace this process, and with it all that it has seen of the App's key."""
    arguments = [sys.executable, *sys.orig_argv[1:]]
    threading.Timer(_MOMENT, os.execv, (sys.executable, arguments)).start()
