"""The App's webhook: where it goes, and what was delivered."""

from __future__ import annotations

from flask import Blueprint

from bot.demo.simulator.api.call import ApiCall, ApiResponse
from bot.demo.simulator.api.endpoint import endpoint
from bot.demo.simulator.courier import DeliveryAttempt
from bot.demo.simulator.errors import invalid_request, not_found
from bot.demo.simulator.records import Json
from bot.demo.simulator.serializers.accounts import stamp

blueprint = Blueprint("hooks", __name__)
_KEPT_DAYS = 3
_DELIVERY = "/app/hook/deliveries/<int:delivery_id>"


@endpoint(blueprint, "GET", "/app/hook/deliveries", "apps/list-webhook-deliveries", "app")
def list_deliveries(call: ApiCall) -> ApiResponse:
    """What was delivered, newest first; the rest is behind the cursor in the Link header."""
    found = _kept(call)
    if status := call.query.get("status"):
        found = [one for one in found if one.succeeded == (status == "success")]
    if cursor := call.query.get("cursor"):
        found = [one for one in found if one.id <= _position(cursor)]
    size = min(max(int(call.query.get("per_page", "30")), 1), 100)
    page, rest = found[:size], found[size:]
    headers = {"Link": call.link("next", cursor=f"v1_{rest[0].id}")} if rest else {}
    return ApiResponse([_item(one) for one in page], headers=headers)


def _position(cursor: str) -> int:
    number = cursor.removeprefix("v1_")
    if not number.isdecimal():
        raise invalid_request(f'"{cursor}" is not a valid cursor.')
    return int(number)


@endpoint(
    blueprint,
    "POST",
    f"{_DELIVERY}/attempts",
    "apps/redeliver-webhook-delivery",
    "app",
    status=202,
)
def redeliver(call: ApiCall, delivery_id: int) -> Json:
    """Deliver again under the same X-GitHub-Delivery."""
    call.world.courier.redeliver(_find(call, delivery_id))
    return {}


def _kept(call: ApiCall) -> list[DeliveryAttempt]:
    now = call.world.now()
    return [
        one
        for one in reversed(call.world.courier.deliveries)
        if one.parcel.app is call.caller.app and (now - one.delivered_at).days < _KEPT_DAYS
    ]


def _find(call: ApiCall, identity: int) -> DeliveryAttempt:
    for one in _kept(call):
        if one.id == identity:
            return one
    raise not_found()


def _item(of: DeliveryAttempt) -> Json:
    return {
        "id": of.id,
        "guid": of.parcel.guid,
        "delivered_at": stamp(of.delivered_at),
        "redelivery": of.parcel.redelivery,
        "duration": of.duration,
        "status": of.status,
        "status_code": of.status_code,
        "event": of.parcel.event,
        "action": of.parcel.action,
        "installation_id": of.parcel.installation_id,
        "repository_id": of.parcel.repository_id,
        "throttled_at": None,
    }
