from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluator.execution import RunPair
from evaluator.model import Phase, Run, Status, TestOutcome
from evaluator.sandbox.protocol import ExitReason
from evaluator.test_names import steady_name
from evaluator.transitions import is_success, transitions

FILE = "tests/test_it.py"


def run(ending: ExitReason = ExitReason.EXITED, /, **statuses: Status) -> Run:
    outcomes = {
        f"{FILE}::{name}": TestOutcome(f"{FILE}::{name}", FILE, status)
        for name, status in statuses.items()
    }
    return Run(outcomes, ending=ending)


def uncollected() -> Run:
    return Run({FILE: TestOutcome(FILE, FILE, Status.ERROR, Phase.COLLECTION)}, exit_code=2)


def pair(before: Status, after: Status) -> RunPair:
    return RunPair(run(it=before), run(it=after))


def test_fail_to_pass_is_success() -> None:
    (found,) = transitions([pair(Status.FAILED, Status.PASSED)])
    assert found.kind == "F->P"
    assert is_success([found])


def test_failing_with_the_fix_is_no_success() -> None:
    runs = RunPair(
        run(good=Status.FAILED, bad=Status.FAILED), run(good=Status.PASSED, bad=Status.FAILED)
    )
    assert not is_success(transitions([runs]))


def test_failure_that_stood_before_the_tests_is_not_held_against_them() -> None:
    before_tests = RunPair(run(old=Status.FAILED), run(old=Status.FAILED))
    runs = RunPair(
        run(new=Status.FAILED, old=Status.FAILED), run(new=Status.PASSED, old=Status.FAILED)
    )
    found = transitions([runs], before_tests)
    assert [t.preexisting for t in found] == [False, True]
    assert is_success(found)


def test_fail_to_pass_that_stood_before_the_tests_is_not_their_merit() -> None:
    runs = pair(Status.FAILED, Status.PASSED)
    assert not is_success(transitions([runs], runs))


def test_a_file_that_cannot_be_collected_fails_in_each_of_its_tests() -> None:
    runs = RunPair(uncollected(), run(a=Status.PASSED, b=Status.PASSED))
    found = transitions([runs])
    assert [(t.test, t.kind, t.before.phase) for t in found] == [
        (f"{FILE}::a", "F->P", Phase.COLLECTION),
        (f"{FILE}::b", "F->P", Phase.COLLECTION),
    ]


def test_a_file_that_neither_side_can_collect_is_told_by_its_path() -> None:
    (found,) = transitions([RunPair(uncollected(), uncollected())])
    assert (found.test, found.kind) == (FILE, "F->F")


def test_tests_that_a_cut_run_did_not_reach_share_its_fate() -> None:
    cut = run(ExitReason.TIMEOUT, first=Status.PASSED)
    whole = run(first=Status.PASSED, second=Status.PASSED)
    found = {t.test: t for t in transitions([RunPair(cut, whole)])}
    assert found[f"{FILE}::second"].before.status is Status.TIMEOUT


def test_a_rerun_that_is_cut_on_the_base_says_nothing_of_tests_that_it_did_not_reach() -> None:
    failed, passed = Status.FAILED, Status.PASSED
    first = RunPair(run(a=failed, b=failed), run(a=passed, b=passed))
    cut = RunPair(run(ExitReason.TIMEOUT, a=Status.TIMEOUT), run(a=passed, b=passed))
    found = {t.test[-1]: t.flaky for t in transitions([first, first, cut])}
    assert found == {"a": True, "b": False}
    assert all(t.flaky for t in transitions([first, cut, cut]))
    cut_with_fix = RunPair(run(a=failed, b=failed), cut.base)
    assert all(t.flaky for t in transitions([first, first, cut_with_fix]))


def test_a_test_that_disagrees_with_itself_never_counts_as_fail_to_pass() -> None:
    attempts = [pair(Status.FAILED, Status.PASSED), pair(Status.PASSED, Status.PASSED)]
    (found,) = transitions(attempts)
    assert found.flaky
    assert not is_success([found])


def cases(**statuses: Status) -> Run:
    """A run of cases of one test; names of cases end in something that varies."""
    outcomes = {
        f"{FILE}::it[{name.replace('_', '-')}]": status for name, status in statuses.items()
    }
    return Run({test: TestOutcome(test, FILE, status) for test, status in outcomes.items()})


def test_a_test_that_never_fails_is_not_flaky() -> None:
    passing = [pair(Status.PASSED, Status.PASSED), RunPair(run(), run(it=Status.SKIPPED))]
    (found,) = transitions(passing)
    assert not found.flaky


def test_names_that_vary_from_run_to_run_are_matched() -> None:
    passed, failed = Status.PASSED, Status.FAILED
    first = RunPair(
        cases(a_0x7f01ab=failed, b_1700000001=passed), cases(a_0x7f02cd=passed, b_1700000002=passed)
    )
    again = RunPair(
        cases(a_0x7f03ef=failed, b_1700000003=passed), cases(a_0x7f04aa=passed, b_1700000004=passed)
    )
    found = transitions([first, again])
    names = [t.test for t in found]
    assert names == [f"{FILE}::it[a-0x7f02cd]", f"{FILE}::it[b-1700000002]"]
    assert [(t.kind, t.flaky) for t in found] == [("F->P", False), ("P->P", False)]


def test_times_vary_in_each_way_of_writing_them() -> None:
    first = steady_name("A::it[10:08:22 2026-11-27]")
    assert first == steady_name("A::it[23:59:59.25 2026-12-01]")
    second = steady_name("A::it[11-27-2026 10:08:22]")
    assert second == steady_name("A::it[1-2-2027 23:59:59]")
    assert first != second
    for kept in ("A::it[1.2.3]", "A::it[12:30]", "A::it[00:11:22:33:44:55]", "A::it[1-2-12]"):
        assert steady_name(kept) == kept


def test_addresses_of_java_vary_from_run_to_run() -> None:
    assert steady_name("A::it[a.B@1b604f19, c.D$1@46db8913]") == "A::it[a.B*, c.D$1*]"
    for kept in ("A::it[me@example.org]", "A::it[@46db8913]", "A@46db8913::it"):
        assert steady_name(kept) == kept


def test_names_that_do_not_vary_are_left_alone() -> None:
    passed = Status.PASSED
    both = cases(x_0x7f01ab=passed, x_0x7f02cd=passed)
    assert len(transitions([RunPair(both, both)])) == 2
    other = cases(x_0x7f03ef=passed, x_0x7f04aa=passed)
    assert len(transitions([RunPair(both, other)])) == 4


def test_instability_on_the_base_alone_is_marked() -> None:
    attempts = [pair(Status.FAILED, Status.PASSED), pair(Status.PASSED, Status.PASSED)]
    (found,) = transitions(attempts)
    assert (found.flaky, found.steady_with_fix) == (True, True)


def test_skips_and_expected_failures_are_neither_pass_nor_fail() -> None:
    for status in (Status.SKIPPED, Status.XFAILED, Status.XPASSED, Status.MISSING):
        assert not is_success(transitions([pair(Status.FAILED, status)]))
        assert not is_success(transitions([pair(status, Status.PASSED)]))


statuses = st.sampled_from([s for s in Status if s is not Status.MISSING])
sides = st.dictionaries(st.sampled_from("abcde"), statuses, max_size=5)


@given(sides, sides)
def test_success_follows_from_the_definition(
    before: dict[str, Status], after: dict[str, Status]
) -> None:
    found = transitions([RunPair(run(**before), run(**after))])
    assert {t.test for t in found} == {f"{FILE}::{n}" for n in before | after}
    reproduces = any(s.fails and after.get(n) is Status.PASSED for n, s in before.items())
    if before:
        failing = any(s.fails for s in after.values()) or (not after and bool(before))
        assert is_success(found) == (reproduces and not failing)
