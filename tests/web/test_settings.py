"""Settings: what is read, from where, and what is said of mistakes."""

from __future__ import annotations

import pytest

from bot.demo.simulator.operations.apps import new_private_key
from bot.errors import ConfigurationError
from bot.github import credentials
from bot.settings import settings_from, with_file

LONG = "x" * 32


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


def of(folder, **environment):
    told = {f"FIXGATE_{name}": value for name, value in environment.items()}
    return settings_from({"FIXGATE_DATA_DIRECTORY": str(folder), **told})


def test_with_nothing_said_all_lies_in_the_data_directory(folder):
    settings = of(folder)
    assert settings.database_url == f"sqlite:///{folder}/fixgate.db"
    assert settings.minter_address == f"unix:{folder}/minter.sock"
    assert settings.api_url == "https://api.github.com"
    assert not settings.is_set_up
    assert settings.dashboard_token() is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "0"),
        ("PORT", "nan"),
        ("JOB_MINUTES", "inf"),
        ("JOB_MINUTES", "-1"),
        ("RERUNS", "1.5"),
        ("PUBLIC_URL", "fixgate.example"),
        ("API_URL", "ftp://x"),
        ("REDIS_URL", "127.0.0.1:6379"),
        ("SANDBOX", "chroot"),
    ],
)
def test_mistakes_name_the_variable(folder, name, value):
    with pytest.raises(ConfigurationError, match=f"FIXGATE_{name}"):
        of(folder, **{name: value})


def test_secrets_are_given_as_they_are_or_in_files(folder, tmp_path):
    (tmp_path / "secret").write_text(f"{LONG}\n")
    assert of(folder, WEBHOOK_SECRET="abc").webhook_secret().reveal() == "abc"
    by_file = of(folder, WEBHOOK_SECRET_FILE=str(tmp_path / "secret"))
    assert by_file.webhook_secret().reveal() == LONG
    assert by_file.is_set_up
    assert of(folder, MINTER_SECRET=LONG).minter_secret().reveal() == LONG
    assert of(folder, DASHBOARD_TOKEN=LONG).dashboard_token().reveal() == LONG


def test_missing_and_short_secrets_are_told(folder, tmp_path):
    with pytest.raises(ConfigurationError, match="FIXGATE_WEBHOOK_SECRET is not set"):
        of(folder).webhook_secret()
    with pytest.raises(ConfigurationError, match="FIXGATE_MINTER_SECRET must hold at least 16"):
        of(folder, MINTER_SECRET="short").minter_secret()
    with pytest.raises(ConfigurationError, match="FIXGATE_DASHBOARD_TOKEN must"):
        of(folder, DASHBOARD_TOKEN="short").dashboard_token()
    with pytest.raises(ConfigurationError, match="FIXGATE_MINTER_SECRET_FILE names"):
        of(folder, MINTER_SECRET_FILE=str(tmp_path / "nowhere")).minter_secret()


def test_no_secret_shows_in_the_settings(folder):
    assert LONG not in repr(of(folder, WEBHOOK_SECRET=LONG, MINTER_SECRET=LONG))


def test_what_the_setup_page_stored_holds(folder):
    given = credentials.Credentials(
        app_id=7,
        slug="fixgate",
        client_id="Iv1.abc",
        page="https://github.example/apps/fixgate",
        api_url="https://github.example/api/v3",
        private_key=new_private_key(),
        webhook_secret="from-github",
        client_secret="client-secret-from-github",
    )
    credentials.store(folder / "credentials", given)
    settings = of(folder)
    assert settings.is_set_up
    assert settings.webhook_secret().reveal() == "from-github"
    assert settings.client_id == "Iv1.abc"
    assert settings.api_url == "https://github.example/api/v3"
    assert "PRIVATE" not in repr(settings.private_key())
    assert of(folder, CLIENT_ID="mine").client_id == "mine"


def test_a_file_of_settings_stands_behind_the_environment(tmp_path):
    file = tmp_path / "fixgate.env"
    file.write_text("# ours\n\nFIXGATE_PORT=81\nexport FIXGATE_HOST='0.0.0.0'\nOTHER=\"a=b\"\n")
    assert with_file(file, {"FIXGATE_PORT": "82"}) == {
        "FIXGATE_PORT": "82",
        "FIXGATE_HOST": "0.0.0.0",
        "OTHER": "a=b",
    }


@pytest.mark.parametrize("line", ["FIXGATE_PORT", "=3", "A B=3"])
def test_a_wrong_line_is_told_by_its_number(tmp_path, line):
    file = tmp_path / "fixgate.env"
    file.write_text(f"A=1\n{line}\n")
    with pytest.raises(ConfigurationError, match="line 2"):
        with_file(file, {})
