"""Real git repositories to make patches with."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

_CALM = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True)
class Repository:
    """A repository with a work tree."""

    path: Path

    def git(self, *arguments: str, given: bytes | None = None) -> bytes:
        command = ["git", *arguments]
        environment = {**os.environ, **_CALM}
        done = subprocess.run(
            command, cwd=self.path, input=given, capture_output=True, check=False, env=environment
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def commit(self, files: dict[str, bytes]) -> None:
        """Make the work tree hold just these files, and commit it."""
        self.git("rm", "-r", "--force", "--quiet", "--ignore-unmatch", ".")
        for name, content in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_bytes(content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "change")

    def diff(self, *options: str) -> str:
        """The diff of the last commit."""
        return self.git("diff", *options, "HEAD~1", "HEAD").decode("utf-8", "surrogateescape")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "repository")
    repository.path.mkdir()
    repository.git("init", "--quiet")
    return repository
