"""Looks at what the App needs, one thing after the other, and says what to do about the rest."""

from __future__ import annotations

import functools
import hashlib
import hmac
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

import requests

from bot import assembly
from bot.errors import ConfigurationError, NotFoundError
from bot.github.api import Answer, Api, Connection, Request
from bot.github.manifest import load_manifest
from bot.github.models import Many, Payload, checked
from bot.github.retrying import ApiRetryPolicy
from bot.queue import JobQueue
from bot.settings import Settings
from evaluator import Command, FixgateError, ResourceLimits, choose_sandbox
from evaluator.distributed.connections import failing_fast
from generator.model.diagnosis import Health, ModelCheck

ENOUGH_BYTES: Final = 5 * 2**30
"""Free space for mirrors, environments and trees of a few repositories."""
MOST_SKEW: Final = 30.0
"""Seconds; the web tokens of the App are dated back by twice as many."""
SECONDS_TO_ANSWER: Final = 10.0
"""GitHub waits no longer for a webhook."""
_NOTHING: Final = Command(("/bin/true",), "/", (), limits=ResourceLimits(wall_seconds=60))
_LEVELS: Final = ("read", "write", "admin")


class _RegisteredApp(Payload):
    slug: str
    permissions: dict[str, str]
    events: Many[str] = ()


class _Attempted(Payload):
    status_code: int = 0


@dataclass(frozen=True)
class AppDiagnosis:
    """What can be looked at with the settings of the App. The looks raise FixgateError."""

    settings: Settings

    def findings(self) -> Iterator[ModelCheck]:
        """All of them, as they are made; one that fails does not keep the others back."""
        for what, look in self._looks().items():
            try:
                yield ModelCheck(Health.GOOD, what, look())
            except FixgateError as error:
                yield ModelCheck(Health.BAD, what, str(error))

    def _looks(self) -> Mapping[str, Callable[[], str]]:
        return {
            "directory of data": self.directory,
            "disk": self.disk,
            "store": self.store,
            "Redis": self.redis,
            "sandbox": self.sandbox,
            "private key": self.key,
            "clock": self.clock,
            "login": self.login,
            "permissions": self.permissions,
            "events": self.events,
            "webhook": self.webhook,
            "deliveries": self.deliveries,
        }

    def directory(self) -> str:
        """Whether it can be written."""
        try:
            self.settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.settings.data):
                return f"{self.settings.data} can be written"
        except OSError as error:
            raise ConfigurationError(
                f"{self.settings.data} cannot be written: {error.strerror}; name another one as "
                "FIXGATE_DATA_DIRECTORY"
            ) from error

    def disk(self) -> str:
        """Whether there is room for trees and environments."""
        try:
            free = shutil.disk_usage(self.settings.data).free
        except OSError as error:
            raise ConfigurationError(f"cannot be measured: {error.strerror}") from error
        found = f"{free / 2**30:.1f} GiB are free"
        if free < ENOUGH_BYTES:
            raise ConfigurationError(f"{found}, which is less than {ENOUGH_BYTES / 2**30:.0f} GiB")
        return found

    def store(self) -> str:
        """Whether the database answers; its tables are brought to the newest form."""
        assembly.migrated_store(self.settings).database.engine.dispose()
        return f"{self.settings.database_url.partition(':')[0]} answers"

    def redis(self) -> str:
        """Whether Redis answers; `serve --embedded` brings its own."""
        if JobQueue(failing_fast(self.settings.redis_url)).answers():
            return "answers"
        if not self.settings.environment.get("FIXGATE_REDIS_URL"):
            return "none is named; `serve --embedded` brings its own"
        raise ConfigurationError("does not answer: is it running where FIXGATE_REDIS_URL says?")

    def sandbox(self) -> str:
        """Whether something can be run in it."""
        used = self.settings.sandbox
        sandbox = choose_sandbox(used.name, image=used.image, runtime=used.runtime)
        done = sandbox.run(_NOTHING)
        if done.exit_code:
            raise ConfigurationError(f"ends with {done.ending}: {done.output.strip()[:300]}")
        return "works"

    def key(self) -> str:
        """Whether GitHub takes the App's key."""
        try:
            return f"GitHub knows it as that of {self._app.slug}"
        except NotFoundError as error:
            raise ConfigurationError(
                f"GitHub knows no App with the client id {self.settings.client_id}: is "
                "FIXGATE_CLIENT_ID right?"
            ) from error

    def clock(self) -> str:
        """Whether it shows the same time as GitHub's."""
        try:
            theirs = parsedate_to_datetime(self._answer.headers["date"]).timestamp()
        except (KeyError, ValueError):
            raise ConfigurationError("GitHub did not say what time it is") from None
        skew = time.time() - theirs
        if abs(skew) > MOST_SKEW:
            raise ConfigurationError(f"{skew:+.0f} s off GitHub's: set it, by NTP for example")
        return f"{skew:+.0f} s off GitHub's"

    def login(self) -> str:
        """Whether GitHub takes the id and secret with which people log in."""
        oauth = self.settings.oauth_app()
        if oauth is None:
            return "by the token alone: FIXGATE_CLIENT_SECRET is not set"
        oauth.check()
        return (
            f"GitHub takes the client secret; {oauth.redirect_uri} has to be a callback URL there"
        )

    def permissions(self) -> str:
        """Whether the App has those that it needs."""
        wanted: Mapping[str, str] = load_manifest()["default_permissions"]
        held = self._app.permissions
        missing = [f"{n}: {level}" for n, level in wanted.items() if not _holds(held.get(n), level)]
        if missing:
            raise ConfigurationError(
                f"{', '.join(missing)} are missing: set them on the App's page on GitHub, and "
                "accept them where it is installed"
            )
        return "all that is needed"

    def events(self) -> str:
        """Whether the App gets those that it needs."""
        missing = sorted(set(load_manifest()["default_events"]) - set(self._app.events))
        if missing:
            raise ConfigurationError(
                f"{', '.join(missing)} are missing: subscribe to them on the App's page on GitHub"
            )
        return "all that are needed"

    def webhook(self) -> str:
        """Whether a signed delivery is taken where GitHub sends it."""
        # What a channel takes says nothing of where it leads.
        base = self.settings.local_url if self.settings.smee else self.settings.public_url
        address, body = f"{base}/webhook", b'{"zen": "fixgate doctor"}'
        secret = self.settings.webhook_secret().reveal().encode()
        headers = {
            "Content-Type": "application/json",
            "X-GitHub-Event": "ping",
            "X-GitHub-Delivery": str(uuid.uuid4()),
            "X-Hub-Signature-256": f"sha256={hmac.new(secret, body, hashlib.sha256).hexdigest()}",
        }
        try:
            answer = requests.post(address, body, headers=headers, timeout=SECONDS_TO_ANSWER)
        except requests.RequestException as error:
            raise ConfigurationError(
                f"{address} does not answer ({type(error).__name__}): is `fixgate serve` running, "
                "and is FIXGATE_PUBLIC_URL right?"
            ) from error
        if answer.status_code == requests.codes.unauthorized:
            raise ConfigurationError(f"the web process at {address} has another webhook secret")
        if not answer.ok:
            raise ConfigurationError(f"{address} answers a test delivery by {answer.status_code}")
        return f"a test delivery was taken at {address}"

    def deliveries(self) -> str:
        """How GitHub's own latest delivery ended: it may sign with another secret."""
        query = {"per_page": 1}
        data = self._api.call(Request("GET", "/app/hook/deliveries", query)).data()
        found = [checked(_Attempted, one) for one in data] if isinstance(data, list) else []
        if not found:
            return "GitHub sent none in the last days"
        status = found[0].status_code
        if status == requests.codes.unauthorized:
            raise ConfigurationError(
                "GitHub's latest one was refused for its signature: write the webhook secret that "
                "fixgate has on the App's page on GitHub"
            )
        if not 200 <= status < 300:
            raise ConfigurationError(
                f"GitHub's latest one ended with {status or 'no answer'}: can GitHub reach "
                f"{self.settings.webhook_url}?"
            )
        return "GitHub's latest one arrived"

    @functools.cached_property
    def _api(self) -> Api:
        """Signs as the App. Raises ConfigurationError where there is no key."""
        key, client_id = self.settings.private_key(), self.settings.client_id
        once = Connection(self.settings.api_url, ApiRetryPolicy(attempts=1))
        return Api(once, lambda: key.sign(client_id, time.time()))

    @functools.cached_property
    def _answer(self) -> Answer:
        return self._api.call(Request("GET", "/app"))

    @functools.cached_property
    def _app(self) -> _RegisteredApp:
        return checked(_RegisteredApp, self._answer.data())


def _holds(held: str | None, wanted: str) -> bool:
    return held in _LEVELS and _LEVELS.index(held) >= _LEVELS.index(wanted)
