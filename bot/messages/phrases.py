"""What the rules of the verdict say, in words for people: a line for one test, and for several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OF_TESTS: Final[Mapping[str, tuple[str, str]]] = {
    "passing_test_breaks": (
        "1 test passes without this change and fails with it",
        "{} tests pass without this change and fail with it",
    ),
    "regression": (
        "1 existing test passes without this change and fails with it",
        "{} existing tests pass without this change and fail with it",
    ),
    "given_test_still_fails": (
        "1 reproducing test still fails in the same way",
        "{} reproducing tests still fail in the same way",
    ),
    "writers_find_it_unfixed": (
        "1 reproducing test still fails in the same way",
        "{} reproducing tests still fail in the same way",
    ),
    "given_test_fails_differently": (
        "1 reproducing test fails with this change too, but in another way",
        "{} reproducing tests fail with this change too, but in another way",
    ),
    "writer_in_doubt": (
        "1 reproducing test fails with this change too",
        "{} reproducing tests fail with this change too",
    ),
    "given_test_did_not_run": (
        "1 test of an issue did not run both without this change and with it",
        "{} tests of issues did not run both without this change and with it",
    ),
    "given_test_passes_without": (
        "1 test of an issue passes without this change too, so it does not show the problem",
        "{} tests of issues pass without this change too, so they do not show the problem",
    ),
    "given_tests_not_as_reported": (
        "1 given test fails without this change, but not as the issue reports",
        "{} given tests fail without this change, but not as the issue reports",
    ),
    "existing_tests_changed": (
        "this change edits what 1 existing test expects",
        "this change edits what {} existing tests expect",
    ),
    "leans_on_other_tests": (
        "1 reproducing test ends differently when it runs alone",
        "{} reproducing tests end differently when they run alone",
    ),
    "own_test_fails": (
        "1 test that this change adds or edits fails with it",
        "{} tests that this change adds or edits fail with it",
    ),
    "tests_not_loaded": (
        "1 test or test file cannot be loaded, with this change or without it",
        "{} tests or test files cannot be loaded, with this change or without it",
    ),
    "existing_tests_adapted": (
        "1 existing test passes only with what this change edits in the tests' own support code",
        "{} existing tests pass only with what this change edits in the tests' own support code",
    ),
    "existing_tests_unsteady": (
        "1 existing test passes without this change and fails with it in some runs, not in each",
        "{} existing tests pass without this change and fail with it in some runs, not in each",
    ),
    "flaky": (
        "1 test is flaky: it does not end the same way when it runs again",
        "{} tests are flaky: they do not end the same way when they run again",
    ),
    "passes_whatever_is_asserted": (
        "1 test passes with this change even with other expected values",
        "{} tests pass with this change even with other expected values",
    ),
    "equal_with_other_hashes": (
        "1 test finds things equal with this change that have different hashes",
        "{} tests find things equal with this change that have different hashes",
    ),
    "endless_with_other_values": (
        "1 test does not end in time when its expected values are replaced",
        "{} tests do not end in time when their expected values are replaced",
    ),
    "mends_only_the_example": (
        "1 test still fails as before when its example is replaced by another one of its kind",
        "{} tests still fail as before when their example is replaced by another one of its kind",
    ),
    "nothing_asserted": (
        "1 reproducing test could not be shown to check any value",
        "{} reproducing tests could not be shown to check any value",
    ),
    "no_hunk_noticed": (
        "1 reproducing test passes without any one hunk of this change",
        "{} reproducing tests pass without any one hunk of this change",
    ),
}
OTHERS: Final[Mapping[str, str]] = {
    "nothing_reproduces": "no test fails without this change and passes with it",
    "run_cut_short": "a test run did not finish",
    "configuration_changed": "this change modifies test configuration",
    "edits_data_of_tests": "this change edits data that given tests read",
    "cannot_be_read": "this change has files that cannot be reviewed as text",
    "more_than_files": "this change has symbolic links or submodules, so that nothing was run",
    "looks_at_its_tests": (
        "the changed code reaches for what runs or tests it, or differs from run to run"
    ),
    "handles_only_the_example": "this change handles only the reported example",
    "breaks_callers": (
        "this change keeps public functions or classes from being used as they could"
    ),
    "unseen_effects": "this change has effects that tests of its results do not show",
    "wrong_reason": "without this change the tests only miss something that it adds",
    "rests_on_own_tests": "only its own tests show this, and none fails as the issue reports",
    "change_not_executed": "no reproducing test executes the changed lines",
    "too_few_witnesses": "too few independent tests find the issue fixed",
    "not_as_reported": "the tests show too little of what the issue reports",
    "reproduced": "tests fail without this change and pass with it",
}
NOTHING_TO_CHECK: Final = "no linked issue has a test, and this pull request adds none"

NO_LONGER_APPLIES: Final = "The test for #{} no longer applies to the base. Regenerate it."
CALLED_WRONG: Final = (
    "The test for #{} was called wrong, so it does not judge this change. Write /fixgate reproduce "
    "on the issue to get another one."
)
