"""The rules of the verdict, each a function of its own that speaks or stays silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluator.verdict.evidence import Evidence, Finding
from evaluator.verdict.rules import believed, credibility, existing, frozen, trials, writers

Rule = Callable[[Evidence], Finding | None]

RULES: Mapping[str, Rule] = {
    rule.__name__: rule
    for rule in (
        believed.passing_test_breaks,
        existing.regression,
        believed.given_test_still_fails,
        believed.given_test_fails_differently,
        frozen.given_test_did_not_run,
        frozen.given_test_passes_without,
        writers.writers_find_it_unfixed,
        writers.writer_in_doubt,
        believed.own_test_fails,
        existing.existing_tests_adapted,
        believed.nothing_reproduces,
        writers.too_few_witnesses,
        writers.not_as_reported,
        frozen.given_tests_not_as_reported,
        credibility.flaky,
        credibility.existing_tests_changed,
        credibility.leans_on_other_tests,
        credibility.run_cut_short,
        credibility.configuration_changed,
        credibility.cannot_be_read,
        credibility.looks_at_its_tests,
        credibility.handles_only_the_example,
        trials.passes_whatever_is_asserted,
        trials.nothing_asserted,
        trials.no_hunk_noticed,
        credibility.wrong_reason,
        credibility.change_not_executed,
        believed.reproduced,
        believed.rests_on_own_tests,
    )
}
"""Every rule by name, in the order in which findings of equal weight are told."""

WRITER_RULES: tuple[str, ...] = tuple(
    n for n, r in RULES.items() if r.__module__ == writers.__name__
)
"""The rules on generated tests, which may be wrong: what they buy is an empirical question."""
