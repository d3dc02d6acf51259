"""Commits that no decent git client makes, built from git's own objects."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.demo.simulator.git import Signature, Tree, signature_variables

PERSON = Signature("Mallory", "mallory@example.org", "2026-01-06T12:00:00+00:00")


@dataclass(frozen=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True)
class Executable:
    """A file that may be run."""

    content: str


@dataclass(frozen=True)
class Submodule:
    """A commit of another repository."""

    commit: str


@dataclass(frozen=True)
class Hidden:
    """A file in a directory at the root that git would never add, such as `.git`."""

    content: str


Content = str | bytes | Link | Executable | Submodule | Hidden | None


def committed(git: Tree, branch: str, entries: Mapping[str, Content]) -> str:
    """A commit on top of `main` with these files changed (None: deleted), as a new branch."""
    with tempfile.TemporaryDirectory() as directory:
        index = {"GIT_INDEX_FILE": str(Path(directory, "index"))}
        git.run("read-tree", "main", variables=index)
        rows = (_row(git, p, c) for p, c in entries.items() if not isinstance(c, Hidden))
        git.run("update-index", "-z", "--add", "--index-info", data=b"".join(rows), variables=index)
        whole = git.line("write-tree", variables=index)
    for path, content in entries.items():
        if isinstance(content, Hidden):
            whole = _with_hidden(git, whole, path, content)
    commit = git.line(
        "commit-tree", whole, "-p", "main", "-m", "Fix", variables=signature_variables(PERSON)
    )
    git.update(f"refs/heads/{branch}", commit)
    return commit


def _row(git: Tree, path: str, content: Content) -> bytes:
    match content:
        case None:
            mode, sha = "0", "0" * 40
        case Link(target):
            mode, sha = "120000", _blob(git, target)
        case Executable(content):
            mode, sha = "100755", _blob(git, content)
        case Submodule(commit):
            mode, sha = "160000", commit
        case str() | bytes():
            mode, sha = "100644", _blob(git, content)
    return f"{mode} {sha}\t{path}\0".encode()


def _with_hidden(git: Tree, whole: str, path: str, hidden: Hidden) -> str:
    directory, _, name = path.partition("/")
    row = f"100755 blob {_blob(git, hidden.content)}\t{name}\n"
    inner = git.line("mktree", data=row.encode())
    listed = git.run("ls-tree", whole).decode() + f"040000 tree {inner}\t{directory}\n"
    return git.line("mktree", data=listed.encode())


def _blob(git: Tree, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return git.line("hash-object", "-w", "--stdin", data=data)
