"""Real git, over HTTP."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.demo.simulator.conftest import FILES, Studio

_ALONE = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
    "NO_PROXY": "127.0.0.1",
}


def _git(*arguments: str | Path, where: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **_ALONE}
    command = ["git", *map(str, arguments)]
    return subprocess.run(
        command, cwd=where, env=environment, capture_output=True, text=True, check=False
    )


def _url(studio: Studio, token: str = "", name: str = "alice/calc") -> str:
    secret = f"x-access-token:{token}@" if token else ""
    return f"{studio.github.web_url.replace('://', f'://{secret}')}/{name}.git"


def test_clone_and_push_with_a_token(studio: Studio, tmp_path: Path) -> None:
    url = _url(studio, studio.token(permissions={"contents": "write"}))
    assert _git("clone", "-q", url, "work", where=tmp_path).returncode == 0
    work = tmp_path / "work"
    assert Path(work, "calc.py").read_text() == FILES["calc.py"]
    Path(work, "new.py").write_text("x = 1\n" * 500_000)
    _git("checkout", "-q", "-b", "tests", where=work)
    _git("add", ".", where=work)
    _git("commit", "-q", "-m", "Add tests", where=work)
    pushed = _git("push", "-q", "origin", "tests", where=work)
    assert pushed.returncode == 0, pushed.stderr
    head = _git("rev-parse", "HEAD", where=work).stdout.strip()
    assert studio.github.repository("alice/calc").git.branches()["tests"] == head
    studio.github.settle()
    push = studio.receiver.named("push")[0].payload
    assert (push["after"], push["created"]) == (head, True)
    assert push["sender"]["login"] == "fixgate[bot]"


def test_a_push_moves_the_pull(studio: Studio, tmp_path: Path) -> None:
    number = studio.pull()
    _git("clone", "-q", "-b", "fix", _url(studio, studio.token()), "work", where=tmp_path)
    work = tmp_path / "work"
    _git("commit", "-q", "--allow-empty", "-m", "again", where=work)
    assert _git("push", "-q", where=work).returncode == 0
    head = _git("rev-parse", "HEAD", where=work).stdout.strip()
    assert studio.repo().get_pull(number).head.sha == head
    studio.github.settle()
    assert studio.receiver.named("pull_request", "synchronize")[0].payload["after"] == head


def test_pulls_of_forks_are_fetched_from_the_base(studio: Studio, tmp_path: Path) -> None:
    studio.github.grant("alice/calc", "eve", "read")
    fork = studio.eve.fork("alice/calc")
    head = studio.eve.push(fork, "idea", {"calc.py": "\n"})
    number = studio.eve.open_pull("alice/calc", "idea", "Idea", fork=fork)
    url = _url(studio, studio.token(permissions={"contents": "read"}))
    _git("init", "-q", where=tmp_path)
    refs = [f"refs/pull/{number}/{side}:refs/pulls/{side}" for side in ("head", "merge")]
    fetched = _git("fetch", "-q", "--depth=2", url, *refs, where=tmp_path)
    assert fetched.returncode == 0, fetched.stderr
    assert _git("rev-parse", "refs/pulls/head", where=tmp_path).stdout.strip() == head
    parents = _git("log", "-1", "--format=%P", "refs/pulls/merge", where=tmp_path).stdout.split()
    assert parents[1] == head
    by_name = _git("fetch", "-q", url, head, where=tmp_path)
    assert by_name.returncode == 0, by_name.stderr


def test_who_is_refused(studio: Studio, tmp_path: Path) -> None:
    private = _git("ls-remote", _url(studio), where=tmp_path)
    assert "could not read Username" in private.stderr
    wrong = _git("ls-remote", _url(studio, "ghs_wrong"), where=tmp_path)
    assert "Authentication failed" in wrong.stderr
    blind = _url(studio, studio.token(permissions={"issues": "read"}))
    assert "not found" in _git("ls-remote", blind, where=tmp_path).stderr
    nothing = _url(studio, studio.token(), "alice/nothing")
    assert "not found" in _git("ls-remote", nothing, where=tmp_path).stderr


def test_reading_is_not_pushing(studio: Studio, tmp_path: Path) -> None:
    url = _url(studio, studio.token(permissions={"contents": "read"}))
    _git("clone", "-q", url, "work", where=tmp_path)
    _git("commit", "-q", "--allow-empty", "-m", "x", where=tmp_path / "work")
    refused = _git("push", "-q", "origin", "HEAD:refs/heads/x", where=tmp_path / "work")
    assert "403" in refused.stderr
    assert "x" not in studio.github.repository("alice/calc").git.branches()


def test_the_references_of_pulls_cannot_be_pushed(studio: Studio, tmp_path: Path) -> None:
    number = studio.pull()
    _git("clone", "-q", _url(studio, studio.token()), "work", where=tmp_path)
    forced = f"+HEAD:refs/pull/{number}/head"
    refused = _git("push", "-q", "origin", forced, where=tmp_path / "work")
    assert refused.returncode != 0


def test_public_repositories_are_open(studio: Studio, tmp_path: Path) -> None:
    studio.github.add_repository("eve/open", {"a": "b"}, private=False)
    assert _git("clone", "-q", _url(studio, name="eve/open"), where=tmp_path).returncode == 0
    assert Path(tmp_path, "open/a").read_text() == "b"
    _git("commit", "-q", "--allow-empty", "-m", "x", where=tmp_path / "open")
    assert _git("push", "-q", where=tmp_path / "open").returncode != 0
