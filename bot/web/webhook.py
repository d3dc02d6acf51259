"""Webhooks: verified, written down, answered; what they ask for is done elsewhere.

https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
from typing import Any, Final

import flask
from sqlalchemy.exc import SQLAlchemyError

from bot.github.types import Webhook
from bot.logs import about
from bot.queue import JobQueue
from bot.store import Store
from bot.web.intake import Intake, Taken
from bot.web.metrics import Metrics
from generator.model.secret import Secret

LARGEST_BODY: Final = 25 * 1024 * 1024
"""GitHub sends no more than 25 MB."""
_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_NAME = re.compile(r"[a-z_]{1,64}")
_log = logging.getLogger(__name__)

Answer = tuple[dict[str, Any], int]


class _RefusedError(Exception):
    """Says why, with a status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def blueprint(secret: Secret, store: Store, queue: JobQueue, metrics: Metrics) -> flask.Blueprint:
    """POST /webhook."""
    intake = Intake(store, queue)
    routes = flask.Blueprint("webhook", __name__)

    @routes.post("/webhook")
    def webhook() -> Answer:
        with metrics.webhook_seconds.time():
            try:
                answer, status = _take(flask.request, secret, intake)
            except _RefusedError as error:
                answer, status = {"status": "refused", "reason": str(error)}, error.status
        metrics.deliveries.labels(answer["status"]).inc()
        return answer, status

    return routes


def _take(request: flask.Request, secret: Secret, intake: Intake) -> Answer:
    # The signature comes first: nothing of a body that GitHub did not send is looked at.
    body = request.get_data(cache=False)
    if not is_signed(secret, body, request.headers.get("X-Hub-Signature-256", "")):
        raise _RefusedError(401, "the signature is missing or wrong")
    webhook = _webhook(request, body)
    if webhook.event == "ping":
        return {"status": "pong"}, 200
    with about(delivery=webhook.delivery):
        taken = _kept(intake, webhook)
        _log.info("%s %s, %s", webhook.event, webhook.action, taken.value)
        return {"status": "duplicate" if taken is Taken.KNOWN else "accepted"}, 202


def is_signed(secret: Secret, body: bytes, signature: str) -> bool:
    """Whether somebody who has the secret signed these bytes; compared in constant time."""
    digest = hmac.new(secret.reveal().encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"sha256={digest}".encode(), signature.encode())


def _webhook(request: flask.Request, body: bytes) -> Webhook:
    delivery = request.headers.get("X-GitHub-Delivery", "")
    event = request.headers.get("X-GitHub-Event", "")
    if not _ID.fullmatch(delivery) or not _NAME.fullmatch(event):
        raise _RefusedError(400, "X-GitHub-Delivery or X-GitHub-Event is missing or malformed")
    if request.mimetype != "application/json":
        raise _RefusedError(415, "set the webhook's content type to application/json")
    try:
        text = body.decode()
        payload = json.loads(text)
    except (ValueError, RecursionError):
        raise _RefusedError(400, "the body is no JSON") from None
    if not isinstance(payload, dict) or "\0" in text:
        raise _RefusedError(400, "the body is no JSON object")
    action = _NAME.fullmatch(str(payload.get("action", "")))
    return Webhook(delivery, event, action[0] if action else "", text)


def _kept(intake: Intake, webhook: Webhook) -> Taken:
    try:
        return intake.take(webhook)
    except SQLAlchemyError as error:
        # GitHub lists the delivery as failed, and the sweeper asks for it once all is well.
        _log.exception("%s cannot be written down", webhook.event)
        raise _RefusedError(503, "the store does not answer") from error
