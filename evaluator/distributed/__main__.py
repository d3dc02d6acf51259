"""A worker whose settings are in the environment: `python -m evaluator.distributed`."""

from __future__ import annotations

import json
import logging
import os

from evaluator.distributed.batch_worker import BatchWorkerSettings, serve_batches
from evaluator.distributed.embedded import SETTINGS
from evaluator.storage.typed import read_as

if __name__ == "__main__":
    logging.disable(logging.INFO)  # the command has a bar of its own
    serve_batches(read_as(BatchWorkerSettings, json.loads(os.environ[SETTINGS])))
