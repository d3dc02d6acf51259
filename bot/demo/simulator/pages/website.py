"""The pages that GitHub's `html_url`s lead to: repositories, issues, pulls, commits, check runs.

For people to look at: what the App writes is shown as GitHub would show it, with its mentions and
references linked, so that one sees whether what was meant to be harmless is. Server-rendered, with
no script and nothing fetched from anywhere. Everyone may see them, as they hold no secrets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import resources
from typing import Final

import flask
from flask import Blueprint
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bot.demo.simulator import diffs
from bot.demo.simulator.diffs import FileDiff
from bot.demo.simulator.errors import RefusedError
from bot.demo.simulator.git import EMPTY_TREE, CommitInfo
from bot.demo.simulator.operations.checks import find_run
from bot.demo.simulator.operations.pulls import closing_issues
from bot.demo.simulator.pages.markdown import to_html
from bot.demo.simulator.records import Account, App, CheckRun, Issue, Json, Pull, Repository
from bot.demo.simulator.world import World, current, issue_of

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True)
class DiffRow:
    """A line of a diff; `kind` is "hunk", "added", "removed" or "kept".

    `old` and `new` are its numbers before and after, None where it is not there. `remarks` are the
    annotations that end on it.
    """

    kind: str
    old: int | None
    new: int | None
    text: str
    remarks: tuple[Json, ...] = ()


@dataclass(frozen=True)
class DiffFile:
    """A file of a pull. `elsewhere` are the annotations on lines that the diff does not show."""

    path: str
    additions: int
    deletions: int
    rows: tuple[DiffRow, ...]
    elsewhere: tuple[Json, ...]


def changed_file(diff: FileDiff, annotations: Sequence[Json]) -> DiffFile:
    """One file of a comparison, with those of the annotations that are about it."""
    here = [one for one in annotations if one["path"] == diff.path]
    rows = tuple(_rows(diff.patch or "", here))
    shown = [remark for row in rows for remark in row.remarks]
    elsewhere = tuple(one for one in here if one not in shown)
    return DiffFile(diff.path, diff.additions, diff.deletions, rows, elsewhere)


def _rows(patch: str, annotations: Sequence[Json]) -> Iterator[DiffRow]:
    old = new = 0
    for line in patch.split("\n") if patch else []:
        if hunk := _HUNK.match(line):
            old, new = int(hunk[1]), int(hunk[2])
            yield DiffRow("hunk", None, None, line)
        elif line.startswith("-"):
            yield DiffRow("removed", old, None, line[1:])
            old += 1
        elif not line.startswith("\\"):
            added = line.startswith("+")
            remarks = tuple(one for one in annotations if one["end_line"] == new)
            yield DiffRow(
                "added" if added else "kept", None if added else old, new, line[1:], remarks
            )
            old, new = old + (not added), new + 1


MARKS: Final = {
    "success": ("✓", "good"),
    "failure": ("✕", "bad"),
    "timed_out": ("✕", "bad"),
    "action_required": ("!", "warn"),
    "cancelled": ("⊘", "dull"),
    "neutral": ("■", "dull"),
    "skipped": ("⊘", "dull"),
    None: ("●", "warn"),
}
"""How a conclusion is shown: a sign and a colour; None while it runs."""


@dataclass(frozen=True)
class Website:
    """The pages; to be used under the world's lock."""

    world: World

    def sign_in(self, people: Sequence[Account], query: str) -> str:
        """Who sits before the browser; `query` is that of the page to go on to."""
        return self._render("sign_in", title="Sign in", people=people, query=query)

    def authorize(self, who: Account, app: App, query: str) -> str:
        """Whether an App may know who somebody is, and which repositories they have."""
        return self._render("authorize", title=f"Authorize {app.name}", who=who, query=query)

    def account(self, account: Account) -> str:
        """Somebody's repositories."""
        owned = [one for one in self.world.repositories.values() if one.owner is account]
        return self._render("account", title=account.login, account=account, repositories=owned)

    def repository(self, repository: Repository) -> str:
        """The issues and pulls of a repository, newest first."""
        issues = sorted(repository.issues.values(), key=lambda one: -one.number)
        return self._render(
            "repository", repository, title=repository.full_name, issues=issues, checks=checks_of
        )

    def issue(self, issue: Issue) -> str:
        """An issue, or a pull with its checks and what it changes."""
        title = f"{issue.title} · #{issue.number}"
        if issue.pull is None:
            return self._render("issue", issue.repository, title=title, issue=issue)
        runs = checks_of(issue)
        return self._render(
            "pull",
            issue.repository,
            title=title,
            issue=issue,
            pull=issue.pull,
            runs=runs,
            files=_files(issue.pull, runs),
            closes=closing_issues(self.world, issue.pull),
        )

    def commit(self, repository: Repository, commit: CommitInfo) -> str:
        """A commit, with what it changes against the first of its parents."""
        before = commit.parents[0] if commit.parents else EMPTY_TREE
        changes = diffs.compare(repository.git, before, commit.sha)
        files = [changed_file(one, ()) for one in changes]
        title = commit.message.partition("\n")[0]
        return self._render("commit", repository, title=title, commit=commit, files=files)

    def check_run(self, run: CheckRun) -> str:
        """One check run, with the pulls whose head it is on."""
        repository = run.suite.repository
        pulls = [one for one in repository.pulls if one.head_commit == run.suite.head_commit]
        title = run.title or run.name
        return self._render("check_run", repository, title=title, run=run, pulls=pulls)

    def _render(self, name: str, repository: Repository | None = None, **values: object) -> str:
        def markdown(text: str | None) -> Markup:
            return to_html(text or "", lambda word: self._linked(repository, word))

        return _ENVIRONMENT.get_template(f"{name}.html.j2").render(
            repository=repository,
            markdown=markdown,
            issue_path=issue_path,
            **values,
        )

    def _linked(self, repository: Repository | None, word: str) -> str:
        """Where a mention or a reference leads, if there is such an account or issue."""
        try:
            if word.startswith("@"):
                return f"/{self.world.account(word[1:]).login}"
            name, _, number = re.sub("^GH-", "#", word, flags=re.IGNORECASE).rpartition("#")
            there = self.world.repository(name) if name else repository
            return issue_path(issue_of(there, int(number))) if there else ""
        except RefusedError:
            return ""


def issue_path(issue: Issue) -> str:
    """The path of an issue's or a pull's page."""
    kind = "pull" if issue.pull else "issues"
    return f"/{issue.repository.full_name}/{kind}/{issue.number}"


def run_path(run: CheckRun) -> str:
    """The path of a check run's page."""
    return f"/{run.suite.repository.full_name}/runs/{run.id}"


def checks_of(issue: Issue) -> list[CheckRun]:
    """The latest run of each check on the head of a pull; none for an issue."""
    if issue.pull is None:
        return []
    head = issue.pull.head_commit
    suites = [one for one in issue.repository.suites if one.head_commit == head]
    return list({(one.app.id, run.name): run for one in suites for run in one.runs}.values())


def _files(pull: Pull, runs: Sequence[CheckRun]) -> list[DiffFile]:
    tree = pull.repository.git
    start = tree.merge_base(pull.base_commit, pull.head_commit)
    annotations = [one for run in runs for one in run.annotations]
    changes = diffs.compare(tree, start, pull.head_commit)
    return [changed_file(one, annotations) for one in changes]


def _moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M} UTC"


def _make_environment() -> Environment:
    made = Environment(
        loader=PackageLoader("bot.demo.simulator.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = resources.files("bot.demo.simulator.pages").joinpath("templates", "pages.css")
    made.globals.update(style=Markup(style.read_text("utf-8")), marks=MARKS, run_path=run_path)  # noqa: S704 - ours
    made.filters["moment"] = _moment
    return made


_ENVIRONMENT: Final = _make_environment()


blueprint = Blueprint("web-pages", __name__)


@blueprint.get("/<login>")
def account(login: str) -> str:
    """Somebody's repositories."""
    world = current().world
    with world.lock:
        return Website(world).account(world.account(login))


@blueprint.get("/<owner>/<name>")
def repository(owner: str, name: str) -> str:
    """The issues and pulls of a repository."""
    world = current().world
    with world.lock:
        return Website(world).repository(world.repository(f"{owner}/{name}"))


@blueprint.get("/<owner>/<name>/issues/<int:number>")
@blueprint.get("/<owner>/<name>/pull/<int:number>")
def issue(owner: str, name: str, number: int) -> flask.typing.ResponseReturnValue:
    """An issue or a pull; each leads to the other where it was meant."""
    world = current().world
    with world.lock:
        found = issue_of(world.repository(f"{owner}/{name}"), number)
        path = issue_path(found)
        if path.casefold() != flask.request.path.casefold():
            return flask.redirect(path)
        return Website(world).issue(found)


@blueprint.get("/<owner>/<name>/commit/<sha>")
def commit(owner: str, name: str, sha: str) -> str:
    """One commit."""
    world = current().world
    with world.lock:
        found = world.repository(f"{owner}/{name}")
        if not found.git.has(sha):
            raise RefusedError(404, "Not Found")
        return Website(world).commit(found, found.git.revision(sha))


@blueprint.get("/<owner>/<name>/runs/<int:identity>")
def check_run(owner: str, name: str, identity: int) -> str:
    """One check run."""
    world = current().world
    with world.lock:
        return Website(world).check_run(find_run(world.repository(f"{owner}/{name}"), identity))
