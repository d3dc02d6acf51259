"""Links that open the dashboard, and what is said of addresses that GitHub cannot reach."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from itsdangerous import URLSafeTimedSerializer

from bot.cli import main
from bot.settings import settings_from
from bot.web import login
from bot.web.login import login_link
from generator.model.secret import Secret
from tests.web.conftest import TOKEN


def link(site, token=TOKEN):
    return login_link(site.url, Secret(token, "a test")).removeprefix(site.url)


def test_a_link_opens_the_dashboard(site):
    answer = site.get(link(site))
    assert answer.url == f"{site.url}/"
    assert "Repositories" in answer.text


def test_a_link_of_another_token_opens_nothing(site):
    answer = site.get(link(site, "another-token-of-a-test"))
    assert answer.status_code == 403
    assert "/login" in site.get("/").url


def test_a_link_that_is_too_old_opens_nothing(site, monkeypatch):
    made = link(site)
    monkeypatch.setattr(login, "LINK_SECONDS", -1)
    answer = site.get(made)
    assert answer.status_code == 403
    assert "too old" in answer.text


def test_the_command_prints_a_link(site, monkeypatch):
    environment = {"FIXGATE_DASHBOARD_TOKEN": TOKEN, "FIXGATE_PUBLIC_URL": site.url}
    done = CliRunner().invoke(main, ["login"], env=environment)
    assert done.exit_code == 0, done.output
    assert "Repositories" in site.get(done.output.strip().removeprefix(site.url)).text


def test_without_a_token_there_is_no_link(tmp_path):
    environment = {"FIXGATE_DATA_DIRECTORY": str(tmp_path), "FIXGATE_DASHBOARD_TOKEN": ""}
    done = CliRunner().invoke(main, ["login"], env=environment)
    assert done.exit_code == 2
    assert "start `fixgate serve` first" in done.output


def test_the_key_of_a_link_is_no_session(site):
    """What signs links signs nothing else."""
    made = URLSafeTimedSerializer(TOKEN, salt="another use").dumps("in")
    assert site.get(f"/login/{made}").status_code == 403


@pytest.mark.parametrize(
    ("environment", "out_of_reach"),
    [
        ({}, True),
        ({"FIXGATE_PUBLIC_URL": "http://localhost:8000"}, True),
        ({"FIXGATE_PUBLIC_URL": "http://[::1]:8000"}, True),
        ({"FIXGATE_PUBLIC_URL": "https://fixgate.example"}, False),
        ({"FIXGATE_SMEE": "https://smee.io/abc"}, False),
        ({"FIXGATE_API_URL": "http://127.0.0.1:9000"}, False),
    ],
)
def test_an_address_that_github_cannot_reach_is_known(tmp_path, environment, out_of_reach):
    settings = settings_from({"FIXGATE_DATA_DIRECTORY": str(tmp_path), **environment})
    assert settings.is_out_of_reach == out_of_reach
