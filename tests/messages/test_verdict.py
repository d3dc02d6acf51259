"""The check that a pull request gets, from real verifications of the sample repository."""

from __future__ import annotations

import dataclasses

import pytest

from bot.configuration import Gate
from bot.github.models import Issue
from bot.github.types import Conclusion, RepositoryId
from bot.jobs.types import JobKind, JobRequest
from bot.messages.judged import IssueTest, Judged
from bot.messages.verdict import verdict_check
from evaluator.demo.sample import commit, commit_patch, git, lay_sample, patch
from evaluator.diff import apply, tree_source
from evaluator.environment.types import AbsentService, Addition, Recipe, Uncompiled
from evaluator.languages import is_test_file
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verification.change import change_between
from evaluator.verification.thoroughness import Thoroughness
from evaluator.verification.verify import GivenTests, verify
from evaluator.workspace import Workspace, WorkspaceSettings

REQUEST = JobRequest(JobKind.VERIFY, RepositoryId(1, "o/r"), 7, "a" * 40)
ISSUE = Issue(number=12, title="shorten cuts <texts>", html_url="https://github.com/o/r/issues/12")
GIVEN = [GivenTests("test for #12", patch("predictions/careful.shorten.patch"))]


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def repository(tmp_path):
    lay_sample(tmp_path / "sample")
    return tmp_path / "sample" / "repository"


@pytest.fixture
def judged(repository, cache):
    def judge(*patches, given=GIVEN, gate=Gate.ADVISORY, **more):
        if patches:
            commit_patch(repository, "change", *patches)
        settings = WorkspaceSettings(
            (str(repository / ".git"),), cache, ResourceLimits(wall_seconds=60), offline=True
        )
        change = change_between(repository, "main", "change", cache)
        git(repository, "checkout", "-q", "main")
        base = {f: (repository / f).read_bytes() for f in git(repository, "ls-files").split()}
        verification = verify(
            Workspace(settings, choose_sandbox("process")),
            change,
            given=given,
            thoroughness=Thoroughness(reruns=0),
        )
        git(repository, "checkout", "-q", "change")
        applied = [apply(one.patch, base.get, keep=is_test_file).changes for one in given]
        tests = [
            IssueTest(ISSUE, t.patch, c, base.get) for t, c in zip(given, applied, strict=True)
        ]
        return verdict_check(
            REQUEST,
            Judged(dataclasses.replace(verification, **more), tests, tree_source(repository)),
            gate=gate,
        )

    return judge


def test_a_right_fix(judged):
    check = judged("fixes/shorten.patch")
    assert check.conclusion is Conclusion.SUCCESS
    assert check.title == (
        "Fixes #12: 1 test fails without this change and passes with it, "
        "2 of 2 changed lines executed"
    )
    assert "| `tests.test_shorten.ShortenTest" in check.summary
    assert check.annotations == ()
    assert [button.identifier for button in check.buttons] == ["rerun", "rewrite", "add-tests"]
    assert all(len(b.label) <= 20 and len(b.description) <= 40 for b in check.buttons)


def test_a_wrong_fix(judged):
    check = judged("fixes/shorten-wrong.patch")
    assert check.conclusion is Conclusion.FAILURE
    assert check.title == ("The test for #12 still fails: got 'nine c...', expected 'nine char'")
    assert "test_shorten" not in check.summary.partition("| test |")[0]
    assert "❌ failed | ❌ failed | `got 'nine c...', expected 'nine char'`" in check.summary
    assert "#### The test for [\\#12 shorten cuts \\<texts\\>](https://" in check.text.replace(
        "\u2060", ""
    )
    assert '+        self.assertEqual(shorten("nine char", 9), "nine char")' in check.text
    assert (
        "It still fails with this change, at "
        '`self.assertEqual(shorten("nine char", 9), "nine char")`.' in check.text
    )


def test_a_change_that_breaks_a_test(judged, repository):
    commit_patch(repository, "change", "fixes/shorten.patch")
    git(repository, "checkout", "-q", "change")
    path = repository / "tests" / "test_shorten.py"
    path.write_text(path.read_text() + "\n")
    module = repository / "wordtools" / "shorten.py"
    module.write_text(module.read_text().replace("- len(mark)]", "- 1]"))
    commit(repository, "cuts too late")
    check = judged()
    assert check.conclusion is Conclusion.FAILURE
    assert check.title == ("Breaks test_long_text_is_cut: got 'a long s...', expected 'a long...'")
    assert "**Rejected**: 1 test passes without this change and fails with it." in check.summary
    assert "✅ passed | ❌ failed" in check.summary


def test_given_tests_that_pass_without_the_change_are_not_ignored(judged):
    silent = patch("instances/shorten.tests.patch").replace('"just fits", 9', '"just fits", 10')
    check = judged(
        "fixes/shorten.patch",
        "instances/shorten.tests.patch",
        given=[GivenTests("test for #12", silent)],
    )
    assert check.conclusion is Conclusion.NEUTRAL
    assert check.title == (
        "Cannot tell: 1 test of an issue passes without this change too, so it does not show the "
        "problem"
    )


def test_packages_that_were_added_and_are_lacking_are_named(judged, repository):
    commit_patch(repository, "change", "fixes/shorten.patch", "instances/shorten.tests.patch")
    git(repository, "checkout", "-q", "change")
    check = judged(
        given=[],
        added=(Addition("module toml", "toml", Recipe(framework="unittest")),),
        unbuilt=("<b>@alice",),
        uncompiled=tuple(Uncompiled(f"part{n}", "<i>@bob does not exist") for n in range(7)),
        absent=(AbsentService("postgresql", "no server is installed"),),
    )
    assert "Added to the environment: `toml` (`module toml`); " in check.text
    assert "cannot be installed here: `<b>@alice`." in check.text
    assert "cannot be built here: `part0` (`<i>@bob does not exist`), `part1` " in check.text
    assert "`part4` (`<i>@bob does not exist`) and 2 more." in check.text
    assert "The tests ran without `postgresql` beside them: no server is installed." in check.text


def test_own_tests_alone_are_said_to_be_that(judged):
    check = judged("fixes/shorten.patch", "instances/shorten.tests.patch", given=[])
    assert check.conclusion is Conclusion.SUCCESS
    assert check.title == (
        "Its own tests fail without this change and pass with it, 2 of 2 changed lines executed"
    )
    assert "**Accepted**: 1 test of its own fails without this change" in check.summary


def test_a_change_of_how_tests_run(judged, repository):
    commit_patch(repository, "change", "fixes/shorten.patch")
    git(repository, "checkout", "-q", "change")
    (repository / "conftest.py").write_text("collect_ignore = []\n")
    commit(repository, "conftest")
    check = judged()
    assert check.title == "Cannot tell: this change modifies test configuration (conftest.py)"
    assert "conftest.py" in check.summary


@pytest.mark.parametrize(
    ("gate", "conclusion"),
    [(Gate.ADVISORY, Conclusion.NEUTRAL), (Gate.REQUIRED, Conclusion.ACTION_REQUIRED)],
)
def test_a_fix_that_nothing_reproduces(judged, gate, conclusion):
    check = judged("fixes/shorten.patch", given=[], gate=gate)
    assert check.conclusion is conclusion
    assert check.title == (
        "Nothing to check: no linked issue has a test, and this pull request adds none"
    )
    assert [button.identifier for button in check.buttons] == ["rerun", "rewrite"]


def test_what_no_reproducing_test_executes_is_annotated(judged, repository):
    commit_patch(repository, "change", "fixes/shorten.patch", "fixes/roman.patch")
    git(repository, "checkout", "-q", "change")
    with (repository / "tests" / "test_shorten.py").open("a") as stream:
        stream.write(
            "\n\nclass Other(unittest.TestCase):\n    def test_nothing(self):\n        pass\n"
        )
    commit(repository, "a test that shows nothing")
    check = judged()
    levels = {(a.path, a.level) for a in check.annotations}
    assert ("wordtools/roman.py", "warning") in levels
    assert ("tests/test_shorten.py", "notice") in levels
    (notice,) = [a for a in check.annotations if a.level == "notice"]
    line = (
        (repository / "tests" / "test_shorten.py").read_text().splitlines()[notice.first_line - 1]
    )
    assert "test_nothing" in line


def test_texts_of_tests_cannot_speak_to_people(judged, repository):
    commit_patch(repository, "change", "fixes/shorten-wrong.patch")
    git(repository, "checkout", "-q", "change")
    (repository / "tests" / "test_evil.py").write_text(
        "import unittest\n\nclass Evil(unittest.TestCase):\n    def test_it(self):\n"
        "        self.fail('@everyone <img src=x> [click](https://evil.example) ' + '#1 `' * 400)\n"
    )
    commit(repository, "speaks")
    check = judged()
    shown = check.summary + check.text
    assert "evil.example" not in check.summary or "`@everyone" in shown
    assert len(check.summary) <= 65_535


def test_a_request_is_found_again_by_its_key():
    again = dataclasses.replace(REQUEST, round=1)
    assert REQUEST.key != again.key
    assert REQUEST.concurrency_key == again.concurrency_key
