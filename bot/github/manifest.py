"""Makes the App on GitHub from `app.yml`, and keeps what comes back.

https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import yaml

from bot.errors import ConfigurationError, NotFoundError
from bot.github.api import Api, Connection
from bot.github.client import web_url
from bot.github.credentials import Credentials
from bot.github.models import Id, Many, Payload, PayloadError, checked
from bot.github.oauth import CALLBACK

LONGEST_NAME: Final = 34
"""Characters of an App's name; it must be the only one of its name on its GitHub."""
_PLACES = (Path(__file__).parents[1] / "app.yml", Path(__file__).parents[2] / "app.yml")
"""In an installed package, and in a checkout."""

Manifest = Mapping[str, Any]


class _Manifest(Payload):
    name: str
    default_permissions: dict[str, str]
    default_events: Many[str] = ()


class _NewApp(Payload):
    id: Id
    slug: str
    client_id: str
    html_url: str
    pem: str
    webhook_secret: str
    client_secret: str


@dataclass(frozen=True)
class Form:
    """A form that the browser of the App's future owner posts to GitHub."""

    action: str
    fields: Mapping[str, str]


def load_manifest(path: Path | None = None) -> Manifest:
    """What `app.yml` says. Raises ConfigurationError naming the file and the field."""
    place = path or next((one for one in _PLACES if one.is_file()), _PLACES[-1])
    try:
        data = yaml.safe_load(place.read_text("utf-8"))
        known = checked(_Manifest, data)
    except OSError as error:
        raise ConfigurationError(f"{place} cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError, PayloadError) as error:
        raise ConfigurationError(f"{place}: {error}") from error
    if not known.default_events:
        raise ConfigurationError(f"{place}: default_events should be a list of names of events")
    found: dict[str, Any] = data
    return found


def form(
    manifest: Manifest,
    *,
    public_url: str,
    state: str,
    api_url: str,
    webhook_url: str = "",
    organization: str = "",
    name: str = "",
    may_commit: bool = False,
) -> Form:
    """The form that makes the App: for a person, or for an organisation by its login.

    Webhooks go to `webhook_url`, or else to /webhook of `public_url`; the browser comes back to its
    /setup/done with a `code` and the `state`, and to `oauth.CALLBACK` when somebody logs in.
    `may_commit` asks for the right to commit tests to branches of pull requests. Raises
    ConfigurationError for a name that GitHub would not take.
    """
    chosen = name.strip() or str(manifest["name"])
    if len(chosen) > LONGEST_NAME:
        raise ConfigurationError(f"the App's name {chosen!r} is longer than {LONGEST_NAME}")
    site, base = web_url(api_url), public_url.rstrip("/")
    owner = f"/organizations/{quote(organization, safe='')}" if organization else ""
    filled = {
        **manifest,
        "name": chosen,
        "url": base,
        "hook_attributes": {"url": webhook_url or f"{base}/webhook", "active": True},
        "redirect_url": f"{base}/setup/done",
        "callback_urls": [f"{base}{CALLBACK}"],
        "default_permissions": _permissions(manifest, may_commit=may_commit),
    }
    action = f"{site}{owner}/settings/apps/new?{urlencode({'state': state})}"
    return Form(action, {"manifest": json.dumps(filled)})


def new_state() -> str:
    """Something that nobody guesses; keep it with the browser's session until it comes back."""
    return secrets.token_urlsafe(32)


def is_state(expected: str, given: str) -> bool:
    """Whether what came back is what was sent; compared in constant time."""
    return bool(expected) and hmac.compare_digest(expected.encode(), given.encode())


def convert(code: str, connection: Connection) -> Credentials:
    """The new App's credentials for the code that GitHub gave, once and within an hour.

    Raises NotFoundError where the code is used or too old, GitHubError.
    """
    path = f"/app-manifests/{quote(code, safe='')}/conversions"
    try:
        found = Api(connection, None).post(_NewApp, path, repeatable=False)
    except NotFoundError as error:
        raise NotFoundError(
            "GitHub does not know this code: it holds for one hour and once. Delete the App on "
            "GitHub if it was made, and start again at the setup page"
        ) from error
    return Credentials(
        app_id=found.id,
        slug=found.slug,
        client_id=found.client_id,
        page=found.html_url,
        private_key=found.pem,
        webhook_secret=found.webhook_secret,
        client_secret=found.client_secret,
        api_url=connection.url,
    )


def _permissions(manifest: Manifest, *, may_commit: bool) -> dict[str, str]:
    given: dict[str, str] = dict(manifest["default_permissions"])
    return {**given, "contents": "write"} if may_commit else given
