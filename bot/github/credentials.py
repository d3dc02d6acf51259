"""What makes this the App: kept in a directory that only its owner can read.

Four files, because the processes need different ones: `app.json` (nothing secret) for all,
`webhook-secret` and `client-secret` for the web process, `private-key.pem` for the minter alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.errors import ConfigurationError
from bot.github.app import PrivateKey
from bot.github.models import Id, Payload, PayloadError, checked
from generator.model.secret import Secret

APP: Final = "app.json"
PRIVATE_KEY: Final = "private-key.pem"
WEBHOOK_SECRET: Final = "webhook-secret"  # noqa: S105 - the name of a file
CLIENT_SECRET: Final = "client-secret"  # noqa: S105 - the name of a file


@dataclass(frozen=True)
class Credentials:
    """All of them, as GitHub shows them once. `page` is the App's page on GitHub."""

    app_id: int
    slug: str
    client_id: str
    page: str
    api_url: str
    private_key: str = field(repr=False)
    webhook_secret: str = field(repr=False)
    client_secret: str = field(repr=False)


class KnownApp(Payload):
    """What of it is no secret."""

    app_id: Id
    slug: str
    client_id: str
    page: str
    api_url: str


def store(directory: Path, credentials: Credentials) -> None:
    """Write the files, each with mode 0600, the one that says that all are there last.

    Raises ConfigurationError where they cannot be written.
    """
    PrivateKey(credentials.private_key.encode(), "the key that GitHub sent")
    known = {name: getattr(credentials, name) for name in KnownApp.model_fields}
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(directory / PRIVATE_KEY, credentials.private_key)
        _write(directory / WEBHOOK_SECRET, credentials.webhook_secret)
        _write(directory / CLIENT_SECRET, credentials.client_secret)
        _write(directory / APP, json.dumps(known, indent=2) + "\n")
    except OSError as error:
        raise ConfigurationError(
            f"{directory} cannot be written: {error.strerror}; the App is made on GitHub: generate "
            "a private key and a webhook secret on its settings page and put them there by hand"
        ) from error


def is_stored(directory: Path) -> bool:
    """Whether an App has been set up here."""
    return (directory / APP).is_file()


def load_app(directory: Path) -> KnownApp:
    """What is no secret. Raises ConfigurationError naming the file."""
    path = directory / APP
    try:
        return checked(KnownApp, json.loads(_read(path)))
    except (ValueError, PayloadError) as error:
        raise ConfigurationError(f"{path}: {error}") from error


def load_key(directory: Path) -> PrivateKey:
    """The private key, for the minter alone. Raises ConfigurationError."""
    return PrivateKey.load(directory / PRIVATE_KEY)


def load_webhook_secret(directory: Path) -> Secret:
    """The secret that webhooks are signed with. Raises ConfigurationError, InputError."""
    path = directory / WEBHOOK_SECRET
    return Secret(_read(path), str(path))


def load_client_secret(directory: Path) -> Secret | None:
    """What people log in with; None where the App was set up before there was such a thing.

    Raises ConfigurationError, InputError.
    """
    path = directory / CLIENT_SECRET
    return Secret(_read(path), str(path)) if path.is_file() else None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be read: {error.strerror}; set the App up on the setup page first"
        ) from error


def _write(path: Path, text: str) -> None:
    """Whole or not at all, and never readable by others, not even for a moment."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        Path(name).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
