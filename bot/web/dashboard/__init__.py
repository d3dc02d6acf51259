"""The dashboard: what was done, what was found, and why; it only shows."""

from __future__ import annotations

import flask

from bot.settings import Settings
from bot.store import Store
from bot.web.dashboard.evidence import evidence_of
from bot.web.dashboard.overview import overview_of
from bot.web.dashboard.trajectories import Trajectories
from bot.web.login import guard
from generator.model.secret import Secret

_TRAJECTORY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""These pages carry their style, and a policy of their own that lets only it through."""


def blueprint(settings: Settings, store: Store, token: Secret | None) -> flask.Blueprint:
    """All pages, for who is logged in."""
    routes = flask.Blueprint("dashboard", __name__)
    routes.before_request(guard(token))
    trajectories = Trajectories(settings.data / "trajectories")

    @routes.get("/")
    def overview() -> str:
        repository = flask.request.args.get("repository") or None
        return flask.render_template("overview.html", page=overview_of(store, repository))

    @routes.get("/jobs/<path:key>")
    def job(key: str) -> str:
        row = store.jobs.get(key) or flask.abort(404)
        return flask.render_template(
            "job.html",
            job=row,
            verdict=store.verdicts.of_job(key),
            trajectory=trajectories.name_of(row.repository, row.number),
        )

    @routes.get("/verdicts/<int:number>")
    def verdict(number: int) -> str:
        row = store.verdicts.get(number) or flask.abort(404)
        wrong = store.verdicts.called_wrong(row.repository, row.number, row.head_sha)
        return flask.render_template(
            "verdict.html", verdict=row, evidence=evidence_of(row.details), wrong=wrong
        )

    @routes.get("/trajectories")
    def listed() -> str:
        return flask.render_template("trajectories.html", trajectories=trajectories.latest())

    @routes.get("/trajectories/<name>")
    def trajectory(name: str) -> flask.Response:
        page = trajectories.page(name) or flask.abort(404)
        answer = flask.Response(page, content_type="text/html; charset=utf-8")
        answer.headers["Content-Security-Policy"] = _TRAJECTORY_POLICY
        return answer

    @routes.app_errorhandler(404)
    def missing(_: Exception) -> flask.typing.ResponseReturnValue:
        return flask.render_template("missing.html"), 404

    return routes
