"""The settings of the App's processes: from the environment, all named FIXGATE_*.

A secret may be given as FIXGATE_X or as FIXGATE_X_FILE, the path of a file that holds it. What the
setup page stored (see `bot.github.credentials`) holds where nothing is said. Every process reads
only the secrets that it needs, when it needs them. Errors name the variable.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import urlsplit

import platformdirs

from bot.errors import ConfigurationError
from bot.github import credentials
from bot.github.api import DEFAULT_URL, Connection
from bot.github.app import PrivateKey
from bot.github.oauth import CALLBACK, LOGIN_RETRIES, OAuthApp
from generator.model.secret import Secret

PREFIX: Final = "FIXGATE_"
SHORTEST_SECRET: Final = 16

Value = TypeVar("Value", int, float)


def with_file(path: Path | None, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment with a file of NAME=VALUE lines below it: what is set already stays.

    Empty lines and those that begin with # are passed over; a value may stand in quotes. Raises
    ConfigurationError naming the line.
    """
    if path is None:
        return dict(environment)
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    numbered = enumerate((line.strip() for line in lines), start=1)
    return {
        **dict(_line(path, number, line) for number, line in numbered if line and line[0] != "#"),
        **environment,
    }


def _line(path: Path, number: int, line: str) -> tuple[str, str]:
    name, equals, value = line.removeprefix("export ").partition("=")
    name, value = name.strip(), value.strip()
    if not equals or not name.isidentifier():
        raise ConfigurationError(f"{path}, line {number}: should be NAME=VALUE")
    quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "'\""
    return name, value[1:-1] if quoted else value


def number(
    environment: Mapping[str, str],
    name: str,
    default: Value,
    kind: Callable[[str], Value],
    lowest: float = 1,
) -> Value:
    """A number from `lowest` on; the default where nothing is said. Raises ConfigurationError."""
    given = environment.get(PREFIX + name, "").strip()
    try:
        found = kind(given) if given else default
    except ValueError:
        found = kind("-1")
    if not lowest <= found < float("inf"):
        raise ConfigurationError(f"{PREFIX}{name} is {given!r}: write a number from {lowest}")
    return found


def url(environment: Mapping[str, str], name: str, default: str) -> str:
    """An address of the web, without a slash at its end. Raises ConfigurationError."""
    found = (environment.get(PREFIX + name) or default).strip().rstrip("/")
    place = urlsplit(found)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise ConfigurationError(
            f"{PREFIX}{name} is {found!r}: write an address that begins with https:// or http://"
        )
    return found


def text(environment: Mapping[str, str], name: str) -> tuple[str, str] | None:
    """A secret's text and where it came from; None where none is given."""
    if environment.get(PREFIX + name):
        return environment[PREFIX + name], PREFIX + name
    path = environment.get(f"{PREFIX}{name}_FILE", "").strip()
    if not path:
        return None
    try:
        return Path(path).read_text("utf-8"), path
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{PREFIX}{name}_FILE names {path}, which cannot be read: {error}"
        ) from error


def secret(environment: Mapping[str, str], name: str) -> Secret | None:
    """A secret, given as it is or by a file; None without. Raises ConfigurationError."""
    found = text(environment, name)
    return None if found is None else Secret(*found)


def needed(environment: Mapping[str, str], name: str, advice: str) -> Secret:
    """A secret that has to be there, and long enough. Raises ConfigurationError with advice."""
    found = secret(environment, name)
    if found is None or len(found.reveal()) < SHORTEST_SECRET:
        raise ConfigurationError(
            f"{PREFIX}{name} must hold at least {SHORTEST_SECRET} characters: {advice}"
        )
    return found


SANDBOXES: Final = ("auto", "docker", "bubblewrap", "process")


@dataclass(frozen=True)
class Sandboxing:
    """Where code of repositories runs, and how much it may use; see `fixgate verify --help`."""

    name: str = "auto"
    image: str = ""
    runtime: str = ""
    timeout_seconds: float = 1800.0
    memory_mebibytes: int = 6144
    index_url: str = ""
    ca_bundle: Path | None = None
    offline: bool = False


@dataclass(frozen=True)
class Settings:
    """What is set for all processes. `environment` holds the secrets, read when needed."""

    data: Path
    database_url: str
    redis_url: str
    host: str
    port: int
    public_url: str
    smee: str
    api_url: str
    minter_address: str
    sandbox: Sandboxing
    model: str
    method: str
    reruns: int
    job_minutes: float
    beat_seconds: int
    keep_days: float
    login_minutes: float
    public_repositories: tuple[str, ...]
    header_seconds: float
    body_seconds: float
    environment: Mapping[str, str] = field(repr=False)

    @property
    def local_url(self) -> str:
        """Where this machine reaches the web process."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104
        return f"http://{host}:{self.port}"

    @property
    def webhook_url(self) -> str:
        """Where GitHub is to send webhooks."""
        return self.smee or f"{self.public_url}/webhook"

    @property
    def is_out_of_reach(self) -> bool:
        """Whether GitHub is elsewhere, and webhooks are to come to this machine's own address."""
        return _is_loopback(self.webhook_url) and not _is_loopback(self.api_url)

    @property
    def credentials(self) -> Path:
        """The directory in which the setup page keeps what GitHub gave."""
        return self.data / "credentials"

    @property
    def is_set_up(self) -> bool:
        """Whether webhooks can be verified: without that, only the setup page is served."""
        named = ("WEBHOOK_SECRET", "WEBHOOK_SECRET_FILE")
        return credentials.is_stored(self.credentials) or any(
            self.environment.get(PREFIX + name) for name in named
        )

    @property
    def client_id(self) -> str:
        """The App's client id. Raises ConfigurationError."""
        given = self.environment.get("FIXGATE_CLIENT_ID", "").strip()
        return given or credentials.load_app(self.credentials).client_id

    def webhook_secret(self) -> Secret:
        """What webhooks are signed with, for the web alone. Raises ConfigurationError."""
        given = secret(self.environment, "WEBHOOK_SECRET")
        if given is not None:
            return given
        if not credentials.is_stored(self.credentials):
            raise ConfigurationError(
                "FIXGATE_WEBHOOK_SECRET is not set: write the App's webhook secret, or the path "
                "of a file with it as FIXGATE_WEBHOOK_SECRET_FILE"
            )
        return credentials.load_webhook_secret(self.credentials)

    def oauth_app(self) -> OAuthApp | None:
        """What people log in to by GitHub, for the web alone; None where there is no client secret.

        Raises ConfigurationError.
        """
        found = self._client_secret()
        if found is None:
            return None
        connection = Connection(self.api_url, LOGIN_RETRIES)
        return OAuthApp(self.client_id, found, f"{self.public_url}{CALLBACK}", connection)

    def _client_secret(self) -> Secret | None:
        given = text(self.environment, "CLIENT_SECRET")
        if given is None:
            return credentials.load_client_secret(self.credentials)
        return Secret(*given) if given[0].strip() else None

    def private_key(self) -> PrivateKey:
        """The App's key, for the minter alone. Raises ConfigurationError."""
        path = self.environment.get("FIXGATE_PRIVATE_KEY_FILE", "").strip()
        return PrivateKey.load(Path(path)) if path else credentials.load_key(self.credentials)

    def minter_secret(self) -> Secret:
        """What the minter and those who ask it share. Raises ConfigurationError."""
        return needed(
            self.environment,
            "MINTER_SECRET",
            "the same for the minter and for those who ask it; `openssl rand -hex 32` makes one",
        )

    @property
    def token_file(self) -> Path:
        """Where a token for the dashboard is kept that nobody chose."""
        return self.data / "dashboard-token"

    def dashboard_token(self) -> Secret | None:
        """What opens the dashboard; None closes it. Raises ConfigurationError if too short."""
        environment = self.environment
        if text(environment, "DASHBOARD_TOKEN") is None:
            if not self.token_file.is_file():
                return None
            environment = {"FIXGATE_DASHBOARD_TOKEN_FILE": str(self.token_file)}
        return needed(environment, "DASHBOARD_TOKEN", "`openssl rand -hex 32` makes one")


def settings_from(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings. Raises ConfigurationError that names the variable and what to write."""
    data = Path(
        environment.get("FIXGATE_DATA_DIRECTORY") or platformdirs.user_data_dir("fixgate")
    ).absolute()
    port = number(environment, "PORT", 8000, int)
    host = environment.get("FIXGATE_HOST") or "127.0.0.1"
    return Settings(
        data=data,
        database_url=environment.get("FIXGATE_DATABASE_URL") or f"sqlite:///{data / 'fixgate.db'}",
        redis_url=_redis_url(environment),
        host=host,
        port=port,
        public_url=url(environment, "PUBLIC_URL", f"http://{host}:{port}"),
        smee=url(environment, "SMEE", "") if environment.get("FIXGATE_SMEE") else "",
        api_url=url(environment, "API_URL", _known_api(data)),
        minter_address=environment.get("FIXGATE_MINTER") or f"unix:{data / 'minter.sock'}",
        sandbox=_sandbox(environment),
        model=environment.get("FIXGATE_MODEL", "").strip(),
        method=environment.get("FIXGATE_METHOD", "").strip(),
        reruns=number(environment, "RERUNS", 2, int),
        job_minutes=number(environment, "JOB_MINUTES", 60.0, float),
        beat_seconds=number(environment, "BEAT_SECONDS", 5, int),
        keep_days=number(environment, "KEEP_DAYS", 30.0, float),
        login_minutes=number(environment, "LOGIN_MINUTES", 15.0, float),
        public_repositories=_patterns(environment),
        header_seconds=number(environment, "HEADER_SECONDS", 10.0, float),
        body_seconds=number(environment, "BODY_SECONDS", 30.0, float),
        environment=environment,
    )


_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-_]*/(?:\*|[A-Za-z0-9._-]+)")


def _patterns(environment: Mapping[str, str]) -> tuple[str, ...]:
    found = environment.get("FIXGATE_PUBLIC_REPOSITORIES", "").replace(",", " ").split()
    for one in found:
        if not _PATTERN.fullmatch(one):
            raise ConfigurationError(
                f"FIXGATE_PUBLIC_REPOSITORIES has {one!r}: write OWNER/NAME, or OWNER/* for all of "
                "an owner, with spaces between them"
            )
    return tuple(found)


def _is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _known_api(data: Path) -> str:
    place = data / "credentials"
    return credentials.load_app(place).api_url if credentials.is_stored(place) else DEFAULT_URL


def _sandbox(environment: Mapping[str, str]) -> Sandboxing:
    name = environment.get("FIXGATE_SANDBOX") or "auto"
    if name not in SANDBOXES:
        raise ConfigurationError(
            f"FIXGATE_SANDBOX is {name!r}: write one of {', '.join(SANDBOXES)}"
        )
    bundle = environment.get("FIXGATE_CA_BUNDLE", "").strip()
    return Sandboxing(
        name=name,
        image=environment.get("FIXGATE_SANDBOX_IMAGE", "").strip(),
        runtime=environment.get("FIXGATE_SANDBOX_RUNTIME", "").strip(),
        timeout_seconds=number(environment, "TEST_SECONDS", 1800.0, float),
        memory_mebibytes=number(environment, "TEST_MEMORY", 6144, int),
        index_url=environment.get("FIXGATE_INDEX_URL", "").strip(),
        ca_bundle=Path(bundle) if bundle else None,
        offline=number(environment, "OFFLINE", 0, int, lowest=0) != 0,
    )


def _redis_url(environment: Mapping[str, str]) -> str:
    found = (environment.get("FIXGATE_REDIS_URL") or "redis://127.0.0.1:6379/0").strip()
    if not found.startswith(("redis://", "rediss://", "unix://")):
        raise ConfigurationError(
            "FIXGATE_REDIS_URL should be redis://HOST:PORT/0, rediss://... or unix:///PATH"
        )
    return found
