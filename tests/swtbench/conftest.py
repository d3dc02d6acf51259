"""Rows as SWE-bench has them, and what is said about bad ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.swtbench.dataset import load_instances

Row = dict[str, object]
Write = Callable[..., Path]


def diff_of(*paths: str) -> str:
    return "".join(
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n"
        for path in paths
    )


CODE = diff_of("src/thing.py")
TESTS = diff_of("tests/test_thing.py")


def row(number: int = 1, /, **fields: object) -> Row:
    return {
        "instance_id": f"owner__name-{number}",
        "repo": "owner/name",
        "base_commit": f"{number:040x}",
        "patch": CODE,
        "test_patch": TESTS,
        **fields,
    }


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes rows as JSON Lines; a row may be given as raw bytes."""

    def write(*rows: Row | bytes, name: str = "rows.jsonl") -> Path:
        lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in rows]
        path = tmp_path / name
        path.write_bytes(b"\n".join(lines) + b"\n")
        return path

    return write


def refused(path: Path) -> list[str]:
    """The lines of the error, the first without the path."""
    with pytest.raises(InputError) as caught:
        load_instances(str(path))
    message = str(caught.value)
    assert message.startswith(str(path))
    return [line.strip() for line in message.removeprefix(str(path)).splitlines()]


def problem(path: Path) -> str:
    """The one problem that is found."""
    head, only = refused(path)
    assert head == ": 1 problem found; mend or remove the rows"
    return only
