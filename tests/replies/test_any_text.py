"""Whatever a model replies is read or refused with a reason, and never takes long."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.diff import apply
from generator.languages.python.test_files import read_test_file
from generator.replies import (
    UnreadableReplyError,
    answer_of,
    apply_edits,
    fences,
    read_calls,
    read_edits,
    read_json_object,
    read_judgement,
    read_patches,
    read_search_replace,
    read_yes_or_no,
)

FILES: Mapping[str, bytes] = {"tests/test_a.py": b"def test_a():\n    assert 1\n"}


def patched(reply: str) -> None:
    for reading in read_patches(reply):
        apply(reading, FILES.get)


def edited(reply: str) -> None:
    apply_edits(read_edits(reply), FILES.get)


def replaced(reply: str) -> None:
    apply_edits(read_search_replace(reply), FILES.get)


READERS: tuple[Callable[[str], object], ...] = (
    patched,
    edited,
    replaced,
    answer_of,
    fences,
    read_calls,
    read_json_object,
    read_judgement,
    read_test_file,
    read_yes_or_no,
)
PIECES = st.sampled_from(
    [
        *("```", "```python\n", "~~~", "\n", "\r\n", " ", "    ", "\0", "\ud800", "é", "yes", "no"),
        *("<file>", "</file>", "<original>", "</original>", "<patched>", "</patched>", "<patch>"),
        *("<think>", "</think>", "</patch>", "<test>", "tests/test_a.py", "../x", "/etc/passwd"),
        *("<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "def test_a():\n", "assert 1\n"),
        *("--- a/tests/test_a.py\n", "+++ b/tests/test_a.py\n", "@@ -1 +1 @@\n", "-x\n", "+y\n"),
        *("diff\n", "insert\n", "EOF\n", "end diff\n", "{", "}", '"revealing"', ":", "true", ","),
        *("search_class(", "'Field'", ")", "get_x(", "<plan>", "class A:\n", "\f", "\u2028"),
    ]
)
REPLIES = st.text(max_size=200) | st.lists(PIECES | st.text(max_size=8), max_size=40).map("".join)


@pytest.mark.parametrize("reader", READERS)
@settings(max_examples=150, deadline=None)
@given(reply=REPLIES)
def test_any_text_is_read_or_refused_with_a_reason(
    reader: Callable[[str], object], reply: str
) -> None:
    with contextlib.suppress(UnreadableReplyError):
        reader(reply)


@pytest.mark.parametrize(
    "piece",
    [
        *("<think>", "<file>", "<original>", "<patched>x", "<", "<<<<<<< SEARCH\n", "a.py\n"),
        *("```", "```python\ndef f(\n", "{", '{"a":', "search_a(", "(", "'", " "),
        *("--- a\n", "diff\nx\ninsert\n", "yes"),
    ],
)
def test_long_replies_are_read_in_little_time(piece: str) -> None:
    reply = piece * (300_000 // len(piece))
    for reader in READERS:
        started = time.process_time()
        with contextlib.suppress(UnreadableReplyError):
            reader(reply)
        assert time.process_time() - started < 5
