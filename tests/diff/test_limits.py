"""Patches that are made to keep fixgate busy are refused or done with soon, and told why."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from coverage import Coverage

from evaluator.diff import LARGEST_PATCH, apply

SAME = b"x = 1\n" * 20_000
HUNKS = "--- a/x.py\n+++ b/x.py\n"
MANY = 15_000

EVIL: dict[str, Callable[[], str]] = {
    "hunks that fit nowhere": lambda: HUNKS + "@@ -1,3 +1,4 @@\n x = 1\n x = 2\n+y\n" * MANY,
    "hunks for one place": lambda: HUNKS + "@@ -9999 +1,2 @@\n x = 1\n+y\n" * MANY,
    "a hunk that nearly fits": lambda: (
        f"{HUNKS}@@ @@\n{' x = 1' * 1}\n" + " x = 1\n" * 19_999 + "-x = 2\n"
    ),
    "headings": lambda: HUNKS + "@@ def nothing():\n x = 1\n x = 2\n" * MANY,
    "headers alone": lambda: "@@\n" * 100_000,
    "file lines alone": lambda: "diff --git a/x b/x\n" * 30_000,
    "a long quoted name": lambda: 'diff --git "' + "\\" * 1_000_000 + '" b/x\n',
    "a long number": lambda: f"{HUNKS}@@ -{'1' * 1_000_000} +1 @@\n-x\n",
    "spaces": lambda: f"diff --git {' ' * 1_000_000}\n",
    "blank lines": lambda: "\n" * 400_000,
    "blocks on a large file": lambda: "diff\nx.py\nrewrite\n1\ndef f(): 0\nend diff\n" * 2_000,
    "blocks without an end": lambda: "diff\nx.py\ninsert\nEOF\n" * 20_000,
    "nested code": lambda: f"diff\nx.py\ninsert\nEOF\n{'(' * 500_000}\nend diff\n",
    "deep code": lambda: f"diff\nx.py\ninsert\nEOF\nx = {'-' * 50_000}1\nend diff\n",
    "a binary of a terabyte": lambda: (
        "diff --git a/x b/x\nGIT binary patch\nliteral 999999999999\nzcm\n"
    ),
}


@pytest.mark.skipif(Coverage.current() is not None, reason="tracing takes longer than the work")
@pytest.mark.parametrize("kind", EVIL)
def test_evil_patches_end_soon(kind: str) -> None:
    text = EVIL[kind]()
    started = time.process_time()
    application = apply(text, {"x.py": SAME}.get)
    assert time.process_time() - started < 20
    assert not application.well_formed or kind == "blocks on a large file"
    assert all(part.reason for part in application.parts if not part.applied)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("+" * 50_000_000, "the patch has 50000000 characters; at most 10000000 are read"),
        ("+\n" * 1_000_000, "the patch has 1000000 lines; at most 500000 are read"),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n" * 20_001, "the diff touches 20001 files; at most 20000"),
    ],
)
def test_a_patch_that_is_too_large_is_refused_with_the_limit(text: str, reason: str) -> None:
    application = apply(text, {"x.py": SAME}.get)
    assert [part.reason for part in application.parts] == [reason]
    assert not application.well_formed


def test_a_bomb_in_a_binary_patch_is_not_unpacked() -> None:
    import base64
    import zlib

    packed = zlib.compress(b"\0" * 100_000_000, 9)
    rows = [packed[at : at + 52] for at in range(0, len(packed), 52)]
    lines = [
        chr(len(r) + (64 if len(r) < 27 else 70)) + base64.b85encode(r, pad=True).decode()
        for r in rows
    ]
    patch = (
        "diff --git a/x b/x\nindex 0..1\nGIT binary patch\nliteral 10\n" + "\n".join(lines) + "\n\n"
    )
    assert len(patch) < LARGEST_PATCH
    application = apply(patch, {"x": b"x"}.get)
    assert "does not inflate to the 10 bytes" in application.parts[0].reason


def test_a_patch_near_the_limit_is_applied() -> None:
    lines = 250_000
    patch = (
        f"--- /dev/null\n+++ b/tests/x.py\n@@ -0,0 +1,{lines} @@\n"
        + "+abcdefghijklmnopqrstuvwxyz\n" * lines
    )
    application = apply(patch, lambda path: None)
    assert application.well_formed
    assert len(application.changes.contents["tests/x.py"] or b"") == 27 * lines
