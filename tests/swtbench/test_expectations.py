from __future__ import annotations

import pytest

from evaluator.execution import RunPair
from evaluator.model import Instance, Phase, Run, Status, TestOutcome
from evaluator.swtbench.reference import expectations

FILE = "tests/test_a.py"


def instance(fail_to_pass: str = "", pass_to_pass: str = "") -> Instance:
    return Instance(
        "a__b-1",
        "a/b",
        "0" * 40,
        patch="",
        test_patch="",
        fail_to_pass=(fail_to_pass,) if fail_to_pass else (),
        pass_to_pass=(pass_to_pass,) if pass_to_pass else (),
    )


def pair(
    before: Status, after: Status, test: str = f"{FILE}::test", described: str = ""
) -> RunPair:
    runs = (Run({test: TestOutcome(test, FILE, s, description=described)}) for s in (before, after))
    return RunPair(*runs)


@pytest.mark.parametrize(
    ("name", "test", "described"),
    [
        (f"{FILE}::test", f"{FILE}::test", ""),
        (f"{FILE}::test[a", f"{FILE}::test[a b]", ""),
        (f"{FILE}::Case::test", f"{FILE}::Case::()::test", ""),
        ("test (pkg.tests.Case)", "pkg.tests.Case.test", ""),
        ("Adds up.", "pkg.tests.Case.test", "Adds up."),
        ("test", "sympy/core/tests/test_a.py::test", ""),
    ],
)
def test_names_of_the_dataset_are_found(name: str, test: str, described: str) -> None:
    told = expectations(instance(name), pair(Status.FAILED, Status.PASSED, test, described))
    assert told == ("1 of 1 FAIL_TO_PASS behave as the dataset says",)


def test_what_behaves_otherwise_is_named_with_both_ends() -> None:
    told = expectations(instance("", f"{FILE}::test"), pair(Status.PASSED, Status.SKIPPED))
    assert told == (
        "0 of 1 PASS_TO_PASS behave as the dataset says",
        f"PASS_TO_PASS {FILE}::test: passed without the fix, skipped with it",
    )


def test_a_test_that_nobody_saw_is_missing() -> None:
    told = expectations(instance("elsewhere"), pair(Status.FAILED, Status.PASSED))
    assert told[1] == "FAIL_TO_PASS elsewhere: missing without the fix, missing with it"


def test_a_file_that_cannot_be_collected_fails_in_each_test() -> None:
    base = Run({FILE: TestOutcome(FILE, FILE, Status.ERROR, Phase.COLLECTION)}, exit_code=2)
    fixed = pair(Status.PASSED, Status.PASSED).fixed
    told = expectations(instance(f"{FILE}::test"), RunPair(base, fixed))
    assert told == ("1 of 1 FAIL_TO_PASS behave as the dataset says",)
