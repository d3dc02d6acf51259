#!/opt/fixgate/bin/python
"""The image's health check; exit code 0 is healthy.

`healthy http PORT`: /healthz answers. `healthy worker`: RQ's registry in Redis knows a worker on
this host that has shown itself lately, as RQ does every seven minutes at least, when it is idle.
`healthy redis`: Redis answers, which is all that the sweeper needs to go on.
"""

from __future__ import annotations

import datetime
import os
import socket
import sys
import urllib.request

from redis import Redis
from rq import Worker

LONGEST_SILENCE = datetime.timedelta(minutes=8)


def serves(port: str) -> bool:
    """Whether /healthz on this host answers with success."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
        return bool(answer.status == 200)


def redis() -> Redis:
    """Where the queues are."""
    return Redis.from_url(os.environ["FIXGATE_REDIS_URL"], socket_timeout=5)


def works() -> bool:
    """Whether a worker of this host has shown itself lately."""
    now = datetime.datetime.now(datetime.UTC)
    here = [one for one in Worker.all(connection=redis()) if one.hostname == socket.gethostname()]
    shown = [one.last_heartbeat for one in here if one.last_heartbeat is not None]
    return any(now - seen < LONGEST_SILENCE for seen in shown)


def healthy(what: str, *more: str) -> bool:
    """The answer. Raises an error that says what does not answer."""
    if what == "http":
        return serves(*more)
    return works() if what == "worker" else bool(redis().ping())


if __name__ == "__main__":
    sys.exit(not healthy(*sys.argv[1:]))
