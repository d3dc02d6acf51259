from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import github as pygithub
import pytest
import requests

from bot.demo.simulator import GitHubSimulator
from tests.demo.simulator.conftest import Client, Studio

MANIFEST: dict[str, Any] = {
    "name": "my-fixgate",
    "url": "https://example.org",
    "hook_attributes": {"url": "http://127.0.0.1:9/hook"},
    "redirect_url": "http://127.0.0.1:9/setup",
    "public": False,
    "default_permissions": {"issues": "write", "checks": "write"},
    "default_events": ["issues", "check_run"],
}


def _submit(github: GitHubSimulator, manifest: object, where: str = "") -> requests.Response:
    with requests.Session() as browser:
        browser.trust_env = False
        return browser.post(
            f"{github.web_url}{where}/settings/apps/new?state=abc",
            data={"manifest": manifest if isinstance(manifest, str) else json.dumps(manifest)},
            allow_redirects=False,
            timeout=20,
        )


def _code(answer: requests.Response) -> str:
    assert answer.status_code == 302, answer.text
    place = urlsplit(answer.headers["Location"])
    query = parse_qs(place.query)
    assert f"{place.scheme}://{place.netloc}{place.path}" == MANIFEST["redirect_url"]
    assert query["state"] == ["abc"]
    return query["code"][0]


def test_an_app_is_made_from_a_manifest(studio: Studio) -> None:
    code = _code(_submit(studio.github, MANIFEST))
    path = f"/app-manifests/{code}/conversions"
    made = studio.anonymous("POST", path)
    assert made.status_code == 201
    told = made.json()
    assert told["pem"].startswith("-----BEGIN RSA PRIVATE KEY-----")
    assert told["permissions"] == {"metadata": "read", "issues": "write", "checks": "write"}
    assert (told["owner"]["login"], told["slug"]) == ("alice", "my-fixgate")
    assert len(told["webhook_secret"]) >= 20
    assert studio.anonymous("POST", path).status_code == 404
    auth = pygithub.Auth.AppAuth(told["client_id"], told["pem"])
    library = pygithub.GithubIntegration(auth=auth, base_url=studio.github.api_url)
    assert library.get_app().name == "my-fixgate"


def test_an_app_of_an_organisation(studio: Studio) -> None:
    studio.github.add_organization("acme")
    code = _code(_submit(studio.github, MANIFEST, "/organizations/acme"))
    told = studio.anonymous("POST", f"/app-manifests/{code}/conversions").json()
    assert told["owner"]["login"] == "acme"
    nowhere = _submit(studio.github, MANIFEST, "/organizations/nobody")
    assert nowhere.status_code == 404


def test_the_code_lasts_an_hour(studio: Studio) -> None:
    code = _code(_submit(studio.github, MANIFEST))
    studio.github.advance(3_601)
    assert studio.anonymous("POST", f"/app-manifests/{code}/conversions").status_code == 404


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "name is missing"),
        ({"name": "x" * 35}, "1 to 34 characters"),
        ({"name": "fixgate"}, "already taken"),
        ({"url": "example.org"}, "url must be a URL"),
        ({"redirect_url": None}, "redirect_url is missing"),
        ({"hook_attributes": {}}, "hook_attributes.url must be a URL"),
        ({"default_events": ["pull_request"]}, "not supported by permissions: pull_request"),
        ({"default_events": ["issue"]}, "not supported by permissions: issue"),
        ({"default_permissions": {"isues": "write"}}, "isues"),
        ({"default_permissions": {"issues": "all"}, "default_events": []}, "unknown level all"),
        ({"webhook": {}}, "unknown key webhook"),
    ],
)
def test_wrong_manifests(shared: Studio, change: dict[str, Any], message: str) -> None:
    answer = _submit(shared.github, {**MANIFEST, **change})
    assert answer.status_code == 422
    assert message in answer.text
    assert len(shared.github.world.apps) == 1


@pytest.mark.parametrize("text", ["{", "[]"])
def test_no_manifest(shared: Studio, text: str) -> None:
    assert _submit(shared.github, text).status_code == 422


def test_installations_are_found(shared: Studio) -> None:
    call: Client = shared.as_app
    assert call("GET", "/repos/alice/calc/installation").json()["id"] == shared.installation
    assert call("GET", "/repos/alice/nothing/installation").status_code == 404
