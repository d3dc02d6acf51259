from __future__ import annotations

import json
import stat
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from bot.errors import ConfigurationError, NotFoundError
from bot.github import credentials
from bot.github.api import Connection
from bot.github.app import AppClient
from bot.github.manifest import Form, convert, form, is_state, load_manifest, new_state
from tests.github.conftest import Room

_PUBLIC = "http://127.0.0.1:9/fixgate/"


def test_the_manifest_that_ships() -> None:
    manifest = load_manifest()
    assert manifest["default_permissions"] == {
        "metadata": "read",
        "contents": "read",
        "issues": "write",
        "pull_requests": "write",
        "checks": "write",
        "merge_queues": "read",
    }
    events = {"issues", "issue_comment", "pull_request", "push", "merge_group"}
    assert set(manifest["default_events"]) == events


def _posted(made: Form) -> requests.Response:
    with requests.Session() as browser:
        browser.trust_env = False
        return browser.post(made.action, data=made.fields, allow_redirects=False, timeout=20)


def _code(made: Form, state: str) -> str:
    answer = _posted(made)
    assert answer.status_code == 302, answer.text
    place = urlsplit(answer.headers["Location"])
    assert f"{place.scheme}://{place.netloc}{place.path}" == f"{_PUBLIC}setup/done"
    query = parse_qs(place.query)
    assert is_state(state, query["state"][0])
    return query["code"][0]


def _form(room: Room, state: str, **more: object) -> Form:
    given = {"name": "my-fixgate", **more}
    return form(
        load_manifest(),
        public_url=_PUBLIC,
        state=state,
        api_url=room.github.api_url,
        **given,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("organization", ["", "acme"])
def test_an_app_is_made_stored_and_works(room: Room, tmp_path: Path, organization: str) -> None:
    room.github.add_organization("acme")
    state, folder = new_state(), tmp_path / "new/folder"
    made = convert(_code(_form(room, state, organization=organization), state), room.connection)
    assert not credentials.is_stored(folder)
    credentials.store(folder, made)
    assert credentials.is_stored(folder)
    known = credentials.load_app(folder)
    app = AppClient(known.client_id, credentials.load_key(folder), Connection(known.api_url))
    assert app.identity().id == known.app_id == made.app_id
    assert credentials.load_webhook_secret(folder).reveal() == made.webhook_secret
    kept = room.github.app(made.app_id)
    assert kept.webhook_url == f"{_PUBLIC}webhook"
    assert kept.permissions["contents"] == "read"
    assert kept.owner.login == (organization or "alice")
    assert made.page.endswith("/apps/my-fixgate")


def test_only_the_owner_can_read_what_is_stored(room: Room, tmp_path: Path) -> None:
    state = new_state()
    made = convert(_code(_form(room, state), state), room.connection)
    folder = tmp_path / "kept"
    for _ in "ab":
        credentials.store(folder, made)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == dict.fromkeys(
        ["app.json", "private-key.pem", "webhook-secret", "client-secret"], 0o600
    )
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert made.private_key not in repr(made)
    assert made.webhook_secret not in repr(made)
    assert "BEGIN" not in (folder / "app.json").read_text()


def test_on_an_enterprise(enterprise_room: Room) -> None:
    state = new_state()
    made = _form(enterprise_room, state)
    assert made.action.startswith(f"{enterprise_room.github.web_url}/settings/apps/new?state=")
    assert convert(_code(made, state), enterprise_room.connection).slug == "my-fixgate"


def test_the_right_to_commit_on_wish(room: Room) -> None:
    state = new_state()
    made = convert(_code(_form(room, state, may_commit=True), state), room.connection)
    assert room.github.app(made.app_id).permissions["contents"] == "write"


def test_a_code_holds_once_and_for_an_hour(room: Room) -> None:
    state = new_state()
    code = _code(_form(room, state), state)
    convert(code, room.connection)
    late = _code(_form(room, state, name="second"), state)
    room.github.advance(3_601)
    for one in (code, late, "../x", "nothing"):
        with pytest.raises(NotFoundError, match="holds for one hour and once"):
            convert(one, room.connection)


@pytest.mark.parametrize(
    ("api", "organization", "action"),
    [
        ("https://api.github.com", "", "https://github.com/settings/apps/new?state=s"),
        (
            "https://api.github.com",
            "acme",
            "https://github.com/organizations/acme/settings/apps/new?state=s",
        ),
        (
            "https://git.acme.example/api/v3",
            "",
            "https://git.acme.example/settings/apps/new?state=s",
        ),
        (
            "https://api.github.com",
            "a/../b?",
            "https://github.com/organizations/a%2F..%2Fb%3F/settings/apps/new?state=s",
        ),
    ],
)
def test_where_the_form_goes(api: str, organization: str, action: str) -> None:
    made = form(
        load_manifest(),
        public_url="https://fixgate.example",
        state="s",
        api_url=api,
        organization=organization,
    )
    assert made.action == action
    sent = json.loads(made.fields["manifest"])
    assert sent["hook_attributes"] == {"url": "https://fixgate.example/webhook", "active": True}


def test_names_that_are_too_long() -> None:
    with pytest.raises(ConfigurationError, match="is longer than 34"):
        form(
            load_manifest(),
            public_url="https://x.example",
            state="s",
            api_url="https://api.github.com",
            name="x" * 35,
        )


def test_states() -> None:
    state = new_state()
    assert is_state(state, state)
    assert not is_state(state, new_state())
    assert not is_state("", "")
    assert not is_state(state, "é")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"app\.yml: the payload should be an object"),
        ("name: [", r"app\.yml: while parsing"),
        ("name: 7", r"app\.yml: name should be a string"),
        ("name: x\ndefault_permissions: {a: 1}", r"default_permissions\.a should be a string"),
        ("name: x\ndefault_permissions: {a: read}", "default_events should be a list"),
    ],
)
def test_manifests_that_are_none(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "app.yml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=told):
        load_manifest(path)
    with pytest.raises(ConfigurationError, match=r"other\.yml cannot be read"):
        load_manifest(tmp_path / "other.yml")


def test_credentials_that_are_not_there(tmp_path: Path) -> None:
    for load in (credentials.load_app, credentials.load_webhook_secret):
        with pytest.raises(ConfigurationError, match="set the App up on the setup page first"):
            load(tmp_path)
    with pytest.raises(ConfigurationError, match=r"private-key\.pem cannot be read"):
        credentials.load_key(tmp_path)
    (tmp_path / "app.json").write_text('{"app_id": "1"}')
    with pytest.raises(ConfigurationError, match=r"app\.json: app_id should be a whole number"):
        credentials.load_app(tmp_path)


def test_a_directory_that_cannot_be_written(room: Room, tmp_path: Path) -> None:
    state = new_state()
    made = convert(_code(_form(room, state), state), room.connection)
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="generate a private key and a webhook secret"):
        credentials.store(tmp_path / "file", made)
