"""A worker that is asked to stop does so, wherever the request meets it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import RedisServer

# Asks itself to stop while an object is finalized, where Python drops what a handler raises.
ASKED_IN_A_FINALIZER = """
import os, signal, sys, time
from evaluator.distributed.batch_worker import BatchWorker
from evaluator.distributed.worker import HeartbeatSettings, work

class Asking:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)

class AskedWorker(BatchWorker):
    asked = False

    def _preferred(self):
        if not self.asked:
            self.asked = True
            Asking()
        return super()._preferred()

work(sys.argv[1], lambda connection: AskedWorker(connection, HeartbeatSettings()))
"""


@pytest.mark.redis
def test_a_request_that_meets_a_finalizer_is_not_lost(redis_server: RedisServer) -> None:
    command = [sys.executable, "-c", ASKED_IN_A_FINALIZER, redis_server.url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "StopRequested" in done.stderr
