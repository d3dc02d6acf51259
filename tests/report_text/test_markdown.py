"""Splitting an issue's text into parts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.languages.python.notation import NOTATION
from generator.report_text import PartForm, PartRole, read_report
from generator.report_text.markdown import parts


def blocks(text: str) -> list[str]:
    return [part.text for part in parts(text, (NOTATION,)) if part.kind is PartForm.BLOCK]


def test_fences_of_both_kinds_with_language_and_indentation() -> None:
    text = "Title\n\n- so:\n  ```Python\n  a = 1\n    b\n  ```\n\n~~~\nc\n~~~\n"
    found = [part for part in parts(text, (NOTATION,)) if part.kind is PartForm.BLOCK]
    assert [part.text for part in found] == ["a = 1\n  b", "c"]
    assert [part.language for part in found] == ["python", ""]
    assert found[0].line == 5


def test_a_fence_that_is_never_closed_goes_to_the_end() -> None:
    assert blocks("Title\n```\na\n\nb") == ["a\n\nb"]


def test_a_longer_fence_holds_a_shorter_one() -> None:
    assert blocks("Title\n````\n```\na\n```\n````\n") == ["```\na\n```"]


def test_indented_code_after_an_empty_line_and_after_a_colon() -> None:
    assert blocks("Title\n\n    a = 1\n\n    b = 2\n\nand:\n    c = 3\n") == [
        "a = 1\n\nb = 2",
        "c = 3",
    ]


def test_lines_that_go_on_with_indentation_are_prose() -> None:
    assert blocks("Title\n\nsome words\n    and more words\n") == []


def test_a_session_without_a_fence() -> None:
    assert blocks("Title\nIt fails:\n>>> f(1)\n2\n\nBut why?\n") == [">>> f(1)\n2"]


def test_the_title_is_a_part_of_its_own() -> None:
    first, second = parts("f() is wrong\nIt is.", (NOTATION,))
    assert (first.text, second.text) == ("f() is wrong", "It is.")


def test_an_issue_that_is_there_twice_is_read_once() -> None:
    once = "f() is wrong here\n```\nf()\n```\nPlease fix it.\n"
    assert len(blocks(once + once)) == 1


def test_comments_and_tags_are_left_out() -> None:
    report = read_report("Title\n<!-- fill this\nin -->\n<details>\nwords\n</details>", NOTATION)
    assert "fill" not in report.text
    assert "details" not in report.text
    assert "words" in report.text


def test_headings_give_a_role_to_what_is_under_them() -> None:
    text = "Title\n#### Expected Results\n```\n1\n```\n**Actual results:**\n```\n2\n```\n"
    roles = {
        part.text: part.role for part in parts(text, (NOTATION,)) if part.kind is PartForm.BLOCK
    }
    assert roles == {"1": PartRole.EXPECTED, "2": PartRole.ACTUAL}


def test_the_sentence_before_a_block_gives_it_a_role() -> None:
    text = "Title\nI would expect this:\n```\n1\n```\nBut I get\n```\n2\n```\n"
    roles = {
        part.text: part.role for part in parts(text, (NOTATION,)) if part.kind is PartForm.BLOCK
    }
    assert roles == {"1": PartRole.EXPECTED, "2": PartRole.ACTUAL}


_LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "```", "```python", "~~~", "# A", "A", "===", "Expected:", "- a"]),
        st.sampled_from([">>> f(1)", "... 2", "In [1]: x", "Out[1]: 1", "    a = 1", "\tb"]),
        st.sampled_from(["Traceback (most recent call last):", '  File "a.py", line 1, in f']),
        st.sampled_from(["ValueError: no", "`f(1)` returns `2` instead of `3`.", "<!--", "-->"]),
        st.sampled_from(["print 1", "x = (", '"""', "é → ∞"]),
    ),
    max_size=30,
)


@given(_LINES)
def test_any_text_can_be_read_and_no_line_is_told_twice(lines: list[str]) -> None:
    report = read_report("\n".join(lines), NOTATION)
    total = sum(len(part.text.split("\n")) for part in report.parts)
    assert total <= len(lines) + 1
    assert all(1 <= part.line <= len(lines) + 1 for part in report.parts)


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    assert read_report(text, NOTATION).parts is not None
