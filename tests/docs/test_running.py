"""The commands of the pages, run as they stand there on the sample repository."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import main
from evaluator.demo.sample import commit_patch, git, lay_sample, patch
from tests.docs.conftest import ROOT, commands

pytestmark = pytest.mark.bubblewrap

DOCS = ROOT / "docs"
REPRODUCER = "instances/shorten.tests.patch"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with all that the commands name: a repository with a fix, rows, patches."""
    folder = tmp_path_factory.mktemp("desk")
    lay_sample(folder / "sample")
    repository = folder / "path" / "to" / "repository"
    repository.parent.mkdir(parents=True)
    shutil.copytree(folder / "sample" / "repository", repository)
    commit_patch(repository, "my-fix", "fixes/shorten.patch", REPRODUCER)
    git(repository, "checkout", "--quiet", "my-fix")
    git(repository, "branch", "origin/main", "main")
    for place in (folder, repository):
        (place / "report.md").write_text(patch("instances/shorten.report.md"))
        (place / "reproducer.patch").write_text(patch(REPRODUCER))
    rows = (("lite", "instances"), ("mine", "careful"), ("tests", "careful"), ("more", "hasty"))
    for name, source in rows:
        shutil.copy(folder / "sample" / f"{source}.jsonl", folder / f"{name}.jsonl")
    fix = {"instance_id": "demo__wordtools-shorten", "model_patch": patch("fixes/shorten.patch")}
    (folder / "fixes.jsonl").write_text(json.dumps(fix) + "\n")
    return folder


def found(page: Path, *words: str) -> tuple[str, ...]:
    """The first command of a page that has these words."""
    return next(command for command in commands(page) if set(words) <= set(command))


def run(desk: Path, command: tuple[str, ...], *more: str) -> tuple[int, str]:
    """Its exit code and output, with a cache that all of them share."""
    done = CliRunner().invoke(main, [*command, *more, "--cache", str(desk / "cache"), "--offline"])
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("page", "words", "where"),
    [
        (ROOT / "README.md", ("verify", "origin/main", "HEAD"), "path/to/repository"),
        (ROOT / "README.md", ("verify", "--tests"), "path/to/repository"),
        (DOCS / "verify.md", ("verify", "my-fix"), "."),
    ],
    ids=["the README's first", "with given tests", "of another repository"],
)
def test_verify_accepts_the_fix(
    desk: Path, monkeypatch: pytest.MonkeyPatch, page: Path, words: tuple[str, ...], where: str
) -> None:
    monkeypatch.chdir(desk / where)
    exit_code, output = run(desk, found(page, *words), "--quick")
    assert exit_code == 0, output


def test_generate_writes_a_test(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    command = found(DOCS / "generate.md", "generate", "--issue")
    exit_code, output = run(desk, (*command[:-1], "written.jsonl"), "--base", "main")
    assert exit_code == 0, output
    (row,) = map(json.loads, (desk / "written.jsonl").read_text().splitlines())
    assert row["model_patch"], row["reason"]


def test_replay_and_experiments_make_tables(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    repos = ("--repos", str(desk / "sample" / "repository" / ".git"))
    exit_code, output = run(desk, found(DOCS / "replay.md", "replay", "gold"), *repos)
    assert exit_code == 0, output
    assert (desk / "results" / "report.html").exists()
    done = CliRunner().invoke(main, ["experiments", "methods", "results/report.json"])
    assert done.exit_code == 0, done.output


def test_filter_judges_the_fix(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk)
    repos = ("--repos", str(desk / "sample" / "repository" / ".git"))
    exit_code, output = run(desk, found(DOCS / "filter.md", "filter"), *repos)
    assert exit_code == 0, output
    document = json.loads((desk / "filtered" / "filter.json").read_text())
    assert document["summary"]["fixes"] == 1
