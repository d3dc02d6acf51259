"""People at work on sample repositories, and the book in which stands what they may expect."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.demo.simulator import AppSecrets, GitHubSimulator, Person
from bot.demo.simulator.records import CheckRun
from evaluator.demo.sample import commit_patch, git, lay_sample, patch

REPOSITORIES = ("alice/wordtools", "alice/lettertools")
CONFIGURATION = "reproduce:\n  when: all\n  labels: true\nlimits:\n  issues_per_day: 10000\n"
SCRIPT = patch("instances/shorten.report.md")
WORDS = "Everything takes long, and sometimes longer."

WEIGHTS = {
    "issue opened": 13,
    "reproduce": 7,
    "pull opened": 12,
    "fork's pull opened": 5,
    "push": 26,
    "verify": 9,
    "re-run": 8,
    "re-run all": 3,
    "help": 5,
    "explain": 4,
    "stranger's command": 4,
    "pull closed": 2,
    "pull reopened": 2,
}
"""How often people do what, in comparison."""


@dataclass
class PullBook:
    """What was done about a pull: its heads in order, and what was asked for on each.

    A command is `asked`, and is judged once more; a button is `pressed`, and may be answered by
    work that waits already. To open a pull again is such a button.
    """

    repository: str
    where: str
    number: int
    branch: str
    heads: list[str]
    asked: Counter[str] = field(default_factory=Counter)
    pressed: Counter[str] = field(default_factory=Counter)
    is_open: bool = True


@dataclass
class Book:
    """Everything that people did: issues with how often an answer was asked for, pulls, commands.

    `commands` are comments: repository, number, comment id, word, whether its author may ask.
    """

    issues: dict[tuple[str, int], int] = field(default_factory=dict)
    pulls: list[PullBook] = field(default_factory=list)
    commands: list[tuple[str, int, int, str, bool]] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)


class Town:
    """Alice owns the repositories, Bob may only read; both do things by chance."""

    def __init__(self, github: GitHubSimulator, folder: Path, chance: random.Random) -> None:
        self.github, self.chance, self.book = github, chance, Book()
        self.alice, self.bob = github.add_user("alice"), github.add_user("bob")
        lay_sample(folder / "sample")
        self._tree = folder / "sample" / "repository"
        self._changes = self._all_changes()
        for name in REPOSITORIES:
            github.add_repository(name, {**self._files(), ".github/fixgate.yml": self._settings()})
            github.grant(name, "bob", "read")
        self._acts: dict[str, Callable[[], bool]] = {
            "issue opened": self._open_issue,
            "reproduce": self._reproduce,
            "pull opened": self._open_pull,
            "fork's pull opened": self._open_fork,
            "push": self._push,
            "verify": self._verify,
            "re-run": lambda: self._rerun(Person.request_rerun),
            "re-run all": lambda: self._rerun(Person.request_rerun_all),
            "help": lambda: self._command("help"),
            "explain": lambda: self._command("explain"),
            "stranger's command": self._stranger,
            "pull closed": self._close,
            "pull reopened": self._reopen,
        }

    def install(self, app: AppSecrets) -> None:
        """Alice installs the App."""
        self.alice.install(app.app_id)

    def act(self) -> None:
        """Somebody does something."""
        while True:
            what = self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            if self._acts[what]():
                self.book.events[what] += 1
                return

    @property
    def count(self) -> int:
        """How much was done."""
        return self.book.events.total()

    def _open_issue(self) -> bool:
        repository, body = self.chance.choice(REPOSITORIES), self.chance.choice((SCRIPT, WORDS))
        number = self.bob.open_issue(repository, f"It cuts, case {self.count}", body)
        self.book.issues[repository, number] = 0
        return True

    def _reproduce(self) -> bool:
        if not self.book.issues:
            return False
        place = self.chance.choice(list(self.book.issues)[-10:])
        self._say(self.alice, *place, "reproduce")
        self.book.issues[place] += 1
        return True

    def _open_pull(self) -> bool:
        repository, branch = self.chance.choice(REPOSITORIES), f"change-{self.count}"
        head = self.alice.push(repository, branch, self._change())
        number = self.alice.open_pull(repository, branch, "A change", self._body(repository))
        self.book.pulls.append(PullBook(repository, repository, number, branch, [head]))
        return True

    def _open_fork(self) -> bool:
        repository, branch = self.chance.choice(REPOSITORIES), f"change-{self.count}"
        fork = self.bob.fork(repository)
        head = self.bob.push(fork, branch, self._change())
        body = self._body(repository)
        number = self.bob.open_pull(repository, branch, "A change", body, fork=fork)
        self.book.pulls.append(PullBook(repository, fork, number, branch, [head]))
        return True

    def _push(self) -> bool:
        pull = self._pull(open_ones=True)
        if pull is None:
            return False
        person = self.alice if pull.where == pull.repository else self.bob
        pull.heads.append(person.push(pull.where, pull.branch, self._change()))
        return True

    def _verify(self) -> bool:
        pull = self._pull(open_ones=True)
        if pull is None:
            return False
        self._say(self.alice, pull.repository, pull.number, "verify")
        pull.asked[pull.heads[-1]] += 1
        return True

    def _rerun(self, press: Callable[[Person, str, int], None]) -> bool:
        """The button is there once a check has ended."""
        for pull in self.chance.sample(self.book.pulls, len(self.book.pulls)):
            run = self._ended(pull) if pull.is_open else None
            if run is not None:
                press(self.alice, pull.repository, run.id)
                pull.pressed[pull.heads[-1]] += 1
                return True
        return False

    def _ended(self, pull: PullBook) -> CheckRun | None:
        """The last check of a pull's head, if none is at work and it was not cut short."""
        runs = self.github.check_runs(pull.repository, pull.heads[-1])
        if not runs or any(run.conclusion is None for run in runs):
            return None
        return None if runs[-1].conclusion == "cancelled" else runs[-1]

    def _command(self, word: str) -> bool:
        pull = self._pull(open_ones=True)
        if pull is None:
            return False
        self._say(self.alice, pull.repository, pull.number, word)
        return True

    def _stranger(self) -> bool:
        pull = self._pull(open_ones=True)
        if pull is None:
            return False
        self._say(self.bob, pull.repository, pull.number, "verify", may=False)
        return True

    def _close(self) -> bool:
        pull = self._pull(open_ones=True)
        if pull is None:
            return False
        self.alice.close_pull(pull.repository, pull.number)
        pull.is_open = False
        return True

    def _reopen(self) -> bool:
        pull = self._pull(open_ones=False)
        if pull is None:
            return False
        self.alice.reopen_pull(pull.repository, pull.number)
        pull.is_open = True
        pull.pressed[pull.heads[-1]] += 1
        return True

    def _say(self, who: Person, repository: str, number: int, word: str, may: bool = True) -> None:
        comment = who.comment(repository, number, f"/fixgate {word}")
        self.book.commands.append((repository, number, comment, word, may))

    def _pull(self, *, open_ones: bool) -> PullBook | None:
        """One of the latest, so that things happen to pulls that are being judged."""
        found = [pull for pull in self.book.pulls if pull.is_open is open_ones][-8:]
        return self.chance.choice(found) if found else None

    def _body(self, repository: str) -> str:
        numbers = [number for name, number in self.book.issues if name == repository]
        linked = numbers and self.chance.random() < 0.3
        return f"Fixes #{self.chance.choice(numbers[-5:])}" if linked else ""

    def _change(self) -> dict[str, str | bytes | None]:
        """A right fix, a wrong one, or words; never twice the same commit."""
        chosen = self.chance.choice(self._changes)
        return {**chosen, "NOTES.md": f"Change {self.count}, {self.chance.random()}\n"}

    def _all_changes(self) -> list[dict[str, str]]:
        tests = "instances/shorten.tests.patch"
        return [
            self._changed("fixes/shorten.patch", tests),
            self._changed("fixes/shorten-wrong.patch", tests),
            self._changed("fixes/shorten.patch"),
            {},
        ]

    def _changed(self, *names: str) -> dict[str, str]:
        commit_patch(self._tree, "change", *names)
        paths = git(self._tree, "diff", "--name-only", "main", "change").split()
        return {path: git(self._tree, "show", f"change:{path}") for path in paths}

    def _files(self) -> dict[str, str | bytes | None]:
        paths = git(self._tree, "ls-files").split()
        return {path: (self._tree / path).read_bytes() for path in paths}

    def _settings(self) -> bytes:
        own = (self._tree / ".github" / "fixgate.yml").read_text("utf-8")
        return (own + CONFIGURATION).encode()
