"""Replays on many machines: what of an instance travels, and how a worker judges it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator.distributed.tasks import RemoteGroup, TaskPlace
from evaluator.model import Evaluation, Prediction
from evaluator.storage.evaluations import to_json
from evaluator.storage.typed import learn, read_as
from evaluator.swtbench.replay import Replay, ReplaySettings, SharedInputs, is_final

learn(SharedInputs, Prediction, Evaluation)


def replay_group(common: Any, inputs: Sequence[Any], place: TaskPlace) -> RemoteGroup:
    """The items of one instance. Raises UnreadableError."""
    shared = read_as(SharedInputs, common)
    predictions = [read_as(Prediction, one) for one in inputs]
    settings = ReplaySettings(shared.grading, shared.reruns)
    replay = Replay(place.workspace, place.directory, settings)
    name = shared.instance.instance_id
    items = replay.items(shared.instance, {p.name: {name: p} for p in predictions})
    return RemoteGroup(tuple(items), to_json, is_final)
