"""Delivers webhooks as GitHub does: signed, once, in the background, and never again by itself.

See https://docs.github.com/webhooks/using-webhooks/handling-webhook-deliveries.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import queue
import threading
import time
import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

import requests

from bot.demo.simulator.records import App, Json
from bot.demo.simulator.settings import ApiLimits, Chance, Clock, Site

_STOP: Final = None
_HELD_SECONDS = 1.0
"""How long an event that is to be overtaken waits for another one."""


@dataclass(frozen=True)
class Parcel:
    """One event for one App. `guid` stays the same when it is delivered again."""

    app: App
    event: str
    action: str | None
    payload: Json
    installation_id: int | None = None
    repository_id: int | None = None
    guid: str = field(default_factory=lambda: str(uuid.uuid4()))
    redelivery: bool = False


@dataclass(frozen=True)
class DeliveryAttempt:
    """An attempt to deliver; `status_code` is 0 where nothing was answered."""

    id: int
    parcel: Parcel
    delivered_at: datetime
    duration: float
    status: str
    status_code: int
    url: str

    @property
    def succeeded(self) -> bool:
        """Whether the App took it."""
        return 200 <= self.status_code < 300


@dataclass(frozen=True)
class _Answer:
    status: str
    code: int = 0


class Courier:
    """A thread that delivers one event after the other, and remembers how each ended."""

    def __init__(self, site: Site, limits: ApiLimits, clock: Clock, chance: Chance) -> None:
        """Nothing is delivered before `start`."""
        self.deliveries: list[DeliveryAttempt] = []
        self._site, self._limits, self._clock, self._chance = site, limits, clock, chance
        self._queue: queue.SimpleQueue[Parcel | None] = queue.SimpleQueue()
        self._under_way = 0
        self._changed = threading.Condition()
        self._ids = itertools.count(100_000_001)
        self._session = requests.Session()
        self._session.trust_env = False
        self._thread = threading.Thread(target=self._work, name="courier", daemon=True)

    def start(self) -> None:
        """Begin to deliver."""
        self._thread.start()

    def stop(self) -> None:
        """End; what was not delivered is lost."""
        self._queue.put(_STOP)
        self._thread.join(self._limits.webhook_seconds + 1)
        self._session.close()

    def send(self, parcel: Parcel) -> None:
        """Deliver in the background, in order unless faults say otherwise."""
        with self._changed:
            self._under_way += 1
        if self._chance.happens(self._chance.faults.delayed):
            timer = threading.Timer(
                self._chance.faults.delay_seconds, self._queue.put, args=(parcel,)
            )
            timer.daemon = True
            timer.start()
        else:
            self._queue.put(parcel)

    def redeliver(self, delivery: DeliveryAttempt) -> None:
        """Deliver the same event again under the same X-GitHub-Delivery."""
        self.send(replace(delivery.parcel, redelivery=True))

    def settle(self, seconds: float = 30.0) -> None:
        """Wait until all events are delivered or failed. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._under_way == 0, seconds):
                raise TimeoutError(f"{self._under_way} webhooks are not delivered yet")

    def _work(self) -> None:
        while (parcel := self._queue.get()) is not _STOP:
            later = self._overtaking()
            for one in (parcel,) if later is None else (later, parcel):
                self._hand_over(one)

    def _overtaking(self) -> Parcel | None:
        if not self._chance.happens(self._chance.faults.reordered):
            return None
        try:
            later = self._queue.get(timeout=_HELD_SECONDS)
        except queue.Empty:
            return None
        if later is _STOP:
            self._queue.put(_STOP)
        return later

    def _hand_over(self, parcel: Parcel) -> None:
        faults = self._chance.faults
        times = 2 if self._chance.happens(faults.duplicated) else 1
        for _ in range(times):
            self._attempt(parcel)
        with self._changed:
            self._under_way -= 1
            self._changed.notify_all()

    def _attempt(self, parcel: Parcel) -> None:
        body = json.dumps(parcel.payload, separators=(",", ":")).encode()
        headers = self._headers(parcel, body)
        url = parcel.app.webhook_url
        started = time.monotonic()
        answer = self._post(url, body, headers)
        delivery = DeliveryAttempt(
            id=next(self._ids),
            parcel=parcel,
            delivered_at=self._clock.now(),
            duration=round(time.monotonic() - started, 2),
            status=answer.status,
            status_code=answer.code,
            url=url,
        )
        with self._changed:
            self.deliveries.append(delivery)

    def _post(self, url: str, body: bytes, headers: dict[str, str]) -> _Answer:
        if len(body) > self._limits.webhook_bytes:
            return _Answer("payload too large")
        if self._chance.happens(self._chance.faults.undelivered):
            return _Answer("failed to connect to host")
        seconds = self._limits.webhook_seconds
        try:
            got = self._session.post(
                url, data=body, headers=headers, timeout=seconds, allow_redirects=False
            )
        except requests.Timeout:
            return _Answer("timed out")
        except requests.RequestException:
            return _Answer("failed to connect to host")
        status = "OK" if got.ok else f"Invalid HTTP Response: {got.status_code}"
        return _Answer(status, got.status_code)

    def _headers(self, parcel: Parcel, body: bytes) -> dict[str, str]:
        headers = {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/f1x9a7e",
            "X-GitHub-Delivery": parcel.guid,
            "X-GitHub-Event": parcel.event,
            "X-GitHub-Hook-ID": str(parcel.app.hook_id),
            "X-GitHub-Hook-Installation-Target-ID": str(parcel.app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
        }
        if self._site.enterprise:
            headers["X-GitHub-Enterprise-Host"] = self._site.web.partition("://")[2]
            headers["X-GitHub-Enterprise-Version"] = "3.19.0"
        return headers | _signatures(parcel.app.secret, body)


def _signatures(secret: str, body: bytes) -> dict[str, str]:
    if not secret:
        return {}
    sha1 = hmac.new(secret.encode(), body, hashlib.sha1).hexdigest()
    sha256 = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"X-Hub-Signature": f"sha1={sha1}", "X-Hub-Signature-256": f"sha256={sha256}"}
