"""/readyz knows whether workers do their work, by what became of tasks; deaths are logged."""

from __future__ import annotations

import re

import pytest

from bot.queue import QueueName
from bot.queue.progress import MOST_DEATHS
from bot.settings import settings_from
from bot.web import make_pages
from bot.web.health import Metrics
from tests.queue.conftest import request_for
from tests.waiting import wait_for

pytestmark = pytest.mark.redis


@pytest.fixture
def ready(bench):
    """Asks /readyz, and returns its status and its reasons, as text."""
    settings = settings_from({"FIXGATE_WEBHOOK_SECRET": 32 * "x"})
    metrics = Metrics(bench.store, bench.queue)
    browser = make_pages(settings, bench.store, bench.queue, metrics).test_client()

    def ask(query: str = "") -> tuple[int, str]:
        answer = browser.get(f"/readyz{query}")
        assert answer.json is not None
        assert answer.json["workers"] is not bool(answer.json["reasons"])
        return answer.status_code, "; ".join(answer.json["reasons"])

    return ask


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr("bot.queue.progress.CANARY_SECONDS", 0.2)
    monkeypatch.setattr("bot.queue.progress.OVERDUE_SECONDS", 3.0)


def test_an_idle_system_is_ready_once_its_canaries_came_through(bench, ready):
    assert ready() == (
        503,
        "quick: no task was done yet: no worker takes any; "
        "long: no task was done yet: no worker takes any",
    )
    bench.worker("quick", "long")
    # A sweep that sees the last canary just before it is done queues another one.
    bench.swept_until(lambda: ready() == (200, "") and not any(bench.queue.lengths().values()))


def test_where_every_task_dies_it_is_not_ready_and_says_of_what(bench, ready, impatient):
    (bench.folder / "broken").touch()
    bench.worker("quick", "long")
    bench.swept_until(lambda: re.search(r"long: no task was done yet: \d+ died", ready()[1]))
    # With fewer deaths a queue that has a task in hand is well.
    records = [bench.queue.progress(name) for name in QueueName]
    bench.swept_until(lambda: min(record.read().deaths for record in records) >= MOST_DEATHS)
    status, reasons = ready()
    assert status == 503
    assert reasons.count("died, the last one of LookupError") == 2
    status, reasons = ready("?exclude=workers")
    assert status == 200
    assert reasons.count("died, the last one of LookupError") == 2
    log = (bench.folder / "errors").read_text()
    assert "Traceback" in log
    assert "LookupError: every task dies of this" in log
    (bench.folder / "broken").unlink()
    bench.swept_until(lambda: ready() == (200, ""))
    (bench.folder / "broken").touch()
    bench.swept_until(
        lambda: re.search(r"for \d+ s: \d+ died, the last .* LookupError", ready()[1])
    )


def test_tasks_that_die_among_others_that_do_not_are_no_alarm(bench, ready, monkeypatch):
    monkeypatch.setattr("bot.queue.progress.CANARY_SECONDS", 0.2)
    quick = bench.queue.progress(QueueName.QUICK)
    bench.worker("quick", "long")
    bench.swept_until(lambda: ready() == (200, ""))
    for number in range(4):
        bench.deliver(f"d-{number}", fails=True)
        wait_for(lambda: quick.read().deaths)
        bench.swept_until(lambda: quick.read().deaths == 0)
        assert ready() == (200, "")


def test_a_long_job_is_no_alarm_and_a_worker_that_is_gone_is_one(bench, ready, impatient):
    worker = bench.worker("long")
    bench.worker("quick")
    bench.swept_until(lambda: ready() == (200, ""))
    bench.store.jobs.plan(request_for("long"))
    bench.swept_until(lambda: bench.notes("begin"))
    record = bench.queue.progress(QueueName.LONG)
    bench.swept_until(lambda: (record.read().asked or 0.0) > 3.5 and "long" not in ready()[1])
    worker.kill()
    gone = r"long: no task was done for \d+ s: no worker takes any"
    bench.swept_until(lambda: re.search(gone, ready()[1]))
    assert ready()[0] == 503


def test_without_redis_nothing_gets_done(bench, ready):
    bench.redis.stop()
    assert ready() == (503, "Redis does not answer")
    assert ready("?exclude=workers&exclude=redis") == (200, "Redis does not answer")


def test_what_a_task_dies_of_before_it_begins_is_logged(bench, ready):
    """RQ's own worker ends such a process without a word."""
    from rq import Queue
    from rq.serializers import JSONSerializer

    queue = Queue("long", connection=bench.queue.connection, serializer=JSONSerializer)
    queue.enqueue("os.mkdir", "somewhere", job_id="evil")
    bench.worker("long")
    wait_for(lambda: "PermissionError: evil asks for" in (bench.folder / "errors").read_text())
    assert "Traceback" in (bench.folder / "errors").read_text()
    wait_for(lambda: "waitpid returned 256" in ready()[1])
