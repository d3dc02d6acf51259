"""Deliveries become jobs, jobs are done once, and whoever dies on the way loses nothing."""

from __future__ import annotations

import signal
import threading

import pytest

from bot.github.types import Webhook
from bot.queue.queue import HANDLE, RUN, JobQueue, QueueTask
from bot.queue.sweeper import Sweeper
from evaluator.distributed.queue import TaskStatus
from tests.queue.conftest import request_for
from tests.waiting import lives, wait_for

pytestmark = pytest.mark.redis

HEAD, NEWER = "a" * 40, "b" * 40


def test_a_delivery_becomes_a_job_and_the_job_is_done(bench):
    bench.worker("quick", "long")
    bench.deliver("d-1", plans=[["quick", 1, HEAD]])
    key = request_for("quick").key
    wait_for(lambda: bench.notes("end"))
    assert bench.state(key) == "done"
    assert bench.store.deliveries.get("d-1").handled_at is not None
    assert bench.notes() == ["handle d-1", f"begin {key}", f"end {key}"]


def test_the_same_delivery_from_many_threads_is_handled_once(bench):
    threads = [
        threading.Thread(target=bench.deliver, args=(f"d-{n % 5}",), kwargs={"plans": []})
        for n in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bench.queue.lengths()["quick"] == 5
    bench.worker("quick")
    wait_for(lambda: not bench.store.deliveries.waiting())
    assert sorted(bench.notes("handle")) == [f"handle d-{n}" for n in range(5)]


def test_a_job_that_is_queued_twice_runs_once(bench):
    request = request_for("long")
    bench.store.jobs.plan(request)
    bench.queue.enqueue(request.key)
    bench.queue.enqueue(request.key)
    bench.worker("long")
    wait_for(lambda: bench.notes("begin"))
    bench.queue.enqueue(request.key)
    bench.release()
    wait_for(lambda: bench.state(request.key) == "done")
    assert bench.notes("begin") == [f"begin {request.key}"]


def test_a_newer_push_really_stops_the_older_job(bench):
    bench.worker("quick")
    bench.worker("long")
    bench.deliver("d-1", plans=[["long", 7, HEAD]])
    old, new = request_for("long", 7).key, request_for("long", 7, NEWER).key
    wait_for(lambda: bench.notes("begin"))
    process = bench.process_of(f"begin {old}")
    bench.deliver("d-2", plans=[["long", 7, NEWER]])
    wait_for(lambda: not lives(process))
    wait_for(lambda: f"begin {new}" in bench.notes())
    assert bench.state(old) == "superseded"
    bench.swept_until(lambda: not bench.store.jobs.unreported())
    assert bench.notes("conclude") == [f"conclude {old}"]


def test_a_waiting_job_that_is_superseded_never_begins(bench):
    bench.deliver("d-1", plans=[["quick", 7, HEAD]])
    bench.deliver("d-2", plans=[["quick", 7, NEWER]])
    quick = bench.worker("quick")
    wait_for(lambda: not bench.store.deliveries.waiting())
    quick.terminate()
    assert bench.queue.lengths()["long"] == 1
    bench.worker("long")
    new = request_for("quick", 7, NEWER).key
    wait_for(lambda: bench.state(new) == "done")
    assert bench.notes("begin") == [f"begin {new}"]


def test_a_stop_that_was_lost_is_made_up_for(bench):
    request = request_for("long")
    bench.store.jobs.plan(request)
    bench.queue.enqueue(request.key)
    bench.worker("long")
    bench.worker("quick")
    wait_for(lambda: bench.notes("begin"))
    process = bench.process_of("begin")
    bench.store.jobs.supersede(request_for("long", 1, NEWER))
    bench.swept_until(lambda: bench.notes("conclude"))
    assert not lives(process)


@pytest.mark.parametrize("how", ["the worker", "its process", "both"])
def test_a_job_outlives_a_kill(bench, how):
    request = request_for("long")
    bench.store.jobs.plan(request)
    bench.queue.enqueue(request.key)
    worker = bench.worker("long")
    wait_for(lambda: bench.notes("begin"))
    horse = bench.process_of("begin")
    if how != "its process":
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    if how == "its process":
        horse.kill()
    # What a worker has forked does not outlive it.
    wait_for(lambda: not lives(horse))
    assert bench.state(request.key) == "running"
    bench.release()
    bench.worker("long")
    bench.swept_until(lambda: bench.state(request.key) == "done")
    assert len(bench.notes("begin")) == 2
    assert bench.store.jobs.get(request.key).attempts == 2


def test_a_job_that_always_kills_its_worker_is_given_up_and_told(bench):
    request = request_for("dies")
    bench.store.jobs.plan(request)
    bench.worker("long")
    bench.worker("quick")
    bench.swept_until(lambda: bench.notes("conclude"))
    row = bench.store.jobs.get(request.key)
    assert (row.state, row.attempts) == ("failed", 3)
    assert "died" in row.message
    assert len(bench.notes("begin")) == 3
    assert bench.queue.status(QueueTask(RUN, request.key)) in (TaskStatus.UNKNOWN, TaskStatus.ENDED)


def test_a_delivery_that_redis_never_heard_of_is_found(bench):
    bench.deliver("d-1", queued=False, plans=[])
    bench.worker("quick")
    bench.swept_until(lambda: not bench.store.deliveries.waiting())
    assert bench.notes() == ["handle d-1"]


@pytest.mark.parametrize("remembers", [True, False])
def test_a_job_goes_on_while_redis_is_restarted_and_is_done_once(bench, remembers):
    request = request_for("long")
    bench.store.jobs.plan(request)
    bench.queue.enqueue(request.key)
    worker = bench.worker("long")
    wait_for(lambda: bench.notes("begin"))
    bench.redis.stop()
    bench.redis.start(remembers=remembers)
    assert bench.state(request.key) == "running"
    bench.release()
    wait_for(lambda: bench.state(request.key) == "done")
    other = request_for("quick", 2)
    bench.store.jobs.plan(other)
    bench.swept_until(lambda: bench.state(other.key) == "done")
    assert bench.notes("begin").count(f"begin {request.key}") == 1
    assert worker.poll() is None


def test_an_idle_worker_waits_for_redis(bench):
    worker = bench.worker("long")
    wait_for(lambda: bench.queue.connection.smembers("rq:workers"))
    bench.redis.stop()
    request = request_for("quick")
    bench.store.jobs.plan(request)
    bench.queue.enqueue(request.key)  # tells that Redis is away, and goes on
    bench.redis.start(remembers=False)
    bench.swept_until(lambda: bench.state(request.key) == "done")
    assert worker.poll() is None


def test_an_idle_worker_ends_when_it_is_told_though_redis_is_gone(bench):
    worker = bench.worker("long")
    wait_for(lambda: bench.queue.connection.smembers("rq:workers"))
    bench.redis.stop()
    wait_for(lambda: "Redis" in bench.errors())
    worker.terminate()
    worker.wait(60)


def test_a_failing_delivery_is_tried_again_later_and_then_given_up(bench):
    bench.deliver("d-1", fails=True)
    (waiting,) = bench.store.deliveries.waiting()
    bench.store.database.now = lambda: waiting.received_at
    bench.worker("quick")
    wait_for(lambda: len(bench.notes("handle")) == 1)
    for tried in range(1, 8):
        bench.sweeper.sweep()
        bench.sweeper.sweep()
        assert bench.store.deliveries.waiting()[0].attempts == tried
        due = waiting.received_at + (2**tried - 1) * _seconds(30)
        bench.store.database.now = lambda moment=due: moment
        bench.swept_until(lambda n=tried: len(bench.notes("handle")) == n + 1)
    wait_for(lambda: not bench.store.deliveries.waiting())


def test_nothing_but_our_own_tasks_is_called(bench, tmp_path):
    from rq import Queue
    from rq.serializers import JSONSerializer

    queue = Queue("long", connection=bench.queue.connection, serializer=JSONSerializer)
    marker = tmp_path / "called"
    job = queue.enqueue("os.mkdir", str(marker), job_id="evil")
    bench.worker("long")
    wait_for(lambda: job.get_status().value == "failed")
    assert not marker.exists()


def test_a_task_that_a_worker_just_takes_is_not_taken_for_lost(bench):
    """Between the two there is a moment in which Redis shows it in nobody's hands."""
    request = request_for("quick")
    bench.store.jobs.plan(request)
    bench.queue.enqueue(request.key)
    task = QueueTask(RUN, request.key)
    bench.queue.connection.lrem("rq:queue:long", 0, task.id)
    assert bench.queue.status(task) is TaskStatus.LOST
    bench.sweeper.sweep()
    assert bench.queue.status(task) is TaskStatus.LOST
    bench.sweeper.sweep()
    assert bench.queue.status(task) is TaskStatus.WAITS


def test_of_two_sweepers_one_works(bench):
    bench.deliver("d-1", queued=False)
    bench.queue.connection.set("fixgate:sweeping", "1", ex=60)
    bench.sweeper.sweep()
    assert bench.queue.lengths()["quick"] == 0


def test_ids_tell_tasks_apart_and_are_readable():
    delivery = QueueTask(HANDLE, "0b989ba4-242f-11e5-81e1-c7b6966d2516")
    assert delivery.id == "handle-0b989ba4-242f-11e5-81e1-c7b6966d2516"
    one, two = QueueTask(RUN, request_for("x", 1).key), QueueTask(RUN, request_for("x", 11).key)
    assert one.id != two.id
    assert one.id.startswith("run-")


def test_failed_deliveries_are_asked_for_once_they_are_known_to_be_missing(bench):
    from datetime import UTC, datetime

    from bot.github.app import FailedDelivery

    class App:
        def __init__(self):
            self.since, self.asked = [], []

        def failed_deliveries(self, since):
            self.since.append(since)
            at = datetime.now(UTC)
            return tuple(
                FailedDelivery(id=n, guid=f"d-{n}", event="issues", delivered_at=at) for n in (1, 2)
            )

        def redeliver(self, delivery):
            self.asked.append(delivery)

    app = App()
    sweeper = Sweeper(bench.store, bench.queue, app)
    bench.store.deliveries.record(Webhook("d-1", "issues", "opened", "{}"))
    assert [sweeper.ask_for_failed_deliveries() for _ in range(5)] == [1, 1, 1, 0, 0]
    assert app.asked == [2, 2, 2]
    assert app.since[1] > app.since[0]


def test_without_redis_planning_and_stopping_are_no_errors(bench):
    bench.redis.stop()
    queue = JobQueue(bench.queue.connection)
    queue.enqueue("verify:a/b:1::0")
    queue.stop("verify:a/b:1::0")
    assert queue.deliver("d-1") is False
    assert queue.answers() is False


def _seconds(count):
    import datetime

    return datetime.timedelta(seconds=count)
