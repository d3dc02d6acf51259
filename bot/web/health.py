"""/healthz: the process lives. /readyz: the App does its work. /metrics: for Prometheus.

`/readyz?exclude=PART` leaves a part out of the answer's status: who only wants to know where to
send webhooks excludes `redis` and `workers`, as without them webhooks are taken, and handled later.
"""

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
    def ready() -> tuple[dict[str, object], int]:
        reasons = queue.troubles()
        parts = {
            "store": store.database.answers(),
            "redis": queue.answers(),
            "workers": not reasons,
        }
        excluded = flask.request.args.getlist("exclude")
        is_ready = all(works for part, works in parts.items() if part not in excluded)
        return {**parts, "reasons": reasons}, 200 if is_ready else 503

    @routes.get("/metrics")
    def figures() -> flask.Response:
        return flask.Response(generate_latest(metrics.registry), content_type=CONTENT_TYPE_LATEST)

    return routes
