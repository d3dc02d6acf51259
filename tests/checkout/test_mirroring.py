"""Mirrors that stand on their own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.checkout import Mirror
from evaluator.checkout.mirroring import lay_mirror
from evaluator.errors import CheckoutError
from tests.waiting import kill_once

from .conftest import Origin, Stuck, new_origin


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "mirrors/owner+name/repo"


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_mirror_outlives_its_source(
    origin: Origin, target: Path, cache: Path, scheme: str
) -> None:
    commits = [origin.commit({"a": b"1"}), origin.commit({"a": b"2"})]
    assert lay_mirror([f"{scheme}{origin.path}"], commits, target, cache)
    shutil.rmtree(origin.path)
    mirror = Mirror.open(target, cache)
    assert [mirror.read(commit, "a") for commit in commits] == [b"1", b"2"]
    check = ["git", "--git-dir", str(target), "fsck", "--strict"]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0
    assert [path.name for path in target.parent.iterdir()] == ["repo"]


def test_what_a_source_borrows_is_copied(
    origin: Origin, target: Path, cache: Path, tmp_path: Path
) -> None:
    commit = origin.commit({"a": b"1"})
    borrower = tmp_path / "borrower"
    origin.git("clone", "--quiet", "--shared", str(origin.path), str(borrower))
    lay_mirror([str(borrower)], [commit], target, cache)
    shutil.rmtree(origin.path)
    assert Mirror.open(target, cache).read(commit, "a") == b"1"


def test_nothing_is_linked_to_the_source(origin: Origin, target: Path, cache: Path) -> None:
    lay_mirror([str(origin.path)], [origin.commit({"a": b"1"})], target, cache)
    assert {path.stat().st_nlink for path in target.rglob("*") if path.is_file()} == {1}


def test_a_complete_mirror_is_kept(origin: Origin, target: Path, cache: Path) -> None:
    commit = origin.commit({"a": b"1"})
    lay_mirror([str(origin.path)], [commit], target, cache)
    shutil.rmtree(origin.path)
    assert not lay_mirror([str(origin.path)], [commit], target, cache)


def test_a_mirror_without_a_new_commit_is_replaced(
    origin: Origin, target: Path, cache: Path
) -> None:
    lay_mirror([str(origin.path)], [origin.commit({"a": b"1"})], target, cache)
    young = origin.commit({"a": b"2"})
    assert lay_mirror([str(origin.path)], [young], target, cache)
    assert Mirror.open(target, cache).read(young, "a") == b"2"
    assert [path.name for path in target.parent.iterdir()] == ["repo"]


def test_the_first_with_all_commits_wins_or_each_says_why(
    origin: Origin, target: Path, cache: Path, tmp_path: Path
) -> None:
    commits = [origin.commit({"a": b"1"})]
    shutil.copytree(origin.path, tmp_path / "behind")
    commits += [origin.commit({"a": b"2"}), origin.commit({"a": b"3"})]
    behind, gone = str(tmp_path / "behind"), str(tmp_path / "gone")
    with pytest.raises(CheckoutError) as caught:
        lay_mirror([gone, behind, f"file://{behind}"], commits, target, cache)
    lacking = f"commit {commits[1]} and 1 more of 3 is not in it"
    assert f"{gone}: no such directory" in str(caught.value)
    assert f"  {behind}: {lacking}" in str(caught.value)
    assert f"  file://{behind}: {lacking}" in str(caught.value)
    assert not target.exists()
    assert lay_mirror([gone, behind, str(origin.path)], commits, target, cache)


def test_a_source_with_a_missing_blob(origin: Origin, target: Path, cache: Path) -> None:
    commit = origin.commit({"a": b"1", "b": b"2"})
    origin.forget(origin.git("rev-parse", f"{commit}:b"))
    lay_mirror([str(origin.path)], [commit], target, cache)
    assert Mirror.open(target, cache).read(commit, "a") == b"1"


def test_sha256(target: Path, cache: Path, tmp_path: Path) -> None:
    origin = new_origin(tmp_path / "sha256", "--object-format=sha256")
    commit = origin.commit({"a": b"1"})
    lay_mirror([str(origin.path)], [commit], target, cache)
    assert Mirror.open(target, cache).read(commit, "a") == b"1"


SCRIPT = """
import sys
from pathlib import Path
from evaluator.checkout.mirroring import lay_mirror
place, commit, target, cache = sys.argv[1:]
lay_mirror([place], [commit], Path(target), Path(cache))
"""


@pytest.mark.parametrize(("scheme", "tool"), [("", "cp"), ("file://", "git")])
def test_a_killed_copy_is_done_again(
    origin: Origin, target: Path, cache: Path, stuck: Stuck, scheme: str, tool: str
) -> None:
    commit = origin.commit({"a": b"1"})
    place = f"{scheme}{origin.path}"
    stuck(tool, "objects" if tool == "cp" else "clone", "; sleep 60")
    command = [sys.executable, "-c", SCRIPT, place, commit, str(target), str(cache)]
    kill_once(command, lambda: any(target.parent.glob(".repo-*/repo/objects/*/*")))
    stuck.free()
    assert not target.exists()
    assert lay_mirror([place], [commit], target, cache)
    assert Mirror.open(target, cache).read(commit, "a") == b"1"
    assert [path.name for path in target.parent.iterdir()] == ["repo"]


def test_several_processes_make_one_mirror(origin: Origin, target: Path, cache: Path) -> None:
    commit = origin.commit({"a": b"1"})
    command = [sys.executable, "-c", SCRIPT, str(origin.path), commit, str(target), str(cache)]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert Mirror.open(target, cache).read(commit, "a") == b"1"
    assert [path.name for path in target.parent.iterdir()] == ["repo"]
