"""Lays down the sample repository and what is judged on it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from evaluator.checkout.git import git as run_git
from evaluator.checkout.git import shielded

BUGS = ("ranges", "roman", "shorten")
WRITERS = ("careful", "hasty")

_DATE = "2026-01-05T12:00:00+00:00"
_SAMPLE = resources.files("evaluator.demo") / "sample"


def lay_sample(directory: Path) -> None:
    """Write the sample into an empty directory: `repository/`, `instances.jsonl`, predictions."""
    repository = directory / "repository"
    base = lay_repository(repository, "tree", "Three functions, three bugs")
    _write_rows(directory / "instances.jsonl", [_instance(bug, base) for bug in BUGS])
    for writer in WRITERS:
        _write_rows(directory / f"{writer}.jsonl", [_prediction(writer, bug) for bug in BUGS])


def lay_repository(directory: Path, tree: str, message: str) -> str:
    """Write a tree of the sample into a new repository, on its branch main; return the commit."""
    directory.mkdir(parents=True)
    for path, content in _files(_SAMPLE.joinpath(tree)):
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    git(directory, "init", "--quiet", "--initial-branch=main")
    commit(directory, message)
    return git(directory, "rev-parse", "HEAD").strip()


def patch(name: str) -> str:
    """One of the sample's patches, by its path within the sample."""
    return _SAMPLE.joinpath(name).read_text(encoding="utf-8")


def commit_patch(repository: Path, branch: str, *names: str) -> None:
    """Commit some of the sample's patches on a branch of their own."""
    git(repository, "checkout", "--quiet", "-B", branch, "main")
    for name in names:
        git(repository, "apply", "-", text=patch(name))
    commit(repository, branch)
    git(repository, "checkout", "--quiet", "main")


def commit(repository: Path, message: str) -> None:
    """Commit everything in the work tree."""
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", message)


def git(repository: Path, *arguments: str, text: str = "") -> str:
    """Run git in the repository with an identity and a date of the sample's own."""
    person = {"NAME": "wordtools", "EMAIL": "wordtools@example.org", "DATE": _DATE}
    roles = ("AUTHOR", "COMMITTER")
    identity = {f"GIT_{role}_{key}": value for role in roles for key, value in person.items()}
    command = ["-C", str(repository), *arguments]
    return run_git(command, {**shielded(), **identity}, given=text.encode()).decode()


def _files(root: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in root.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _files(entry, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield f"{prefix}{entry.name}", entry.read_bytes()


def _instance(bug: str, base: str) -> dict[str, str]:
    return {
        "instance_id": f"demo__wordtools-{bug}",
        "repo": "demo/wordtools",
        "base_commit": base,
        "patch": patch(f"fixes/{bug}.patch"),
        "test_patch": patch(f"instances/{bug}.tests.patch"),
        "problem_statement": patch(f"instances/{bug}.issue.md"),
        "hints_text": "",
        "created_at": _DATE,
        "version": "",
        "FAIL_TO_PASS": "[]",
        "PASS_TO_PASS": "[]",
        "environment_setup_commit": base,
    }


def _prediction(writer: str, bug: str) -> dict[str, str]:
    return {
        "instance_id": f"demo__wordtools-{bug}",
        "model_name_or_path": writer,
        "model_patch": patch(f"predictions/{writer}.{bug}.patch"),
    }


def _write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
