"""Tests that read what a submodule brings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitlinks import Gitlinks, described
from tests.verification.test_submodules import READER

from .conftest import REPOSITORY
from .test_stories import changed, the_check

pytestmark = pytest.mark.bubblewrap

CASES = "bob/cases"


def judged(story, folder: Path, *, private: bool) -> dict[str, str]:
    """The check of a fix whose test reads a submodule."""
    github = story.github
    github.add_repository(CASES, {"fits.txt": "just fits|9|just fits"}, private=private)
    commit = github.repository(CASES).git.resolve("main")
    links = Gitlinks(github.repository(REPOSITORY).git.path, folder / "index")
    links.add(described({"tests/cases": "../../bob/cases.git"}), {"tests/cases": commit})
    files = {**changed(story, "fixes/shorten.patch"), "tests/test_cases.py": READER}
    head = story.alice.push(REPOSITORY, "fix", files)
    story.alice.open_pull(REPOSITORY, "fix", "Fix shorten", "It is cut too early.")
    story.work()
    return {name: str(value) for name, value in the_check(story, head).items()}


def test_a_public_one_is_there(story, tmp_path):
    check = judged(story, tmp_path, private=False)
    assert check["conclusion"] == "success", check
    assert "1 test of its own fails without this change and passes with it" in check["summary"]


def test_a_private_one_is_named(story, tmp_path):
    check = judged(story, tmp_path, private=True)
    assert check["conclusion"] == "neutral", check
    assert "needs the submodule tests/cases" in check["summary"]


def test_a_change_that_moves_one_is_not_run(story, tmp_path):
    git = story.github.repository(REPOSITORY).git
    main = git.resolve("main")
    links = Gitlinks(git.path, tmp_path / "index")
    head = links.add(described({"tests/cases": "../../bob/cases.git"}), {"tests/cases": main})
    git.update("refs/heads/main", main)
    git.update("refs/heads/move", head)
    story.alice.open_pull(REPOSITORY, "move", "Newer cases", "")
    story.work()
    check = the_check(story, head)
    assert check["conclusion"] == "neutral", check
    title = "Cannot tell: this change has symbolic links or submodules, so that nothing was run"
    assert check["title"] == f"{title} (tests/cases)"
