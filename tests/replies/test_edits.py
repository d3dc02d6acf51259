from __future__ import annotations

import re

import pytest

from evaluator.languages import is_test_file
from generator.replies import (
    Edit,
    UnreadableReplyError,
    apply_edits,
    read_edits,
    read_search_replace,
)

FILE = b"""\
class TestShapes:
    def test_area(self):
        assert area(2) == 4

    def test_edge(self):
        assert edge(4) == 2
"""
FILES = {"tests/test_shapes.py": FILE, "shapes.py": b"def area(x):\n    return x * x\n"}


def edit(original: str, patched: str, path: str = "tests/test_shapes.py") -> str:
    return f"<file>{path}</file>\n<original>{original}</original>\n<patched>{patched}</patched>\n"


def after(reply: str, path: str = "tests/test_shapes.py") -> str:
    edited = apply_edits(read_edits(reply), FILES.get)
    assert not edited.refused
    return (edited.changes.contents[path] or b"").decode()


GOOD = edit(
    "        assert area(2) == 4", "        assert area(2) == 4\n        assert area(3) == 9"
)


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"# modification 1\n```python\n{GOOD}```\nThis tests it.",
        f"```\n{GOOD}",
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("<file>tests", "<file> `tests").replace("</file>", "` </file>"),
        GOOD.replace("<file>", "<FILE>").replace("</file>", "</FILE>"),
        edit("assert area(2) == 4", "assert area(2) == 4\n        assert area(3) == 9"),
        edit("\nassert area(2)==4\n", "\nassert area(2) == 4\nassert area(3) == 9\n"),
        edit(
            "```python\nassert area(2) == 4\n```",
            "```\nassert area(2) == 4\nassert area(3) == 9\n```",
        ),
        f"```python\n{GOOD.replace('</patched>', '')}```\n",
    ],
)
def test_an_edit_is_made_however_it_is_written(reply: str) -> None:
    expected = FILE.replace(b"== 4\n", b"== 4\n        assert area(3) == 9\n", 1)
    assert after(reply) == expected.decode()


def test_one_file_heads_several_edits_and_each_sees_the_ones_before() -> None:
    second = "<original>assert area(3) == 9</original><patched>assert area(3) == 9.0</patched>"
    assert "area(3) == 9.0\n" in after(GOOD + second)


def test_an_empty_original_makes_a_file_or_adds_to_the_end() -> None:
    code = "def test_new():\n    assert area(0) == 0"
    assert after(edit("", code, "tests/test_new.py"), "tests/test_new.py") == code + "\n"
    assert after(edit("", code)) == FILE.decode() + f"\n\n{code}\n"


def test_markup_that_was_escaped_is_read_as_it_was_meant() -> None:
    source = {"test_x.py": b"assert a < b and b > a\n"}
    reply = edit("assert a &lt; b and b &gt; a", "assert a &lt;= b", "test_x.py")
    assert apply_edits(read_edits(reply), source.get).changes.contents["test_x.py"] == (
        b"assert a <= b\n"
    )


def test_line_ends_and_a_missing_last_one_stay() -> None:
    source = {"test_x.py": b"a = 0\r\na = 1\r\nb = 2"}
    edited = apply_edits([Edit("test_x.py", "b = 2", "b = 3\nc = 4")], source.get)
    assert edited.changes.contents["test_x.py"] == b"a = 0\r\na = 1\r\nb = 3\r\nc = 4"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (edit("assert nothing", "x = 1"), "the original is not in the file"),
        (edit("x", "y", "tests/test_gone.py"), "there is no such file"),
        (edit("x", "y", "../outside.py"), "leaves the tree"),
        (edit("return x * x", "return 0", "shapes.py"), "is not a test file"),
        (edit("assert area(2) == 4", "assert area(2) =="), "no Python any more: .*line 3"),
        (edit("", ""), "it is empty"),
    ],
)
def test_an_edit_that_has_no_place_is_told_and_the_others_are_made(reply: str, reason: str) -> None:
    edited = apply_edits(read_edits(reply + GOOD), FILES.get, keep=is_test_file)
    (told,) = edited.refused
    assert re.search(reason, told)
    assert list(edited.changes.contents) == ["tests/test_shapes.py"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "is empty"),
        ("I would add a test.", "holds no edit"),
        ("<file>a.py</file> and then some", "names a file, and no <original>"),
        ("<file>a.py</file><patched>x</patched>", "no <original> part before"),
        ("<original>x</original><patched>y</patched>", "names no file"),
        ("<file>a.py</file><original>x</original>", "no <patched> part after"),
        (GOOD.removesuffix("</patched>\n"), "cut off: a <patched> part"),
    ],
)
def test_what_is_no_edit_is_refused_with_the_reason(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReplyError, match=reason):
        read_edits(reply)


SEARCH = """\
tests/test_shapes.py
```python
<<<<<<< SEARCH
        assert area(2) == 4
=======
        assert area(2) == 4
        assert area(3) == 9
>>>>>>> REPLACE
```
"""


@pytest.mark.parametrize(
    "reply",
    [
        SEARCH,
        f"I add a line.\n\n{SEARCH}\nThat is all.",
        SEARCH.replace("tests/test_shapes.py\n```python", "```python\ntests/test_shapes.py"),
        SEARCH.replace("tests/test_shapes.py\n", "### `tests/test_shapes.py`\n\n"),
        SEARCH.replace("```python\n", "").replace("```\n", ""),
        SEARCH.replace("\n", "\r\n"),
    ],
)
def test_search_and_replace_is_read_however_it_is_wrapped(reply: str) -> None:
    (only,) = read_search_replace(reply)
    assert only.path == "tests/test_shapes.py"
    assert only.original == "        assert area(2) == 4"
    assert only.patched.endswith("\n        assert area(3) == 9")


def test_a_second_block_is_for_the_same_file_and_an_empty_search_makes_one() -> None:
    new = "<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n"
    assert [e.path for e in read_search_replace(SEARCH + new)] == ["tests/test_shapes.py"] * 2
    assert read_search_replace("test_new.py\n" + new) == (Edit("test_new.py", "", "x = 1"),)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("no block", "holds no SEARCH/REPLACE"),
        ("<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE", "no file's name"),
        ("a.py\n<<<<<<< SEARCH\nx\n=======\ny\n", "no >>>>>>> REPLACE"),
        ("a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n=======\n", "no ======="),
    ],
)
def test_a_damaged_search_is_refused_with_the_reason(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReplyError, match=reason):
        read_search_replace(reply)
