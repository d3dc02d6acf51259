"""What machines ask: health, readiness, figures; and the logs that machines read."""

from __future__ import annotations

import json
import logging

import pytest

from bot.github.types import RepositoryId
from bot.jobs.types import JobKind, JobRequest, JobState
from bot.logs import REDACTED, about, log_together
from bot.queue import QueueName

TAKES_WEBHOOKS = "/readyz?exclude=redis&exclude=workers"


def test_without_redis_it_lives_and_takes_webhooks(site):
    assert site.get("/healthz").json() == {"status": "ok"}
    parts = {"redis": False, "store": True, "workers": False, "reasons": ["Redis does not answer"]}
    for path, status in (("/readyz", 503), (TAKES_WEBHOOKS, 200)):
        answer = site.get(path)
        assert (answer.status_code, answer.json()) == (status, parts)


@pytest.mark.redis
def test_with_all_it_is_ready(queued_site):
    for lane in QueueName:
        queued_site.queue.progress(lane).done()
    answer = queued_site.get("/readyz")
    parts = {"redis": True, "store": True, "workers": True, "reasons": []}
    assert (answer.status_code, answer.json()) == (200, parts)


def test_without_its_store_it_is_not_ready(site, monkeypatch):
    monkeypatch.setattr(site.store.database, "answers", lambda: False)
    assert site.get(TAKES_WEBHOOKS).status_code == 503


@pytest.mark.redis
def test_the_figures_count_jobs_verdicts_and_queues(queued_site):
    store = queued_site.store
    requests = [JobRequest(JobKind.VERIFY, RepositoryId(1, "a/b"), n, "a" * 40) for n in (1, 2, 3)]
    for request in requests:
        store.jobs.plan(request)
    store.jobs.begin(requests[0].key)
    store.jobs.finish(requests[0].key, JobState.DONE, usd=0.25)
    store.verdicts.add(requests[0], "accept", "Fixes", "{}")
    queued_site.deliver("d-1")
    assert queued_site.metric('fixgate_jobs{kind="verify",state="done"}') == 1
    assert queued_site.metric('fixgate_jobs{kind="verify",state="queued"}') == 2
    assert queued_site.metric('fixgate_verdicts{decision="accept"}') == 1
    assert queued_site.metric('fixgate_queue_length{queue="quick"}') == 1
    assert queued_site.metric("fixgate_deliveries_waiting") == 1
    assert 0 <= queued_site.metric("fixgate_delivery_age_seconds") < 60
    assert 0 <= queued_site.metric("fixgate_verdict_seconds_median") < 60
    assert queued_site.metric('fixgate_queue_works{queue="long"}') == 0
    queued_site.queue.progress(QueueName.LONG).done()
    assert queued_site.metric('fixgate_queue_works{queue="long"}') == 1
    assert queued_site.metric('fixgate_called_wrong{what="verdict"}') == 0
    assert queued_site.metric('fixgate_called_wrong{what="test"}') == 0
    assert queued_site.metric("fixgate_usd") == 0.25
    assert queued_site.metric("fixgate_webhook_seconds_count") == 1
    assert queued_site.metric('fixgate_job_seconds_mean{kind="verify"}') >= 0


def test_figures_that_cannot_be_had_are_missing_and_told(site):
    assert site.metric("fixgate_redis_up") == 0
    assert site.metric("fixgate_store_up") == 1
    assert "fixgate_queue_length{" not in site.get("/metrics").text


def test_logs_are_json_with_what_is_in_hand(log):
    with about(delivery="d-1"), about(job="verify:a/b:1"):
        logging.getLogger("bot.x").info("said %s", "this")
    logging.getLogger("bot.x").warning("later")
    first, second = log()
    assert (first["delivery"], first["job"]) == ("d-1", "verify:a/b:1")
    assert (first["message"], first["level"]) == ("said this", "info")
    assert "delivery" not in second


def test_what_is_logged_together_is_a_line_each_without_tokens(log):
    with about(job="verify:a/b:1"):
        lines = [("one", {"delivery": "d-1"}), ("a ghs_" + "x" * 30, {"delivery": "d-2"})]
        log_together(logging.getLogger("bot.x"), lines)
    told = [(one["message"], one["delivery"], one["job"], one["level"]) for one in log()]
    assert told == [
        ("one", "d-1", "verify:a/b:1", "info"),
        (f"a {REDACTED}", "d-2", "verify:a/b:1", "info"),
    ]


def test_logs_hold_no_token(log):
    token = "ghs_" + "a.B_-9" * 80
    try:
        raise RuntimeError(f"cannot fetch with {token}")
    except RuntimeError:
        logging.getLogger("bot.x").exception("token %s", token)
    (record,) = log()
    assert "a.B_-9" not in json.dumps(record)
    assert "cannot fetch with" in record["error"]
