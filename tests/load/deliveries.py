"""Deliveries as GitHub sends them: a real payload, signed, each with an id of its own."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from bot.demo.simulator import GitHubSimulator

BYTES = 8_000
"""Of a payload; those of issues and comments have about as many."""
NEIGHBOURS = 32
"""How far behind a delivery its duplicate comes, at most: often before the first is answered."""


_NOWHERE = "http://127.0.0.1:9/"


@dataclass(frozen=True)
class Target:
    """Where deliveries go, and what signs them."""

    port: int
    path: str
    secret: str


def payload() -> str:
    """`issues.opened`, of an App that is installed."""
    with GitHubSimulator() as github:
        alice = github.add_user("alice")
        github.add_repository("alice/calc")
        app = github.create_app(
            "fixgate", {"issues": "write"}, ["issues"], owner="alice", webhook_url=_NOWHERE
        )
        alice.install(app.app_id)
        alice.open_issue("alice/calc", "It breaks", "")
        github.settle()
        (found,) = (one.parcel for one in github.deliveries if one.parcel.event == "issues")
    told = {**found.payload, "installation": {"id": found.installation_id, "node_id": "MDIz"}}
    told["issue"]["body"] = ""
    told["issue"]["body"] = "It breaks.\n" * ((BYTES - len(json.dumps(told))) // 12)
    return json.dumps(told)


def signed(target: Target, body: bytes, guid: str) -> bytes:
    """The whole HTTP request."""
    digest = hmac.new(target.secret.encode(), body, hashlib.sha256).hexdigest()
    headers = {
        "Host": f"127.0.0.1:{target.port}",
        "Accept": "*/*",
        "User-Agent": "GitHub-Hookshot/f1x9a7e",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-GitHub-Delivery": guid,
        "X-GitHub-Event": "issues",
        "X-GitHub-Hook-ID": "1",
        "X-Hub-Signature-256": f"sha256={digest}",
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {target.path} HTTP/1.1\r\n{lines}\r\n".encode() + body


def planned(count: int, duplicates: float, seed: int) -> Sequence[str]:
    """The ids of `count` deliveries in their order; a share of them comes twice."""
    chance = random.Random(seed)
    first = [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(count)]
    again = {
        at + chance.randint(1, NEIGHBOURS): at for at in range(count) if _is(chance, duplicates)
    }
    order = []
    for at, guid in enumerate(first):
        order.append(guid)
        if at in again:
            order.append(first[again[at]])
    return order


def _is(chance: random.Random, share: float) -> bool:
    return chance.random() < share
