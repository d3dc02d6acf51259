"""What git writes is applied as git would apply it, on contents and on disk."""

from __future__ import annotations

import os
import random
import stat
from pathlib import Path
from typing import Any

import pytest

from evaluator.diff import apply, tree_source, write

LONG = b"".join(b"line %d\n" % number for number in range(40))
CHANGED = LONG.replace(b"line 20\n", b"line twenty\n")
NOISE = random.Random(7).randbytes(5_000)

STEPS: dict[str, tuple[dict[str, bytes], dict[str, bytes]]] = {
    "new file": ({}, {"a.py": LONG}),
    "new empty file": ({}, {"pkg/__init__.py": b""}),
    "deleted file": ({"a.py": LONG}, {}),
    "deleted empty file": ({"a.py": b""}, {}),
    "changed file": ({"a.py": LONG}, {"a.py": CHANGED}),
    "renamed file": ({"a.py": LONG}, {"deep/b.py": LONG}),
    "renamed and changed file": ({"a.py": LONG}, {"b.py": CHANGED}),
    "file in place of a directory": ({"a/b.py": LONG}, {"a": b"other\n"}),
    "directory in place of a file": ({"a": b"other\n"}, {"a/b.py": LONG}),
    "swapped files": ({"a": LONG, "b": NOISE}, {"a": NOISE, "b": LONG}),
    "copied file": ({"a.py": LONG}, {"a.py": CHANGED, "b.py": LONG}),
    "carriage returns": ({"a.py": LONG.replace(b"\n", b"\r\n")}, {"a.py": LONG}),
    "mixed endings": ({"a": b"a\r\nb\nc\r\n"}, {"a": b"a\r\nB\r\nc\r\n"}),
    "no newline before": ({"a.py": LONG[:-1]}, {"a.py": LONG}),
    "no newline after": ({"a.py": LONG}, {"a.py": LONG[:-1]}),
    "no newline on both sides": ({"a.py": LONG[:-1]}, {"a.py": b"more\n" + LONG[:-1]}),
    "Unicode path": ({}, {"tests/prüfung/日本.py": LONG}),
    "renamed to Unicode": ({"a.py": LONG}, {"tests/ü.py": CHANGED}),
    "odd paths": ({}, {'a "quoted"\tname.py': LONG, "with space/b c.py": LONG, "a\\b": b"x\n"}),
    "path that is not UTF-8": ({}, {os.fsdecode(b"caf\xe9.py"): LONG}),
    "content that is not UTF-8": ({"a": b"caf\xe9\nx\ny\n"}, {"a": b"caf\xe9\nx\nz\xff\n"}),
    "form feeds and separators": ({"a": b"a\x0cb\x1d\nc\n"}, {"a": b"a\x0cb\x1d\nd\xe2\x80\xa8\n"}),
    "lone carriage return": ({"a": b"a\rb\nc\n"}, {"a": b"a\rb\nd\r\n"}),
    "new binary file": ({}, {"a.bin": NOISE}),
    "deleted binary file": ({"a.bin": NOISE}, {}),
    "changed binary file": ({"a.bin": NOISE}, {"a.bin": NOISE[:2_500] + b"\0!" + NOISE[2_500:]}),
    "binary file made empty": ({"a.bin": NOISE}, {"a.bin": b""}),
    "renamed binary file": ({"a.bin": NOISE}, {"b.bin": NOISE + b"\0"}),
    "lines that look like headers": (
        {"a.sql": b"-- a\n+++ b\n@@ -1 +1 @@\ndiff --git a/x b/x\n"},
        {"a.sql": b"-- b\n+++ b\n--- c\n+++ d\n@@ -1 +1 @@\n```\n"},
    ),
}
OPTIONS = [
    (),
    ("--no-prefix",),
    ("--unified=0",),
    ("--function-context",),
    ("--full-index",),
    ("-B",),
]


@pytest.mark.parametrize("step", STEPS)
def test_contents_equal_those_of_the_commit(repository: Any, tmp_path: Path, step: str) -> None:
    before, after = STEPS[step]
    repository.commit(before)
    repository.commit(after)
    for options in OPTIONS:
        patch = repository.diff("--binary", "--find-renames", "--find-copies", *options)
        application = apply(patch, before.get)
        assert application.well_formed, application.parts
        assert application.relaxations == ()
        source = application.changes.overlaid(before.get)
        assert {path: source(path) for path in {*before, *after}} == {
            path: after.get(path) for path in {*before, *after}
        }


@pytest.mark.parametrize("step", STEPS)
def test_a_tree_on_disk_becomes_the_tree_of_the_commit(
    repository: Any, tmp_path: Path, step: str
) -> None:
    before, after = STEPS[step]
    repository.commit(before)
    repository.commit(after)
    patch = repository.diff("--binary", "--find-renames", "--find-copies")
    repository.git("checkout", "--quiet", "HEAD~1")
    application = apply(patch, tree_source(repository.path))
    write(application.changes, repository.path)
    repository.git("add", "--all")
    assert repository.git("diff", "--cached", "--raw", "master") == b""


def test_modes_are_written(repository: Any) -> None:
    files = {"run.sh": b"#!/bin/sh\n", "plain.sh": b"x\n", "kept.sh": b"y\n"}
    repository.commit(files)
    (repository.path / "plain.sh").chmod(0o755)
    (repository.path / "kept.sh").chmod(0o755)
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--amend", "-m", "x")
    (repository.path / "run.sh").chmod(0o755)
    (repository.path / "plain.sh").chmod(0o644)
    (repository.path / "kept.sh").write_bytes(b"changed\n")
    (repository.path / "new.sh").write_bytes(b"#!/bin/sh\n")
    (repository.path / "new.sh").chmod(0o755)
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "-m", "modes")
    patch = repository.diff()
    repository.git("checkout", "--quiet", "HEAD~1")
    application = apply(patch, tree_source(repository.path))
    assert application.well_formed
    assert application.changes.executable >= {"run.sh", "new.sh"}
    write(application.changes, repository.path)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in repository.path.glob("*.sh")}
    assert modes == {"run.sh": 0o755, "new.sh": 0o755, "kept.sh": 0o755, "plain.sh": 0o644}
    repository.git("add", "--all")
    assert repository.git("diff", "--cached", "--raw", "master") == b""


@pytest.mark.parametrize("seed", range(8))
def test_random_edits_of_a_large_file(repository: Any, seed: int) -> None:
    chance = random.Random(seed)
    old = [f"{chance.choice('abc')} {number // 3}\n" for number in range(400)]
    new = list(old)
    for _ in range(12):
        at = chance.randrange(len(new))
        new[at : at + chance.randrange(3)] = ["added\n"] * chance.randrange(3)
    before, after = {"a": "".join(old).encode()}, {"a": "".join(new).encode()}
    repository.commit(before)
    repository.commit(after)
    patch = repository.diff(f"--unified={seed % 4}")
    application = apply(patch, before.get)
    assert (application.changes.contents, application.relaxations) == (after, ())
    lines = apply(patch, before.get).lines
    kept_old = [text for n, text in enumerate(old, 1) if n not in lines.removed.get("a", {})]
    kept_new = [text for n, text in enumerate(new, 1) if n not in lines.added.get("a", {})]
    assert kept_old == kept_new
    assert all(new[n - 1] == f"{text}\n" for n, text in lines.added.get("a", {}).items())
    assert all(old[n - 1] == f"{text}\n" for n, text in lines.removed.get("a", {}).items())


def test_a_binary_delta_for_another_content_is_refused(repository: Any) -> None:
    step = STEPS["changed binary file"]
    for files in step:
        repository.commit(files)
    patch = repository.diff("--binary")
    assert "delta" in patch
    application = apply(patch, {"a.bin": NOISE[::-1]}.get)
    assert not application.well_formed
    assert "binary" in application.parts[0].reason
