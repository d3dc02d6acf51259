"""Submodules that a mirror is given, from a simulated GitHub."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path

import pytest

from bot.demo.simulator import Faults
from bot.jobs import submodules as submodules_module
from bot.jobs.mirrors import Mirrors
from bot.jobs.submodules import public_source
from evaluator.checkout.mirror import Mirror
from evaluator.checkout.submodules import submodules
from tests.demo.simulator.conftest import receiver, studio
from tests.gitlinks import Gitlinks, described
from tests.queue.test_run import job

__all__ = ["job", "receiver", "studio"]

CALC, CASES = "alice/calc", "alice/cases"
OWN = "https://github.com/alice/calc.git"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("https://github.com/bob/cases.git", "https://github.com/bob/cases.git"),
        ("https://GitHub.com/bob/cases/", "https://github.com/bob/cases.git"),
        ("https://bob:secret@github.com/bob/cases", "https://github.com/bob/cases.git"),
        ("http://github.com/bob/cases", "https://github.com/bob/cases.git"),
        ("git://github.com/bob/cases.js.git", "https://github.com/bob/cases.js.git"),
        ("git@github.com:bob/cases.git", "https://github.com/bob/cases.git"),
        ("ssh://git@github.com:22/bob/cases.git", "https://github.com/bob/cases.git"),
        ("../cases.git", "https://github.com/alice/cases.git"),
        ("../../bob/cases", "https://github.com/bob/cases.git"),
        ("./", "https://github.com/alice/calc.git"),
        ("../../../bob/cases", ""),
        ("https://gitlab.com/bob/cases.git", ""),
        ("https://github.com.evil.org/bob/cases.git", ""),
        ("https://github.com@evil.org/bob/cases.git", ""),
        ("https://evil.org/?https://github.com/bob/cases", ""),
        ("git@evil.org:github.com:bob/cases.git", ""),
        ("http://169.254.169.254/latest/meta-data", ""),
        ("file:///etc/cases", ""),
        ("/etc/cases", ""),
        ("ext::sh -c id", ""),
        ("--upload-pack=id", ""),
        ("https://github.com/bob/cases/tree/main", ""),
        ("https://github.com/bob/.git", ""),
        ("https://github.com/bob/cases\n", ""),
        ("", ""),
    ],
)
def test_only_repositories_of_the_same_github_are_asked(text: str, source: str) -> None:
    assert public_source(text, OWN) == source


def test_a_github_on_a_host_of_its_own() -> None:
    own = "https://git.example.org:8443/alice/calc.git"
    assert public_source("git@git.example.org:bob/cases.git", own) == (
        "https://git.example.org:8443/bob/cases.git"
    )
    assert public_source("https://github.com/bob/cases.git", own) == ""


class Calc:
    """The repository alice/calc, to whose branch `main` submodules are added, and its mirror."""

    def __init__(self, job, folder: Path) -> None:
        self.folder = folder
        self.links = Gitlinks(job.github.repository(CALC).git.path, folder / "index")
        self.repository = job.services.github.repository(job.place.installation, CALC)
        self.mirrors = Mirrors(folder / "mirrors", sleep=lambda _: None)
        self.modules = folder / "mirrors" / "alice+calc" / "modules"

    def add(self, text: str | None = None, /, **places: tuple[str, str]) -> str:
        """Commit submodules by their paths, each with its URL and commit; or what text says."""
        urls = {path: url for path, (url, _) in places.items()}
        commits = {path: commit for path, (_, commit) in places.items()}
        return self.links.add(described(urls) if text is None else text, commits)

    def brought(self, commit: str) -> dict[str, str]:
        """The submodules that the mirror has after fetching, by path."""
        self.mirrors.fetch(self.repository, CALC, ["refs/heads/main"])
        self.mirrors.fetch_submodules(self.repository, CALC, commit, self.folder)
        return self.there(commit)

    def there(self, commit: str) -> dict[str, str]:
        """The submodules that the mirror has, by path."""
        found = submodules(Mirror.open(self.modules.parent, self.folder), commit)
        return {each.path: each.commit for each in found}


@pytest.fixture
def calc(job, tmp_path: Path) -> Calc:
    return Calc(job, tmp_path)


def head_of(job, name: str) -> str:
    return str(job.github.repository(name).git.resolve("main"))


def added(job, name: str, text: str, *, private: bool = False) -> str:
    """The first commit of a new repository."""
    job.github.add_repository(name, {"text.txt": text}, private=private)
    return head_of(job, name)


def test_they_are_fetched_from_where_gitmodules_says(job, calc):
    one, two = added(job, CASES, "one"), added(job, "bob/data", "two")
    url = f"{job.github.web_url}/bob/data"
    commit = calc.add(cases=("../cases.git", one), data=(url, two))
    assert calc.brought(commit) == {"cases": one, "data": two}
    assert sorted(path.name for path in calc.modules.iterdir()) == ["alice+cases", "bob+data"]


def test_a_commit_that_is_there_is_not_asked_for_again(job, calc):
    commit = calc.add(cases=("../cases.git", added(job, CASES, "one")))
    found = calc.brought(commit)
    calc.mirrors.fetch(calc.repository, CALC, ["refs/heads/main"])
    job.github.use(Faults(errors=1.0))
    calc.mirrors.fetch_submodules(calc.repository, CALC, commit, calc.folder)
    assert calc.there(commit) == found


def test_what_not_everybody_may_read_is_left_out(job, calc, caplog):
    """The App may read it: with its token, the tests of any repository could print it."""
    caplog.set_level(logging.INFO)
    secret, one = added(job, "alice/secret", "private", private=True), added(job, CASES, "one")
    commit = calc.add(secret=("../secret.git", secret), cases=("../cases.git", one))
    assert calc.brought(commit) == {"cases": one}
    assert "alice/secret.git is left out" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[submodule",
        '[submodule "cases"]\n\tpath = cases\n',
        '[submodule "cases"]\n\tpath = other\n\turl = ../cases.git\n',
        '[submodule "cases"]\n\tpath = cases\n\turl = ../gone.git\n',
        '[submodule "cases"]\n\tpath = cases\n\turl = ext::touch /tmp/x\n',
        "[include]\n\tpath = /etc/gitconfig\n",
        "\0\xff",
    ],
)
def test_what_gitmodules_does_not_say_is_left_out(job, calc, text):
    commit = calc.add(text, cases=("", added(job, CASES, "one")))
    assert calc.brought(commit) == {}


def test_one_that_is_not_answered_is_given_up_for_this_time(job, calc, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(submodules_module, "LONGEST", 0.001)
    one = added(job, CASES, "one")
    commit = calc.add(cases=("../cases.git", one))
    assert calc.brought(commit) == {}
    assert "took longer than" in caplog.text
    monkeypatch.undo()
    assert calc.brought(commit) == {"cases": one}


def test_no_more_than_some_are_fetched_at_once(job, calc, monkeypatch):
    monkeypatch.setattr(submodules_module, "MOST", 1)
    one, two = added(job, CASES, "one"), added(job, "bob/data", "two")
    commit = calc.add(b=(f"{job.github.web_url}/bob/data", two), a=("../cases.git", one))
    assert calc.brought(commit) == {"a": one}
    assert calc.brought(commit) == {"a": one, "b": two}


def test_the_lock_of_a_killed_git_keeps_nobody_out(job, calc):
    one = added(job, CASES, "one")
    assert calc.brought(calc.add(cases=("../cases.git", one))) == {"cases": one}
    lock = calc.modules / "alice+cases" / "shallow.lock"
    lock.touch()
    newer = job.studio.alice.push(CASES, "main", {"text.txt": "newer"})
    commit = calc.add(cases=("../cases.git", newer))
    assert calc.brought(commit) == {}, "it may be of somebody who lives"
    long_ago = time.time() - 60
    os.utime(lock, (long_ago, long_ago))
    assert calc.brought(commit) == {"cases": newer}
