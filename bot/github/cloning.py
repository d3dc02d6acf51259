"""How git gets at a repository: the token travels in a header, never in a URL or a file."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from urllib.parse import urlsplit, urlunsplit

from generator.model.secret import Secret

_ENTERPRISE = "/api/v3"


def web_url(api_url: str) -> str:
    """Where the pages and git of a GitHub are whose API is at a URL (api.HOST or HOST/api/v3)."""
    place = urlsplit(api_url.rstrip("/"))
    path = place.path.removesuffix(_ENTERPRISE)
    return urlunsplit((place.scheme, place.netloc.removeprefix("api."), path, "", ""))


def clone_source(api_url: str, full_name: str, token: Secret) -> tuple[str, Mapping[str, str]]:
    """The URL of a repository, and variables for the environment of `git` that authorise it.

    The header is only sent to this GitHub; git does not ask anybody for a password.
    https://git-scm.com/docs/git-config#ENVIRONMENT
    """
    site = web_url(api_url)
    credentials = base64.b64encode(f"x-access-token:{token.reveal()}".encode()).decode()
    settings = {
        f"http.{site}/.extraHeader": f"Authorization: Basic {credentials}",
        "credential.helper": "",
    }
    variables = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_COUNT": str(len(settings))}
    for at, (key, value) in enumerate(settings.items()):
        variables |= {f"GIT_CONFIG_KEY_{at}": key, f"GIT_CONFIG_VALUE_{at}": value}
    return f"{site}/{full_name}.git", variables
