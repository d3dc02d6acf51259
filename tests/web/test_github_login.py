"""People log in with GitHub, and see what they may see there: simulated GitHub, real ports."""

from __future__ import annotations

import datetime
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import flask
import pytest
import requests

from bot.demo.simulator import AppSecrets, GitHubSimulator
from bot.errors import ForbiddenError
from bot.github.oauth import CALLBACK
from bot.github.types import RepositoryId
from bot.jobs.types import JobKind, JobRequest, JobState
from bot.queue import JobQueue
from bot.queue.queue import CONCLUDE, RUN, QueueTask
from bot.serving import asgi
from bot.settings import Settings
from bot.store import Store
from bot.store.database import utc_now
from bot.store.kept_tests import KeptTests
from bot.web import make_app, make_pages
from bot.web.health import Metrics
from evaluator.distributed.connections import failing_fast
from evaluator.distributed.queue import TaskStatus
from generator.trajectory.recorder import TrajectoryRecorder
from tests.web.conftest import NOWHERE, Site, form_key, log_in, press, serving, settings

PRIVATE, SHARED, OPEN = "alice/secret", "alice/shared", "alice/open"
EVERY = (PRIVATE, SHARED, OPEN)
OVERVIEW = "/?repository={}"


@dataclass
class Stage:
    """A dashboard with a verdict, a job, a trajectory for each repository, and a GitHub."""

    url: str
    github: GitHubSimulator
    app: AppSecrets
    store: Store
    settings: Settings
    late: list[datetime.timedelta] = field(default_factory=list)

    def browser(self) -> Site:
        return Site(self.url, self.store, JobQueue(failing_fast(NOWHERE)), self.settings)

    def logged_in(self, login: str, wanted: str = "/") -> Site:
        browser = self.browser()
        page = log_in(browser.session, self.url, login, wanted)
        assert page.url == f"{self.url}{wanted}", page.text
        return browser


def populate(store: Store, folder: Path) -> None:
    for at, name in enumerate(EVERY, start=1):
        request = JobRequest(JobKind.VERIFY, RepositoryId(1, name), at, f"{at}" * 40, "b" * 40)
        store.jobs.plan(request)
        store.jobs.begin(request.key)
        title, details = f"verdict on {name}", '{"reasons": [], "tests": []}'
        store.verdicts.add(request, "accept", title, details)
        store.tests.keep(name, KeptTests(at, "e" * 40, "+test", "why", 0.8, "issue-only"))
        place = folder / "trajectories" / f"{name.replace('/', '+')}-{at}.traj.json"
        place.parent.mkdir(exist_ok=True)
        TrajectoryRecorder(place, {"issue": at}).finish("submitted", "a patch")


@pytest.fixture(params=[False, True], ids=["github", "enterprise"])
def stage(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stage]:
    yield from staged(tmp_path, enterprise=request.param)


@pytest.fixture
def plain_stage(tmp_path: Path) -> Iterator[Stage]:
    yield from staged(tmp_path)


@pytest.fixture
def open_stage(tmp_path: Path) -> Iterator[Stage]:
    yield from staged(tmp_path, FIXGATE_PUBLIC_REPOSITORIES=OPEN)


def staged(tmp_path: Path, *, enterprise: bool = False, **environment: str) -> Iterator[Stage]:
    with GitHubSimulator(enterprise=enterprise) as github:
        alice = github.add_user("alice")
        for login in ("bob", "mallory"):
            github.add_user(login)
        for name in EVERY:
            github.add_repository(name, private=name != OPEN)
        github.grant(SHARED, "bob", "read")
        made = asgi(flask.Flask(__name__))  # until the App is known: it is told of its installation

        async def application(scope, receive, send):
            await made(scope, receive, send)

        with serving(application) as url:
            app = github.create_app(
                "fixgate",
                {"issues": "write"},
                [],
                webhook_url=f"{url}/webhook",
                owner="alice",
                callback_urls=[f"{url}{CALLBACK}"],
            )
            alice.install(app.app_id)
            chosen = settings(
                tmp_path,
                FIXGATE_PUBLIC_URL=url,
                FIXGATE_API_URL=github.api_url,
                FIXGATE_CLIENT_ID=app.client_id,
                FIXGATE_CLIENT_SECRET=app.client_secret,
                **environment,
            )
            late: list[datetime.timedelta] = []
            store = Store(chosen.database_url, lambda: utc_now() + sum(late, datetime.timedelta(0)))
            store.database.migrate()
            populate(store, tmp_path)
            made = make_app(chosen, store, JobQueue(failing_fast(NOWHERE)))
            yield Stage(url, github, app, store, chosen, late)
        store.database.engine.dispose()


def pages_of_site(settings: Settings, store: Store) -> flask.Flask:
    queue = JobQueue(failing_fast(NOWHERE))
    return make_pages(settings, store, queue, Metrics(store, queue))


def pages_of(store: Store, name: str) -> list[str]:
    at = EVERY.index(name) + 1
    (job,) = store.jobs.latest(frozenset({name}))
    trajectory = f"/trajectories/{name.replace('/', '+')}-{at}"
    return [OVERVIEW.format(name), f"/jobs/{job.key}", f"/verdicts/{at}", trajectory]


LISTS = ("/", "/queue", "/trajectories", "/search?q=alice", "/search?q=%23", "/search?q=verdict")


def named(browser: Site) -> set[str]:
    """The repositories that any list names, in whatever form."""
    text = "".join(html.unescape(browser.get(path).text) for path in LISTS)
    return {name for name in EVERY if name in text or name.replace("/", "+") in text}


def opened(browser: Site, stage: Stage) -> set[str]:
    """The repositories with any page that is shown; all of one's pages are, or none."""
    found = set()
    for name in EVERY:
        answers = {browser.get(path).status_code for path in pages_of(stage.store, name)}
        assert answers in ({200}, {404}), name
        found |= {name} if answers == {200} else set()
    return found


def test_everybody_sees_what_they_share_with_the_app(stage):
    assert named(stage.logged_in("alice")) == set(EVERY)
    bob = stage.logged_in("bob")
    assert named(bob) == {SHARED} == opened(bob, stage)
    mallory = stage.logged_in("mallory")
    assert named(mallory) == set() == opened(mallory, stage)


def test_what_one_may_not_see_is_as_what_is_not_there(plain_stage):
    bob = plain_stage.logged_in("bob")
    for hidden, absent in zip(
        pages_of(plain_stage.store, PRIVATE),
        (
            OVERVIEW.format("alice/none"),
            "/jobs/verify:alice/none:1:x:0",
            "/verdicts/99",
            "/trajectories/alice+none-1",
        ),
        strict=True,
    ):
        one, other = bob.get(hidden), bob.get(absent)
        assert (one.status_code, one.text) == (other.status_code, other.text)


def test_figures_count_only_what_one_sees(plain_stage):
    text = re.sub(r"<[^>]+>|\s+", " ", plain_stage.logged_in("bob").get("/").text)
    assert "1 accepted" in re.sub(r" +", " ", text)


def test_the_login_leads_to_where_one_wanted_to_go(plain_stage):
    plain_stage.logged_in("bob", "/verdicts/2")
    elsewhere = log_in(plain_stage.browser().session, plain_stage.url, "bob", "//evil.example")
    assert elsewhere.url == f"{plain_stage.url}/"


def test_strangers_see_what_is_public_and_are_asked_to_log_in_for_the_rest(open_stage):
    stranger = open_stage.browser()
    assert named(stranger) == {OPEN}
    for path in pages_of(open_stage.store, OPEN):
        assert stranger.get(path, allow_redirects=False).status_code == 200
    for path in (*pages_of(open_stage.store, PRIVATE), "/verdicts/99"):
        answer = stranger.get(path, allow_redirects=False)
        assert answer.headers["Location"].startswith("/login?next="), path
    assert named(open_stage.logged_in("mallory")) == {OPEN}
    assert stranger.submit(f"/stop/{pages_of(open_stage.store, OPEN)[1][6:]}").status_code == 404


def test_access_that_was_taken_away_is_noticed(plain_stage):
    bob = plain_stage.logged_in("bob")
    plain_stage.github.withdraw(SHARED, "bob")
    assert named(bob) == {SHARED}  # for as long as it is documented
    plain_stage.late.append(datetime.timedelta(minutes=16))
    page = bob.get("/verdicts/2")
    assert page.status_code == 404
    assert page.url == f"{plain_stage.url}/verdicts/2"
    assert len(page.history) == 4  # to GitHub and back, without a question
    assert named(bob) == set()


def test_a_suspended_installation_shows_nothing(plain_stage):
    installation = plain_stage.github.installation(plain_stage.app.app_id, "alice").id
    alice = next(iter(plain_stage.github.world.accounts.values()))
    plain_stage.github.world.installations[installation].suspended_at = utc_now()
    assert alice.login == "alice"
    assert named(plain_stage.logged_in("alice")) == set()


def test_logging_out_makes_copied_cookies_worthless(plain_stage):
    bob, thief = plain_stage.logged_in("bob"), plain_stage.browser()
    thief.session.cookies.update({"fixgate": bob.session.cookies["fixgate"]})
    assert thief.get("/verdicts/2", allow_redirects=False).status_code == 200
    assert "/login" in bob.submit("/logout", "/").url
    assert thief.get("/verdicts/2", allow_redirects=False).status_code == 302
    assert "/login" in bob.get("/").url


def test_a_session_that_somebody_planted_is_not_gone_on_with(plain_stage):
    browser = plain_stage.browser()
    browser.get("/login")
    planted = browser.session.cookies["fixgate"]
    log_in(browser.session, plain_stage.url, "bob")
    first = browser.session.cookies["fixgate"]
    thief = plain_stage.browser()
    thief.session.cookies.update({"fixgate": planted})
    assert thief.get("/verdicts/2", allow_redirects=False).status_code == 302
    browser.log_in()  # as somebody else
    thief.session.cookies.update({"fixgate": first})
    assert thief.get("/verdicts/2", allow_redirects=False).status_code == 302


def test_no_token_of_a_person_is_kept(plain_stage, tmp_path):
    bob = plain_stage.logged_in("bob")
    world = plain_stage.github.world
    assert world.user_tokens == {}
    assert not world.codes
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"ghu_" not in kept
    assert bob.session.cookies["fixgate"].encode() not in kept
    ended = [one for one in plain_stage.github.exchanges if one.method == "DELETE"]
    assert [one.status for one in ended] == [204]


def led_to_github(browser: Site) -> dict[str, str]:
    """What the browser is sent to GitHub with."""
    address = browser.get("/login/github", allow_redirects=False).headers["Location"]
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def code_for(stage: Stage, login: str, query: dict[str, str]) -> str:
    """The code that somebody's browser gets from GitHub, less what it does with it."""
    browser = requests.Session()
    browser.cookies.update({"user_session": login})
    account = stage.github.world.account(login)
    stage.github.world.authorized.add((account.id, stage.app.app_id))
    address = f"{stage.github.web_url}/login/oauth/authorize"
    answer = browser.get(address, params=query, allow_redirects=False, timeout=30)
    return parse_qs(urlsplit(answer.headers["Location"]).query)["code"][0]


def test_a_code_of_somebody_else_logs_nobody_in(plain_stage):
    victim, thief = plain_stage.browser(), plain_stage.browser()
    code = code_for(plain_stage, "mallory", led_to_github(thief))
    for state in (led_to_github(thief)["state"], "", "guessed"):
        led_to_github(victim)
        answer = victim.get(CALLBACK, params={"code": code, "state": state})
        assert answer.status_code == 400
        assert "begin again" in answer.text
    assert "/login" in victim.get("/").url


def test_a_state_holds_once_and_a_code_too(plain_stage):
    browser = plain_stage.browser()
    query = led_to_github(browser)
    back = {"code": code_for(plain_stage, "bob", query), "state": query["state"]}
    copy = browser.session.cookies["fixgate"]
    assert browser.get(CALLBACK, params=back).url == f"{plain_stage.url}/"
    assert browser.get(CALLBACK, params=back).status_code == 400
    other = plain_stage.browser()
    other.session.cookies.update({"fixgate": copy})
    answer = other.get(CALLBACK, params=back)
    assert answer.status_code == 502
    assert "GitHub did not say who you are" in answer.text


def test_a_code_is_worth_nothing_without_what_the_browser_holds(plain_stage):
    code = code_for(plain_stage, "bob", led_to_github(plain_stage.browser()))
    oauth = plain_stage.settings.oauth_app()
    assert oauth is not None
    with pytest.raises(ForbiddenError, match="code_verifier"):
        oauth.access(code, "a" * 43)


def test_what_is_asked_of_github_is_exact(plain_stage):
    query = led_to_github(plain_stage.browser())
    assert query["redirect_uri"] == f"{plain_stage.url}{CALLBACK}"
    assert query["code_challenge_method"] == "S256"
    assert len(query["code_challenge"]) == 43
    address = f"{plain_stage.github.web_url}/login/oauth/authorize"
    elsewhere = {**query, "redirect_uri": f"{plain_stage.url}{CALLBACK}/more"}
    assert requests.get(address, params=elsewhere, timeout=30).status_code == 404


def test_who_tells_github_not_to_is_told_so(plain_stage):
    browser = plain_stage.browser()
    page = press(browser.session, browser.get("/login/github"), login="bob")
    answer = press(browser.session, page, authorize="0")
    assert answer.status_code == 403
    assert "GitHub was told not to" in answer.text
    assert "/login" in browser.get("/").url


def test_a_github_that_fails_lets_nobody_in(plain_stage):
    browser = plain_stage.browser()
    query = led_to_github(browser)
    code = code_for(plain_stage, "bob", query)
    plain_stage.github.world.apps[plain_stage.app.app_id].client_secret = "another"
    answer = browser.get(CALLBACK, params={"code": code, "state": query["state"]})
    assert answer.status_code == 502
    assert "/login" in browser.get("/").url


def test_who_may_push_stops_and_repeats_jobs(plain_stage):
    alice = plain_stage.logged_in("alice")
    (job,) = plain_stage.store.jobs.latest(frozenset({SHARED}))
    page = alice.submit(f"/stop/{job.key}", "/queue")
    assert "stopped on the dashboard by alice" in page.text
    assert plain_stage.store.jobs.get(job.key).state == JobState.FAILED
    page = alice.submit(f"/retry/{job.key}", "/queue")
    assert page.url.endswith(":1")
    again, old = plain_stage.store.jobs.latest(frozenset({SHARED}))
    assert (again.state, again.head_sha, again.round) == (JobState.QUEUED, old.head_sha, 1)
    assert again.requested_by == "alice"
    twice = alice.submit(f"/retry/{job.key}", "/queue")  # of an older job: nothing is planned
    assert twice.url.endswith(":0")
    assert len(plain_stage.store.jobs.latest(frozenset({SHARED}))) == 2


def test_a_stopped_job_leaves_the_queue_and_is_reported(queued_site):
    store, queue = queued_site.store, queued_site.queue
    request = JobRequest(JobKind.VERIFY, RepositoryId(1, SHARED), 2, "2" * 40, "b" * 40)
    store.jobs.plan(request)
    queue.enqueue(request.key)
    queued_site.log_in()
    queued_site.submit(f"/stop/{request.key}", "/queue")
    assert queue.status(QueueTask(RUN, request.key)) is TaskStatus.UNKNOWN
    assert queue.status(QueueTask(CONCLUDE, request.key)) is TaskStatus.WAITS
    page = queued_site.submit(f"/retry/{request.key}", "/queue")
    assert queue.status(QueueTask(RUN, page.url.partition("/jobs/")[2])) is TaskStatus.WAITS


@pytest.mark.parametrize("name", [SHARED, PRIVATE])
def test_others_steer_nothing(plain_stage, name):
    bob = plain_stage.logged_in("bob")
    (job,) = plain_stage.store.jobs.latest(frozenset({name}))
    key = form_key(bob.get("/queue").text)
    for action in ("stop", "retry"):
        answer = bob.post(f"/{action}/{job.key}", data={"form_key": key})
        assert answer.status_code == 404
    assert plain_stage.store.jobs.get(job.key).state == JobState.RUNNING
    assert "/stop/" not in bob.get("/queue").text
    assert "/stop/" not in bob.get(f"/jobs/{job.key}").text
    assert "/stop/" in plain_stage.logged_in("alice").get("/queue").text


def test_nothing_is_posted_without_the_key_of_a_form(plain_stage):
    alice, bob = plain_stage.logged_in("alice"), plain_stage.logged_in("bob")
    (job,) = plain_stage.store.jobs.latest(frozenset({SHARED}))
    app = pages_of_site(plain_stage.settings, plain_stage.store)
    rules = [rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert {"/login", "/logout"} < set(rules)
    for rule in rules:
        path = rule.replace("<path:key>", job.key)
        for fields in ({}, {"form_key": ""}, {"form_key": form_key(bob.get("/queue").text)}):
            answer = alice.post(path, data=fields)
            assert answer.status_code == 403, rule
    assert plain_stage.store.jobs.get(job.key).state == JobState.RUNNING
    assert alice.get("/", allow_redirects=False).status_code == 200


def test_the_cookie_is_for_https_where_the_site_is(tmp_path):
    chosen = settings(tmp_path, FIXGATE_PUBLIC_URL="https://fixgate.example")
    store = Store(chosen.database_url)
    store.database.migrate()
    browser = pages_of_site(chosen, store).test_client()
    cookie = browser.get("/login", base_url="https://fixgate.example").headers["Set-Cookie"]
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= {part.strip() for part in cookie.split(";")}
    store.database.engine.dispose()


def test_without_a_client_secret_there_is_only_the_token(site):
    assert "GitHub" not in re.sub(r"<footer.*", "", site.get("/login").text)
    answer = site.get("/login/github")
    assert answer.status_code == 404
    assert "FIXGATE_CLIENT_SECRET is not set" in answer.text
