"""Filters on many machines: what of an instance travels, and how a worker judges its fixes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator.distributed.tasks import RemoteGroup, TaskPlace
from evaluator.filtering.filter import Filter, FilterJob, FilterSettings, is_final
from evaluator.filtering.results import InstanceResult
from evaluator.storage.typed import as_json, learn, read_as

learn(FilterSettings, FilterJob, InstanceResult)


def filter_group(common: Any, inputs: Sequence[Any], place: TaskPlace) -> RemoteGroup:
    """The item of one instance. Raises UnreadableError."""
    run = Filter(place.workspace, place.directory, read_as(FilterSettings, common))
    jobs = [read_as(FilterJob, one) for one in inputs]
    return RemoteGroup([run.item(job) for job in jobs], as_json, is_final)
