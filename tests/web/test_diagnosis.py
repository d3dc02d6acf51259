"""`fixgate doctor --app`: what it finds good, and what it says to do about the rest."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bot import diagnosis
from bot.cli import main
from bot.demo.simulator import GitHubSimulator
from bot.github.manifest import load_manifest
from tests.web.conftest import NOWHERE, SECRET, site_with


class Doctor:
    """An App on the simulated GitHub with its web process, and the command that looks at it."""

    def __init__(self, github, site, folder, permissions=None, events=None, secret=SECRET):
        self.site, manifest = site, load_manifest()
        self.alice = github.add_user("alice")
        app = github.create_app(
            "fixgate",
            permissions or manifest["default_permissions"],
            events or manifest["default_events"],
            owner="alice",
            webhook_url=f"{site.url}/webhook",
            secret=secret,
        )
        self.app_id, self.client_secret = app.app_id, app.client_secret
        (folder / "key.pem").write_text(app.private_key)
        self.settings = {
            "COLUMNS": "300",
            "FIXGATE_DATA_DIRECTORY": str(site.settings.data),
            "FIXGATE_PUBLIC_URL": site.url,
            "FIXGATE_API_URL": github.api_url,
            "FIXGATE_WEBHOOK_SECRET": SECRET,
            "FIXGATE_CLIENT_ID": app.client_id,
            "FIXGATE_PRIVATE_KEY_FILE": str(folder / "key.pem"),
            "FIXGATE_SANDBOX": "process",
        }

    def says(self, **changed):
        done = CliRunner().invoke(main, ["doctor", "--app"], env={**self.settings, **changed})
        lines = [line for line in done.output.splitlines() if line]
        return done.exit_code, {line[2:].partition(": ")[0]: line for line in lines}


@pytest.fixture
def github():
    with GitHubSimulator() as made:
        yield made


@pytest.fixture
def doctor(github, tmp_path, monkeypatch):
    # How full the disk of the machine is that runs the tests says nothing about the doctor.
    monkeypatch.setattr(diagnosis, "ENOUGH_BYTES", 0)
    with site_with(tmp_path, NOWHERE) as site:
        yield Doctor(github, site, tmp_path)


def test_all_is_well(doctor):
    code, said = doctor.says()
    bad = [line for line in said.values() if not line.startswith("✓")]
    assert (code, bad) == (0, [])
    assert f"a test delivery was taken at {doctor.site.url}/webhook" in said["webhook"]
    assert "that of fixgate" in said["private key"]
    assert "off GitHub's" in said["clock"]
    assert len(said) == 12
    assert "by the token alone" in said["login"]


def test_a_disk_that_is_nearly_full_is_named(doctor, monkeypatch):
    monkeypatch.setattr(diagnosis, "ENOUGH_BYTES", 2**60)
    code, said = doctor.says()
    assert code == 2
    assert "GiB are free, which is less than" in said["disk"]


def test_the_client_secret_is_tried(doctor):
    code, said = doctor.says(FIXGATE_CLIENT_SECRET=doctor.client_secret)
    assert code == 0
    assert "GitHub takes the client secret" in said["login"]
    assert doctor.client_secret not in "".join(said.values())
    code, said = doctor.says(FIXGATE_CLIENT_SECRET="another-client-secret")
    assert code == 2
    assert "GitHub does not take the client secret" in said["login"]


@pytest.mark.parametrize(
    ("changed", "what", "remedy"),
    [
        (
            {"FIXGATE_WEBHOOK_SECRET": "another-secret-of-a-test"},
            "webhook",
            "another webhook secret",
        ),
        ({"FIXGATE_PUBLIC_URL": "http://127.0.0.1:9"}, "webhook", "is `fixgate serve` running"),
        ({"FIXGATE_REDIS_URL": NOWHERE}, "Redis", "FIXGATE_REDIS_URL"),
        ({"FIXGATE_DATABASE_URL": "sqlite:////proc/none.db"}, "store", "FIXGATE_DATABASE_URL"),
        ({"FIXGATE_PRIVATE_KEY_FILE": "/nowhere/key.pem"}, "private key", "/nowhere/key.pem"),
        ({"FIXGATE_CLIENT_ID": "Iv23liAnotherApp"}, "private key", "is FIXGATE_CLIENT_ID right"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(doctor, changed, what, remedy):
    code, said = doctor.says(**changed)
    assert code == 2
    assert said[what].startswith("✗")
    assert remedy in said[what]


def test_missing_permissions_and_events_are_named(github, tmp_path):
    with site_with(tmp_path, NOWHERE) as site:
        held = {"metadata": "read", "contents": "write", "issues": "read"}
        code, said = Doctor(github, site, tmp_path, held, ["issues"]).says()
    assert code == 2
    assert "issues: write, pull_requests: write, checks: write" in said["permissions"]
    assert "contents" not in said["permissions"]
    assert "pull_request" in said["events"]


def test_deliveries_that_were_refused_for_their_signature_are_noticed(github, tmp_path):
    with site_with(tmp_path, NOWHERE) as site:
        doctor = Doctor(github, site, tmp_path, secret="what-somebody-wrote-on-github")
        doctor.alice.install(doctor.app_id)
        github.settle()
        code, said = doctor.says()
    assert code == 2
    assert "refused for its signature" in said["deliveries"]
