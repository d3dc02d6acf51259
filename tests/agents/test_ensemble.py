from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.errors import ModelUnavailableError
from generator.methods import method
from generator.writer import WritingExit, write

from .conftest import Bench, Turn, block, model_of, notes_of

ENSEMBLE = method("ensemble")
ALL = (
    '[(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), '
    '(40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]'
)
SOME = '[(1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), (5, "V"), (4, "IV"), (1, "I")]'


def agent(number: int, numeral: str) -> list[Turn]:
    script = (
        "cat >> tests/test_roman.py <<'EOF'\n\n    def test_by_agent(self):\n"
        f'        self.assertEqual(to_roman({number}), "{numeral}")\nEOF\n'
    )
    return [block(script), block("submit")]


def inverter(number: int, wrong: str, numeral: str) -> list[Turn]:
    test = (
        "file: tests/test_roman.py\n```python\nclass InvertedTest(unittest.TestCase):\n"
        f'    def test_it(self):\n        self.assertEqual(to_roman({number}), "{wrong}")\n```\n'
    )
    inverted = f'```python\n# assertion 1\nself.assertEqual(to_roman({number}), "{numeral}")\n```'
    return [test, inverted, '{"reason": "so it is", "revealing": true}']


def fix(values: str) -> list[Turn]:
    return [block(f"sed -i 's/^VALUES.*/VALUES = {values}/' wordtools/roman.py"), block("submit")]


def test_two_writers_that_agree_need_no_more(sample: Bench) -> None:
    turns = [*agent(4, "IV"), *inverter(4, "IIII", "IV")]
    work = sample.work([*turns, "never asked for"])
    written = write(ENSEMBLE, work)
    assert len(model_of(work).asked) == len(turns)
    assert written.origin == "agent"
    assert written.confidence == pytest.approx(0.7)
    assert "agent and pass-then-invert agree" in written.reason


def test_surrogate_fixes_decide_between_writers(sample: Bench) -> None:
    turns = [*agent(4, "iv"), *inverter(9, "VIIII", "IX"), *fix(ALL), *fix(SOME)]
    work = sample.work([*turns, "never asked for"])
    written = write(ENSEMBLE, work)
    assert len(model_of(work).asked) == len(turns)
    assert written.origin == "pass-then-invert"
    assert "passes with 1 of 2 surrogate fixes" in written.reason


def test_the_writers_of_surrogate_fixes_see_no_test(sample: Bench) -> None:
    work = sample.work([*agent(4, "iv"), *inverter(9, "VIIII", "IX"), *fix(ALL), *fix(SOME)])
    write(ENSEMBLE, work)
    for conversation in model_of(work).asked[5:]:
        said = "\n".join(message.content for message in conversation[:2])
        assert "test_by_agent" not in said
        assert "InvertedTest" not in said


def test_a_third_fix_breaks_a_tie(sample: Bench) -> None:
    turns = [*agent(40, "XL"), *inverter(4, "IIII", "IV"), *fix(ALL), *fix(ALL), *fix(SOME)]
    written = write(ENSEMBLE, sample.work(turns))
    assert written.origin == "pass-then-invert"
    assert "passes with 3 of 3" in written.reason


def test_fixes_that_break_what_stands_do_not_count(sample: Bench) -> None:
    turns = [*agent(4, "iv"), *inverter(9, "VIIII", "IX"), *fix('[(1, "I")]'), *fix(ALL)]
    work = sample.work([*turns, block("submit"), block("submit")])
    written = write(ENSEMBLE, work)
    assert "passes with 1 of 1 surrogate fixes" in written.reason
    assert "surrogate fix 1 changes no code or breaks tests" in notes_of(work)


def test_a_limit_among_the_fixes_leaves_a_choice(sample: Bench) -> None:
    work = sample.work([*agent(4, "iv"), *inverter(9, "VIIII", "IX"), fix(ALL)[0]])
    written = write(ENSEMBLE, work)
    assert written.exit is WritingExit.SUBMITTED
    assert "no more surrogate fixes" in notes_of(work)


def test_a_limit_among_the_writers_keeps_what_is_there(sample: Bench) -> None:
    written = write(ENSEMBLE, sample.work(agent(4, "IV")))
    assert written.exit is WritingExit.LIMIT_REACHED
    assert written.origin == "agent"
    assert written.admitted


@pytest.mark.parametrize("writer", [inverter(4, "IIII", "IV")])
def test_where_one_writer_fails_another_may_not(sample: Bench, writer: Sequence[Turn]) -> None:
    written = write(ENSEMBLE, sample.work([ModelUnavailableError("too long"), *writer]))
    assert written.exit is WritingExit.SUBMITTED
    assert written.origin == "pass-then-invert"


def test_where_all_models_fail_it_is_told(sample: Bench) -> None:
    down = ModelUnavailableError("the endpoint is down")
    written = write(ENSEMBLE, sample.work([down, down]))
    assert written.exit is WritingExit.MODEL_ERROR
    assert "the endpoint is down" in written.reason


def test_without_a_model_only_the_issue_speaks(sample: Bench) -> None:
    written = write(ENSEMBLE, sample.work(None))
    assert written.exit in (WritingExit.SUBMITTED, WritingExit.ABSTAINED)
    assert {one.candidate.origin.partition("/")[0] for one in written.considered} <= {"issue-only"}
