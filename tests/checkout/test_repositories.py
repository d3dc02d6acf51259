"""Where repositories are looked for, and what is said when they are not there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.checkout import Repositories
from evaluator.errors import CheckoutError

from .conftest import Origin, new_origin

UNKNOWN = "ab" * 20


def test_the_first_that_has_the_commit_wins(
    origin: Origin, template: str, tmp_path: Path, cache: Path
) -> None:
    old = origin.commit({"a": b"1"})
    shutil.copytree(tmp_path / "here", tmp_path / "earlier")
    new = origin.commit({"a": b"2"})
    earlier = str(tmp_path / "earlier/{owner}+{name}/repo")
    repositories = Repositories([earlier, template], cache)
    assert repositories.find("owner/name", old).git_directory.is_relative_to(tmp_path / "earlier")
    assert repositories.find("owner/name", new).git_directory.is_relative_to(tmp_path / "here")


def test_names_every_place_and_why_it_does_not_do(
    origin: Origin, template: str, tmp_path: Path, cache: Path
) -> None:
    origin.commit({"a": b"1"})
    (tmp_path / "plain").mkdir()
    nowhere, plain = str(tmp_path / "no/{owner}/{name}"), str(tmp_path / "plain")
    with pytest.raises(CheckoutError) as caught:
        Repositories([nowhere, plain, template], cache).find("owner/name", UNKNOWN)
    message = str(caught.value)
    assert message.startswith(f"commit {UNKNOWN} of owner/name is nowhere to be found")
    assert f"{tmp_path}/no/owner/name: no such directory" in message
    assert f"{plain}: not a git repository" in message
    assert f"{origin.path}: commit {UNKNOWN} is not in it" in message
    assert "--repos" in message


def test_without_templates(cache: Path) -> None:
    with pytest.raises(CheckoutError, match="no template is given"):
        Repositories([], cache).find("owner/name", UNKNOWN)


@pytest.mark.parametrize("repo", ["name", "a/b/c", "../b", "a/..", "a/", "/b", "a b/c", "a/.git"])
def test_refuses_what_is_no_repository_name(repo: str, template: str, cache: Path) -> None:
    with pytest.raises(CheckoutError, match="form owner/name"):
        Repositories([template], cache).find(repo, UNKNOWN)


def test_a_url_is_cloned_once_and_works_without_its_origin(
    origin: Origin, template: str, cache: Path
) -> None:
    commit = origin.commit({"a": b"1"})
    url = f"file://{template}"
    assert Repositories([url], cache).find("owner/name", commit).read(commit, "a") == b"1"
    shutil.rmtree(origin.path)
    assert Repositories([url], cache).find("owner/name", commit).read(commit, "a") == b"1"


def test_a_commit_younger_than_the_mirror_is_fetched(
    origin: Origin, template: str, cache: Path
) -> None:
    repositories = Repositories([f"file://{template}"], cache)
    repositories.find("owner/name", origin.commit({"a": b"1"}))
    young = origin.commit({"a": b"2"})
    assert repositories.find("owner/name", young).read(young, "a") == b"2"


def test_a_url_without_the_commit_says_so(origin: Origin, template: str, cache: Path) -> None:
    origin.commit({"a": b"1"})
    with pytest.raises(CheckoutError, match=rf"commit {UNKNOWN} is not in it \("):
        Repositories([f"file://{template}"], cache).find("owner/name", UNKNOWN)


def test_what_a_dataset_calls_a_commit_is_no_option(
    origin: Origin, template: str, cache: Path, tmp_path: Path
) -> None:
    origin.commit({"a": b"1"})
    with pytest.raises(CheckoutError, match="is nowhere to be found"):
        Repositories([f"file://{template}"], cache).find(
            "owner/name", f"--upload-pack=touch {tmp_path / 'ran'};git-upload-pack"
        )
    assert not (tmp_path / "ran").exists()


def test_a_url_that_fails_is_asked_once(origin: Origin, template: str, cache: Path) -> None:
    moved = origin.path.with_name("moved")
    commit = origin.commit({"a": b"1"})
    origin.path.rename(moved)
    repositories = Repositories([f"file://{template}"], cache)
    with pytest.raises(CheckoutError, match="cannot be cloned: "):
        repositories.find("owner/name", commit)
    moved.rename(origin.path)
    with pytest.raises(CheckoutError, match="cannot be cloned: "):
        repositories.find("owner/name", commit)
    assert Repositories([f"file://{template}"], cache).find("owner/name", commit)


def test_an_unknown_host(cache: Path) -> None:
    with pytest.raises(CheckoutError, match=r"https://host.invalid/a/b.git: cannot be cloned: "):
        Repositories(["https://host.invalid/{owner}/{name}.git"], cache).find("a/b", UNKNOWN)


def test_several_processes_clone_once(origin: Origin, template: str, cache: Path) -> None:
    commit = origin.commit({"a": b"1"})
    script = (
        "import sys; from pathlib import Path; from evaluator.checkout import Repositories;"
        "print(Repositories([sys.argv[1]], Path(sys.argv[2])).find('owner/name', sys.argv[3])"
        ".git_directory)"
    )
    command = [sys.executable, "-c", script, f"file://{template}", str(cache), commit]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    told = {process.communicate()[0] for process in processes}
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(told) == 1


def test_local_repositories_are_only_read(
    origin: Origin, template: str, cache: Path, tmp_path: Path
) -> None:
    commit = origin.commit({"a": b"1"})
    before = {path: path.stat().st_mtime_ns for path in origin.path.rglob("*")}
    mirror = Repositories([template], cache).find("owner/name", commit)
    (tmp_path / "tree").mkdir()
    mirror.lay(commit, tmp_path / "tree")
    assert {path: path.stat().st_mtime_ns for path in origin.path.rglob("*")} == before


def test_a_home_directory(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    commit = new_origin(tmp_path / "code/name").commit({"a": b"1"})
    assert Repositories(["~/code/{name}"], cache).find("owner/name", commit)
