"""Reading code and what stands under it."""

from __future__ import annotations

import ast

import pytest

from generator.languages.python.notation import NOTATION
from generator.report_text import Example, PartRole, Statement, read_report


def examples(*lines: str) -> tuple[Example, ...]:
    return read_report("\n".join(["Title", "", *lines]), NOTATION).examples


def statements(*lines: str) -> tuple[Statement, ...]:
    return tuple(s for example in examples(*lines) for s in example.statements)


def test_doctest_session_with_continuation_and_output() -> None:
    first, second, third = statements(
        "```", ">>> for i in range(2):", "...     print(i)", "...", "0", "1", ">>> x = 1", ">>>x",
        "1", "```",
    )  # fmt: skip
    assert first.source == "for i in range(2):\n    print(i)"
    assert first.shown == "0\n1"
    assert (second.source, second.shown) == ("x = 1", "")
    assert (third.source, third.shown) == ("x", "1")


def test_ipython_session_keeps_the_lines_of_drawings() -> None:
    first, second = statements(
        "```", "In [1]: a = [", "   ...:   1]", "", "In [2]: draw(a)", "Out[2]: ", "  x", "",
        " y", "```",
    )  # fmt: skip
    assert first.source == "a = [\n  1]"
    assert (second.source, second.shown) == ("draw(a)", "  x\n\n y")


def test_a_cell_of_a_notebook_goes_on_under_its_prompt() -> None:
    first, second, third, last = statements(
        "```", "In [1]: import a", "        b = a.f()", "        b", "Out[1]: 2", "In [2]: c",
        "Out[2]:", "        3", "```",
    )  # fmt: skip
    assert [first.source, second.source, third.source] == ["import a", "b = a.f()", "b"]
    assert third.shown == "2"
    assert (last.source, last.shown.strip()) == ("c", "3")


def test_dots_that_stand_for_what_was_left_out_are_output() -> None:
    (only,) = statements(">>> f(1)", "...", "NameError: name 'g' is not defined")
    assert only.source == "f(1)"
    assert only.shown.endswith("NameError: name 'g' is not defined")


def test_code_with_output_after_a_mark() -> None:
    *_, last = statements("```", "x = g()", "f(x)", "", "Output:", "f(oo)", "```")
    assert (last.source, last.shown) == ("f(x)", "f(oo)")


def test_code_that_goes_on_as_a_traceback() -> None:
    *_, last = statements(
        "```", "import a", "a.f('x')", "Traceback (most recent call last):", "...",
        "SyntaxError: no", "```",
    )  # fmt: skip
    assert last.source == "a.f('x')"
    assert last.shown.startswith("Traceback")


def test_prints_of_python_2_are_read() -> None:
    (only,) = statements("```", "print f(1), 2", "```")
    assert ast.parse(only.source)
    assert only.source == "print(f(1), 2)"


def test_comments_above_beside_and_below() -> None:
    first, second = statements(
        "```", "# works", "f(1)  # 2", "", "# this is wrong", "g(1)", "# 3", "# 4", "```"
    )
    assert (first.heralds, first.remark) == ("works", "2")
    assert (second.heralds, second.remark, second.below) == ("this is wrong", "", "3\n4")


def test_a_comment_beside_the_next_statement_is_not_below_this_one() -> None:
    first, second = statements("```", "a = f(1)", "a * 2  # 4", "```")
    assert first.remark == ""
    assert second.remark == "4"


def test_decorated_and_joined_statements_stay_whole() -> None:
    first, second, third = statements("```", "@mark", "def f():", "    pass", "a = 1; f()", "```")
    assert first.source.startswith("@mark")
    assert (second.source, third.source) == ("a = 1", "f()")


@pytest.mark.parametrize(
    "text", ["$ pip list\nattrs 1.0", "{1: 2}", "some words only", "a.py:3:0: W0611: Unused import"]
)
def test_output_and_prose_in_a_fence_are_no_code(text: str) -> None:
    assert examples("```", text, "```") == ()


def test_shell_blocks_are_no_code() -> None:
    assert examples("```bash", "python = 3", "```") == ()


def test_blocks_under_an_example_are_its_outputs() -> None:
    (only, _) = examples(
        "```python", "print(f(1))", "print(f(2))", "```", "says", "```cmd", "1", "2", "```",
        "and I expected", "```", "Matrix([1])", "```",
    )  # fmt: skip
    assert [block.text for block in only.outputs] == ["1\n2", "Matrix([1])"]
    assert only.outputs[1].role is PartRole.EXPECTED


def test_a_session_is_never_the_output_of_what_stands_before_it() -> None:
    first, second = examples("```", "a = f()", "```", "so", "```", ">>> g(a)", "1", "```")
    assert first.outputs == ()
    assert [(one.source, one.shown) for one in second.statements] == [("g(a)", "1")]
