"""The addresses of the pages."""

from __future__ import annotations

import flask
from flask import Blueprint

from bot.demo.simulator.operations.checks import find_run
from bot.demo.simulator.pages.website import Website, issue_path
from bot.demo.simulator.state import current
from bot.demo.simulator.world import issue_of

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


@blueprint.get("/<owner>/<name>/runs/<int:identity>")
def check_run(owner: str, name: str, identity: int) -> str:
    """One check run."""
    world = current().world
    with world.lock:
        return Website(world).check_run(find_run(world.repository(f"{owner}/{name}"), identity))
