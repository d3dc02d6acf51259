"""Comments are taken out of anything, soon."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.java import comments as java
from evaluator.languages.python import comments as python

REPEATED = [
    *(b'"', b"'", b"\\", b'\\"""\n', b'"a\\', b"'\\", b"/*", b"/* *", b"#", b": \n", b"'''\n"),
    b":\n" + b" " * 1_000,
]
"""What keeps a reader busy that looks for the end of each text and comment anew."""
each_language = pytest.mark.parametrize(
    ("without_comments", "more"),
    [(python.without_comments, 2), (java.without_comments, 1)],
    ids=["python", "java"],
)


@each_language
@given(st.binary())
def test_anything_can_be_read(
    without_comments: Callable[[bytes], bytes], more: int, content: bytes
) -> None:
    assert len(without_comments(content)) <= 2 * len(content) + more


@pytest.mark.timeout(20)
@each_language
@pytest.mark.parametrize("repeated", REPEATED)
def test_the_time_is_linear_whatever_stands_there(
    without_comments: Callable[[bytes], bytes], more: int, repeated: bytes
) -> None:
    many = repeated * (1_000_000 // len(repeated))
    for content in (b'"""' + many, many):
        assert len(without_comments(content)) <= 2 * len(content) + more
