"""Rules on what runs show: whether they can be believed, what breaks, and what tests notice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from evaluator.judge import Judgement
from evaluator.languages.failures import described, headline
from evaluator.languages.safeguards import Concern
from evaluator.model import Phase, Run, Transition
from evaluator.sandbox.protocol import ExitReason
from evaluator.verdict.basis import Basis, basis_of, counting, lacks_something
from evaluator.verdict.evidence import (
    Decision,
    Evidence,
    Finding,
    PartKind,
    Sensitivity,
    TrialOutcome,
)
from evaluator.verdict.rules.wording import distinct, finding, listed


def flaky(evidence: Evidence) -> Finding | None:
    """Abstain: a test disagrees with itself.

    On the base alone that is no matter where another test reproduces, and never does otherwise.
    """
    stable = bool(evidence.reproducing)
    unstable = [
        t
        for t in evidence.transitions
        if t.flaky and not t.preexisting and not (stable and t.steady_with_fix)
    ]
    return finding(
        "flaky", Decision.ABSTAIN, "is flaky: it does not end the same way when run again", unstable
    )


def leans_on_other_tests(evidence: Evidence) -> Finding | None:
    """Abstain: a reproducing test passes without the fix, or fails with it, when it runs alone."""
    return finding(
        "leans_on_other_tests",
        Decision.ABSTAIN,
        "ends differently when it runs alone",
        evidence.dependent,
    )


def run_cut_short(evidence: Evidence) -> Finding | None:
    """Abstain: a run did not come to its end.

    Unless it is one without the change, in a test that hangs, eats all memory, or ends its process
    until the change comes.
    """
    endings = sorted({_end_of(run) for j in evidence.judgements for run in _cut_short(j)})
    if not endings:
        return None
    return Finding(
        "run_cut_short", Decision.ABSTAIN, f"a test run was cut short: {', '.join(endings)}"
    )


def _cut_short(judgement: Judgement) -> Iterator[Run]:
    # In another order the run may be cut in one of them that the first run never came to.
    mended = {
        t.test
        for t in judgement.transitions
        if t.kind == "F->P" and (t.steady_with_fix or not t.flaky)
    }
    for pair in judgement.attempts:
        if pair.base.ending is not ExitReason.EXITED and not _ended_in(pair.base, mended):
            yield pair.base
        if pair.fixed.ending is not ExitReason.EXITED:
            yield pair.fixed


def _end_of(run: Run) -> str:
    """How a run was cut short, and in which test it was.

    Where nothing came of it, the last that its process said of that.
    """
    if run.interrupted:
        return f"{run.ending.value} in {run.interrupted[0]}"
    said = run.output.strip().splitlines()
    if run.ending is not ExitReason.KILLED or run.outcomes or not said:
        return run.ending.value
    return f"it ended before any test did ({headline(said[-1])})"


def _ended_in(run: Run, tests: Collection[str]) -> bool:
    """Whether a run was cut short in one of some tests."""
    unfinished = _unfinished(run)
    return bool(unfinished) and set(unfinished).issubset(tests)


def _unfinished(run: Run) -> list[str]:
    return [name for name, each in run.outcomes.items() if each.status.is_cut_short]


def tests_not_loaded(evidence: Evidence) -> Finding | None:
    """Abstain: tests can be loaded neither without the change nor with it.

    Such as stood there before are no matter where another test reproduces.
    """
    stable = bool(evidence.reproducing)
    tests = [
        t
        for t in evidence.transitions
        if t.test in evidence.unloaded and not (stable and t.preexisting)
    ]
    if not tests:
        return None
    remedies = [_remedy(evidence.unloaded[t.test]) for t in tests]
    reasons = map(_with_remedy, map(_unloaded, tests), remedies)
    return Finding(
        "tests_not_loaded",
        Decision.ABSTAIN,
        _first(reasons),
        distinct(tests),
        _first(filter(None, remedies)),
    )


def _with_remedy(reason: str, remedy: str) -> str:
    return f"{reason}; {remedy}" if remedy else reason


def _first(texts: Iterable[str]) -> str:
    return "; ".join(list(dict.fromkeys(texts))[:3])


def _unloaded(test: Transition) -> str:
    failure = test.after.failure or test.before.failure
    said = headline(described(failure)) if failure else "without a message"
    return f"{test.test} cannot be loaded, with the change or without it: {said}"


def _remedy(lacking: str) -> str:
    kind, _, name = lacking.partition(" ")
    return _REMEDIES.get(kind, _PACKAGE).format(kind=kind, name=name) if lacking else ""


_PACKAGE = (
    "write the package that has the {kind} {name} under `environment: additional_packages` in "
    ".github/fixgate.yml"
)
_REMEDIES = {
    "interpreter": (
        "it needs an interpreter {name}: write its versions under `environment: python` in "
        ".github/fixgate.yml"
    ),
    "filter": (
        "the tests' settings turn this warning into an error: write a filter for it "
        '(["-W", "{name}"]) under `environment: test_arguments` in .github/fixgate.yml'
    ),
    "release": (
        "the project was tested with {name}, and no such release can be installed here: write one "
        "under `environment: additional_packages` in .github/fixgate.yml"
    ),
    "newer": (
        "another release of {name} may mend that: write one under `environment: "
        "additional_packages` in .github/fixgate.yml"
    ),
    "generated": (
        "it needs the module {name}, which the repository ignores: write `install: wheel`, or the "
        "command that makes it, under `environment` in .github/fixgate.yml"
    ),
    "language": "its code is for {name}, and fixgate runs Python 3",
    "locale": (
        "it asks for a locale that is not installed where tests run: install those there, for "
        "example by `apt-get install locales-all`"
    ),
    "directory": (
        "it may have to be imported from {name}, where it stands: write that under `environment: "
        "import_roots` in .github/fixgate.yml"
    ),
    "submodule": (
        "it needs the submodule {name}, which the clone lacks: bring it there (git submodule "
        "update --init), or keep what the tests read of it in the repository itself"
    ),
}
"""What to do where a test lacks something, by the first word for that."""


def configuration_changed(evidence: Evidence) -> Finding | None:
    """Abstain: the change edits what steers the tests, and could make them say anything."""
    what = "the change modifies test configuration"
    concerns = (*evidence.configuration, *evidence.uninstalled)
    return _concerning("configuration_changed", what, concerns)


def edits_data_of_tests(evidence: Evidence) -> Finding | None:
    """Abstain: what given tests take their examples from, or expect, is another with the change."""
    what = "the change edits data that given tests read"
    return _concerning("edits_data_of_tests", what, evidence.edited_data)


def cannot_be_read(evidence: Evidence) -> Finding | None:
    """Abstain: what the change does cannot be read, and so cannot be known to be a fix."""
    what = "the change has files that cannot be reviewed as text"
    return _concerning("cannot_be_read", what, evidence.unreadable)


def more_than_files(evidence: Evidence) -> Finding | None:
    """Abstain: the change has symbolic links or submodules, which cannot be laid out here."""
    what = "nothing was run, as the change is about more than files"
    return _concerning("more_than_files", what, evidence.beyond)


def looks_at_its_tests(evidence: Evidence) -> Finding | None:
    """Abstain: the changed code can know that it is tested, or change what tests it."""
    what = "the change reaches for what runs or tests it, or differs from run to run"
    return _concerning("looks_at_its_tests", what, evidence.evasions)


def handles_only_the_example(evidence: Evidence) -> Finding | None:
    """Abstain: the changed code asks for the very values of the tests or of the issue."""
    what = "the change handles only the reported example"
    return _concerning("handles_only_the_example", what, evidence.special_cases)


def breaks_callers(evidence: Evidence) -> Finding | None:
    """Abstain: what others may call does not let them any more, whether a test does so or not."""
    what = "the change keeps public functions or classes from being used as they could"
    return _concerning("breaks_callers", what, evidence.refused_calls)


def unseen_effects(evidence: Evidence) -> Finding | None:
    """Abstain: what the code does beside its results may be wrong, and no test of them shows it."""
    what = "the change has effects that tests of its results do not show"
    return _concerning("unseen_effects", what, evidence.unseen_effects)


def mends_only_the_example(evidence: Evidence) -> Finding | None:
    """Abstain: with another example of the same kind the bug is as it was."""
    if not evidence.unmended:
        return None
    names = tuple(dict.fromkeys(each.test for each in evidence.unmended))
    shown = listed(tuple(f"{each.test} with {each.example}" for each in evidence.unmended), shown=3)
    reason = f"the same failure with another example stays as it is with the change: {shown}"
    return Finding("mends_only_the_example", Decision.ABSTAIN, reason, names)


def _concerning(rule: str, what: str, concerns: Sequence[Concern]) -> Finding | None:
    """What a rule says of some files; nothing where there are none."""
    if not concerns:
        return None
    named = listed(tuple(dict.fromkeys(map(str, concerns))), shown=5)
    return Finding(rule, Decision.ABSTAIN, f"{what}: {named}")


def wrong_reason(evidence: Evidence) -> Finding | None:
    """Abstain: without the fix the tests fail only because they cannot find what it adds."""
    tests = evidence.reproducing
    if not tests or not all(lacks_something(evidence, t) for t in tests):
        return None
    what = sorted({evidence.missing.get(t.test, "a name that they use") for t in tests})
    verb = "does" if len(what) == 1 else "do"
    reason = f"without the change the tests fail only because {listed(what)} {verb} not exist yet"
    return Finding("wrong_reason", Decision.ABSTAIN, reason, distinct(tests))


def change_not_executed(evidence: Evidence) -> Finding | None:
    """Abstain: other tests execute changed lines, but none does that fails without the fix.

    Lines that run only when their module is imported belong to no test, whichever happens to load
    it first; what a test executed is not known where its run was cut short, or in other processes.
    """
    names = {t.test for t in evidence.reproducing if not t.before.status.is_cut_short}
    lines = [line for j in evidence.judgements for line in j.coverage.lines]
    called = [line for line in lines if (line.side, line.path, line.line) not in evidence.loading]
    executed = [line.tests for line in called if line.tests]
    seen = any(names.intersection(tests) for tests in executed)
    if seen or not names or not executed or not names.isdisjoint(evidence.elsewhere):
        return None
    reason = "the tests that fail without the change execute none of its changed lines"
    return Finding("change_not_executed", Decision.ABSTAIN, reason)


def passing_test_breaks(evidence: Evidence) -> Finding | None:
    """Reject: a test passes without the fix and fails with it."""
    broken = [t for t in evidence.transitions if t.kind == "P->F" and not t.flaky]
    return finding(
        "passing_test_breaks",
        Decision.REJECT,
        "passes without the change and fails with it",
        _loaded(evidence, broken),
    )


def _loaded(evidence: Evidence, broken: Sequence[Transition]) -> Sequence[Transition]:
    """Those that break, less those that may only lack a package that the change asks for."""
    if not evidence.uninstalled:
        return broken
    return [t for t in broken if t.after.phase is not Phase.COLLECTION]


def regression(evidence: Evidence) -> Finding | None:
    """Reject: an existing test passes without the change and fails with it."""
    return finding(
        "regression",
        Decision.REJECT,
        "existing tests that pass without the change and fail with it",
        _loaded(evidence, evidence.regressions.broken),
    )


def existing_tests_changed(evidence: Evidence) -> Finding | None:
    """Abstain: the change edits or deletes tests, or their data, that fail with it as they were."""
    tests = distinct(evidence.unmet)
    if not tests:
        return None
    what = "1 existing test expects" if len(tests) == 1 else f"{len(tests)} existing tests expect"
    reasons = [f"the change edits what {what}: {listed(tests)}", *_no_longer_loaded(evidence.unmet)]
    return Finding("existing_tests_changed", Decision.ABSTAIN, "; ".join(reasons), tests)


def _no_longer_loaded(tests: Iterable[Transition]) -> Sequence[str]:
    """Why all tests of a file fail at once, as where one of them needs a name that is gone."""
    failures = {
        t.file: t.after.failure
        for t in tests
        if t.after.phase is Phase.COLLECTION and t.after.failure is not None
    }
    return [
        f"{file}, as it was, cannot be loaded with the change: {headline(described(failure))}"
        for file, failure in list(failures.items())[:3]
    ]


def existing_tests_adapted(evidence: Evidence) -> Finding | None:
    """Abstain: existing tests fail unless what the change does to the tests' helpers is applied."""
    return finding(
        "existing_tests_adapted",
        Decision.ABSTAIN,
        "existing tests that pass only with what the change edits in the tests' own support",
        evidence.regressions.adapted,
    )


def existing_tests_unsteady(evidence: Evidence) -> Finding | None:
    """Abstain: existing tests fail with the change in some runs, not in each.

    They measure time, or share state: whether chance or the change is the cause is not known.
    """
    return finding(
        "existing_tests_unsteady",
        Decision.ABSTAIN,
        "existing tests that pass without the change and fail with it in some runs, not in each",
        evidence.regressions.unsteady,
    )


_ANSWERED_BY_OTHER_RULES = {TrialOutcome.HELD, TrialOutcome.UNLIKE, TrialOutcome.UNFINISHED}
"""Reactions each of which is the concern of a rule of its own."""


def passes_whatever_is_asserted(evidence: Evidence) -> Finding | None:
    """Abstain: a test passes with the change although it expects something else."""
    reason = "passes with the change even with other expected values"
    return _reacting(evidence, TrialOutcome.HELD, "passes_whatever_is_asserted", reason)


def endless_with_other_values(evidence: Evidence) -> Finding | None:
    """Abstain: with other expected values a test does not end, and later ones are not tried."""
    reason = "does not end in time with other expected values, so that nothing is known of it"
    return _reacting(evidence, TrialOutcome.UNFINISHED, "endless_with_other_values", reason)


def equal_with_other_hashes(evidence: Evidence) -> Finding | None:
    """Abstain: with the change, objects are equal that sets and dictionaries take for different."""
    reason = "what it finds equal with the change has different hashes, and is two things in a set"
    return _reacting(evidence, TrialOutcome.UNLIKE, "equal_with_other_hashes", reason)


def _reacting(evidence: Evidence, reaction: TrialOutcome, rule: str, what: str) -> Finding | None:
    """What a rule says of the tests that react in one way; nothing where there are none."""
    tests = (test for reactions in evidence.reactions for test in reactions.tests)
    found = [test for test in tests if test.reaction is reaction]
    if not found:
        return None
    names = tuple(dict.fromkeys(f"{t.test} ({t.place})" if t.place else t.test for t in found))
    tested = tuple(dict.fromkeys(test.test for test in found))
    return Finding(rule, Decision.ABSTAIN, f"{listed(names)}: {what}", tested)


def nothing_asserted(evidence: Evidence) -> Finding | None:
    """Abstain: no test of an issue, or of the change alone, is known to notice other values."""
    for judgements in _of_each_issue(evidence):
        tests = [test for judgement in judgements for test in _counting(evidence, judgement)]
        answered = _ANSWERED_BY_OTHER_RULES | {TrialOutcome.NOTICED}
        if tests and answered.isdisjoint(test.reaction for test in tests):
            names = tuple(dict.fromkeys(test.test for test in tests))
            reason = f"{listed(names)}: {_why(tests)}"
            return Finding("nothing_asserted", Decision.ABSTAIN, reason, names)
    return None


def no_hunk_noticed(evidence: Evidence) -> Finding | None:
    """Abstain: the tests of an issue, or of the change alone, notice no part of it that goes."""
    hunks = [part for part in evidence.parts if part.kind is PartKind.HUNK]
    noticing = {test for hunk in hunks for test in hunk.tests}
    for judgements in _of_each_issue(evidence) if hunks else ():
        tests = [t for judgement in judgements for t in counting(evidence, judgement)]
        if tests and noticing.isdisjoint(test.test for test in tests):
            return finding(
                "no_hunk_noticed",
                Decision.ABSTAIN,
                "passes without any one part of the change",
                tests,
            )
    return None


def _why(tests: Sequence[Sensitivity]) -> str:
    if any(test.reaction is TrialOutcome.UNTRIED for test in tests):
        return "could not be run with other expected values"
    return "asserts nothing that could be replaced by something else"


def _of_each_issue(evidence: Evidence) -> Sequence[Sequence[Judgement]]:
    """The tests of each issue, those of the change where it rests on them alone."""
    if evidence.own is not None and basis_of(evidence) is Basis.OWN_TESTS:
        return [[evidence.own]]
    issues = dict.fromkeys(tests.issue for tests in evidence.generated)
    generated = (
        [tests.judgement for tests in evidence.generated if tests.issue == issue]
        for issue in issues
    )
    found = [*([judgement] for judgement in evidence.given), *generated]
    tested = [each for each in found if any(counting(evidence, judgement) for judgement in each)]
    return tested or [list(evidence.trusted)]


def _counting(evidence: Evidence, judgement: Judgement) -> Iterator[Sensitivity]:
    """How the tests of a judgement react that an acceptance may rest on."""
    names = {test.test for test in counting(evidence, judgement)}
    for reactions in evidence.reactions:
        if reactions.judgement is judgement:
            yield from (test for test in reactions.tests if test.test in names)
