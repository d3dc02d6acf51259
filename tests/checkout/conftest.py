"""Real repositories to read from."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

DATE = 1_577_934_245  # 2020-01-02 03:04:05 UTC
_CALM = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
    "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": f"{DATE} +0530",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True)
class Origin:
    """A repository with a work tree."""

    path: Path

    def git(self, *arguments: str, given: bytes | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            input=given,
            capture_output=True,
            check=True,
            env={**os.environ, **_CALM},
        )
        return os.fsdecode(done.stdout).strip()

    def commit(self, files: dict[str, bytes], message: str = "change") -> str:
        for name, content in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_bytes(content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def commit_tree(self, entries: bytes) -> str:
        """A commit of a tree with these `git mktree` lines, whatever they name."""
        tree = self.git("mktree", "--missing", given=entries)
        return self.git("commit-tree", tree, "-m", "crafted")

    def blob(self, content: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", given=content)

    def forget(self, object_id: str) -> None:
        """Delete a loose object."""
        (self.path / ".git" / "objects" / object_id[:2] / object_id[2:]).unlink()


def new_origin(path: Path, *options: str) -> Origin:
    path.mkdir(parents=True)
    origin = Origin(path)
    origin.git("init", "--quiet", "--initial-branch=main", *options)
    return origin


@pytest.fixture
def origin(tmp_path: Path) -> Origin:
    """An empty repository at `here/owner+name/repo`."""
    return new_origin(tmp_path / "here" / "owner+name" / "repo")


class Stuck:
    """Makes a tool hang where it is called with a certain word, after part of its work."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._directory = directory
        directory.mkdir()
        monkeypatch.setenv("PATH", str(directory), prepend=os.pathsep)

    def __call__(self, tool: str, word: str, then: str) -> None:
        real = shutil.which(tool)
        lines = [f'case "$*" in *{word}*) {real} "$@" {then};; *) exec {real} "$@";; esac']
        (self._directory / tool).write_text("\n".join(["#!/bin/sh", *lines, ""]))
        (self._directory / tool).chmod(0o755)

    def free(self) -> None:
        for tool in self._directory.iterdir():
            tool.unlink()


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stuck:
    return Stuck(tmp_path / "stuck", monkeypatch)


@pytest.fixture
def template(origin: Origin) -> str:
    """The template under which `origin` is `owner/name`."""
    return str(origin.path.parent.parent / "{owner}+{name}" / "repo")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"
