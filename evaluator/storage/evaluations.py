"""An Evaluation as a JSON object and back, without loss.

The object also carries what follows from the rest (`kind`, `change_coverage`, `fail_to_any`, ...)
so that other tools need not know the rules; reading back leaves those aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cattrs
from cattrs.gen import make_dict_unstructure_fn

from evaluator.errors import InputError
from evaluator.model import ChangeCoverage, Evaluation, Transition

JsonObject = dict[str, Any]


def to_json(evaluation: Evaluation) -> JsonObject:
    """The JSON object of an evaluation; its fields are described in `report.schema.json`."""
    return {
        **_converter.unstructure(evaluation),
        "fail_to_any": evaluation.fail_to_any,
        "fail_to_pass": evaluation.fail_to_pass,
        "pass_to_pass": evaluation.pass_to_pass,
        "change_coverage": evaluation.coverage.value,
    }


def from_json(document: Mapping[str, Any]) -> Evaluation:
    """The evaluation that `to_json` wrote.

    Raises InputError naming each field that is missing or wrong.
    """
    try:
        return _converter.structure(document, Evaluation)
    except cattrs.BaseValidationError as error:
        name = document.get("instance_id", "?") if isinstance(document, Mapping) else "?"
        problems = "; ".join(cattrs.transform_error(error))
        raise InputError(
            f"stored evaluation of {name} cannot be read: {problems}; "
            "remove it to have it judged again"
        ) from error


def _make_converter() -> cattrs.Converter:
    converter = cattrs.Converter()
    plain_transition = make_dict_unstructure_fn(Transition, converter)
    plain_coverage = make_dict_unstructure_fn(ChangeCoverage, converter)

    def transition(value: Transition) -> JsonObject:
        return {**plain_transition(value), "kind": value.kind}

    def coverage(value: ChangeCoverage) -> JsonObject:
        counts = {"executable": value.executable, "covered": value.covered}
        return {**plain_coverage(value), **counts}

    converter.register_unstructure_hook(Transition, transition)
    converter.register_unstructure_hook(ChangeCoverage, coverage)
    return converter


_converter = _make_converter()
