"""Puts the parts together as the settings say."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable

from sqlalchemy.exc import OperationalError

from bot.errors import ConfigurationError
from bot.github.api import Connection
from bot.github.app import AppClient
from bot.github.client import InstalledGitHub
from bot.github.minter import Minter
from bot.github.minter_client import MinterClient
from bot.jobs.services import ChosenMethod, Services, workspaces
from bot.queue.queue import JobQueue
from bot.settings import Settings
from bot.store import Store
from bot.telemetry import observe
from evaluator import (
    MEBIBYTE,
    ResourceLimits,
    Sandbox,
    Workspace,
    WorkspaceSettings,
    choose_sandbox,
)
from evaluator.distributed.connections import retrying
from generator.methods import method
from generator.model.choosing import ModelSettings, model_from

WITH_MODEL, WITHOUT_MODEL = "ensemble", "issue-only"


def store(settings: Settings) -> Store:
    """The store; its directory is made. Raises ConfigurationError."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Store(settings.database_url)


def migrated_store(settings: Settings) -> Store:
    """The store, with its tables in the newest form.

    Raises ConfigurationError where the database cannot be opened, or does not answer for a minute.
    """
    found = store(settings)
    try:
        found.database.migrate()
    except OperationalError as error:
        raise ConfigurationError(
            f"the database cannot be opened: {error.orig}; see FIXGATE_DATABASE_URL and "
            "FIXGATE_DATA_DIRECTORY"
        ) from error
    return found


def services(settings: Settings) -> Services:
    """Everything that handling events and doing jobs needs; nothing is asked of GitHub yet.

    Raises ConfigurationError or InputError.
    """
    minter = MinterClient(settings.minter_address, settings.minter_secret())
    return Services(
        store=store(settings),
        github=InstalledGitHub(minter, Connection(settings.api_url)),
        queue=JobQueue(retrying(settings.redis_url), 60 * settings.job_minutes),
        data=settings.data,
        workspace=workspaces(_workspace_settings(settings), _maker(settings)),
        writer=_writer(settings),
        reruns=settings.reruns,
        public_url=settings.public_url,
    )


def minter(settings: Settings) -> Minter:
    """What holds the App's key. Raises ConfigurationError."""
    app = AppClient(settings.client_id, settings.private_key(), Connection(settings.api_url))
    return Minter(app)


def _workspace_settings(settings: Settings) -> WorkspaceSettings:
    used = settings.sandbox
    seconds = used.timeout_seconds
    return WorkspaceSettings(
        repositories=(),
        cache=settings.data / "cache",
        limits=ResourceLimits(
            wall_seconds=seconds,
            cpu_seconds=2 * seconds,
            memory_bytes=used.memory_mebibytes * MEBIBYTE,
        ),
        index_url=used.index_url or None,
        ca_bundle=used.ca_bundle,
        offline=used.offline,
        side_by_side=(os.cpu_count() or 1) >= 2,
    )


def _maker(settings: Settings) -> Callable[[WorkspaceSettings], Workspace]:
    """Makes workspaces that share a sandbox, which is looked for when it is first needed."""
    used = settings.sandbox

    @functools.cache
    def sandbox() -> Sandbox:
        return choose_sandbox(used.name, image=used.image, runtime=used.runtime)

    return lambda found: Workspace(found, sandbox(), observe)


def _writer(settings: Settings) -> ChosenMethod:
    model = None
    if settings.model:
        named = ModelSettings(
            settings.model,
            cache=settings.data / "cache" / "replies",
            ca_bundle=settings.sandbox.ca_bundle,
        )
        model = model_from(named, settings.environment)
    name = settings.method or (WITH_MODEL if model else WITHOUT_MODEL)
    return ChosenMethod(method(name), model)
