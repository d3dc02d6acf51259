"""/healthz: the process lives. /readyz: the App does its work. /metrics: for Prometheus.

`/readyz?exclude=PART` leaves a part out of the answer's status: who only wants to know where to
send webhooks excludes `redis` and `workers`, as without them webhooks are taken, and handled later.
"""

from __future__ import annotations

from collections.abc import Iterator

import flask
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from bot.queue import JobQueue, QueueName
from bot.store import Store
from bot.store.figures import Figures
from evaluator.distributed.connections import UNREACHABLE

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The figures of one web application."""

    def __init__(self, store: Store, queue: JobQueue) -> None:
        self.registry = CollectorRegistry()
        self.deliveries = Counter(
            "fixgate_deliveries",
            "Webhook deliveries, by what was answered",
            ["status"],
            registry=self.registry,
        )
        self.refused = Counter(
            "fixgate_refused_deliveries",
            "Webhook deliveries that were refused, by reason",
            ["reason"],
            registry=self.registry,
        )
        self.webhook_seconds = Histogram(
            "fixgate_webhook_seconds",
            "Seconds until a webhook delivery was answered",
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.registry.register(_Asked(store, queue))


class _Asked(Collector):
    """What all processes did together."""

    def __init__(self, store: Store, queue: JobQueue) -> None:
        self._figures = Figures(store.database)
        self._queue = queue

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing is asked when this is registered."""
        return iter(())

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The figures; those of a part that does not answer are missing."""
        try:
            yield from self._of_store()
        except SQLAlchemyError:
            yield _single("fixgate_store_up", "Whether the store answers", 0)
        else:
            yield _single("fixgate_store_up", "Whether the store answers", 1)
        try:
            yield from (self._lengths(), self._works())
        except UNREACHABLE:
            yield _single("fixgate_redis_up", "Whether Redis answers", 0)
        else:
            yield _single("fixgate_redis_up", "Whether Redis answers", 1)

    def _of_store(self) -> Iterator[GaugeMetricFamily]:
        jobs = GaugeMetricFamily("fixgate_jobs", "Jobs", labels=["kind", "state"])
        for (kind, state), count in self._figures.jobs().items():
            jobs.add_metric([kind, state], count)
        yield jobs
        verdicts = GaugeMetricFamily("fixgate_verdicts", "Verdicts", labels=["decision"])
        for decision, count in self._figures.verdicts().items():
            verdicts.add_metric([decision], count)
        yield verdicts
        wrong = GaugeMetricFamily(
            "fixgate_called_wrong", "Verdicts and tests that people called wrong", labels=["what"]
        )
        for what, count in self._figures.called_wrong().items():
            wrong.add_metric([what], count)
        yield wrong
        seconds = GaugeMetricFamily(
            "fixgate_job_seconds_mean", "Mean seconds of the latest jobs", labels=["kind"]
        )
        for kind, mean in self._figures.seconds().items():
            seconds.add_metric([kind], mean)
        yield seconds
        yield _single("fixgate_usd", "What models cost, as far as known", self._figures.usd())
        waiting = self._figures.unhandled()
        yield _single("fixgate_deliveries_waiting", "Deliveries not handled yet", waiting)
        oldest = self._figures.oldest_unhandled_seconds()
        yield _single("fixgate_delivery_age_seconds", "Age of the oldest of these", oldest)
        # Without a verdict there is no time to one.
        for week in self._figures.weeks(count=1)[:1]:
            what = "Median seconds from a request to its verdict, this week"
            yield _single("fixgate_verdict_seconds_median", what, week.seconds)

    def _works(self) -> GaugeMetricFamily:
        works = GaugeMetricFamily(
            "fixgate_queue_works", "Whether tasks get done, as /readyz says", labels=["queue"]
        )
        for name in QueueName:
            is_well = not self._queue.progress(name).read().trouble
            works.add_metric([name.value], float(is_well))
        return works

    def _lengths(self) -> GaugeMetricFamily:
        lengths = GaugeMetricFamily("fixgate_queue_length", "Tasks that wait", labels=["queue"])
        for lane, length in self._queue.lengths().items():
            lengths.add_metric([lane], length)
        return lengths


def _single(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value)


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
