from __future__ import annotations

import pickle
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from bot.demo.simulator import Faults
from bot.errors import ConfigurationError, ForbiddenError, NotFoundError, RateLimitedError
from bot.github.app import AppClient, PrivateKey
from bot.github.tokens import COMMIT, READ
from tests.github.conftest import Room


def test_the_web_token_says_what_github_wants(room: Room) -> None:
    now = time.time()
    made = room.key.sign("Iv23", now)
    claims = jwt.decode(made.reveal(), options={"verify_signature": False})
    assert claims == {"iss": "Iv23", "iat": int(now) - 60, "exp": int(now) + 540}
    assert jwt.get_unverified_header(made.reveal())["alg"] == "RS256"


@pytest.mark.parametrize("seconds", [-50, 50])
def test_clocks_may_differ_by_some_seconds(room: Room, seconds: int) -> None:
    shifted = AppClient(
        room.studio.app.client_id, room.key, room.connection, lambda: time.time() + seconds
    )
    assert shifted.identity().bot == "fixgate[bot]"


def test_a_token_reaches_one_repository_with_the_permissions_asked_for(room: Room) -> None:
    room.github.add_repository("alice/other")
    made = room.app.create_token(room.studio.installation, "alice/calc", READ)
    (kept,) = [t for v, t in room.github.world.tokens.items() if v == made.value.reveal()]
    assert kept.repositories == frozenset({room.github.repository("alice/calc").id})
    assert kept.permissions == {"metadata": "read", **READ}
    assert timedelta(minutes=58) < made.expires_at - datetime.now(UTC) < timedelta(minutes=61)
    assert made.value.reveal() not in repr(made)


def test_what_was_not_granted_is_told(room: Room) -> None:
    number, make = room.studio.installation, room.app.create_token
    with pytest.raises(ForbiddenError, match=r"has not granted actions: write on alice/calc"):
        make(number, "alice/calc", {"actions": "write"})
    with pytest.raises(ForbiddenError, match="accept the App's permissions, or add the repository"):
        make(number, "alice/secret", READ)
    with pytest.raises(NotFoundError, match=f"/app/installations/{number + 1}/access_tokens"):
        make(number + 1, "alice/calc", READ)
    for name, permissions in (("alice/calc", {}), ("alice", COMMIT), ("", READ)):
        with pytest.raises(ForbiddenError, match="for one repository and for named permissions"):
            make(number, name, permissions)


def test_a_suspended_installation(room: Room) -> None:
    room.studio.alice.suspend(room.studio.installation)
    with pytest.raises(ForbiddenError, match="This installation has been suspended"):
        room.app.create_token(room.studio.installation, "alice/calc", READ)


def test_another_key_is_refused(room: Room, tmp_path: Path) -> None:
    elsewhere = AppClient("Iv23other", room.key, room.connection)
    with pytest.raises(NotFoundError, match="Integration not found"):
        elsewhere.identity()


def test_the_installation_on_a_repository(room: Room) -> None:
    assert room.app.installation("alice/calc") == room.studio.installation
    room.github.add_user("mallory")
    room.github.add_repository("mallory/own")
    with pytest.raises(NotFoundError, match="/repos/mallory/own/installation: 404 Not Found"):
        room.app.installation("mallory/own")


def test_failed_deliveries_are_found_and_sent_again(room: Room) -> None:
    start = datetime.now(UTC) - timedelta(minutes=1)
    room.studio.receiver.status = 500
    numbers = [room.studio.bob.open_issue("alice/calc", "It breaks") for _ in "ab"]
    room.github.settle()
    lost = room.app.failed_deliveries(start)
    guids = [hook.guid for hook in room.studio.receiver.hooks]
    assert [one.guid for one in lost] == guids
    assert {one.event for one in lost} == {"issues"}
    room.studio.receiver.status = 202
    room.app.redeliver(lost[0].id)
    room.github.settle()
    again = room.studio.receiver.hooks[-1]
    assert (again.guid, again.payload["issue"]["number"]) == (guids[0], numbers[0])
    assert [one.guid for one in room.app.failed_deliveries(start)] == guids[1:]
    assert room.app.failed_deliveries(datetime.now(UTC) + timedelta(minutes=1)) == ()


def test_a_delivery_that_fails_twice_is_told_once(room: Room) -> None:
    start = datetime.now(UTC) - timedelta(minutes=1)
    room.github.use(Faults(undelivered=1))
    room.studio.bob.open_issue("alice/calc", "It breaks")
    room.github.settle()
    (first,) = room.app.failed_deliveries(start)
    room.app.redeliver(first.id)
    room.github.settle()
    (second,) = room.app.failed_deliveries(start)
    assert (second.guid, second.event) == (first.guid, "issues")


def test_deliveries_of_many_pages(room: Room) -> None:
    start = datetime.now(UTC) - timedelta(minutes=1)
    room.github.use(Faults(undelivered=1))
    for _ in range(205):
        room.studio.bob.comment("alice/calc", _only_issue(room), "again")
    room.github.settle()
    assert len(room.app.failed_deliveries(start)) == 206


def _only_issue(room: Room) -> int:
    known = room.github.repository("alice/calc").issues
    return next(iter(known), None) or room.studio.bob.open_issue("alice/calc", "It breaks")


def test_limits_are_left_to_those_who_ask(room: Room) -> None:
    room.github.use(Faults(limited=1, retry_after=6))
    with pytest.raises(RateLimitedError, match="come back in 6 s"):
        room.app.identity()
    assert room.waits == []
    with pytest.raises(RateLimitedError):
        room.repository().default_branch()
    assert room.waits == [6.0] * 7


def test_delivering_again_what_is_not_there(room: Room) -> None:
    with pytest.raises(NotFoundError):
        room.app.redeliver(1)


def test_a_key_is_never_shown(room: Room) -> None:
    assert repr(room.key) == "PrivateKey(the test)"
    with pytest.raises(TypeError, match="not to be written"):
        pickle.dumps(room.key)


def test_files_that_hold_no_key(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    with pytest.raises(ConfigurationError, match=r"key\.pem cannot be read: No such file"):
        PrivateKey.load(path)
    path.write_text("no key")
    with pytest.raises(ConfigurationError, match=r"key\.pem is no unencrypted private key in PEM"):
        PrivateKey.load(path)
    curve = ec.generate_private_key(ec.SECP256R1())
    path.write_bytes(
        curve.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    with pytest.raises(ConfigurationError, match="is no RSA key"):
        PrivateKey.load(path)
