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

CONFIGURATION = "reproduce:\n  when: all\n  labels: true\n"

Show = Callable[[str, str], None]
"""Shows what happened: who did it, and what."""


@dataclass(frozen=True)
class Proposal:
    """A fix that somebody proposes: a patch of the sample, and the title of its pull request."""

    patch: str
    title: str


@dataclass(frozen=True)
class Plot:
    """What happens to a repository, whose files and patches are in the sample.

    `tree` holds its files, `title` and `report` are the issue's.
    """

    repository: str
    tree: str
    title: str
    report: str
    wrong: Proposal
    right: Proposal


WORDTOOLS = Plot(
    repository="alice/wordtools",
    tree="tree",
    title="shorten cuts texts that fit",
    report="instances/shorten.report.md",
    wrong=Proposal("fixes/shorten-wrong.patch", "Keep short texts whole"),
    right=Proposal("fixes/shorten.patch", "A text that just fits stays"),
)
DURATIONS = Plot(
    repository="alice/durations",
    tree="java/tree",
    title="A whole hour is shown with sixty minutes",
    report="java/report.md",
    wrong=Proposal("java/wrong.patch", "No more than sixty minutes"),
    right=Proposal("java/right.patch", "Minutes without those of whole hours"),
)


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

    def __init__(
        self, github: GitHubSimulator, sample: Path, show: Show, plot: Plot = WORDTOOLS
    ) -> None:
        """`sample` is the plot's repository, on its branch main."""
        self._github, self._sample, self._show, self._plot = github, sample, show, plot
        self.alice, self.bob = github.add_user("alice"), github.add_user("bob")
        files = {**_files(sample), ".github/fixgate.yml": _configured(sample).encode()}
        github.add_repository(plot.repository, files)
        github.grant(plot.repository, "bob", "write")

    def play(self, app: StoryApp) -> Played:
        """All of it. Raises DemoError where it does not end as it should."""
        self.alice.install(app.credentials.app_id)
        issue = self._report(app)
        wrong = self._pull(app, self.bob, "wrong-fix", self._plot.wrong, issue)
        right = self._pull(app, self.alice, "right-fix", self._plot.right, issue)
        return Played(
            issue=f"/{self._plot.repository}/issues/{issue}",
            wrong=f"/{self._plot.repository}/pull/{wrong}",
            right=f"/{self._plot.repository}/pull/{right}",
            wrong_check=self._check(wrong, "failure"),
            right_check=self._check(right, "success"),
        )

    def _report(self, app: StoryApp) -> int:
        plot = self._plot
        self._show("bob", f'opens an issue: "{plot.title}"')
        number = self.bob.open_issue(plot.repository, plot.title, patch(plot.report))
        app.work()
        comments = self._github.repository(plot.repository).issues[number].comments
        if len(comments) != 1 or "**Reproduced**" not in comments[0].body:
            raise DemoError(f"the issue was not reproduced: {[one.body for one in comments]}")
        self._show("fixgate", "answers with a test that fails as reported, and keeps it:")
        self._show("", comments[0].body.split("```diff\n")[1].split("```")[0])
        return number

    def _pull(self, app: StoryApp, who: Person, branch: str, fix: Proposal, issue: int) -> int:
        repository = self._plot.repository
        self._show(who.login, f'opens a pull request: "{fix.title}"')
        who.push(repository, branch, self._changed(fix.patch), fix.title)
        number = who.open_pull(repository, branch, fix.title, f"Fixes #{issue}")
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
        repository = self._plot.repository
        pull = self._github.repository(repository).issues[number].pull
        assert pull is not None  # it was opened as one
        runs = self._github.check_runs(repository, pull.head_commit)
        if not runs:
            raise DemoError(f"pull request {number} got no check")
        return runs[-1]

    def _changed(self, name: str) -> dict[str, str]:
        """The files that one of the sample's patches changes, as they are then."""
        commit_patch(self._sample, "change", name)
        paths = git(self._sample, "diff", "--name-only", "main", "change").split()
        return {path: git(self._sample, "show", f"change:{path}") for path in paths}


def _files(tree: Path) -> dict[str, str | bytes | None]:
    paths = git(tree, "ls-files").split()
    return {path: (tree / path).read_bytes() for path in paths}


def _configured(tree: Path) -> str:
    return (tree / ".github" / "fixgate.yml").read_text("utf-8") + CONFIGURATION
