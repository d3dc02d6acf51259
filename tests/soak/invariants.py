"""What has to be so in the end, whatever went wrong; each violation with its history."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import psutil

from bot.demo.simulator.records import CheckRun, Comment
from bot.jobs.types import JobKind, JobState
from bot.messages.comments import issue_marker, working
from bot.messages.comments import marker as answer_marker
from bot.store import Store
from bot.store.tables import Job
from tests.soak.deployment import Deployment
from tests.soak.people import REPOSITORIES, PullBook, Town

EXPECTED = {"success", "failure", "neutral", "skipped", "cancelled", "timed_out"}


def undone(store: Store, guids: set[str]) -> dict[str, int]:
    """How much is still to be done; all zero once it is quiet."""
    return {
        "never arrived": sum(store.deliveries.get(guid) is None for guid in guids),
        "unhandled": len(store.deliveries.waiting()),
        "unfinished": len(store.jobs.unfinished()),
        "untold": len(store.jobs.unreported()),
    }


def violations(town: Town, deployment: Deployment) -> Iterator[str]:
    """Everything that is not as it should be."""
    yield from _jobs(town, deployment.store)
    yield from _checks(town)
    for pull in town.book.pulls:
        yield from _pull(town, pull, deployment.store)
    yield from _issues(town)
    yield from _commands(town)


def conclusions(town: Town) -> Counter[str]:
    """How the checks ended."""
    return Counter(str(run.conclusion) for run in _all_runs(town))


def _all_runs(town: Town) -> list[CheckRun]:
    repositories = [town.github.repository(name) for name in REPOSITORIES]
    return [run for one in repositories for suite in one.suites for run in suite.runs]


def _jobs(town: Town, store: Store) -> Iterator[str]:
    runs = Counter(run.external_id for run in _all_runs(town))
    jobs = store.jobs.latest(limit=100_000)
    for job in jobs:
        if not JobState(job.state).is_final or not job.reported:
            yield f"a job is not over: {_history(job)}"
        if job.kind == JobKind.VERIFY and runs[job.key] != 1:
            yield f"{runs[job.key]} checks of one job: {_history(job)}"
    yield from _causes(jobs)


def _causes(jobs: Sequence[Job]) -> Iterator[str]:
    """A delivery causes one job a head: more heads only where one moved before all was done."""
    causes = Counter((job.cause, job.concurrency_key, job.head_sha) for job in jobs if job.cause)
    for (cause, *place), count in causes.items():
        if count > 1:
            told = "\n    ".join(_history(job) for job in jobs if job.cause == cause)
            yield f"{count} jobs because of one delivery, {cause}, for {place}:\n    {told}"


def _checks(town: Town) -> Iterator[str]:
    for run in _all_runs(town):
        if run.status != "completed" or run.conclusion not in EXPECTED:
            yield f"a check is {run.status}, {run.conclusion}: {run.external_id} {run.title!r}"


def _pull(town: Town, pull: PullBook, store: Store) -> Iterator[str]:
    """Each head has its check, and one more for each time that somebody asked.

    A command is carried out on the head that is there by then: on this one, or on a later one.
    """
    told = f"pull {pull.number} of {pull.repository}"
    more = total = 0
    for head in pull.heads:
        runs = town.github.check_runs(pull.repository, head)
        total += len(runs)
        more += pull.asked[head] + pull.pressed[head]
        if not 1 <= len(runs) <= 1 + more:
            shown = [(run.external_id[-2:], run.conclusion, run.title) for run in runs]
            yield f"{told}: {len(runs)} checks instead of 1 to {1 + more} on {head}: {shown}"
    if total > len(pull.heads) + more:
        yield f"{told}: {total} checks of {len(pull.heads)} heads, asked for {more} times"
    if pull.is_open:
        yield from _last_word(town, pull, told, store)


def _last_word(town: Town, pull: PullBook, told: str, store: Store) -> Iterator[str]:
    """The head that counts has a verdict, and not only word of work that was cut short."""
    runs = town.github.check_runs(pull.repository, pull.heads[-1])
    if not runs:
        return
    last = max(runs, key=lambda run: int(run.external_id.rpartition(":")[2]))
    if last.conclusion == "cancelled":
        lane = last.external_id.rsplit(":", 2)[0]
        jobs = [
            _history(job) for job in store.jobs.latest(limit=100_000) if job.concurrency_key == lane
        ]
        yield f"{told}: its head {pull.heads[-1]} has no verdict:\n    " + "\n    ".join(jobs)


def _issues(town: Town) -> Iterator[str]:
    for (repository, number), asked in town.book.issues.items():
        comments = _ours(town, repository, number)
        marked = [one for one in comments if issue_marker(number) in one.body]
        if len(marked) != 1:
            yield f"issue {number} of {repository} has {len(marked)} comments ({asked} asked)"
        for one in marked:
            if one.body == working(number):
                yield f"issue {number} of {repository} is still being worked on"


def _commands(town: Town) -> Iterator[str]:
    for repository, number, identity, word, may in town.book.commands:
        issue = town.github.repository(repository).issues[number]
        comment = next(one for one in issue.comments if one.id == identity)
        seen = [reaction.content for reaction in comment.reactions]
        expected = [] if word == "help" else ["eyes"] if may else ["confused"]
        if seen != expected:
            yield f"/fixgate {word} on {number} of {repository} got {seen}, not {expected}"
    for repository, number, word in {(one[0], one[1], one[3]) for one in town.book.commands}:
        if word not in ("help", "explain"):
            continue
        marked = [c for c in _ours(town, repository, number) if answer_marker(word) in c.body]
        if len(marked) != 1:
            yield f"{len(marked)} answers to /fixgate {word} on {number} of {repository}"


def _ours(town: Town, repository: str, number: int) -> list[Comment]:
    comments = town.github.repository(repository).issues[number].comments
    return [one for one in comments if one.app is not None]


def adopted(known: Collection[int]) -> Iterator[str]:
    """What this process adopted, as its own parent died, and still lives."""
    for process in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if process.pid not in known and process.status() != psutil.STATUS_ZOMBIE:
                yield f"a process outlived its parent: {process.pid} {process.cmdline()}"


def _history(job: Job) -> str:
    times = f"planned {job.created_at:%X}, begun {job.started_at}, ended {job.ended_at}"
    told = "told" if job.reported else "not told"
    return f"{job.key}: {job.state}, {told}, {job.attempts} attempts, {job.message!r}, {times}"
