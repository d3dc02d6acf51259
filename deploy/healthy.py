#!/opt/fixgate/bin/python
"""The image's health check: `healthy http PORT` and `healthy worker`; exit code 0 is healthy.

A worker serves nothing; it is healthy while RQ's registry in Redis knows a worker on this host that
has shown itself lately. RQ does so at least every six and a half minutes when idle.
"""

from __future__ import annotations

import datetime
import os
import socket
import sys
import urllib.request

LONGEST_SILENCE = datetime.timedelta(minutes=8)


def serves(port: str) -> bool:
    """Whether /healthz on this host answers with success; raises OSError otherwise."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
        return bool(answer.status == 200)


def works() -> bool:
    """Whether a worker of this host has shown itself lately."""
    from redis import Redis
    from rq import Worker

    redis = Redis.from_url(os.environ["FIXGATE_REDIS_URL"], socket_timeout=5)
    now = datetime.datetime.now(datetime.UTC)
    here = (w for w in Worker.all(connection=redis) if w.hostname == socket.gethostname())
    shown = (worker.last_heartbeat for worker in here)
    return any(seen and now - seen.astimezone(datetime.UTC) < LONGEST_SILENCE for seen in shown)


if __name__ == "__main__":
    sys.exit(not (works() if sys.argv[1:] == ["worker"] else serves(sys.argv[2])))
