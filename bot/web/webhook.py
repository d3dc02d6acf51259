"""Webhooks: verified, written down, answered; what they ask for is done elsewhere.

https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
"""

from __future__ import annotations

import enum
import hashlib
import hmac
import json
import logging
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.wrappers import Request, Response

from bot.github.types import Webhook
from bot.logs import about
from bot.queue import JobQueue
from bot.store import Store
from bot.telemetry import span, trace_context
from bot.web.health import Metrics
from bot.web.refusals import DELIVERY_ID, RefusalLog
from generator.model.secret import Secret

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

PATH: Final = "/webhook"
LARGEST_BODY: Final = 25 * 1024 * 1024
"""GitHub sends no more than 25 MB."""
_NAME = re.compile(r"[a-z_]{1,64}")
_log = logging.getLogger(__name__)

Answer = tuple[dict[str, Any], int]


class _RefusedError(Exception):
    """Says why, with a status; `reason` is what metrics call it."""

    def __init__(self, status: int, reason: str, words: str) -> None:
        super().__init__(words)
        self.status, self.reason = status, reason


class WebhookApp:
    """Takes webhooks at /webhook, and leaves all else to another application.

    Flask's way to a view takes longer than all else that is done for a delivery together.
    """

    def __init__(
        self,
        others: WSGIApplication,
        secret: Secret,
        store: Store,
        queue: JobQueue,
        metrics: Metrics,
    ) -> None:
        self._others, self._secret, self._metrics = others, secret, metrics
        self._intake, self._refusals = Intake(store, queue), RefusalLog(metrics.refused)

    def __call__(
        self, environment: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        """Answer a request."""
        if environment.get("PATH_INFO") != PATH:
            return self._others(environment, start_response)
        return self._answered(Request(environment))(environment, start_response)

    def _answered(self, request: Request) -> Response:
        if request.method != "POST":
            return MethodNotAllowed(["POST"]).get_response()
        request.max_content_length = LARGEST_BODY
        with self._metrics.webhook_seconds.time():
            try:
                answer, status = _take(request, self._secret, self._intake)
            except _RefusedError as error:
                answer, status = {"status": "refused", "reason": str(error)}, error.status
                self._refusals.note(error.reason, str(error), request)
            except HTTPException as error:  # larger than GitHub sends, or cut off
                return Response(str(error), error.code)
        self._metrics.deliveries.labels(answer["status"]).inc()
        return Response(json.dumps(answer), status, mimetype="application/json")


def _take(request: Request, secret: Secret, intake: Intake) -> Answer:
    # The signature comes first: nothing of a body that GitHub did not send is looked at.
    body = request.get_data(cache=False)
    if not is_signed(secret, body, request.headers.get("X-Hub-Signature-256", "")):
        raise _RefusedError(401, "signature", "the signature is missing or wrong")
    webhook = _webhook(request, body)
    if webhook.event == "ping":
        return {"status": "pong"}, 200
    named = {"fixgate.delivery": webhook.delivery, "fixgate.event": webhook.event}
    with about(delivery=webhook.delivery), span("intake", named):
        taken = _kept(intake, replace(webhook, trace_context=trace_context()))
        _log.info("%s %s, %s", webhook.event, webhook.action, taken.value)
        return {"status": "duplicate" if taken is Taken.KNOWN else "accepted"}, 202


def is_signed(secret: Secret, body: bytes, signature: str) -> bool:
    """Whether somebody who has the secret signed these bytes; compared in constant time."""
    digest = hmac.new(secret.reveal().encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={digest}".encode(), signature.encode())


def _webhook(request: Request, body: bytes) -> Webhook:
    delivery = request.headers.get("X-GitHub-Delivery", "")
    event = request.headers.get("X-GitHub-Event", "")
    if not DELIVERY_ID.fullmatch(delivery) or not _NAME.fullmatch(event):
        raise _RefusedError(
            400, "headers", "X-GitHub-Delivery or X-GitHub-Event is missing or malformed"
        )
    if request.mimetype != "application/json":
        raise _RefusedError(
            415, "content_type", "set the webhook's content type to application/json"
        )
    try:
        text = body.decode()
        payload = json.loads(text)
    except (ValueError, RecursionError):
        raise _RefusedError(400, "body", "the body is no JSON") from None
    if not isinstance(payload, dict) or "\0" in text:
        raise _RefusedError(400, "body", "the body is no JSON object")
    action = _NAME.fullmatch(str(payload.get("action", "")))
    return Webhook(delivery, event, action[0] if action else "", text)


def _kept(intake: Intake, webhook: Webhook) -> Taken:
    try:
        return intake.take(webhook)
    except SQLAlchemyError as error:
        # GitHub lists the delivery as failed, and the sweeper asks for it once all is well.
        _log.exception("%s cannot be written down", webhook.event)
        raise _RefusedError(503, "store", "the store does not answer") from error


class Taken(enum.Enum):
    """What became of a delivery: those that are kept only are queued by the sweeper."""

    QUEUED = "queued"
    KEPT = "kept for later"
    KNOWN = "came again"


@dataclass(frozen=True)
class _Arrival:
    webhook: Webhook
    answer: Future[Taken] = field(default_factory=Future)


class Intake:
    """Takes deliveries from many threads; one of its own writes all that wait at a time.

    One transaction and one round trip to Redis for all of them: a wait on the disk is shared, where
    each would wait for those before it, and then for itself.
    """

    def __init__(self, store: Store, queue: JobQueue) -> None:
        self._store, self._queue = store, queue
        self._waiting: SimpleQueue[_Arrival] = SimpleQueue()
        self._writer = ThreadPoolExecutor(1, "intake")

    def take(self, webhook: Webhook) -> Taken:
        """Keep a delivery and queue it; on disk when this returns.

        Raises sqlalchemy.exc.SQLAlchemyError where the store does not answer.
        """
        arrival = _Arrival(webhook)
        self._waiting.put(arrival)
        self._writer.submit(self._write_all)
        return arrival.answer.result()

    def _write_all(self) -> None:
        """What waits now; nothing, where it was written together with what came before."""
        together: list[_Arrival] = []
        # Only one thread takes from it: what is there can be got.
        while not self._waiting.empty():
            together.append(self._waiting.get())
        try:
            self._write(together)
        except Exception as error:  # whatever it is, nobody may wait for ever
            for arrival in together:
                arrival.answer.set_exception(error)

    def _write(self, together: Sequence[_Arrival]) -> None:
        if not together:
            return
        new = self._store.deliveries.record_all([one.webhook for one in together])
        queued = self._queue.deliver_all(sorted(new)) if new else True
        for arrival in together:
            guid = arrival.webhook.delivery
            if guid in new:
                new.remove(guid)
                arrival.answer.set_result(Taken.QUEUED if queued else Taken.KEPT)
            else:
                arrival.answer.set_result(Taken.KNOWN)
