"""Generation on many machines: how a worker writes tests for a task that travelled to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluator import Instance
from evaluator.distributed.tasks import RemoteGroup, TaskPlace
from evaluator.storage import learn, read_as
from generator.costs import Budget, CostTracker
from generator.generation import (
    Generation,
    GenerationSettings,
    RemoteModel,
    RemoteWriting,
    instance_assignment,
    is_final,
)
from generator.methods import method
from generator.model.choosing import ChosenModel, ModelSettings, model_from

learn(RemoteWriting, Instance)


def writing_group(common: Any, inputs: Sequence[Any], place: TaskPlace) -> RemoteGroup:
    """The items of instances. Raises UnreadableError, and InputError where no model can be had."""
    writing = read_as(RemoteWriting, common)
    workspace = place.workspace
    generation = Generation(
        workspace,
        method(writing.method),
        None if writing.model is None else _model(writing.model, place),
        place.directory / Path(writing.rows).name,
        GenerationSettings(budget=read_as(Budget, writing.budget), submit=writing.submit),
    )
    items = [
        item
        for one in inputs
        for item in generation.items(
            instance_assignment(workspace, read_as(Instance, one), writing.settings),
            CostTracker(Budget()),
        )
    ]
    return RemoteGroup(items, dict, is_final)


def _model(remote: RemoteModel, place: TaskPlace) -> ChosenModel:
    settings = ModelSettings(
        remote.name,
        tools=remote.tools,
        cache=place.settings.cache / "replies" if remote.keeps_replies else None,
        ca_bundle=place.settings.ca_bundle,
        retry_policy=remote.retry_policy,
    )
    return ChosenModel(model_from(settings).model, remote.price)
