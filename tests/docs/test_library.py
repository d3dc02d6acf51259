"""The page of the library: its example runs, and it lists each public name of `evaluator`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evaluator
from evaluator.demo.sample import commit_patch, git, lay_sample
from tests.docs.conftest import ROOT

PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")


@pytest.mark.bubblewrap
def test_the_example_accepts_the_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_sample(tmp_path / "sample")
    repository = tmp_path / "sample" / "repository"
    commit_patch(repository, "my-fix", "fixes/shorten.patch", "instances/shorten.tests.patch")
    git(repository, "checkout", "--quiet", "my-fix")
    git(repository, "branch", "origin/main", "main")
    monkeypatch.chdir(repository)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (example,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(example, "library.md", "exec"), {})
    assert capsys.readouterr().out.startswith("accept\n")


def test_the_page_lists_each_public_name() -> None:
    table = PAGE.partition("## Names")[2]
    listed = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|.*\|$", table, re.MULTILINE))))
    assert listed == set(dir(evaluator))


@pytest.mark.parametrize("name", dir(evaluator))
def test_each_public_name_is_there(name: str) -> None:
    assert getattr(evaluator, name) is not None


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="'evaluator' has no attribute 'nothing'"):
        _ = evaluator.nothing
