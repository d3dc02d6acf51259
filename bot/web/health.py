"""/healthz: the process lives. /readyz: it can do its work. /metrics: for Prometheus."""

from __future__ import annotations

import flask
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from bot.queue import JobQueue
from bot.store import Store
from bot.web.metrics import Metrics


def alive() -> dict[str, str]:
    """That the process answers."""
    return {"status": "ok"}


def blueprint(store: Store, queue: JobQueue, metrics: Metrics) -> flask.Blueprint:
    """What machines ask."""
    routes = flask.Blueprint("health", __name__)
    routes.add_url_rule("/healthz", view_func=alive)

    @routes.get("/readyz")
    def ready() -> tuple[dict[str, bool], int]:
        parts = {"store": store.database.answers(), "redis": queue.answers()}
        # Without Redis webhooks are still taken, and handled later; without the store they are not.
        return parts, 200 if parts["store"] else 503

    @routes.get("/metrics")
    def figures() -> flask.Response:
        return flask.Response(generate_latest(metrics.registry), content_type=CONTENT_TYPE_LATEST)

    return routes
