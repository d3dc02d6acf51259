"""What people do to jobs: stop one, have one done again; for those alone who may push."""

from __future__ import annotations

import logging
from collections.abc import Iterable

import flask

from bot.handlers.planning import plan
from bot.jobs.types import JobRequest, JobState
from bot.queue import JobQueue
from bot.store import Store
from bot.store.jobs import request_of
from bot.store.tables import Job
from bot.web import forms
from bot.web.visitors import Entrance, visitor

_log = logging.getLogger(__name__)


def blueprint(store: Store, queue: JobQueue, entrance: Entrance) -> flask.Blueprint:
    """POST /stop/KEY and /retry/KEY."""
    routes = flask.Blueprint("steering", __name__)
    routes.before_request(entrance.guard)
    routes.before_request(forms.check)

    @routes.post("/stop/<path:key>")
    def stop(key: str) -> flask.typing.ResponseReturnValue:
        row = _steered(store, key)
        message = f"stopped on the dashboard by {visitor().name}"
        if store.jobs.finish(row.key, JobState.FAILED, message):
            _log.info("%s is %s", row.key, message)
            queue.stop(row.key)
            queue.conclude(row.key)
        return _to_job(row.key)

    @routes.post("/retry/<path:key>")
    def retry(key: str) -> flask.typing.ResponseReturnValue:
        row = _steered(store, key)
        with store.database.exclusive_lock("plan", f"{row.repository}:{row.number}"):
            return _to_job(_planned_again(store, queue, row))

    return routes


def may_stop(job: Job) -> bool:
    """Whether whoever looks may stop a job."""
    return visitor().may_write(job.repository) and not JobState(job.state).is_final


def repeatable(store: Store, jobs: Iterable[Job]) -> frozenset[str]:
    """The keys of those that whoever looks may have done again.

    Not of older ones, which would stop newer ones.
    """
    ended = [job for job in jobs if JobState(job.state).is_final]
    return store.jobs.newest_among([job for job in ended if visitor().may_write(job.repository)])


def _steered(store: Store, key: str) -> Job:
    """A job that whoever asks may steer; for others it is not there."""
    row = store.jobs.get(key)
    if row is None or not visitor().may_write(row.repository):
        flask.abort(404)
    return row


def _planned_again(store: Store, queue: JobQueue, row: Job) -> str:
    """The key of the job that does it again, or of this one where that is not to be."""
    if row.key not in repeatable(store, [row]):
        return row.key
    request = _again(store, row)
    # What it supersedes has ended; its own check says that it begins, as this process has no token.
    plan(store, queue, request)
    _log.info("%s is planned again as %s", row.key, request.key)
    return request.key


def _again(store: Store, row: Job) -> JobRequest:
    old = request_of(row)
    asked = JobRequest(
        old.kind,
        old.repository,
        old.number,
        old.head_sha,
        old.base_sha,
        requested_by=visitor().name,
    )
    return store.jobs.with_round(asked, again=True)


def _to_job(key: str) -> flask.typing.ResponseReturnValue:
    return flask.redirect(flask.url_for("dashboard.job", key=key), 303)
