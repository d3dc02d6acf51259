"""Webhooks over real HTTP: what is taken, what is refused, and that nothing is taken twice."""

from __future__ import annotations

import contextlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from hypothesis import HealthCheck, given
from hypothesis import settings as fewer
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter

from bot.errors import ConfigurationError
from bot.queue import JobQueue
from bot.serving import LARGEST_BODY
from bot.settings import settings_from
from bot.web import make_app
from bot.web.refusals import QUIET_SECONDS, RefusalLog
from bot.web.webhook import is_signed
from evaluator.distributed.connections import failing_fast
from generator.model.secret import Secret
from tests.web.conftest import NOWHERE, SECRET, headers


def test_a_delivery_is_written_down_before_it_is_answered(site):
    answer = site.deliver("d-1", {"action": "opened", "issue": {"title": "ä"}})
    assert (answer.status_code, answer.json()) == (202, {"status": "accepted"})
    kept = site.store.deliveries.get("d-1")
    assert (kept.event, kept.action, kept.handled_at) == ("issues", "opened", None)
    assert json.loads(kept.payload)["issue"]["title"] == "ä"


def test_each_delivery_has_a_line_of_the_log(site, log):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(site.deliver, ["d-1", "d-2", "d-3"]))
    site.deliver("d-1")
    told = [(one["delivery"], one["message"]) for one in log() if one["logger"].endswith("intake")]
    assert sorted(told[:3]) == [(f"d-{n}", "issues opened, kept for later") for n in (1, 2, 3)]
    assert told[3:] == [("d-1", "issues opened, came again")]


@pytest.mark.redis
def test_a_delivery_is_queued(queued_site):
    queued_site.deliver("d-1")
    assert queued_site.queue.lengths() == {"quick": 1, "long": 0}


@pytest.mark.redis
def test_deliveries_that_come_many_times_at_once_are_taken_once(queued_site):
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda n: queued_site.deliver(f"d-{n % 10}"), range(80)))
    assert {answer.status_code for answer in answers} == {202}
    assert sum(answer.json()["status"] == "accepted" for answer in answers) == 10
    assert queued_site.queue.lengths()["quick"] == 10
    assert queued_site.metric('fixgate_deliveries_total{status="accepted"}') == 10
    assert queued_site.metric('fixgate_deliveries_total{status="duplicate"}') == 70


def test_a_redelivery_is_answered_and_not_taken_again(site):
    site.deliver("d-1", {"action": "opened"})
    site.store.deliveries.handled("d-1")
    assert site.deliver("d-1", {"action": "opened"}).json() == {"status": "duplicate"}
    assert site.store.deliveries.waiting() == []


@pytest.mark.parametrize(
    "changed",
    [
        {"X-Hub-Signature-256": "sha256=" + "0" * 64},
        {"X-Hub-Signature-256": ""},
        {"X-Hub-Signature-256": "sha1=abc"},
        {"X-Hub-Signature-256": "sha256=ÿ".encode("latin-1")},
        headers(b'{"action": "opened"}', secret="another"),
        headers(b'{"action": "closed"}'),
    ],
)
def test_what_is_not_signed_is_refused_unseen(site, changed):
    assert site.deliver("d-1", **changed).status_code == 401
    assert site.store.deliveries.get("d-1") is None


def test_refusals_are_counted_by_reason_and_logged_now_and_then(site, caplog):
    for _ in range(3):
        site.deliver("d-1", **{"X-Hub-Signature-256": "sha256=" + "0" * 64})
    site.deliver("d 2")
    assert site.metric('fixgate_refused_deliveries_total{reason="signature"}') == 3
    assert site.metric('fixgate_refused_deliveries_total{reason="headers"}') == 1
    logged = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert [line for line in logged if "signature" in line] == [
        "refused a delivery (d-1) from 127.0.0.1: the signature is missing or wrong"
    ]


def test_refusals_that_were_not_logged_are_mentioned_later(caplog):
    counter = Counter("refused", "Refused", ["reason"], registry=CollectorRegistry())
    moment = [0.0]
    log = RefusalLog(counter, lambda: moment[0])
    for moment[0] in (0.0, 1.0, 2.0, 2.0 + QUIET_SECONDS):
        log.note("signature", "it is wrong", {}, ("192.0.2.1", 1))
    first, last = (record.getMessage() for record in caplog.records)
    assert "without a valid id" in first
    assert last.endswith("it is wrong, and 2 more like it before")


def test_a_missing_signature_is_refused(site):
    told = headers(b"{}")
    del told["X-Hub-Signature-256"]
    assert site.send(b"{}", told).status_code == 401


def test_the_signature_is_over_the_bytes_and_nothing_else(site):
    """Two bodies of the same JSON differ in their signature."""
    body = b'{"action":   "opened"}'
    assert site.send(body, headers(body)).status_code == 202
    assert site.send(body.replace(b"   ", b" "), headers(body, "d-2")).status_code == 401


@given(body=st.binary(max_size=200), position=st.integers(0, 63))
def test_a_signature_with_one_wrong_digit_is_none(body, position):
    told = headers(body)["X-Hub-Signature-256"]
    at = len("sha256=") + position
    wrong = told[:at] + ("0" if told[at] != "0" else "1") + told[at + 1 :]
    secret = Secret(SECRET, "the test")
    assert is_signed(secret, body, told)
    assert not is_signed(secret, body, wrong)
    assert not is_signed(secret, body + b"x", told)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b'"x"', b"\xff{}", b'{"a": "\\u0000"'])
def test_a_signed_body_that_is_no_object_is_refused(site, body):
    assert site.send(body, headers(body)).status_code == 400


@fewer(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=300))
def test_whatever_is_signed_is_answered(site, body):
    assert site.send(body, headers(body)).status_code in (202, 400)


@pytest.mark.parametrize("name", ["X-GitHub-Delivery", "X-GitHub-Event"])
@pytest.mark.parametrize("value", ["", "../x", "a b", "x" * 100])
def test_malformed_headers_are_refused(site, name, value):
    assert site.deliver(**{name: value}).status_code == 400


def test_a_form_is_refused_with_what_to_set(site):
    body = b"payload=%7B%7D"
    told = {**headers(body), "Content-Type": "application/x-www-form-urlencoded"}
    answer = site.send(body, told)
    assert answer.status_code == 415
    assert "application/json" in answer.json()["reason"]


def test_a_ping_is_answered_and_not_kept(site):
    answer = site.deliver("d-1", {"zen": "x", "hook_id": 1}, **{"X-GitHub-Event": "ping"})
    assert (answer.status_code, answer.json()) == (200, {"status": "pong"})
    assert site.store.deliveries.get("d-1") is None


def test_a_body_as_large_as_github_sends_is_taken_and_a_larger_one_is_not(site):
    body = b'{"x": "' + b"x" * (LARGEST_BODY - 9) + b'"}'
    assert site.send(body, headers(body)).status_code == 202
    larger = body[:-2] + b'x"}'
    with contextlib.suppress(requests.ConnectionError):  # it may hang up in the midst of the body
        assert site.send(larger, headers(larger, "d-2")).status_code == 413
    assert site.store.deliveries.get("d-2") is None
    assert site.metric('fixgate_refused_deliveries_total{reason="size"}') == 1


def test_only_what_is_posted_is_a_delivery(site):
    answer = site.get("/webhook")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


def test_a_delivery_that_comes_in_chunks_is_taken(site):
    body = b'{"action": "opened"}'
    parts = (body[at : at + 1] for at in range(len(body)))
    sent = requests.post(f"{site.url}/webhook", data=parts, headers=headers(body), timeout=30)
    assert sent.status_code == 202
    assert site.store.deliveries.get("d-1").payload == body.decode()


@pytest.mark.parametrize("padding", [0, 100_000], ids=["short", "long"])
def test_a_delivery_is_taken_and_refused_alike_however_long_it_is(site, padding):
    body = json.dumps({"action": "opened", "x": "x" * padding}).encode()
    unsigned = {**headers(body), "X-Hub-Signature-256": "sha256=" + "0" * 64}
    answers = [site.send(body, told) for told in (unsigned, headers(body), headers(body))]
    assert [(one.status_code, one.json()["status"]) for one in answers] == [
        (401, "refused"),
        (202, "accepted"),
        (202, "duplicate"),
    ]
    assert {one.headers["Content-Type"] for one in answers} == {"application/json"}
    assert site.store.deliveries.get("d-1").payload == body.decode()
    assert site.metric('fixgate_refused_deliveries_total{reason="signature"}') == 1
    assert site.metric("fixgate_webhook_seconds_count") == 3


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"action": "opened", "size": NaN}', 400),
        (b'{"action": "opened", "sizes": [-Infinity]}', 400),
        (b'{"action": "opened", "title": "NaN, or Infinity"}', 202),
    ],
)
def test_numbers_that_json_does_not_have_are_refused(site, body, status):
    assert site.send(body, headers(body)).status_code == status


def test_without_a_secret_it_does_not_start(tmp_path, site):
    bare = settings_from({"FIXGATE_DATA_DIRECTORY": str(tmp_path / "other")})
    queue = JobQueue(failing_fast(NOWHERE))
    with pytest.raises(ConfigurationError, match="FIXGATE_WEBHOOK_SECRET"):
        make_app(bare, site.store, queue)


def test_a_store_that_fails_is_told_to_github(site):
    with site.store.database.session() as session:
        session.connection().exec_driver_sql("DROP TABLE deliveries")
    answer = site.deliver("d-1")
    assert answer.status_code == 503
    assert "store" in answer.json()["reason"]


def test_redis_that_is_away_does_not_hold_up_the_answer(site):
    answer = site.deliver("d-1")
    assert answer.status_code == 202
    assert answer.elapsed.total_seconds() < 5
    assert [one.id for one in site.store.deliveries.waiting()] == ["d-1"]
