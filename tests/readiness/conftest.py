"""Small repositories, shaped like real ones, and an index that has what they need."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git
from tests.command_line import fixgate
from tests.languages.python.environment.conftest import Index, served

Lay = Callable[[Mapping[str, str]], Path]
Fixgate = Callable[..., subprocess.CompletedProcess[str]]
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture
def index() -> Iterator[Index]:
    packages = Index()
    with served(packages):
        yield packages


@pytest.fixture
def lay(tmp_path: Path) -> Lay:
    """Writes a repository with one commit, or one commit more."""
    repository = tmp_path / "repository"

    def write(files: Mapping[str, str]) -> Path:
        if not repository.is_dir():
            repository.mkdir()
            git(repository, "init", "--quiet", "--initial-branch=main")
        for path, text in files.items():
            file = repository / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text), encoding="utf-8")
        commit(repository, "a commit")
        return repository

    return write


@pytest.fixture
def run(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fixgate:
    """Runs a command of fixgate with a cache of its own and the index on loopback."""
    # The user's uv cache would answer for packages of other tests, which have the same names.
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    shared = ("--sandbox", "process", "--cache", str(tmp_path / "cache"))

    def run(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        place = ("--repo", str(tmp_path / "repository"), "--index-url", f"{index.url}/simple")
        return fixgate([command, *place, *shared, *arguments])

    return run
