"""What is queued without RQ's own way to do so is what RQ would have queued."""

from __future__ import annotations

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from bot.queue import JobQueue
from bot.queue.queue import HANDLE, RUN, QueueTask
from evaluator.distributed.queue import TaskStatus
from tests.conftest import RedisServer

pytestmark = pytest.mark.redis
TIMES = {"created_at", "enqueued_at"}


def kept(connection: Redis, task_id: str) -> dict[str, object]:
    job = Job.fetch(task_id, connection=connection, serializer=JSONSerializer)
    told = {name: value for name, value in job.to_dict().items() if name not in TIMES}
    return {**told, "data": job.data, "args": job.args, "function": job.func_name}


@pytest.mark.parametrize("function", [HANDLE, RUN])
def test_a_task_is_as_rq_would_have_queued_it(redis_server: RedisServer, function: str) -> None:
    with Redis.from_url(redis_server.url) as connection:
        task = QueueTask(function, "äöü 1")
        queue = JobQueue(connection)
        assert queue.add_all([task, task]) == {task.id}
        assert queue.status(task) is TaskStatus.WAITS
        ours = kept(connection, task.id)
        assert connection.smembers(Queue.redis_queues_keys) == {f"rq:queue:{task.queue}".encode()}
        queue.forget(task)
        theirs = Queue(task.queue, connection=connection, serializer=JSONSerializer)
        theirs.enqueue(
            function,
            args=(task.about,),
            job_id=task.id,
            job_timeout=queue._seconds(task.queue),
            result_ttl=0,
            failure_ttl=60,
            description=task.id,
            unique=True,
        )
        assert ours == kept(connection, task.id)


def test_tasks_that_are_queued_together_keep_what_is_their_own(redis_server: RedisServer) -> None:
    tasks = [QueueTask(*one) for one in ((HANDLE, "d-1"), (RUN, "a"), (HANDLE, "d-2"), (RUN, "b"))]
    with Redis.from_url(redis_server.url) as connection:
        queue = JobQueue(connection)
        assert queue.add(tasks[2])
        assert queue.add_all(tasks) == {tasks[0].id, tasks[1].id, tasks[3].id}
        for task in tasks:
            job = Job.fetch(task.id, connection=connection, serializer=JSONSerializer)
            assert (job.func_name, job.args) == (task.function, [task.about])
            assert (job.origin, job.timeout) == (task.queue, queue._seconds(task.queue))
        assert queue.queue("quick").job_ids == [tasks[2].id, tasks[0].id]
        assert queue.queue("long").job_ids == [tasks[1].id, tasks[3].id]
