"""The reference harness's rules, test names and files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluator.model import (
    ChangeCoverage,
    ChangedLine,
    Evaluation,
    LineState,
    Revision,
    Side,
    State,
    Status,
    TestOutcome,
    Transition,
)
from evaluator.swtbench.reference import (
    export_reference,
    grade_reference,
    reference_names,
    transition_sets,
)


def transition(test: str, before: str, after: str, *, preexisting: bool = False) -> Transition:
    sides = Side(Status(before)), Side(Status(after))
    return Transition(test, "test_x.py", *sides, preexisting=preexisting)


FIXED = transition("fixed", "failed", "passed")
STILL = transition("still", "failed", "failed")
BROKEN = transition("broken", "passed", "failed")
OLD = transition("old", "failed", "passed")


@pytest.mark.parametrize(
    ("prediction", "without", "success"),
    [
        ([FIXED], [], True),
        ([], [], False),
        ([FIXED, STILL], [], False),
        ([FIXED, STILL], [STILL], True),
        ([FIXED, BROKEN], [], False),
        ([FIXED, BROKEN], [BROKEN], True),
        ([OLD], [OLD], False),
        ([FIXED, OLD], [OLD], True),
        ([FIXED], [OLD], False),
        ([transition("a", "error", "passed")], [], True),
        ([transition("a", "missing", "passed")], [], True),
        ([transition("a", "failed", "xfailed")], [], True),
        ([transition("a", "failed", "skipped")], [], False),
        ([FIXED, transition("a", "passed", "skipped")], [], True),
        ([FIXED, transition("a", "passed", "timeout")], [], False),
    ],
)
def test_the_published_rules(prediction, without, success):
    assert grade_reference(prediction, without) is success


def test_sets_are_named_as_published():
    found = transition_sets([FIXED, STILL, BROKEN, transition("kept", "passed", "passed")])
    assert found == {
        "FAIL_TO_PASS": {"fixed"},
        "FAIL_TO_FAIL": {"still"},
        "PASS_TO_PASS": {"kept"},
        "PASS_TO_FAIL": {"broken"},
    }


@pytest.mark.parametrize(
    ("test", "description", "name"),
    [
        ("tests/test_a.py::TestA::test_b[x-1]", "", "tests/test_a.py::TestA::test_b[x-1]"),
        ("tests/test_a.py::test_b[a long id]", "", "tests/test_a.py::test_b[a"),
        ("queries.tests.OrTests.test_or", "", "test_or (queries.tests.OrTests)"),
        ("queries.tests.OrTests.test_or", "", "test_or (queries.tests.OrTests.test_or)"),
        ("queries.tests.OrTests.test_or", "Or keeps order.", "Or keeps order."),
        ("sympy/core/tests/test_basic.py::test_atoms", "", "test_atoms"),
    ],
)
def test_names_in_the_dataset_are_found(test, description, name):
    assert name in reference_names(TestOutcome(test, "", Status.PASSED, description=description))


def test_a_docstring_is_no_name_where_there_is_none():
    assert "" not in reference_names(TestOutcome("a.B.c", "", Status.PASSED))


def graded(name: str, *transitions: Transition, **fields: Any) -> Evaluation:
    return Evaluation(name, "our/model", State.GRADED, transitions=transitions, **fields)


@pytest.fixture
def exported(tmp_path):
    line = ChangedLine("a.py", 1, Revision.FIXED, LineState.COVERED)
    kept = transition("kept", "passed", "passed", preexisting=True)
    evaluations = [
        graded(
            "b-1",
            FIXED,
            kept,
            success=True,
            well_formed=True,
            patch="diff",
            coverage=ChangeCoverage((line,)),
        ),
        graded("a-1", STILL),
        Evaluation("c-1", "our/model", State.MISSING_PREDICTION),
        Evaluation("d-1", "our/model", State.ENVIRONMENT_ERROR),
    ]
    export_reference(tmp_path, "our/model", evaluations, gold=[graded("b-1", FIXED)])
    return tmp_path


def test_the_run_report_lists_every_instance(exported):
    report = json.loads((exported / "our__model.fixgate.json").read_text())
    assert {k: v for k, v in report.items() if k.endswith("_ids")} == {
        "completed_ids": ["a-1", "b-1"],
        "incomplete_ids": ["c-1"],
        "submitted_ids": ["a-1", "b-1", "d-1"],
        "resolved_ids": ["b-1"],
        "unresolved_ids": ["a-1"],
        "error_ids": ["d-1"],
    }
    assert (report["total_instances"], report["submitted_instances"]) == (4, 3)
    assert (report["resolved_instances"], report["error_instances"]) == (1, 1)
    assert report["Mean coverage delta"] == 1.0


def test_each_graded_instance_has_a_report(exported):
    folder = exported / "fixgate" / "our__model"
    assert sorted(path.name for path in folder.iterdir()) == ["a-1", "b-1"]
    report = json.loads((folder / "b-1" / "report.json").read_text())["b-1"]
    assert report["resolved"] is True
    assert report["patch_successfully_applied"] is True
    assert report["coverage_delta_pred"] == 1.0
    assert report["added_f2p"] == 1
    assert report["tests_pred"]["FAIL_TO_PASS"] == ["fixed"]
    assert report["tests_pred"]["PASS_TO_PASS"] == ["kept"]
    assert report["tests_base"]["PASS_TO_PASS"] == ["kept"]
    assert report["tests_gold"]["FAIL_TO_PASS"] == ["fixed"]
