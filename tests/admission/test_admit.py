from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluator.admission import Admission, Refusal, Strength, admit
from evaluator.diff import Changes
from evaluator.model import Failure, Frame, Phase, Run, Status, TestOutcome
from evaluator.sandbox.protocol import ExitReason

ISSUE = """
`shorten("just fits", 9)` of `wordtools/shorten.py` returns `just f...`

It should return `just fits`. With a width of 0 it raises

    ValueError: the width must be positive, not 0

and with None it hangs.
"""
CODE = b"""
import unittest
from wordtools.shorten import shorten

def test_it():
    assert shorten("abc", 3) == "abc"

def test_other_things():
    assert len("abc") == 4

def test_as_reported():
    assert shorten('just fits',  9) == "just fits"

def test_with_a_name():
    result = shorten("just fits", 9)
    assert result == "no"

def test_not_as_reported():
    assert shorten("just fits", 9) != "just f..."

def test_does_not_raise():
    shorten("just fits", 0)

def test_does_not_raise_and_returns():
    assert shorten("just fits", 0) == ""

def test_raises():
    shorten("abc", 3)
    with pytest.raises(TypeError):
        shorten("just fits", None)

def test_not_in():
    assert shorten("abc", 3) == "abc"
    assert "..." not in shorten("just fits", 9)

class ShortenTest(unittest.TestCase):
    def setUp(self):
        self.function = shorten

    def test_method(self):
        self.assertEqual(self.function("abc", 3), "abc")

    def test_denied(self):
        self.assertNotEqual(self.function("just fits", 9), "just f...")

    def test_unrelated(self):
        self.fail()
"""
FILE = "tests/test_x.py"
IN_TEST, IN_CODE = Frame(FILE, 6, "test_it"), Frame("wordtools/shorten.py", 5, "shorten")
ELSEWHERE = Frame("wordtools/roman.py", 5, "to_roman")
TESTS = Changes({FILE: CODE})


def outcome(
    exception: str = "AssertionError",
    message: str = "",
    *,
    test: str = f"{FILE}::test_it",
    status: Status = Status.FAILED,
    phase: Phase = Phase.CALL,
    frame: Frame | None = IN_TEST,
) -> TestOutcome:
    return TestOutcome(test, FILE, status, phase, failure=Failure(exception, message, frame))


def raising(test: str, frame: Frame) -> TestOutcome:
    message = "the width must be positive, not 0"
    return outcome("ValueError", message, test=f"{FILE}::{test}", frame=frame)


def run(*outcomes: TestOutcome) -> Run:
    return Run({each.test: each for each in outcomes})


def admitted(*outcomes: TestOutcome, issue: str = ISSUE) -> Admission:
    return admit(lambda number: run(*outcomes), issue, tests=TESTS)


@pytest.mark.parametrize(
    ("failing", "strength", "said"),
    [
        (outcome("ValueError", "the width must be positive, not 0"), Strength.STRONG, "ValueError"),
        (outcome(message="'just f...' != 'just fits'"), Strength.STRONG, "what is compared"),
        (outcome(message="assert 'just f...' == 'just fits!!'"), Strength.FAIR, "just f..."),
        (outcome("builtins.ValueError", "empty"), Strength.FAIR, "ValueError"),
        (outcome(message="ValueError not raised by shorten"), Strength.FAIR, "ValueError"),
        (
            outcome("SystemError", "<class 'ValueError'> was lost", frame=IN_CODE),
            Strength.FAIR,
            "ValueError",
        ),
        (outcome(message="KeyError not raised"), Strength.WEAK, "shorten"),
        (
            outcome(message="raised ValueError: the width must be positive, not 0"),
            Strength.FAIR,
            "this message",
        ),
        (outcome(frame=Frame(FILE, 12, "test_as_reported")), Strength.STRONG, "'just fits'"),
        (
            outcome(frame=Frame(FILE, 16, "test_with_a_name")),
            Strength.FAIR,
            "shorten('just fits', 9)",
        ),
        (outcome("KeyError", "'x'", frame=IN_CODE), Strength.WEAK, "wordtools/shorten.py"),
        (outcome(message="'a' != 'b'"), Strength.WEAK, "uses what the issue names: shorten"),
        (outcome(message="True is not false"), Strength.WEAK, "shorten"),
        (outcome(test="test_x.ShortenTest.test_method"), Strength.WEAK, "shorten"),
    ],
)
def test_what_ties_a_failure_to_the_issue(
    failing: TestOutcome, strength: Strength, said: str
) -> None:
    admission = admitted(failing)
    assert admission.admitted, admission.reason
    assert admission.strength is strength
    assert said in admission.reason
    assert admission.failing == (failing,)


@pytest.mark.parametrize(
    ("failing", "only_negative"),
    [
        (outcome(frame=Frame(FILE, 19, "test_not_as_reported")), True),
        (outcome(frame=Frame(FILE, 34, "test_not_in")), True),
        (outcome(frame=Frame(FILE, 33, "test_not_in")), False),
        (outcome(test="test_x.ShortenTest.test_denied", frame=None), True),
        (outcome(test="test_x.ShortenTest.test_denied", frame=IN_CODE), True),
        (outcome(frame=Frame(FILE, 12, "test_as_reported")), False),
        (raising("test_does_not_raise", IN_CODE), True),
        (raising("test_does_not_raise", Frame(FILE, 22, "test_does_not_raise")), True),
        (raising("test_does_not_raise_and_returns", IN_CODE), False),
        (raising("test_raises", IN_CODE), False),
        (raising("test_of_another_file", IN_CODE), False),
    ],
)
def test_whether_a_test_says_only_what_must_not_be(
    failing: TestOutcome, only_negative: bool
) -> None:
    assert admitted(failing).only_negative is only_negative
    assert not admitted(failing, outcome(test=f"{FILE}::test_as_reported")).only_negative


@pytest.mark.parametrize(
    ("failing", "said"),
    [
        (outcome("ValueError", "empty\nmore"), "(builtins.ValueError: empty)"),
        (outcome(message="", frame=Frame(FILE, 12, "test_as_reported")), "(AssertionError at: "),
        (outcome(message="", frame=None), "(AssertionError without a message)"),
        (outcome(message="", frame=Frame(FILE, 999, "x")), "(AssertionError without a message)"),
    ],
)
def test_how_a_test_fails_is_told_in_a_line(failing: TestOutcome, said: str) -> None:
    reason = admitted(failing).reason
    assert said.replace("builtins.", "") in reason
    assert reason.startswith("the test fails 3 of 3 times (")


@pytest.mark.parametrize(
    ("failing", "refusal", "said"),
    [
        (outcome("NameError", "name 'x' is not defined"), Refusal.BROKEN_TEST, "NameError"),
        (
            outcome("ModuleNotFoundError", "No module named 'src'", frame=IN_CODE),
            Refusal.BROKEN_TEST,
            "No module named",
        ),
        (outcome("TypeError", "shorten() takes 2 arguments"), Refusal.BROKEN_TEST, "TypeError"),
        (
            outcome("AttributeError", "'str' object has no attribute 'cut'"),
            Refusal.BROKEN_TEST,
            "cut",
        ),
        (outcome("RuntimeError", "x", phase=Phase.SETUP), Refusal.OUTSIDE_CALL, "setup"),
        (
            outcome("ImportError", "x", status=Status.ERROR, phase=Phase.COLLECTION, test=FILE),
            Refusal.OUTSIDE_CALL,
            "collection",
        ),
        (outcome("", "", status=Status.CRASHED), Refusal.CUT_SHORT, "crashed"),
        (outcome(test=f"{FILE}::test_other_things"), Refusal.UNREPORTED, "nothing"),
        (outcome(test="test_x.Other.test_unrelated"), Refusal.UNREPORTED, "nothing"),
        (
            outcome("OSError", "x", frame=ELSEWHERE, test=f"{FILE}::test_other_things"),
            Refusal.UNREPORTED,
            "nothing",
        ),
        (TestOutcome("t::x", FILE, Status.PASSED), Refusal.PASSES, "passes"),
    ],
)
def test_what_is_refused(failing: TestOutcome, refusal: Refusal, said: str) -> None:
    issue = ISSUE.replace("wordtools", "")
    tests = Changes({FILE: CODE.replace(b"self.function = shorten", b"pass")})
    admission = admit(lambda number: run(failing), issue, tests=tests)
    assert admission.refusal is refusal
    assert said in admission.reason
    assert not admission.admitted


@pytest.mark.parametrize(
    ("failing", "issue"),
    [
        (
            outcome("NameError", "name 'django' is not defined"),
            "NameError: name 'django' is not defined",
        ),
        (
            outcome("ImportError", "cannot import name 'a' from 'b'", phase=Phase.COLLECTION),
            "Fails: ImportError: cannot import name 'a' from 'b'",
        ),
        (outcome("", "", status=Status.TIMEOUT), "It hangs on `shorten`"),
        (outcome("", "", status=Status.OUT_OF_MEMORY), "`shorten` takes all memory"),
        (outcome("", "", status=Status.OUT_OF_MEMORY), "It hangs on `shorten`"),
        (outcome("", "", status=Status.CRASHED), "`shorten` ends in a segmentation fault"),
        (
            outcome("TypeError", "shorten() got an unexpected keyword argument 'mark'"),
            "`shorten` should take a mark",
        ),
        (
            outcome("AttributeError", "'NoneType' object has no attribute 'x'", frame=IN_CODE),
            "`shorten` goes wrong",
        ),
    ],
)
def test_what_would_be_refused_but_is_what_the_issue_reports(
    failing: TestOutcome, issue: str
) -> None:
    assert admitted(failing, issue=issue).admitted


def test_a_lack_of_memory_that_nobody_reports_is_refused() -> None:
    failing = outcome("", "", status=Status.OUT_OF_MEMORY)
    assert admitted(failing, issue="`shorten` is wrong").refusal is Refusal.CUT_SHORT


def test_without_tests() -> None:
    assert admitted().refusal is Refusal.NO_TEST


def test_one_bad_test_spoils_the_set() -> None:
    good = outcome(message="'just f...' != 'just fits'")
    bad = outcome("NameError", "name 'x' is not defined", test=f"{FILE}::test_other_things")
    assert admitted(good, bad).refusal is Refusal.BROKEN_TEST


def test_failures_that_stood_before_are_nobodys_merit() -> None:
    old = outcome("OSError", "no network", test=f"{FILE}::test_old")
    new = outcome()
    admission = admit(lambda number: run(old, new), ISSUE, tests=TESTS, standing=run(old))
    assert admission.failing == (new,)
    assert admitted(old, issue="x").refusal is not None
    alone = admit(lambda number: run(old), ISSUE, tests=TESTS, standing=run(old))
    assert alone.refusal is Refusal.PASSES


@pytest.mark.parametrize(
    "endings",
    [
        [outcome(), TestOutcome(f"{FILE}::test_it", FILE, Status.PASSED)],
        [outcome(), outcome(), outcome("KeyError", "'x'", frame=IN_CODE)],
    ],
)
def test_it_must_end_the_same_way_every_time(endings: Sequence[TestOutcome]) -> None:
    made: list[int] = []

    def make(number: int) -> Run:
        made.append(number)
        return run(endings[number])

    assert admit(make, ISSUE, tests=TESTS).refusal is Refusal.FLAKY
    assert made == list(range(len(endings)))


def test_a_refusal_needs_no_second_run() -> None:
    made: list[int] = []

    def make(number: int) -> Run:
        made.append(number)
        return run(outcome("NameError", "name 'x' is not defined"))

    admit(make, ISSUE, tests=TESTS)
    assert made == [0]


@pytest.mark.parametrize("code", [b"def test_it(:", b"\x00", b"\xff\xfe", b"(" * 5000])
def test_code_that_cannot_be_read_names_nothing(code: bytes) -> None:
    tests = Changes({FILE: code})
    admission = admit(lambda number: run(outcome()), ISSUE, tests=tests)
    assert admission.refusal is Refusal.UNREPORTED


def admitted_after(first: Run, again: Run, standing: Run | None = None) -> Admission:
    return admit(lambda number: again if number else first, ISSUE, tests=TESTS, standing=standing)


def test_a_refusal_says_both_ends_and_the_command() -> None:
    again = Run(
        {f"{FILE}::test_it": TestOutcome(f"{FILE}::test_it", FILE, Status.PASSED)}, command="run it"
    )
    admission = admitted_after(run(outcome(message="1 != 2")), again)
    assert admission.reason == (
        f"does not end the same way when run again: {FILE}::test_it: first failed with "
        "AssertionError: 1 != 2, then passed (`run it`)"
    )


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (outcome(message="/tmp/a1 != 2"), outcome(message="/tmp/b7 != 2")),
        (
            outcome(test=f"{FILE}::test_it[/tmp/pytest-1/x]"),
            outcome(test=f"{FILE}::test_it[/tmp/pytest-2/x]"),
        ),
    ],
)
def test_what_differs_in_any_run_is_no_flakiness(first: TestOutcome, again: TestOutcome) -> None:
    assert admitted_after(run(first), run(again)).admitted


def test_tests_that_stood_there_may_end_as_they_like() -> None:
    old = f"{FILE}::test_old"
    passed = TestOutcome(old, FILE, Status.PASSED)
    failed = outcome("OSError", "another order", test=old)
    standing = run(passed)
    assert admitted_after(run(outcome(), passed), run(outcome(), failed), standing).admitted
    new = admitted_after(run(outcome(), passed), run(outcome(), failed))
    assert new.refusal is Refusal.FLAKY
    assert f"{old}: first passed, then failed with OSError: another order" in new.reason


def test_what_never_ran_does_not_pass() -> None:
    unloaded = outcome(
        "ImportError", "no six", test=FILE, status=Status.ERROR, phase=Phase.COLLECTION
    )
    skipped = TestOutcome("t::x", FILE, Status.SKIPPED, failure=Failure("", "needs Windows"))
    before = admit(lambda number: run(unloaded), ISSUE, tests=TESTS, standing=run(unloaded))
    assert before.refusal is Refusal.OUTSIDE_CALL
    assert before.reason == (
        f"{FILE}: cannot be loaded, and could not before: error with ImportError: no six"
    )
    assert admitted(skipped).reason == "t::x: is not run: skipped: needs Windows"
    cut = admit(lambda number: Run({}, ending=ExitReason.TIMEOUT), ISSUE, tests=TESTS)
    assert cut.reason == "no test came to an end: the run ended by timeout"


def test_a_failure_at_teardown_is_named_as_such() -> None:
    admission = admitted(outcome("ResourceWarning", "unclosed", phase=Phase.TEARDOWN))
    assert "fails in teardown with ResourceWarning, after its own code passed" in admission.reason


@pytest.mark.parametrize(
    ("issue", "strength"),
    [
        ("Two dots in a row, as in 1..2, should be refused, and they are not.", Strength.WEAK),
        ("Something is refused that should not be.", Strength.NONE),
    ],
)
def test_the_input_of_an_issue_in_prose_is_the_report(issue: str, strength: Strength) -> None:
    code = b"def test_dots():\n    with pytest.raises(ValueError):\n        parse('1..2')\n"
    failing = outcome("Failed", "DID NOT RAISE <class 'ValueError'>", test=f"{FILE}::test_dots")
    admission = admit(lambda number: run(failing), issue, tests=Changes({FILE: code}))
    assert admission.strength is strength
    assert admission.admitted is bool(strength)
