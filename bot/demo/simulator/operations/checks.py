"""Check suites and check runs, and the buttons on them."""

from __future__ import annotations

from bot.demo.simulator.errors import RefusedError
from bot.demo.simulator.events import emit
from bot.demo.simulator.git import NOTHING
from bot.demo.simulator.records import Account, App, CheckRun, CheckSuite, Json, Repository
from bot.demo.simulator.serializers.checks import event_run, event_suite
from bot.demo.simulator.world import World

MOST_RUNS_OF_A_NAME = 1_000


def request_suites(
    world: World, repository: Repository, branch: str, before: str, commit: str, actor: Account
) -> None:
    """A suite on a pushed commit for each App that writes checks here."""
    for installation in list(world.installations.values()):
        if installation.suspended_at or not installation.covers(repository):
            continue
        if installation.permissions.get("checks") != "write":
            continue
        if find_suite(repository, installation.app, commit) is None:
            suite = new_suite(world, repository, installation.app, commit, branch, before)
            tell_suite(world, suite, "requested", actor)


def find_suite(repository: Repository, app: App, commit: str) -> CheckSuite | None:
    """The App's suite on a commit, if there is one."""
    for suite in repository.suites:
        if suite.app is app and suite.head_commit == commit:
            return suite
    return None


def new_suite(
    world: World,
    repository: Repository,
    app: App,
    commit: str,
    branch: str | None,
    before: str | None,
) -> CheckSuite:
    """A suite; nobody hears of it."""
    now = world.now()
    start = None if before == NOTHING else before
    suite = CheckSuite(world.new_id(), app, repository, commit, branch, start, now, now)
    repository.suites.append(suite)
    return suite


def suite_for(world: World, repository: Repository, app: App, commit: str) -> CheckSuite:
    """The App's suite on a commit, made where there is none.

    Its branch is the one that has the commit as its tip; there is none for the head of a fork.
    """
    found = find_suite(repository, app, commit)
    if found is not None:
        return found
    tips = {sha: name for name, sha in repository.git.branches().items()}
    return new_suite(world, repository, app, commit, tips.get(commit), None)


def keep_run(world: World, run: CheckRun) -> None:
    """Add a run to its suite; of the runs with one name the oldest beyond a thousand go."""
    suite = run.suite
    suite.runs.append(run)
    same = [one for one in suite.runs if one.name == run.name]
    for old in same[:-MOST_RUNS_OF_A_NAME]:
        suite.runs.remove(old)
    suite.reset = False
    suite.updated_at = world.now()
    actor = suite.app.bot
    tell_run(world, run, "created", actor)
    if run.status == "completed":
        tell_run(world, run, "completed", actor)


def find_run(repository: Repository, identity: int) -> CheckRun:
    """A run by its id. Raises RefusedError (404)."""
    for suite in repository.suites:
        for run in suite.runs:
            if run.id == identity:
                return run
    raise RefusedError(404, "Not Found")


def rerequest_run(world: World, run: CheckRun, actor: Account) -> None:
    """Somebody wants a check again; its suite is queued again, the run itself stays as it is."""
    run.suite.reset = True
    tell_run(world, run, "rerequested", actor)


def rerequest_suite(world: World, suite: CheckSuite, actor: Account) -> None:
    """Somebody wants all checks of a suite again."""
    suite.reset = True
    tell_suite(world, suite, "rerequested", actor)


def press(world: World, run: CheckRun, identifier: str, actor: Account) -> None:
    """Somebody pressed a button. Raises ValueError where there is no such button."""
    if identifier not in {action["identifier"] for action in run.actions}:
        raise ValueError(f"check run {run.name} has no button {identifier}")
    tell_run(world, run, "requested_action", actor, requested_action={"identifier": identifier})


def tell_run(world: World, run: CheckRun, action: str, actor: Account, **more: object) -> None:
    """The event of a run; only the App that made it gets it."""
    suite = run.suite
    content: Json = {"check_run": event_run(world.site, run), **more}
    emit(world, "check_run", action, suite.repository, actor, content, only=suite.app)


def tell_suite(world: World, suite: CheckSuite, action: str, actor: Account) -> None:
    """The event of a suite; only its App gets it."""
    content: Json = {"check_suite": event_suite(world.site, suite)}
    emit(world, "check_suite", action, suite.repository, actor, content, only=suite.app)
