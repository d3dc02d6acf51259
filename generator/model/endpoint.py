"""Where a model is asked, and with which key."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from evaluator import InputError
from generator.model.secret import Secret

OPENAI = "https://api.openai.com/v1"
ANTHROPIC = "https://api.anthropic.com"
BASE_URLS = ("FIXGATE_BASE_URL", "OPENAI_BASE_URL")
KEYS = ("FIXGATE_API_KEY", "OPENAI_API_KEY")
ANTHROPIC_KEYS = ("FIXGATE_API_KEY", "ANTHROPIC_API_KEY")


@dataclass(frozen=True)
class Endpoint:
    """The address of an API and what it takes to get in.

    `key` is None where no variable holds one: servers on the own machine seldom want any.
    `ca_bundle` names certificates to trust beside those of the system.
    """

    base_url: str
    key: Secret | None = None
    ca_bundle: Path | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(
                f"{self.base_url!r} is no address of an API: it looks like {OPENAI} or "
                "http://localhost:8000/v1"
            )
        if parts.username or parts.password or parts.query:
            raise InputError(
                f"the address of the API at {parts.hostname} holds a password or a query: give "
                f"the plain address, and the key in {KEYS[0]}"
            )

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    @property
    def in_the_clear(self) -> bool:
        """Whether others on the network can read along."""
        return urlsplit(self.base_url).scheme == "http" and not self.is_local

    def redact(self, text: str) -> str:
        """The text without the key."""
        return self.key.redact(text) if self.key else text


def endpoint_from(
    base_url: str, environment: Mapping[str, str], *, ca_bundle: Path | None = None
) -> Endpoint:
    """The endpoint at `base_url`, else where the environment says, else OpenAI's.

    The key comes from the environment only; Anthropic's address takes Anthropic's variable.
    """
    url = base_url or _first(BASE_URLS, environment)[1] or OPENAI
    host = urlsplit(url).hostname or ""
    names = ANTHROPIC_KEYS if host.endswith("anthropic.com") else KEYS
    return Endpoint(url, _key(names, environment), ca_bundle)


def anthropic_endpoint(
    base_url: str, environment: Mapping[str, str], *, ca_bundle: Path | None = None
) -> Endpoint:
    """The endpoint for Anthropic's own protocol."""
    return Endpoint(base_url or ANTHROPIC, _key(ANTHROPIC_KEYS, environment), ca_bundle)


def _key(names: tuple[str, ...], environment: Mapping[str, str]) -> Secret | None:
    name, value = _first(names, environment)
    return Secret(value, name) if value else None


def _first(names: tuple[str, ...], environment: Mapping[str, str]) -> tuple[str, str]:
    """The first variable that is set, with its value; two empty texts where none is."""
    return next(((n, environment[n]) for n in names if environment.get(n, "").strip()), ("", ""))
