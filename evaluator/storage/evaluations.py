"""An Evaluation as a JSON object and back, without loss.

The object also carries what follows from the rest (`kind`, `change_coverage`, `fail_to_any`, ...)
so that other tools need not know the rules; reading back leaves those aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluator.errors import InputError
from evaluator.model import ChangeCoverage, Evaluation, Transition
from evaluator.storage.typed import UnreadableError, as_json, read_as

JsonObject = dict[str, Any]

DERIVED: Mapping[type, tuple[str, ...]] = {
    Transition: ("kind",),
    ChangeCoverage: ("executable", "covered"),
    Evaluation: ("fail_to_any", "fail_to_pass", "pass_to_pass", "change_coverage"),
}
"""The properties that are written beside a class's fields."""


def to_json(evaluation: Evaluation) -> JsonObject:
    """The JSON object of an evaluation; its fields are described in `report.schema.json`."""
    document: JsonObject = as_json(evaluation)
    for transition, row in zip(evaluation.transitions, document["transitions"], strict=True):
        row |= _derived(transition)
    document["coverage"] |= _derived(evaluation.coverage)
    return document | _derived(evaluation)


def _derived(value: object) -> JsonObject:
    return {name: getattr(value, name) for name in DERIVED[type(value)]}


def from_json(document: Mapping[str, Any]) -> Evaluation:
    """The evaluation that `to_json` wrote.

    Raises InputError naming each field that is missing or wrong.
    """
    try:
        return read_as(Evaluation, document)
    except UnreadableError as error:
        name = document.get("instance_id", "?") if isinstance(document, Mapping) else "?"
        raise InputError(
            f"stored evaluation of {name} cannot be read: {error}; "
            "remove it to have it judged again"
        ) from error
