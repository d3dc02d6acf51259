"""What is asked about GitHub itself, and about accounts."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.call import Call
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.api.meter import RESOURCES
from bot.demo.simulator.errors import forbidden
from bot.demo.simulator.records import Json
from bot.demo.simulator.shapes.accounts import profile

blueprint = Blueprint("meta", __name__)


@endpoint(blueprint, "GET", "/rate_limit", "rate-limit/get", "anyone")
def rate_limit(call: Call) -> Json:
    """What the caller has left; asking costs nothing of the primary limit."""
    name = call.caller.name
    windows = {one: call.meter.window(name, one) for one in RESOURCES}
    call.meter.refund(windows["core"])
    counts = {one: window.counts() for one, window in windows.items()}
    counts["search"] = {**counts["core"], "limit": 30, "remaining": 30, "used": 0}
    return {"resources": counts, "rate": counts["core"]}


@endpoint(blueprint, "GET", "/user", "users/get-authenticated", "installation")
def get_authenticated(_: Call) -> Json:
    """An installation is nobody's account."""
    raise forbidden()


@endpoint(blueprint, "GET", "/users/<username>", "users/get-by-username", "anyone")
def get_user(call: Call, username: str) -> Json:
    """Somebody's profile; bots have one too."""
    return profile(call.world.site, call.world.account(username))
