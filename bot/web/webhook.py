"""Webhooks: verified, written down, answered; what they ask for is done elsewhere.

https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pydantic import BaseModel
from pydantic_core import from_json
from sqlalchemy.exc import SQLAlchemyError

from bot.github.types import Webhook
from bot.logs import about
from bot.serving import (
    AsgiApplication,
    Receive,
    Scope,
    Send,
    ShortAnswer,
    ShortRequest,
    ShortWays,
)
from bot.serving.asgi import (
    ClientGoneError,
    TooLargeError,
    answer,
    refuse_as_too_large,
    whole_body,
)
from bot.telemetry import span, trace_context
from bot.web.health import Metrics
from bot.web.intake import Intake, Taken
from bot.web.refusals import DELIVERY_ID, RefusalLog
from generator.model.secret import Secret

PATH: Final = "/webhook"
_NAME = re.compile(r"[a-z_]{1,64}")
_NO_JSON: Final = (b"NaN", b"Infinity")
"""What pydantic takes for numbers, wherever a model does not look; texts may hold these words."""
_JSON: Final = ((b"content-type", b"application/json"),)
_log = logging.getLogger(__name__)


class _Payload(BaseModel):
    """All that is looked at here; the rest must be JSON, too, but nothing is made of it."""

    action: object = ""


Answer = tuple[int, str, str]
"""Status of HTTP, the delivery's own, and why it was refused, if it was."""
Headers = Mapping[bytes, bytes]


class _RefusedError(Exception):
    """Says why, with a status; `reason` is what metrics call it."""

    def __init__(self, status: int, reason: str, words: str) -> None:
        super().__init__(words)
        self.status, self.reason = status, reason


class WebhookApp:
    """Takes webhooks at /webhook, and leaves all else to another application.

    Webhooks need no thread each, and no way through Flask, which takes longer than all else that is
    done for a delivery.
    """

    def __init__(
        self, others: AsgiApplication, secret: Secret, intake: Intake, metrics: Metrics
    ) -> None:
        self._others, self._secret, self._metrics = others, secret, metrics
        self._intake, self._refusals = intake, RefusalLog(metrics.refused)
        self.short_ways: ShortWays = {PATH.encode(): self._answer}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["path"] != PATH:
            await self._others(scope, receive, send)
        elif scope["method"] != "POST":
            await answer(send, 405, b"", ((b"allow", b"POST"),))
        else:
            await self._take(scope, receive, send)

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = ShortRequest(dict(scope["headers"]), scope.get("client"))
        try:
            request.body = await whole_body(receive)
        except TooLargeError:
            self._refuse("size", "it is larger than what GitHub sends", request)
            await refuse_as_too_large(send)
        except ClientGoneError:
            _log.debug("a client hung up before its delivery was complete")
        else:
            status, headers, told = await self._answer(request)
            await answer(send, status, told, headers)

    async def _answer(self, request: ShortRequest) -> ShortAnswer:
        with self._metrics.webhook_seconds.time():
            status, told, reason = await self._answered(request)
            self._metrics.deliveries.labels(told).inc()
            return status, _JSON, _as_json(told, reason)

    async def _answered(self, request: ShortRequest) -> Answer:
        try:
            return await self._taken(request.headers, request.body)
        except _RefusedError as error:
            self._refuse(error.reason, str(error), request)
            return error.status, "refused", str(error)

    def _refuse(self, reason: str, words: str, request: ShortRequest) -> None:
        self._refusals.note(reason, words, request.headers, request.client)

    async def _taken(self, headers: Headers, body: bytes) -> Answer:
        # The signature comes first: nothing of a body that GitHub did not send is looked at.
        if not is_signed(self._secret, body, _text(headers, b"x-hub-signature-256")):
            raise _RefusedError(401, "signature", "the signature is missing or wrong")
        webhook = _webhook(headers, body)
        if webhook.event == "ping":
            return 200, "pong", ""
        named = {"fixgate.delivery": webhook.delivery, "fixgate.event": webhook.event}
        with span("intake", named):
            taken = await self._kept(replace(webhook, trace_context=trace_context()))
            return 202, "duplicate" if taken is Taken.KNOWN else "accepted", ""

    async def _kept(self, webhook: Webhook) -> Taken:
        try:
            return await self._intake.take(webhook)
        except SQLAlchemyError as error:
            # GitHub lists the delivery as failed, and the sweeper asks for it once all is well.
            with about(delivery=webhook.delivery):
                _log.exception("%s cannot be written down", webhook.event)
            raise _RefusedError(503, "store", "the store does not answer") from error


def is_signed(secret: Secret, body: bytes, signature: str) -> bool:
    """Whether somebody who has the secret signed these bytes; compared in constant time."""
    digest = hmac.new(secret.reveal().encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={digest}".encode(), signature.encode())


@functools.lru_cache(maxsize=32)
def _as_json(status: str, reason: str) -> bytes:
    """Made once: there are few answers."""
    return json.dumps({"status": status, **({"reason": reason} if reason else {})}).encode()


def _webhook(headers: Headers, body: bytes) -> Webhook:
    delivery, event = _text(headers, b"x-github-delivery"), _text(headers, b"x-github-event")
    if not DELIVERY_ID.fullmatch(delivery) or not _NAME.fullmatch(event):
        raise _RefusedError(
            400, "headers", "X-GitHub-Delivery or X-GitHub-Event is missing or malformed"
        )
    if _text(headers, b"content-type").partition(";")[0].strip().lower() != "application/json":
        raise _RefusedError(
            415, "content_type", "set the webhook's content type to application/json"
        )
    try:
        if any(word in body for word in _NO_JSON):
            from_json(body, allow_inf_nan=False)
        payload, text = _Payload.model_validate_json(body), body.decode()
    except ValueError:
        raise _RefusedError(400, "body", "the body is no JSON object") from None
    action = _NAME.fullmatch(str(payload.action))
    return Webhook(delivery, event, action[0] if action else "", text)


def _text(headers: Headers, name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")
