"""`report.json` as models, of which its published JSON Schema is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar, get_type_hints

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from evaluator.model import Count, Evaluation, Share, State
from evaluator.schemas import Section, described_fields, published_schema
from evaluator.storage.evaluations import DERIVED, JsonObject

SCHEMA_VERSION = 1

Interval = tuple[Share, Share] | None
Figure = TypeVar("Figure")


class NamedFigures(Section, Generic[Figure]):
    """Each figure over the graded instances, and over all, where what did not run counts as no."""

    well_formed_rate: Figure
    """W: the prediction could be applied"""
    well_formed_rate_all: Figure
    """W over all instances"""
    success_rate: Figure
    """S: some test fails on R and passes on R∘X, and no test of T fails on R∘X"""
    success_rate_all: Figure
    """S over all instances"""
    fail_to_any_rate: Figure
    """F->x: some test of T fails on R"""
    fail_to_any_rate_all: Figure
    """F->x over all instances"""
    fail_to_pass_rate: Figure
    """F->P: some test of T fails on R and passes on R∘X"""
    fail_to_pass_rate_all: Figure
    """F->P over all instances"""
    pass_to_pass_rate: Figure
    """P->P: some test of T passes on both"""
    pass_to_pass_rate_all: Figure
    """P->P over all instances"""
    change_coverage_mean: Figure
    """Mean change coverage of the graded instances with executable changed lines"""
    change_coverage_mean_success: Figure
    """The same over those with S"""
    change_coverage_mean_failure: Figure
    """The same over those without S"""


class Intervals(NamedFigures[Interval]):
    """95 % percentile bootstrap intervals; null where the denominator is 0."""


class Denominators(NamedFigures[Count]):
    """The number of instances that each figure is over."""


class GroupFigures(Section):
    """S of a group of instances."""

    success_rate: Share | None
    """S"""
    interval: Interval
    denominator: Count
    """Graded instances in the group"""


class LengthFigures(GroupFigures):
    """S of the instances whose issues have some number of words."""

    words_from: Count
    """Fewest words"""
    words_to: Count
    """Most words"""


class AgreementFigures(Section):
    """S beside the reference harness's published verdict, over graded instances that have one."""

    compared: Count
    """Number of instances compared"""
    rate: Share | None
    """Share on which both say the same"""
    only_here: tuple[str, ...]
    """Successes here that the reference does not see"""
    only_reference: tuple[str, ...]
    """The reverse"""


class SummaryFigures(NamedFigures[Share | None]):
    """Figures of one prediction file."""

    instances: Count
    """Number of instances"""
    graded: Count
    """Number of instances that ran"""
    states: Annotated[dict[State, Count], Field(min_length=len(State))]
    """Number of instances in each state"""
    intervals: Intervals
    denominators: Denominators
    by_repository: dict[str, GroupFigures]
    """S over the graded instances of each repository"""
    by_issue_length: tuple[LengthFigures, ...]
    """S by length of the issue, in bins common to all predictions"""
    agreement: AgreementFigures


class PredictionResults(Section):
    """One prediction file."""

    instances: dict[str, Evaluation]
    """By instance id"""
    summary: SummaryFigures


class OverlapFigures(Section):
    """Successes of all predictions side by side."""

    union: tuple[str, ...]
    """Instances on which some prediction succeeds"""
    unique: dict[str, tuple[str, ...]]
    """By prediction, the instances on which it alone succeeds"""
    pairs: tuple[tuple[str, str, int], ...]
    """Two predictions and the number of instances on which both succeed"""


class Report(Section):
    """What a replay found.

    R is the code without the fix, R∘X the code with it, T the tests of a prediction. Files with the
    same schema_version keep every field described here; new fields may be added in the same version
    only with a change of this file.
    """

    schema_version: Literal[1]
    settings: dict[str, Any]
    """What the replay was started with"""
    predictions: dict[str, PredictionResults]
    """By name of the prediction: gold, the stem of its file, or the field that splits it"""
    overlap: OverlapFigures


def schema() -> JsonObject:
    """The JSON Schema (draft 2020-12) of `report.json`."""
    made = Report.model_json_schema(schema_generator=_AsWritten)
    return published_schema({**made, "title": "fixgate report"}, identifier="report:1")


class _AsWritten(GenerateJsonSchema):
    """Dataclasses with every field, and with what follows from the fields."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic's
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """With both types in one schema where that is possible: validators explain more then."""
        made = self.generate_inner(schema["schema"])
        if not isinstance(made.get("type"), str):
            return super().nullable_schema(schema)
        return {**made, "type": [made["type"], "null"]}

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        made = super().dataclass_schema(schema)
        for name, text in described_fields(schema["cls"]).items():
            made["properties"][name] = {**made["properties"][name], "description": text}
        made["properties"] |= self._derived(schema["cls"])
        return {**made, "required": list(made["properties"]), "additionalProperties": False}

    def _derived(self, cls: type) -> Mapping[str, JsonSchemaValue]:
        found = {}
        for name in DERIVED.get(cls, ()):
            getter = getattr(cls, name).fget
            kind = get_type_hints(getter, include_extras=True)["return"]
            made = self.generate_inner(TypeAdapter(kind).core_schema)
            found[name] = {**made, "description": getter.__doc__}
        return found
