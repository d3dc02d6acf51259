"""The setup page against the simulated GitHub: from nothing to an App with its key stored."""

from __future__ import annotations

import html
import re
import stat
import threading

import flask
import pytest
import requests

from bot.demo.simulator import GitHubSimulator
from bot.github.app import AppClient
from bot.serving import asgi
from bot.settings import settings_from
from bot.store import Store
from bot.web import make_setup_app
from generator.model.secret import Secret
from tests.web.conftest import TOKEN, form_key, group_of, serving


class Setup:
    def __init__(self, url, github, settings, done):
        self.url, self.github, self.settings, self.done = url, github, settings, done
        self.browser = requests.Session()
        self.browser.trust_env = False

    def get(self, path):
        return self.browser.get(self.url + path, timeout=30)

    def post(self, path, **data):
        page = "/login" if path == "/login" else "/setup"
        key = form_key(self.get(page).text)
        return self.browser.post(self.url + path, data={"form_key": key, **data}, timeout=30)


@pytest.fixture(params=[False, True], ids=["github", "enterprise"])
def setup(tmp_path, request):
    done = threading.Event()
    with GitHubSimulator(enterprise=request.param) as github:
        github.add_user("alice")
        github.add_organization("acme")
        environment = {
            "FIXGATE_DATA_DIRECTORY": str(tmp_path),
            "FIXGATE_API_URL": github.api_url,
        }
        app: flask.Flask

        def application(given, start):
            return app(given, start)

        with serving(asgi(application)) as url:
            settings = settings_from({**environment, "FIXGATE_PUBLIC_URL": url})
            store = Store(settings.database_url)
            store.database.migrate()
            app = make_setup_app(settings, store, Secret(TOKEN, "test"), done.set)
            made = Setup(url, github, settings, done)
            yield made
            made.browser.close()
            store.database.engine.dispose()


def submit(setup, page):
    """Do what a browser does with the form on a page."""
    action = html.unescape(group_of(r'<form method="post" action="([^"]+)"', page.text))
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]+)">', page.text))
    data = {name: html.unescape(value) for name, value in fields.items()}
    return setup.browser.post(action, data=data, timeout=30)


@pytest.mark.parametrize("organization", ["", "acme"])
def test_from_nothing_to_an_app(setup, organization):
    assert "/login" in setup.get("/").url
    setup.post("/login", token=TOKEN)
    assert "Set up the App" in setup.get("/setup").text
    page = setup.post("/setup", name="our-fixgate", organization=organization, may_commit="yes")
    assert setup.github.web_url in page.headers["Content-Security-Policy"]
    done = submit(setup, page)
    assert done.url.startswith(f"{setup.url}/setup/done")
    assert "The App is made" in done.text
    assert setup.done.is_set()
    assert setup.settings.is_set_up
    folder = setup.settings.credentials
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    again = settings_from(setup.settings.environment)
    made = AppClient(again.client_id, again.private_key(), connection(again))
    assert made.identity().slug == "our-fixgate"
    assert "BEGIN" not in done.text
    assert again.webhook_secret().reveal() not in done.text


def connection(settings):
    from bot.github.api import Connection

    return Connection(settings.api_url)


def test_only_who_has_the_token_gets_there(setup):
    assert "/login" in setup.get("/setup/done?code=x&state=y").url
    assert "/login" in setup.post("/setup", name="x").url
    assert setup.browser.get(f"{setup.url}/webhook", timeout=30).status_code == 404


@pytest.mark.parametrize("query", ["", "?code=x", "?code=x&state=guessed"])
def test_what_did_not_begin_here_is_refused(setup, query):
    setup.post("/login", token=TOKEN)
    setup.post("/setup", name="our-fixgate")
    answer = setup.get(f"/setup/done{query}")
    assert answer.status_code == 400
    assert not setup.settings.is_set_up
    assert not setup.done.is_set()


def test_a_code_that_github_does_not_know_is_told(setup):
    setup.post("/login", token=TOKEN)
    page = setup.post("/setup", name="our-fixgate")
    state = group_of(r"state=([\w-]+)", page.text)
    answer = setup.get(f"/setup/done?code=unknown&state={state}")
    assert answer.status_code == 502
    assert "start again" in answer.text
    assert not setup.done.is_set()


def test_a_name_that_github_would_not_take_is_told(setup):
    setup.post("/login", token=TOKEN)
    answer = setup.post("/setup", name="x" * 35)
    assert answer.status_code == 400
    assert "longer than 34" in answer.text
