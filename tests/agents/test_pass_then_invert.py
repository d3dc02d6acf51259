from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.errors import ModelUnavailableError
from generator.method import MethodSettings
from generator.methods import method
from generator.writer import WritingExit, write

from .conftest import Bench, Turn, model_of, notes_of

INVERTED = '```python\n# assertion 1\nself.assertEqual(to_roman(4), "IV")\n```'
YES = '{"reason": "IIII is what the issue reports", "revealing": true}'
NO = '{"reason": "it tests another number", "revealing": false}'


def passing(value: str = "IIII", name: str = "FourTest", path: str = "tests/test_roman.py") -> str:
    return (
        f"It gives {value}.\n\nfile: {path}\n```python\nimport unittest\n"
        "from wordtools.roman import to_roman\n\n\n"
        f"class {name}(unittest.TestCase):\n    def test_four(self):\n"
        f'        self.assertEqual(to_roman(4), "{value}")\n```\n'
    )


METHOD = method("pass-then-invert")


def test_a_passing_test_is_inverted(sample: Bench) -> None:
    work = sample.work([passing(), INVERTED, YES])
    written = write(METHOD, work)
    assert written.exit is WritingExit.SUBMITTED
    assert written.admitted
    assert written.origin == "pass-then-invert"
    assert '+        self.assertEqual(to_roman(4), "IV")' in written.patch


def test_a_new_file_is_made_where_one_is_named(sample: Bench) -> None:
    path = "tests/test_small_numerals.py"
    written = write(METHOD, sample.work([passing(path=path), INVERTED, YES]))
    assert written.admitted
    assert f"+++ b/{path}" in written.patch


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("", "empty"),
        ("I cannot.", "no Python code"),
        ("```python\nclass (\n```", "not valid Python"),
        ("```python\nx = 1\n```", "defines no test"),
        ("```python\ndef test_x():\n    pass\n```", "no test asserts anything"),
        (passing("IV"), "'IIII' != 'IV'"),
        (passing().replace("to_roman\n", "to_romn\n"), "cannot import name 'to_romn'"),
        (passing(name="ToRomanTest"), "has `ToRomanTest` already"),
        (passing(path="wordtools/roman.py"), "not a path of tests"),
        (passing(path="../../etc/test_x.py"), "leaves"),
        (passing(path="tests/conftest.py"), "no file that the test runner runs"),
        (passing().replace("(unittest.TestCase)", ""), "no new test"),
    ],
)
def test_what_is_wrong_with_a_test_is_told(sample: Bench, reply: str, told: str) -> None:
    work = sample.work([reply])
    write(METHOD, work)
    assert told in model_of(work).told()


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Done.", "NUMBER"),
        (INVERTED.replace("self.", "import os\nself."), "no assertion"),
        (INVERTED.replace("assertion 1", "assertion 7"), "no assertion 7"),
        (INVERTED.replace("IV", "IIII"), "passes on the code as it is"),
    ],
)
def test_what_is_wrong_with_an_inversion_is_told(sample: Bench, reply: str, told: str) -> None:
    work = sample.work([passing(), reply])
    write(METHOD, work)
    assert told in model_of(work).told()


def test_mistakes_can_be_put_right(sample: Bench) -> None:
    written = write(METHOD, sample.work(["Hm.", passing(), "Hm.", INVERTED, "Hm.", YES]))
    assert written.admitted
    assert written.origin == "pass-then-invert"


def test_a_doubted_test_is_written_anew(sample: Bench) -> None:
    work = sample.work([passing(), INVERTED, NO, passing(name="Again"), INVERTED, YES])
    written = write(METHOD, work)
    assert "class Again" in written.patch
    assert [one.candidate.origin for one in written.considered] == [
        "pass-then-invert/doubted",
        "pass-then-invert",
    ]
    assert "it tests another number" in model_of(work).told(3)


def test_a_test_that_stays_doubted_is_trusted_little(sample: Bench) -> None:
    turns = [passing(), INVERTED, NO] * 3
    work = sample.work([*turns, "never asked for"])
    written = write(METHOD, work)
    assert written.admitted
    assert written.confidence < 0.3
    assert len(model_of(work).asked) == len(turns)


def test_a_judgement_that_cannot_be_read_does_no_harm(sample: Bench) -> None:
    written = write(METHOD, sample.work([passing(), INVERTED, "Hm.", "Hm!"]))
    assert written.admitted
    assert "not judged" in written.considered[0].candidate.note


def test_an_inversion_that_fails_leaves_the_mechanical_one(sample: Bench) -> None:
    settings = MethodSettings(samples=1)
    written = write(METHOD, sample.work([passing(), "no", "no", "no"], settings=settings))
    assert written.origin == "pass-then-invert/flipped"
    assert '+        self.assertNotEqual(to_roman(4), "IIII")' in written.patch


@pytest.mark.parametrize(
    ("turns", "origin"),
    [
        ([passing()], "pass-then-invert/flipped"),
        ([passing(), "no"], "pass-then-invert/flipped"),
        ([passing(), INVERTED], "pass-then-invert/doubted"),
    ],
)
def test_what_is_there_at_a_limit_is_kept(
    sample: Bench, turns: Sequence[Turn], origin: str
) -> None:
    written = write(METHOD, sample.work(turns))
    assert (written.exit, written.origin) == (WritingExit.LIMIT_REACHED, origin)
    assert written.admitted


def test_what_is_there_when_the_model_goes_is_kept(sample: Bench) -> None:
    written = write(METHOD, sample.work([passing(), ModelUnavailableError("it stalls")]))
    assert (written.exit, written.origin) == (WritingExit.MODEL_ERROR, "pass-then-invert/flipped")


def test_rounds_and_proposals_are_bounded(sample: Bench) -> None:
    work = sample.work(["no"] * 50, settings=MethodSettings(rounds=2, samples=2))
    written = write(METHOD, work)
    assert written.exit is WritingExit.ABSTAINED
    assert len(model_of(work).asked) == 4
    assert "no test was written" in notes_of(work)
