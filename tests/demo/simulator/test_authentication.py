from __future__ import annotations

import base64
import re
import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.demo.simulator.conftest import Client, Studio


def test_an_app_is_known_by_its_token(shared: Studio) -> None:
    told = shared.as_app("GET", "/app").json()
    assert (told["id"], told["slug"]) == (shared.app.app_id, "fixgate")
    by_number = shared.jwt(iss=str(shared.app.app_id))
    assert Client(shared.github.api_url, by_number)("GET", "/app").status_code == 200


@pytest.mark.parametrize(
    ("claims", "status", "message"),
    [
        ({"exp": 700}, 401, "too far in the future"),
        ({"exp": -1}, 401, "future time at which the assertion expires"),
        ({"exp": None}, 401, "future time at which the assertion expires"),
        ({"iat": 30}, 401, "'Issued at' claim"),
        ({"iat": None}, 401, "'Issued at' claim"),
        ({"iss": "Iv23linobody"}, 404, "Integration not found"),
        ({"iss": None}, 404, "Integration not found"),
    ],
)
def test_claims_are_checked(
    shared: Studio, claims: dict[str, Any], status: int, message: str
) -> None:
    now = int(time.time())
    moved = {k: now + v if isinstance(v, int) else v for k, v in claims.items()}
    answer = Client(shared.github.api_url, shared.jwt(**moved))("GET", "/app")
    assert answer.status_code == status
    assert message in answer.json()["message"]


def test_a_whole_number_is_wanted_for_the_time_of_issue(shared: Studio) -> None:
    token = shared.jwt(iat=time.time() - 60)
    assert "Integer" in Client(shared.github.api_url, token)("GET", "/app").json()["message"]


def test_another_key_is_refused(shared: Studio) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    now = int(time.time())
    claims = {"iat": now - 60, "exp": now + 60, "iss": shared.app.client_id}
    forged = jwt.encode(claims, pem, algorithm="RS256")
    answer = Client(shared.github.api_url, forged)("GET", "/app")
    assert answer.status_code == 401
    assert answer.json()["message"] == "A JSON web token could not be decoded"


def test_another_algorithm_is_refused(shared: Studio) -> None:
    now = int(time.time())
    claims = {"iat": now - 60, "exp": now + 60, "iss": shared.app.client_id}
    forged = jwt.encode(claims, "k" * 32, algorithm="HS256")
    assert Client(shared.github.api_url, forged)("GET", "/app").status_code == 401


def test_installation_tokens_have_the_new_format(shared: Studio) -> None:
    token = shared.token()
    assert re.fullmatch(r"ghs_[\w.-]{500,540}", token)
    assert "." in token


def test_tokens_expire_after_an_hour(studio: Studio) -> None:
    call = studio.call()
    assert call("GET", "/repos/alice/calc").status_code == 200
    studio.github.advance(3500)
    assert call("GET", "/repos/alice/calc").status_code == 200
    studio.github.advance(101)
    refused = call("GET", "/repos/alice/calc")
    assert (refused.status_code, refused.json()["message"]) == (401, "Bad credentials")


def test_a_suspended_installation_is_refused(studio: Studio) -> None:
    call = studio.call()
    studio.alice.suspend(studio.installation)
    refused = call("GET", "/repos/alice/calc")
    assert (refused.status_code, "suspended" in refused.json()["message"]) == (403, True)
    path = f"/app/installations/{studio.installation}/access_tokens"
    assert studio.as_app("POST", path).status_code == 403
    studio.alice.unsuspend(studio.installation)
    assert call("GET", "/repos/alice/calc").status_code == 200


def test_tokens_end_with_the_installation(studio: Studio) -> None:
    call = studio.call()
    studio.alice.uninstall(studio.installation)
    assert call("GET", "/repos/alice/calc").status_code == 401
    assert studio.as_app("GET", "/repos/alice/calc/installation").status_code == 404


def test_tokens_are_scoped_to_permissions(shared: Studio) -> None:
    shared.bob.open_issue("alice/calc", "It breaks")
    call = shared.call(permissions={"issues": "read"})
    assert call("GET", "/repos/alice/calc/issues/1").status_code == 200
    refused = call("POST", "/repos/alice/calc/issues/1/comments", json={"body": "x"})
    assert refused.status_code == 403
    assert refused.json()["message"] == "Resource not accessible by integration"
    assert refused.json()["status"] == "403"
    assert call("GET", "/repos/alice/calc/pulls").status_code == 403
    assert call("GET", "/repos/alice/calc/contents/calc.py").status_code == 403


def test_tokens_are_scoped_to_repositories(studio: Studio) -> None:
    studio.github.add_repository("alice/other")
    call = studio.call(repositories=["calc"])
    assert call("GET", "/repos/alice/calc").status_code == 200
    assert call("GET", "/repos/alice/other").status_code == 404
    assert studio.call()("GET", "/repos/alice/other").status_code == 200


@pytest.mark.parametrize(
    "scope",
    [
        {"repositories": ["nowhere"]},
        {"repository_ids": [1]},
        {"permissions": {"administration": "read"}},
        {"permissions": {"merge_queues": "write"}},
        {"permissions": {"issues": "all"}},
        {"permissions": {"issue": "read"}},
        {"repositories": "calc"},
    ],
)
def test_scopes_beyond_the_installation_are_refused(shared: Studio, scope: dict[str, Any]) -> None:
    path = f"/app/installations/{shared.installation}/access_tokens"
    assert shared.as_app("POST", path, json=scope).status_code == 422


def test_the_kinds_of_token_are_not_exchangeable(shared: Studio) -> None:
    assert shared.call()("GET", "/app").status_code == 401
    assert shared.as_app("GET", "/repos/alice/calc").status_code == 401


@pytest.mark.parametrize(
    "header", ["Bearer nonsense", "Bearer ghs_nonsense", "Digest x", "Basic !"]
)
def test_bad_credentials(shared: Studio, header: str) -> None:
    answer = shared.anonymous("GET", "/repos/alice/calc", headers={"Authorization": header})
    assert (answer.status_code, answer.json()["message"]) == (401, "Bad credentials")


def test_the_token_may_come_in_other_schemes(shared: Studio) -> None:
    token = shared.token()
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    for header in (f"token {token}", f"Basic {basic}"):
        answer = shared.anonymous("GET", "/repos/alice/calc", headers={"Authorization": header})
        assert answer.status_code == 200


def test_private_repositories_are_hidden(shared: Studio) -> None:
    assert shared.anonymous("GET", "/repos/alice/calc").status_code == 404
    comments = "/repos/alice/calc/issues/1/comments"
    assert shared.anonymous("POST", comments, json={}).status_code == 404


def test_public_repositories_may_be_read_by_all(studio: Studio) -> None:
    studio.github.add_repository("eve/open", {"a": "b"}, private=False)
    for call in (studio.anonymous, studio.call(permissions={"metadata": "read"})):
        assert call("GET", "/repos/eve/open/pulls").status_code == 200
        assert call("GET", "/repos/eve/open/contents/a").status_code == 200
    studio.bob.open_issue("eve/open", "It breaks")
    comments = "/repos/eve/open/issues/1/comments"
    refused = studio.call()("POST", comments, json={"body": "x"})
    assert refused.status_code == 403


def test_headers_that_github_insists_on(shared: Studio) -> None:
    no_agent = shared.as_app("GET", "/app", headers={"User-Agent": ""})
    assert no_agent.status_code == 403
    old = shared.as_app("GET", "/app", headers={"X-GitHub-Api-Version": "1999-01-01"})
    assert old.status_code == 400
    html = shared.call()("GET", "/repos/alice/calc", headers={"Accept": "text/html"})
    assert html.status_code == 415
