from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bot.demo.simulator import Faults
from bot.demo.simulator.git import Signature, signature_variables
from bot.errors import ConflictError, ForbiddenError, NotFoundError
from bot.github.client import web_url
from tests.github.conftest import Room


def test_files_at_a_reference(room: Room) -> None:
    repository, data = room.repository(write=False), bytes(range(256))
    old = room.head()
    names: dict[str, str | bytes] = {
        "a b/ü#?%.txt": "text",
        "binary": data,
        ".github/fixgate.yml": "",
    }
    room.studio.bob.push("alice/calc", "main", names)
    assert repository.file("a b/ü#?%.txt", "main") == b"text"
    assert repository.file("binary", room.head()) == data
    assert repository.file(".github/fixgate.yml", "main") == b""
    assert repository.file("binary", old) is None
    assert repository.file("nothing", "main") is None
    assert repository.file("docs", "main") is None
    assert repository.file("calc.py", "no-such-branch") is None


def test_a_large_file(room: Room) -> None:
    data = b"0123456789abcdef\n" * 90_000
    room.studio.bob.push("alice/calc", "main", {"large": data})
    assert room.repository().file("large", "main") == data


def test_the_default_branch(room: Room) -> None:
    assert room.repository().default_branch() == "main"


def test_files_are_committed_onto_a_branch(room: Room) -> None:
    head = room.studio.bob.push("alice/calc", "feat/x", {"old.py": "old\n"})
    files = {"tests/test_calc.py": b"def test(): pass\n", "old.py": None, "data.bin": b"\x00\xff"}
    made = room.repository().commit_files("feat/x", head, files, "Add tests")
    repository = room.repository()
    assert repository.file("tests/test_calc.py", "feat/x") == b"def test(): pass\n"
    assert repository.file("data.bin", made) == b"\x00\xff"
    assert repository.file("old.py", "feat/x") is None
    assert repository.file("calc.py", "feat/x") is not None
    assert room.github.repository("alice/calc").git.branches()["feat/x"] == made


def test_files_that_are_executable_stay_so(room: Room) -> None:
    head = room.studio.bob.push("alice/calc", "fix", {"tests/deep/run.sh": "#!/bin/sh\n", "a": "1"})
    tree = room.github.repository("alice/calc").git
    paths = ("tests/deep/run.sh", "a")
    blobs = {path: tree.line("rev-parse", f"{head}:{path}") for path in paths}
    rows = "".join(f"100755 blob {sha}\t{path.rpartition('/')[2]}\n" for path, sha in blobs.items())
    listed = tree.line("mktree", data=rows.encode())
    entries = f"040000 tree {listed}\ttests\n100755 blob {blobs['a']}\ta\n".encode()
    whole = tree.line("mktree", data=entries)
    person = signature_variables(Signature("Bob", "bob@example.org", "2026-01-05T12:00:00+00:00"))
    made = tree.line("commit-tree", whole, "-m", "x", "-p", head, variables=person)
    tree.update("refs/heads/fix", made)
    files = {"tests/run.sh": b"new\n", "a": b"2", "tests/a": None, "tests/b.py": b"", "c/d.py": b""}
    done = room.repository().commit_files("fix", made, files, "Add tests")
    modes = {
        one.path: one.mode for one in tree.entries(done, recursive=True) if one.size is not None
    }
    plain = {"tests/b.py": "100644", "c/d.py": "100644"}
    assert modes == {"tests/run.sh": "100755", "a": "100755", **plain}
    last = room.studio.bob.push("alice/calc", "fix", {"a": "3", "e": "new"})
    modes = {one.path: one.mode for one in tree.entries(last)}
    assert (modes["a"], modes["e"]) == ("100755", "100644")


def test_committing_twice_is_committing_once(room: Room) -> None:
    head = room.studio.bob.push("alice/calc", "fix", {"calc.py": "fixed\n"})
    files = {"tests/test_calc.py": b"def test(): pass\n"}
    first = room.repository().commit_files("fix", head, files, "Add tests")
    assert room.repository().commit_files("fix", head, files, "Add tests") == first
    with pytest.raises(ConflictError):
        room.repository().commit_files("fix", head, files, "Another message")


def test_a_branch_that_moved_is_left_alone(room: Room) -> None:
    head = room.studio.bob.push("alice/calc", "fix", {"calc.py": "fixed\n"})
    newer = room.studio.bob.push("alice/calc", "fix", {"calc.py": "better\n"})
    with pytest.raises(ConflictError, match=f"branch fix is not at {head[:12]} any more"):
        room.repository().commit_files("fix", head, {"t.py": b""}, "Add tests")
    assert room.github.repository("alice/calc").git.branches()["fix"] == newer
    with pytest.raises(NotFoundError):
        room.repository().commit_files("gone", head, {"t.py": b""}, "Add tests")


@pytest.mark.parametrize("seed", [1, 2])
def test_faults_leave_one_commit(room: Room, seed: int) -> None:
    head = room.studio.bob.push("alice/calc", "fix", {"calc.py": "fixed\n"})
    room.github.use(Faults(seed=seed, errors=0.2, dropped=0.1, lost=0.2))
    made = room.repository().commit_files("fix", head, {"t.py": b"x\n"}, "Add tests")
    tree = room.github.repository("alice/calc").git
    assert tree.branches()["fix"] == made
    assert list(tree.revision(made).parents) == [head]


def test_without_the_right_to_write_contents(room: Room) -> None:
    room.github.change_app(
        room.studio.app.app_id, permissions={"contents": "read", "issues": "write"}
    )
    room.studio.alice.accept_permissions(room.studio.installation)
    with pytest.raises(ForbiddenError, match="has not granted contents: write on alice/calc"):
        room.repository().commit_files("main", room.head(), {"t.py": b""}, "Add tests")


def _git(*words: str, variables: dict[str, str], where: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables, "HOME": str(where), "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", *words], cwd=where, env=environment, capture_output=True, text=True, check=False
    )


def test_cloning_leaves_no_token_behind(room: Room, tmp_path: Path) -> None:
    url, variables = room.repository().clone_source()
    assert "ghs_" not in url
    assert "@" not in url
    done = _git("clone", "-q", url, "clone", variables=dict(variables), where=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "clone/calc.py").is_file()
    for path in (tmp_path / "clone/.git").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert b"ghs_" not in data
            assert b"uthorization" not in data
    nobody = _git("clone", "-q", url, "b", variables={"GIT_TERMINAL_PROMPT": "0"}, where=tmp_path)
    assert nobody.returncode != 0


def test_the_clone_token_cannot_push(room: Room, tmp_path: Path) -> None:
    url, variables = room.repository().clone_source()
    _git("clone", "-q", url, "clone", variables=dict(variables), where=tmp_path)
    words = ("-C", "clone", "push", "origin", "HEAD:refs/heads/new")
    assert _git(*words, variables=dict(variables), where=tmp_path).returncode != 0
    assert "new" not in room.github.repository("alice/calc").git.branches()


@pytest.mark.parametrize(
    ("api", "web"),
    [
        ("https://api.github.com", "https://github.com"),
        ("https://api.acme.ghe.com/", "https://acme.ghe.com"),
        ("https://git.acme.example/api/v3", "https://git.acme.example"),
        ("https://git.acme.example:8443/api/v3/", "https://git.acme.example:8443"),
    ],
)
def test_where_the_pages_are(api: str, web: str) -> None:
    assert web_url(api) == web
