"""What the App remembers, in a real database."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext

from bot.errors import ConfigurationError
from bot.github.types import RepositoryId, Webhook
from bot.jobs.types import JobKind, JobRequest, JobState
from bot.store import Store
from bot.store.database import MIGRATIONS
from bot.store.jobs import request_of
from bot.store.kept_tests import KeptTests
from bot.store.tables import Base, Delivery
from bot.web.evidence import evidence_of

REPOSITORY = RepositoryId(5_000_000_000, "octo/hello")
WEBHOOK = Webhook("delivery-1", "issues", "opened", "{}")


def request(head="a" * 40, number=7, **fields):
    return JobRequest(JobKind.VERIFY, REPOSITORY, number, head, "b" * 40, **fields)


def test_migrations_make_what_the_tables_say(store):
    with store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        assert compare_metadata(context, Base.metadata) == []
    store.database.migrate()


def test_a_delivery_is_written_once_and_waits_until_it_is_handled(store, clock):
    assert store.deliveries.record(replace(WEBHOOK, payload='{"é": 1}'))
    assert not store.deliveries.record(WEBHOOK)
    assert store.deliveries.get("delivery-1").payload == '{"é": 1}'
    minute = datetime.timedelta(minutes=1)
    assert list(store.deliveries.unhandled(minute)) == []
    clock.move(minutes=2)
    assert list(store.deliveries.unhandled(minute)) == ["delivery-1"]
    store.deliveries.handled("delivery-1")
    assert list(store.deliveries.unhandled(minute)) == []
    assert store.deliveries.get("other") is None


def test_a_delivery_is_as_sqlalchemy_would_have_written_it(store, clock):
    store.deliveries.record(WEBHOOK)
    with store.database.session() as session:
        session.add(Delivery(**{**vars_of(WEBHOOK), "id": "other"}, received_at=clock()))
    with store.database.engine.connect() as connection:
        rows = connection.execute(sa.text("SELECT * FROM deliveries")).mappings().all()
    ours, theirs = ({**row, "id": ""} for row in rows)
    assert ours == theirs


def vars_of(webhook):
    event, action, payload = webhook.event, webhook.action, webhook.payload
    return {"event": event, "action": action, "payload": payload}


def test_a_recorded_delivery_survives_a_kill(url):
    program = f"""
        import os, signal
        from bot.github.types import Webhook
        from bot.store import Store
        store = Store({url!r})
        store.database.migrate()
        store.deliveries.record(Webhook("d", "ping", "", "x"))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    store = Store(url)
    kept = store.deliveries.get("d")
    assert kept is not None
    assert kept.payload == "x"
    store.database.engine.dispose()


def test_many_threads_record_and_only_one_of_each_wins(store):
    webhooks = [Webhook(f"d{i % 20}", "issues", "opened", "{}") for i in range(100)]
    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(store.deliveries.record, webhooks))
    assert won.count(True) == 20


def test_the_life_of_a_job(store):
    assert store.jobs.plan(request())
    assert not store.jobs.plan(request())
    assert store.jobs.begin("nothing") is None
    assert store.jobs.begin(request().key) == request()
    assert store.jobs.begin(request().key) == request()
    assert store.jobs.get(request().key).attempts == 2
    assert store.jobs.finish(request().key, JobState.DONE, "fine", 0.25)
    assert not store.jobs.finish(request().key, JobState.FAILED)
    assert store.jobs.begin(request().key) is None
    row = store.jobs.get(request().key)
    assert (row.state, row.message, row.usd) == (JobState.DONE, "fine", 0.25)
    assert row.ended_at.tzinfo is datetime.UTC


def test_a_newer_job_of_a_lane_supersedes_older_ones(store):
    old, new, other = request("a" * 40), request("c" * 40), request(number=8)
    for one in (old, new, other):
        store.jobs.plan(one)
    store.jobs.begin(old.key)
    assert store.jobs.supersede(new) == [old]
    assert store.jobs.supersede(new) == []
    assert not store.jobs.finish(old.key, JobState.DONE)
    assert [request_of(row) for row in store.jobs.unfinished()] == [new, other]


def test_a_deliberate_rerun_is_another_job(store):
    store.jobs.plan(request())
    assert store.jobs.rounds(request().concurrency_key, "a" * 40) == 1
    assert store.jobs.plan(request(round=1))
    assert [row.round for row in store.jobs.latest(frozenset({"octo/hello"}))] == [0, 1]
    assert store.jobs.latest(frozenset({"octo/other"})) == []


def test_jobs_are_counted_over_a_day(store, clock):
    store.jobs.plan(request())
    clock.move(hours=25)
    store.jobs.plan(request(round=1))
    day = datetime.timedelta(days=1)
    assert store.jobs.planned_since("octo/hello", JobKind.VERIFY, day) == 1
    assert store.jobs.planned_since("octo/hello", JobKind.REPRODUCE, day) == 0


def test_tests_of_an_issue_are_never_written_over(store):
    first = KeptTests(12, "a" * 40, "diff", "fails as reported", 0.8, "issue-only")
    store.tests.keep("octo/hello", first)
    assert store.tests.newest("octo/hello", 12) == first
    second = KeptTests(12, "b" * 40, "other", "afresh", 0.9, "agent", "key", "docker")
    store.tests.keep("octo/hello", second)
    assert store.tests.newest("octo/hello", 12) == second
    assert store.tests.newest("octo/hello", 13) is None


def test_verdicts_feedback_and_precision(store):
    for head, decision in (("a", "accept"), ("b", "reject"), ("c", "abstain")):
        store.jobs.plan(request(head))
        store.verdicts.add(request(head), decision, "title", "{}")
        store.verdicts.add(request(head), decision, "title again", "{}")
    assert [v.head_sha for v in store.verdicts.latest(frozenset({"octo/hello"}))] == ["c", "b", "a"]
    assert store.verdicts.precision("octo/hello").value == 1
    assert store.verdicts.call_wrong("octo/hello", 7, "b", "ann")
    assert not store.verdicts.call_wrong("octo/hello", 7, "b", "ann")
    assert store.verdicts.call_wrong("octo/hello", 7, "b", "bob")
    assert store.verdicts.called_wrong("octo/hello", 7, "b")
    assert not store.verdicts.called_wrong("octo/hello", 7, "a")
    precision = store.verdicts.precision("octo/hello")
    assert (precision.decided, precision.wrong, precision.value) == (2, 1, 0.5)
    assert store.verdicts.precision("octo/other").value is None


def test_a_retired_test_takes_its_verdicts_along(store):
    kept = KeptTests(12, "a" * 40, "diff", "fails as reported", 0.8, "issue-only")
    store.tests.keep("octo/hello", kept)
    tests_id = store.tests.newest("octo/hello", 12).id
    for head, rests_on in (("a", [tests_id]), ("b", [])):
        store.jobs.plan(request(head))
        for _ in range(2):
            store.verdicts.add(request(head), "accept", "title", "{}", rests_on=rests_on)
    (verdict,) = store.verdicts.resting_on([tests_id])
    assert verdict.head_sha == "a"
    assert not store.verdicts.has_retired_tests(verdict.id)
    assert store.verdicts.precision("octo/hello").wrong == 0
    store.tests.retire("octo/hello", 12, "ann")
    store.tests.retire("octo/hello", 12, "bob")
    assert store.tests.newest("octo/hello", 12) is None
    assert store.tests.retired("octo/hello", 12) == [kept]
    assert store.tests.any_retired([tests_id])
    assert store.verdicts.has_retired_tests(verdict.id)
    assert store.verdicts.precision("octo/hello").wrong == 1
    store.jobs.plan(request("a", round=1))
    store.verdicts.add(request("a", round=1), "abstain", "title", "{}")
    assert store.verdicts.resting_on([tests_id]) == [], "the head was judged again without it"


def test_what_was_stored_before_tests_could_be_retired_stays_and_is_linked(url):
    """Verdicts name their tests in their details only; the newest one by then is meant."""
    store = Store(url)
    migrate_to(store, "0003")
    with store.database.engine.begin() as connection:
        for number, at in ((1, "2026-01-01"), (2, "2026-01-03")):
            connection.execute(TESTS, {"id": number, "at": f"{at} 00:00:00"})
        connection.execute(JOB, {"now": "2026-01-01 00:00:00"})
        details = json.dumps({"tests": [{"source": "test for #12"}, {"source": "change"}]})
        connection.execute(VERDICT, {"details": details, "at": "2026-01-02 00:00:00"})
    store.database.migrate()
    (verdict,) = store.verdicts.resting_on([1])
    assert (verdict.title, verdict.details) == ("title", details)
    assert store.verdicts.resting_on([2]) == []
    newest = store.tests.newest("octo/hello", 12)
    assert newest is not None
    assert newest.id == 2
    assert not store.tests.any_retired([1, 2])
    store.database.engine.dispose()


TESTS = sa.text(
    'INSERT INTO tests (id, repository, issue, "commit", patch, reason, confidence, method, '
    "environment, sandbox, created_at) VALUES "
    "(:id, 'octo/hello', 12, 'c', 'diff', 'why', 0.8, 'issue-only', '', '', :at)"
)
JOB = sa.text(
    "INSERT INTO jobs (key, lane, kind, installation, repository, number, head_sha, base_sha, "
    "round, afresh, requested_by, state, message, attempts, created_at, told, cause) VALUES "
    "('j', 'l', 'verify', 1, 'octo/hello', 7, 'a', 'b', 0, false, '', 'done', '', 1, :now, "
    "true, '')"
)
VERDICT = sa.text(
    "INSERT INTO verdicts (id, job, repository, number, head_sha, decision, title, details, "
    "created_at) VALUES (1, 'j', 'octo/hello', 7, 'a', 'accept', 'title', :details, :at)"
)


def migrate_to(store, revision):
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def test_silence(store):
    assert not store.pauses.is_paused("octo/hello", 7)
    store.pauses.pause("octo/hello", 7, "ann")
    store.pauses.pause("octo/hello", 7, "bob")
    assert store.pauses.is_paused("octo/hello", 7)
    store.pauses.resume("octo/hello", 7)
    assert not store.pauses.is_paused("octo/hello", 7)


@pytest.mark.parametrize("url", ["nonsense", "oracle://x/y", ""])
def test_a_database_that_cannot_be_used_is_refused(url):
    with pytest.raises(ConfigurationError, match="database"):
        Store(url)


def test_a_database_that_is_away_does_not_answer(tmp_path):
    assert not Store(f"sqlite:///{tmp_path}/none/store.db").database.answers()


def test_two_processes_migrate_at_once(url):
    program = f"from bot.store import Store; Store({url!r}).database.migrate()"
    running = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).all() == [
            ("0006",)
        ]
    engine.dispose()


def test_a_postponed_job_does_not_begin_before_its_time(store, clock):
    request = JobRequest(JobKind.VERIFY, RepositoryId(1, "a/b"), 1, "a" * 40)
    store.jobs.plan(request)
    store.jobs.begin(request.key)
    assert store.jobs.postpone(request.key, datetime.timedelta(minutes=5), "GitHub failed")
    assert store.jobs.begin(request.key) is None
    clock.move(minutes=5)
    assert store.jobs.begin(request.key) == request
    assert store.jobs.get(request.key).attempts == 2
    store.jobs.postpone(request.key, datetime.timedelta(0), "asked to wait", counts=False)
    assert store.jobs.get(request.key).attempts == 1
    store.jobs.finish(request.key, JobState.DONE)
    assert not store.jobs.postpone(request.key, datetime.timedelta(0), "too late")


def test_ends_that_github_does_not_show_are_listed_until_they_are_told(store):
    requests = [JobRequest(JobKind.VERIFY, RepositoryId(1, "a/b"), n, "a" * 40) for n in (1, 2, 3)]
    for request in requests:
        store.jobs.plan(request)
    store.jobs.finish(requests[0].key, JobState.DONE)
    store.jobs.finish(requests[1].key, JobState.FAILED)
    assert [row.key for row in store.jobs.unreported()] == [requests[1].key]
    store.jobs.mark_reported(requests[1].key)
    assert store.jobs.unreported() == []


def test_attempts_to_handle_a_delivery_are_counted(store):
    store.deliveries.record(Webhook("d-1", "issues", "opened", "{}"))
    assert [store.deliveries.attempt("d-1") for _ in range(2)] == [1, 2]
    (waiting,) = store.deliveries.waiting()
    assert (waiting.id, waiting.attempts) == ("d-1", 2)
    store.deliveries.handled("d-1")
    assert store.deliveries.waiting() == []


def test_old_deliveries_are_forgotten_but_recognised_while_they_can_come_again(store, clock):
    day = datetime.timedelta(days=1)
    store.deliveries.record(WEBHOOK)
    store.deliveries.record(Webhook("waits", "issues", "opened", "{}"))
    store.deliveries.handled(WEBHOOK.delivery)
    clock.move(days=2)
    assert store.deliveries.forget(3 * day) == 0
    assert store.deliveries.forget(day) == 1
    assert store.deliveries.forget(day) == 0
    assert store.deliveries.get(WEBHOOK.delivery).payload == ""
    assert not store.deliveries.record(WEBHOOK)
    clock.move(days=2)
    assert store.deliveries.forget(day) == 1
    assert store.deliveries.get(WEBHOOK.delivery) is None
    assert [one.id for one in store.deliveries.waiting()] == ["waits"]


def test_deliveries_are_forgotten_in_portions(store, clock):
    for number in range(5):
        store.deliveries.record(Webhook(f"d{number}", "issues", "opened", "{}"))
        store.deliveries.handled(f"d{number}")
    clock.move(days=40)
    month = datetime.timedelta(days=30)
    assert [store.deliveries.forget(month, most=2) for _ in range(4)] == [2, 2, 1, 0]


def test_of_old_verdicts_the_reasons_stay(store, clock):
    store.jobs.plan(request())
    details = {
        "base": "b" * 40,
        "head": "a" * 40,
        "reasons": [{"rule": "some", "reason": "because " * 200}],
        "tests": [{"test": f"test_{n}", "kind": "P->P"} for n in range(500)],
        "lines": [{"path": "x.py", "side": "head", "line": n} for n in range(500)],
    }
    store.verdicts.add(request(), "accept", "Fixes it", json.dumps(details))
    month = datetime.timedelta(days=30)
    assert store.verdicts.forget(month) == 0
    clock.move(days=31)
    assert [store.verdicts.forget(month) for _ in range(2)] == [1, 0]
    kept = evidence_of(store.verdicts.of_job(request().key).details)
    assert (kept.base, kept.head, kept.tests) == ("b" * 40, "a" * 40, [])
    assert kept.reasons[0]["reason"].startswith("because because")
    assert store.verdicts.precision("octo/hello").decided == 1


def test_a_delivery_that_is_handled_again_plans_the_same_round(store):
    first = store.jobs.with_round(request(cause="d1"), again=False)
    assert first.round == 0
    store.jobs.plan(first)
    assert store.jobs.with_round(request(cause="d2"), again=False).round == 0
    again = store.jobs.with_round(request(cause="d3"), again=True)
    assert again.round == 1
    store.jobs.plan(again)
    assert store.jobs.with_round(request(cause="d3"), again=True) == again
    assert store.jobs.with_round(request(cause="d4"), again=True).round == 2
    assert store.jobs.with_round(request(), again=True).round == 2


def test_a_delivery_asks_once_though_the_head_moved_while_it_was_handled(store):
    older, newer = request("a" * 40, cause="push"), request("c" * 40, cause="newer push")
    store.jobs.plan(older)
    asked = store.jobs.with_round(request("a" * 40, cause="comment"), again=True)
    store.jobs.plan(asked)
    store.jobs.plan(newer)
    again = store.jobs.with_round(request("c" * 40, cause="comment"), again=True)
    assert (asked.round, again.key) == (1, newer.key)


def test_a_head_that_comes_back_is_judged_after_all(store):
    store.jobs.plan(request())
    store.jobs.supersede(request("c" * 40))
    assert store.jobs.with_round(request(cause="d"), again=False).round == 1


def test_a_job_that_is_still_planned_does_not_begin(store, clock):
    store.jobs.plan(request(), wait=datetime.timedelta(minutes=5))
    assert store.jobs.begin(request().key) is None
    store.jobs.release(request().key)
    assert store.jobs.begin(request().key) == request()
    store.jobs.postpone(request().key, datetime.timedelta(minutes=5), "GitHub failed")
    store.jobs.release(request().key)
    assert store.jobs.begin(request().key) is None, "it began before, and waits for its time"
    store.jobs.plan(request(number=8), wait=datetime.timedelta(minutes=5))
    clock.move(minutes=5)
    assert store.jobs.begin(request(number=8).key) is not None, "whoever planned it was killed"


def test_a_job_is_held_until_it_is_released_unless_it_began_or_ended(store):
    store.jobs.plan(request())
    assert store.jobs.hold(request().key, datetime.timedelta(minutes=5))
    assert store.jobs.begin(request().key) is None
    store.jobs.release(request().key)
    assert store.jobs.begin(request().key) is not None
    assert not store.jobs.hold(request().key, datetime.timedelta(minutes=5)), "it began"
    store.jobs.plan(request(number=8))
    store.jobs.finish(request(number=8).key, JobState.FAILED, "stopped")
    assert not store.jobs.hold(request(number=8).key, datetime.timedelta(minutes=5)), "it ended"
    assert not store.jobs.hold("never planned", datetime.timedelta(minutes=5))


ALONE = """
    import sys
    from bot.store import Store
    with Store({url!r}).database.exclusive_lock("plan", "octo/hello:7"):
        print("mine", flush=True)
        sys.stdin.read()
"""


def alone(url):
    program = [sys.executable, "-c", textwrap.dedent(ALONE.format(url=url))]
    return subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def check_that_only_one_is_alone(url):
    with alone(url) as holder:
        assert holder.stdout.readline() == "mine\n"
        with alone(url) as waiting:
            store = Store(url)
            with (
                store.database.exclusive_lock("plan", "octo/hello:8"),
                store.database.exclusive_lock("run", "x"),
            ):
                pass  # others are not kept out
            store.database.engine.dispose()
            with pytest.raises(subprocess.TimeoutExpired):
                waiting.wait(2)
            holder.kill()
            assert waiting.stdout.readline() == "mine\n"
            waiting.kill()


def test_one_process_at_a_time_is_alone_until_it_is_killed(tmp_path):
    check_that_only_one_is_alone(f"sqlite:///{tmp_path / 'store.db'}")
