"""A language of the tests' own goes through every door, with nothing changed elsewhere."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from evaluator.errors import EnvironmentBuildError
from evaluator.languages import is_test_file, language, language_of, registered
from evaluator.languages.python.environment.types import python_recipe
from evaluator.languages.safeguards import Safeguards
from tests.languages.shell.language import SHELL, ShellRecipe

CODE, TESTS, OTHERS = "lib/plural.sh", "tests/check_plural.sh", "tests/check_shelf.sh"

BROKEN = """\
plural() {
  echo "${1}s"
}
"""
FIXED = """\
plural() {
  case $1 in
    *x) echo "${1}es" ;;
    *) echo "${1}s" ;;
  esac
}
"""
ALWAYS_ES = """\
plural() {
  echo "${1}es"
}
"""
ALL_BUT_CATS = """\
plural() {
  case $1 in
    cat) echo cats ;;
    *) echo "${1}es" ;;
  esac
}
"""
STILL_WRONG = """\
plural() {
  case $1 in
    *z) echo "${1}es" ;;
    *) echo "${1}s" ;;
  esac
}
"""

CHECKS = """\
. ./lib/plural.sh

equal() {
  [ "$1" = "$2" ] || { echo "$1 != $2" >&2; return 1; }
}

check_cat() { equal "$(plural cat)" cats; }
"""
OTHER_CHECKS = CHECKS.replace("cat", "dog")
NEW_CHECK = 'check_box() { equal "$(plural box)" boxes; }\n'
ISSUE = "`plural box` prints `boxs`; it should print `boxes`.\n"


class Repository:
    """A git repository of shell scripts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.base = self.commit({CODE: BROKEN, TESTS: CHECKS, OTHERS: OTHER_CHECKS})

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(self.path), *identity, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def commit(self, files: Mapping[str, str]) -> str:
        for name, text in files.items():
            (self.path / name).parent.mkdir(exist_ok=True)
            (self.path / name).write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work")
        return self.git("rev-parse", "HEAD").strip()

    def change(self, files: Mapping[str, str]) -> str:
        """A commit on the base, by itself."""
        self.git("checkout", "-q", "--detach", self.base)
        return self.commit(files)

    def patch(self, files: Mapping[str, str]) -> str:
        return self.git("diff", self.base, self.change(files))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "o" / "words")


@pytest.fixture
def shell() -> Iterator[None]:
    with registered(SHELL):
        yield


@pytest.fixture(params=["process", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
def options(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, ...]:
    return ("--sandbox", request.param, "--offline", "--cache", str(tmp_path / "cache"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


Verdict = Callable[[str], tuple[int, list[str]]]


@pytest.fixture
def verdict(repository: Repository, options: tuple[str, ...], tmp_path: Path) -> Verdict:
    """The exit code of `fixgate verify` for a fix, and the rules that decided."""
    given, issue = tmp_path / "box.patch", tmp_path / "issue.md"
    given.write_text(repository.patch({TESTS: CHECKS + NEW_CHECK}))
    issue.write_text(ISSUE)

    def verify(code: str) -> tuple[int, list[str]]:
        head = repository.change({CODE: code})
        place = ("--repo", str(repository.path), "--base", repository.base, "--head", head)
        asked = ("--tests", str(given), "--issue", str(issue), "--reruns", "1", "--json")
        result = run("verify", *place, *asked, *options)
        return result.exit_code, [reason["rule"] for reason in json.loads(result.stdout)["reasons"]]

    return verify


@pytest.mark.usefixtures("shell")
def test_a_fix_is_accepted_and_wrong_ones_are_rejected(verdict: Verdict) -> None:
    assert verdict(FIXED) == (0, ["reproduced"])
    assert verdict(STILL_WRONG) == (1, ["given_test_still_fails", "nothing_reproduces"])
    assert verdict(ALWAYS_ES) == (1, ["passing_test_breaks", "reproduced"])
    assert verdict(ALL_BUT_CATS) == (1, ["regression", "reproduced"])


def test_a_language_that_cannot_try_assertions_accepts_nothing(verdict: Verdict) -> None:
    with registered(dataclasses.replace(SHELL, safeguards=Safeguards())):
        assert verdict(FIXED) == (3, ["nothing_asserted", "reproduced"])
        assert verdict(STILL_WRONG) == (1, ["given_test_still_fails", "nothing_reproduces"])


@pytest.mark.usefixtures("shell")
def test_a_replay_grades_predictions(
    repository: Repository, options: tuple[str, ...], tmp_path: Path
) -> None:
    row = {
        "instance_id": "o__words-1",
        "repo": "o/words",
        "base_commit": repository.base,
        "patch": repository.patch({CODE: FIXED}),
        "test_patch": repository.patch({TESTS: CHECKS + NEW_CHECK}),
        "problem_statement": ISSUE,
    }
    guesses = {
        "reproducing": NEW_CHECK,
        "passing": 'check_dog() { equal "$(plural dog)" dogs; }\n',
        "wrong": NEW_CHECK.replace("boxes", "boxen"),
    }
    predictions = [
        {
            "instance_id": "o__words-1",
            "model_name_or_path": name,
            "model_patch": repository.patch({TESTS: CHECKS + check}),
        }
        for name, check in guesses.items()
    ]
    instances, told = tmp_path / "rows.jsonl", tmp_path / "predictions.jsonl"
    instances.write_text(json.dumps(row))
    told.write_text("\n".join(map(json.dumps, predictions)))
    sources = ("--predictions", "gold", str(told), "--by", "model_name_or_path")
    place = ("--repos", str(tmp_path / "{owner}" / "{name}"), "--out", str(tmp_path / "out"))
    result = run("replay", str(instances), *sources, *place, *options)
    assert result.exit_code == 0, result.output
    report = json.loads((tmp_path / "out" / "report.json").read_text())["predictions"]
    ends = {name: told["instances"]["o__words-1"] for name, told in report.items()}
    assert {end["state"] for end in ends.values()} == {"graded"}
    assert {name: end["success"] for name, end in ends.items()} == {
        "gold": True,
        "reproducing": True,
        "passing": False,
        "wrong": False,
    }
    assert ends["gold"]["change_coverage"] == 0.75  # Line 4 prints `cats` with and without them.


@pytest.mark.usefixtures("shell")
def test_languages_are_found_by_paths_and_by_name() -> None:
    assert language_of(["lib/a.sh", "tests/check_a.sh", "setup.py"]) is SHELL
    assert language_of(["README.md"]).name == "python"
    assert language("shell") is SHELL
    assert is_test_file("tests/check_a.sh")
    with pytest.raises(
        EnvironmentBuildError, match="`rust` is not known; known are python, java, shell"
    ):
        language("rust")
    with pytest.raises(EnvironmentBuildError, match="a recipe of shell"):
        python_recipe(ShellRecipe())


@pytest.mark.usefixtures("shell")
def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="`shell` already"), registered(SHELL):
        pass


def test_what_was_added_is_gone_afterwards() -> None:
    with registered(SHELL):
        pass
    with pytest.raises(EnvironmentBuildError, match="`shell`"):
        language("shell")
