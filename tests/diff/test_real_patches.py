"""Patches of the benchmark: golden ones, predictions, fixes and raw replies of models."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from unidiff.patch import PatchSet

from evaluator.diff import Source, apply, split
from evaluator.languages import is_test_file
from tests.mirrors import SWE_BENCH, mirror_of

# Helpers that a package ships for testing and that golden tests change: code by their path.
SHIPPED_HELPERS = {
    "django/test/testcases.py",
    "sphinx/testing/util.py",
    "sympy/testing/quality_unicode.py",
}
EVERY = 12


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def instances(data: Path) -> dict[str, dict[str, Any]]:
    found = [row for name in ("lite", "verified") for row in rows(data / f"{name}_dev.jsonl")]
    return {row["instance_id"]: row for row in found}


class Blobs:
    """Files of commits, through one `git cat-file` a repository."""

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def source(self, repo: str, commit: str) -> Source:
        def read(path: str) -> bytes | None:
            process = self._process(repo)
            assert process.stdin
            assert process.stdout
            process.stdin.write(f"{commit}:{path}\n".encode())
            process.stdin.flush()
            header = process.stdout.readline().split()
            if header[-1] == b"missing":
                return None
            content = process.stdout.read(int(header[2]) + 1)[:-1]
            return content if header[1] == b"blob" else None

        return read

    def _process(self, repo: str) -> subprocess.Popen[bytes]:
        if repo not in self._running:
            command = ["git", "--git-dir", str(mirror_of(repo)), "cat-file", "--batch"]
            self._running[repo] = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        return self._running[repo]

    def close(self) -> None:
        for process in self._running.values():
            process.communicate()


@pytest.fixture
def blobs() -> Iterator[Blobs]:
    blobs = Blobs()
    yield blobs
    blobs.close()


def applied_by_git(
    patch: str, source: Source, paths: Sequence[str], place: Path
) -> dict[str, bytes | None]:
    for path in paths:
        content = source(path)
        if content is not None:
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
    given = patch.rstrip("\n") + "\n"
    subprocess.run(["git", "apply", "-"], cwd=place, input=given.encode(), check=True)
    return {
        path: (place / path).read_bytes() if (place / path).exists() else None for path in paths
    }


@pytest.mark.dataset
@pytest.mark.mirrors(*SWE_BENCH)
def test_golden_patches_apply_as_git_applies_them(
    instances: dict[str, dict[str, Any]], blobs: Blobs, tmp_path: Path
) -> None:
    for row in list(instances.values())[::EVERY]:
        source = blobs.source(row["repo"], row["base_commit"])
        for field in ("patch", "test_patch"):
            application = apply(row[field], source)
            assert application.well_formed, (row["instance_id"], application.parts)
            # Some patches of the dataset were made against a commit beside the base.
            assert all(": shifted by " in said for said in application.relaxations)
            place = tmp_path / row["instance_id"] / field
            place.mkdir(parents=True)
            paths = list(application.changes.contents)
            assert application.changes.contents == applied_by_git(row[field], source, paths, place)


@pytest.mark.dataset
@pytest.mark.mirrors(*SWE_BENCH)
def test_changed_lines_of_golden_patches_stand_where_they_are_said_to(
    instances: dict[str, dict[str, Any]], blobs: Blobs
) -> None:
    for row in list(instances.values())[::EVERY]:
        source = blobs.source(row["repo"], row["base_commit"])
        fixed = apply(row["patch"], source).changes.overlaid(source)
        lines = apply(row["patch"], source).lines
        counted = PatchSet(row["patch"])
        assert sum(map(len, lines.removed.values())) == counted.removed
        assert sum(map(len, lines.added.values())) == counted.added
        for side, read in ((lines.removed, source), (lines.added, fixed)):
            for path, numbered in side.items():
                text = (read(path) or b"").decode().split("\n")
                assert all(text[number - 1] == said for number, said in numbered.items())


@pytest.mark.dataset
def test_golden_patches_tell_tests_from_code(instances: dict[str, dict[str, Any]]) -> None:
    for row in instances.values():
        assert split(row["patch"], is_test_file).test_files == ()
        assert split(row["patch"], is_test_file).code == row["patch"]
        parts = split(row["test_patch"], is_test_file)
        assert set(parts.code_files) <= SHIPPED_HELPERS
        assert parts.test_files


@pytest.mark.dataset
@pytest.mark.mirrors(*SWE_BENCH)
@pytest.mark.parametrize(
    ("name", "every"),
    [
        ("predictions_frontier_lite_dev.jsonl", 4),
        ("predictions_with_reference_verdicts_dev.jsonl", 15),
        ("fixes_dev.jsonl", 9),
    ],
)
def test_predictions_and_fixes_apply_or_say_why_not(
    instances: dict[str, dict[str, Any]], blobs: Blobs, data: Path, name: str, every: int
) -> None:
    keep = None if name.startswith("fixes") else is_test_file
    for row in rows(data / name)[::every]:
        instance = instances[row["instance_id"]]
        source = blobs.source(instance["repo"], instance["base_commit"])
        application = apply(row["model_patch"], source, keep=keep)
        touches_tests = bool(split(row["model_patch"], is_test_file).tests) or keep is None
        known_misfit = row["instance_id"] == "django__django-11999"
        assert application.well_formed == (touches_tests and not known_misfit), application.parts
        assert application.relaxations == ()


@pytest.mark.dataset
def test_raw_replies_without_a_diff_are_not_well_formed(data: Path) -> None:
    for row in rows(data / "model_replies_dev.jsonl"):
        application = apply(row["reply"], lambda path: None)
        assert (application.format, application.well_formed) == ("none", False)
        assert "neither a unified diff nor a block" in application.parts[0].reason
