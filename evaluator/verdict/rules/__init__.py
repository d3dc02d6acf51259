"""The rules of the verdict, each a function of its own that speaks or stays silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluator.verdict.evidence import Evidence, Finding
from evaluator.verdict.rules import believed, runs, writers

Rule = Callable[[Evidence], Finding | None]

RULES: Mapping[str, Rule] = {
    rule.__name__: rule
    for rule in (
        runs.passing_test_breaks,
        runs.regression,
        believed.given_test_still_fails,
        writers.writers_find_it_unfixed,
        runs.run_cut_short,
        runs.tests_not_loaded,
        runs.configuration_changed,
        runs.edits_data_of_tests,
        runs.cannot_be_read,
        runs.more_than_files,
        runs.looks_at_its_tests,
        runs.handles_only_the_example,
        runs.mends_only_the_example,
        runs.breaks_callers,
        runs.unseen_effects,
        runs.passes_whatever_is_asserted,
        runs.equal_with_other_hashes,
        runs.endless_with_other_values,
        believed.given_test_did_not_run,
        believed.given_test_fails_differently,
        believed.given_test_passes_without,
        writers.writer_in_doubt,
        believed.own_test_fails,
        runs.existing_tests_changed,
        runs.existing_tests_adapted,
        runs.existing_tests_unsteady,
        runs.wrong_reason,
        believed.nothing_reproduces,
        writers.too_few_witnesses,
        writers.not_as_reported,
        believed.given_tests_not_as_reported,
        runs.flaky,
        runs.leans_on_other_tests,
        runs.nothing_asserted,
        runs.no_hunk_noticed,
        runs.change_not_executed,
        believed.reproduced,
        believed.rests_on_own_tests,
    )
}
"""Every rule by name, of those that plead for the same the one first that explains the others."""

WRITER_RULES: tuple[str, ...] = tuple(
    n for n, r in RULES.items() if r.__module__ == writers.__name__
)
"""The rules on generated tests, which may be wrong: what they buy is an empirical question."""
