"""`report.json`: valid, the same every time, and read back without loss."""

from __future__ import annotations

import dataclasses
import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.model import (
    ChangeCoverage,
    ChangedLine,
    Evaluation,
    Failure,
    Frame,
    LineState,
    Phase,
    Revision,
    Side,
    State,
    Status,
    Transition,
)
from evaluator.report.document import read_report, without_timings, write_report
from evaluator.report.schema import schema
from evaluator.storage.evaluations import from_json, to_json

SECONDS = st.floats(0, 1e6)
TEXT = st.text(max_size=20)
FRAMES = st.builds(Frame, TEXT, st.integers(0, 9999), TEXT)
FAILURES = st.builds(Failure, TEXT, TEXT, st.none() | FRAMES)
SIDES = st.builds(
    Side,
    st.sampled_from(Status),
    st.none() | st.sampled_from(Phase),
    SECONDS,
    st.none() | FAILURES,
)
LINES = st.builds(
    ChangedLine,
    TEXT,
    st.integers(1, 9999),
    st.sampled_from(Revision),
    st.sampled_from(LineState),
    TEXT,
    st.lists(TEXT, max_size=2).map(tuple),
)
WORDS = st.lists(TEXT, max_size=2).map(tuple)
EVALUATIONS = st.builds(
    Evaluation,
    instance_id=TEXT,
    prediction=TEXT,
    state=st.sampled_from(State),
    repo=TEXT,
    well_formed=st.booleans(),
    success=st.booleans(),
    transitions=st.lists(
        st.builds(Transition, TEXT, TEXT, SIDES, SIDES, st.booleans(), st.booleans()), max_size=2
    ).map(tuple),
    coverage=st.builds(ChangeCoverage, st.lists(LINES, max_size=3).map(tuple)),
    timings=st.dictionaries(TEXT, SECONDS, max_size=2),
    reasons=WORDS,
    left_out=WORDS,
    relaxations=WORDS,
    issue_words=st.integers(0, 9999),
    reference_verdict=TEXT,
    patch=TEXT,
    golden_patch=TEXT,
    commands=st.dictionaries(TEXT, TEXT, max_size=2),
)
RATES = {"gold": 1.0, "zero-shot": 0.2}


@given(EVALUATIONS)
def test_an_evaluation_comes_back_as_it_was(evaluation):
    through_a_file = json.loads(json.dumps(to_json(evaluation)))
    assert from_json(through_a_file) == evaluation


def test_every_field_of_an_evaluation_is_stored():
    stored = to_json(Evaluation("a", "b", State.GRADED))
    assert {field.name for field in dataclasses.fields(Evaluation)} <= stored.keys()


@given(EVALUATIONS)
def test_any_evaluation_fits_the_schema(evaluation):
    definition = {"$ref": "#/$defs/Evaluation", "$defs": schema()["$defs"]}
    jsonschema.Draft202012Validator(definition).validate(
        json.loads(json.dumps(to_json(evaluation)))
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"state": "done"}, r"should be 'graded', .*'internal_error' @ \$\.state"),
        ({"transitions": [{"test": 1}]}, r"required field missing @ \$\.transitions"),
        ({"reasons": 3}, "cannot be read"),
    ],
)
def test_a_spoiled_evaluation_is_named(change, message):
    stored = to_json(Evaluation("django__django-1", "gold", State.GRADED)) | change
    with pytest.raises(InputError, match=message) as raised:
        from_json(stored)
    assert "django__django-1" in str(raised.value)


def test_a_missing_field_is_named():
    stored = to_json(Evaluation("django__django-1", "gold", State.GRADED))
    del stored["state"]
    with pytest.raises(InputError, match=r"required field missing @ \$\.state"):
        from_json(stored)


@pytest.mark.parametrize("names", [{}, {"gold": 1.0}, RATES])
@pytest.mark.parametrize("instances", [0, 12])
def test_the_report_fits_its_schema(tmp_path, make_results, names, instances):
    write_report(tmp_path / "report.json", make_results(names, instances), settings={"workers": 2})
    document = json.loads((tmp_path / "report.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.Draft202012Validator(schema()).validate(document)
    assert document["settings"] == {"workers": 2}
    assert document["predictions"].keys() == names.keys()


def test_the_schema_refuses_what_it_does_not_know(make_results, tmp_path):
    write_report(tmp_path / "report.json", make_results(RATES, 3), settings={})
    document = json.loads((tmp_path / "report.json").read_text())
    document["predictions"]["gold"]["summary"]["success_rate"] = 2
    with pytest.raises(jsonschema.ValidationError, match="greater than the maximum"):
        jsonschema.Draft202012Validator(schema()).validate(document)


def test_the_published_schema_is_that_of_the_models():
    """`python -m evaluator.report > evaluator/report/report.schema.json` writes it anew."""
    published = resources.files("evaluator.report").joinpath("report.schema.json")
    assert json.loads(published.read_text("utf-8")) == schema()


def test_the_schema_misses_every_field_and_sees_every_wrong_type(make_results, tmp_path):
    write_report(tmp_path / "report.json", make_results(RATES, 3), settings={})
    document = json.loads((tmp_path / "report.json").read_text())
    validator = jsonschema.Draft202012Validator(schema())
    for part, key in named_fields(document):
        value = part.pop(key)
        assert not validator.is_valid(document), key
        part[key] = object()
        assert not validator.is_valid(document), key
        part[key] = value
    assert validator.is_valid(document)


def named_fields(document):
    """Each field with the object that holds it, of one object of each kind."""
    prediction = document["predictions"]["gold"]
    evaluations = list(prediction["instances"].values())
    transitions = [one for evaluation in evaluations for one in evaluation["transitions"]]
    failures = [one["before"]["failure"] for one in transitions if one["before"]["failure"]]
    summary = prediction["summary"]
    one_each = [prediction, evaluations[0], transitions[0], transitions[0]["before"], failures[0]]
    one_each += [evaluations[0]["coverage"], evaluations[0]["coverage"]["lines"][0], summary]
    one_each += [summary[key] for key in ("intervals", "denominators", "states", "agreement")]
    one_each += [summary["by_issue_length"][0], *list(summary["by_repository"].values())[:1]]
    one_each += [document["overlap"], document]
    return [(part, key) for part in one_each for key in list(part)]


def test_same_results_in_any_order_give_the_same_bytes(tmp_path, make_results):
    results = make_results(RATES, 40)
    shuffled = {name: results[name][::-1] for name in reversed(results)}
    write_report(tmp_path / "one.json", results, settings={"b": 1, "a": 2})
    write_report(tmp_path / "two.json", shuffled, settings={"a": 2, "b": 1})
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_without_timings_runs_that_agree_are_equal(tmp_path, make_results):
    results = make_results({"gold": 1.0}, 5)
    slower = {
        "gold": [dataclasses.replace(e, timings={"runs": 99.0}) for e in results["gold"]],
    }
    write_report(tmp_path / "one.json", results, settings={})
    write_report(tmp_path / "two.json", slower, settings={})
    one, two = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("one", "two"))
    assert one != two
    assert without_timings(one) == without_timings(two)


def test_the_summary_has_the_names_that_tools_rely_on(tmp_path, make_results):
    results = make_results(RATES, 30)
    write_report(tmp_path / "report.json", results, settings={})
    predictions = json.loads((tmp_path / "report.json").read_text())["predictions"]
    summary = predictions["gold"]["summary"]
    ran = [e for e in results["gold"] if e.state is State.GRADED]
    assert summary["instances"] == 30
    assert summary["graded"] == len(ran) == summary["denominators"]["success_rate"]
    assert summary["denominators"]["success_rate_all"] == 30
    assert summary["success_rate"] == 1.0
    assert summary["success_rate_all"] == len(ran) / 30
    assert sum(summary["states"].values()) == 30
    low, high = summary["intervals"]["change_coverage_mean"]
    assert low < summary["change_coverage_mean"] < high


def test_a_report_is_read_back(tmp_path, make_results):
    results = make_results(RATES, 10)
    write_report(tmp_path / "report.json", results, settings={})
    expected = {n: tuple(sorted(r, key=lambda e: e.instance_id)) for n, r in results.items()}
    assert read_report(tmp_path / "report.json") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "not a readable report"), ("[]", "schema_version is None"), ("{}", "is None")],
)
def test_what_is_no_report_is_refused(tmp_path: Path, text, message):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(InputError, match=message):
        read_report(tmp_path / "report.json")
