"""An issue, the test that reproduces it, a wrong fix and a right one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.demo.app import DemoError
from bot.demo.simulator import AppSecrets, GitHubSimulator, Person
from bot.demo.simulator.records import CheckRun
from evaluator.demo.sample import commit_patch, git, patch

REPOSITORY = "alice/wordtools"
ISSUE = "shorten cuts texts that fit"
CONFIGURATION = "reproduce:\n  when: all\n  labels: true\n"

Show = Callable[[str, str], None]
"""Shows what happened: who did it, and what."""


@dataclass(frozen=True)
class Played:
    """What came of it: the paths of GitHub's pages, and the checks of both pulls."""

    issue: str
    wrong: str
    right: str
    wrong_check: CheckRun
    right_check: CheckRun


class StoryApp(Protocol):
    """The App that a story is played against."""

    @property
    def credentials(self) -> AppSecrets:
        """Those of the App on the simulated GitHub."""
        ...

    def work(self) -> None:
        """Handle all that was delivered and do all jobs, until nothing waits. Raises DemoError."""
        ...


class Story:
    """Alice's repository, in which Bob finds a bug; the App is installed on it."""

    def __init__(self, github: GitHubSimulator, sample: Path, show: Show) -> None:
        """`sample` is the sample's repository, on its branch main."""
        self._github, self._sample, self._show = github, sample, show
        self.alice, self.bob = github.add_user("alice"), github.add_user("bob")
        files = {**_files(sample), ".github/fixgate.yml": _configured(sample).encode()}
        github.add_repository(REPOSITORY, files)
        github.grant(REPOSITORY, "bob", "write")

    def play(self, app: StoryApp) -> Played:
        """All of it. Raises DemoError where it does not end as it should."""
        self.alice.install(app.credentials.app_id)
        issue = self._report(app)
        text = f"Fixes #{issue}"
        wrong = self._pull(app, self.bob, "wrong-fix", "Keep short texts whole", text)
        right = self._pull(app, self.alice, "right-fix", "A text that just fits stays", text)
        return Played(
            issue=f"/{REPOSITORY}/issues/{issue}",
            wrong=f"/{REPOSITORY}/pull/{wrong}",
            right=f"/{REPOSITORY}/pull/{right}",
            wrong_check=self._check(wrong, "failure"),
            right_check=self._check(right, "success"),
        )

    def _report(self, app: StoryApp) -> int:
        self._show("bob", f'opens an issue: "{ISSUE}"')
        number = self.bob.open_issue(REPOSITORY, ISSUE, patch("instances/shorten.report.md"))
        app.work()
        comments = self._github.repository(REPOSITORY).issues[number].comments
        if len(comments) != 1 or "**Reproduced**" not in comments[0].body:
            raise DemoError(f"the issue was not reproduced: {[one.body for one in comments]}")
        self._show("fixgate", "answers with a test that fails as reported, and keeps it:")
        self._show("", comments[0].body.split("```diff\n")[1].split("```")[0])
        return number

    def _pull(self, app: StoryApp, who: Person, branch: str, title: str, text: str) -> int:
        self._show(who.login, f'opens a pull request: "{title}"')
        who.push(REPOSITORY, branch, self._changed(_FIXES[branch]), title)
        number = who.open_pull(REPOSITORY, branch, title, text)
        app.work()
        run = self._latest(number)
        self._show("fixgate", f"{run.conclusion}: {run.title}")
        return number

    def _check(self, number: int, conclusion: str) -> CheckRun:
        run = self._latest(number)
        if run.conclusion != conclusion:
            raise DemoError(f"pull request {number} got {run.conclusion}: {run.summary}")
        return run

    def _latest(self, number: int) -> CheckRun:
        pull = self._github.repository(REPOSITORY).issues[number].pull
        assert pull is not None  # it was opened as one
        runs = self._github.check_runs(REPOSITORY, pull.head_commit)
        if not runs:
            raise DemoError(f"pull request {number} got no check")
        return runs[-1]

    def _changed(self, *names: str) -> dict[str, str]:
        """The files that some of the sample's patches change, as they are then."""
        commit_patch(self._sample, "change", *names)
        paths = git(self._sample, "diff", "--name-only", "main", "change").split()
        return {path: git(self._sample, "show", f"change:{path}") for path in paths}


_FIXES = {"wrong-fix": "fixes/shorten-wrong.patch", "right-fix": "fixes/shorten.patch"}


def _files(tree: Path) -> dict[str, str | bytes | None]:
    paths = git(tree, "ls-files").split()
    return {path: (tree / path).read_bytes() for path in paths}


def _configured(tree: Path) -> str:
    return (tree / ".github" / "fixgate.yml").read_text("utf-8") + CONFIGURATION
