"""The dashboard: closed to strangers, complete, harmless whatever is in it, readable on a phone."""

from __future__ import annotations

import html
import json
import re
import subprocess

import pytest

from bot.github.types import RepositoryId
from bot.jobs.types import JobKind, JobRequest, JobState
from bot.store.kept_tests import KeptTests
from generator.model.protocol import Message
from generator.trajectory.recorder import TrajectoryRecorder
from tests.web.conftest import NOWHERE, TOKEN, Site, form_key, group_of, site_with

HOSTILE = (
    "</td><script>document.title='owned'</script><img src=x onerror=alert(1)>{{7*7}}\u202eevil"
)
SOURCE = "+def test_counts():\n+    assert count('a b') == 2  # <script>alert(2)</script>\n"
DIFF = """\
diff --git a/words.py b/words.py
--- a/words.py
+++ b/words.py
@@ -9,2 +9,6 @@ def count(text):
 def count(text):
-    return text.count(" ")
+    words = text.split()
+    # <script>alert(3)</script>
+    if words:
+        return len(words)
+    return 0
"""
HEAD = "c0ffee" * 6 + "abcd"
DETAILS = {
    "schema_version": 1,
    "base": "b" * 40,
    "head": HEAD,
    "decision": "accept",
    "reasons": [{"rule": "reproduced", "decision": "accept", "reason": "1 test fails without it"}],
    "tests": [
        {
            "source": "change",
            "test": "tests/test_words.py::test_kept",
            "file": "tests/test_words.py",
            "before": "passed",
            "after": "passed",
            "kind": "P->P",
            "flaky": False,
            "preexisting": False,
            "reason": "",
            "symptom": None,
        },
        {
            "source": "test for #12",
            "test": "tests/test_words.py::test_counts_" + "very_long_name_" * 12,
            "file": "tests/test_words.py",
            "before": "failed",
            "after": "passed",
            "kind": "F->P",
            "flaky": True,
            "preexisting": False,
            "reason": "AssertionError: assert 2 == 3",
            "symptom": True,
        },
    ],
    "coverage": {"executable": 4, "covered": 3},
    "logs": [
        {"source": "test for #12", "side": "before", "text": f"1 failed {HOSTILE}"},
        {"source": "test for #12", "side": "after", "text": "1 passed in 0.1 s"},
    ],
    "diff": DIFF,
    "hidden_lines": 12,
    "lines": [
        {"path": "words.py", "line": n, "side": "R∘X", "state": state, "tests": ["test_counts"]}
        for n, state in (
            (10, "covered"),
            (11, "not_executable"),
            (12, "covered"),
            (13, "covered"),
            (14, "uncovered"),
        )
    ],
}


def fill(site: Site) -> dict[str, str]:
    """Jobs and verdicts of several kinds; the paths of their pages."""
    store = site.store
    words = RepositoryId(1, "alice/wordtools")
    judged = JobRequest(JobKind.VERIFY, words, 14, HEAD, "b" * 40)
    for request in (
        judged,
        JobRequest(JobKind.REPRODUCE, words, 12, requested_by="alice"),
        JobRequest(
            JobKind.VERIFY, RepositoryId(1, "an-organisation/with-a-rather-long-name"), 3, HEAD
        ),
        JobRequest(JobKind.VERIFY, words, 0, "d" * 40),
    ):
        store.jobs.plan(request)
        store.jobs.begin(request.key)
    store.tests.keep(words.full_name, KeptTests(12, "e" * 40, SOURCE, "why", 0.8, "issue-only"))
    tests = store.tests.newest(words.full_name, 12)
    assert tests is not None
    store.verdicts.add(
        judged,
        "accept",
        "Fixes #12: 1 test fails without this change",
        json.dumps(DETAILS),
        rests_on=[tests.id],
    )
    store.jobs.finish(judged.key, JobState.DONE, usd=0.4)
    reproduction = f"reproduce:{words.full_name}:12::0"
    store.jobs.finish(reproduction, JobState.FAILED, HOSTILE)
    store.verdicts.call_wrong(words.full_name, 14, HEAD, "mallory")
    folder = site.settings.data / "trajectories"
    folder.mkdir()
    recorder = TrajectoryRecorder(folder / "alice+wordtools-12.traj.json", {"issue": 12})
    recorder.message(Message("assistant", f"I look. {HOSTILE}"))
    recorder.finish("submitted", "a patch")
    return {
        "overview": "/",
        "job": f"/jobs/{judged.key}",
        "failed": f"/jobs/{reproduction}",
        "verdict": "/verdicts/1",
        "queue": "/queue",
        "search": "/search?q=alice",
        "trajectories": "/trajectories",
        "trajectory": "/trajectories/alice+wordtools-12",
    }


@pytest.fixture
def pages(site):
    return fill(site)


def text_of(answer) -> str:
    assert answer.status_code == 200, answer.text
    return html.unescape(re.sub(r"<[^>]+>", " ", answer.text))


def test_strangers_are_sent_to_the_login(site, pages):
    for path in pages.values():
        answer = site.get(path, allow_redirects=False)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/login?next=")
        assert "wordtools" not in answer.text.replace(answer.headers["Location"], "")


def test_the_token_opens_and_leads_to_where_one_wanted_to_go(site, pages):
    sent = site.get(pages["job"])
    assert "/login" in sent.url
    fields = {"token": TOKEN, "form_key": form_key(sent.text)}
    answer = site.session.post(sent.url, data=fields, timeout=30)
    assert answer.url == f"{site.url}{pages['job']}"
    assert HEAD in answer.text


def test_a_wrong_token_opens_nothing(site, pages):
    assert "not the token" in site.log_in("wrong").text
    assert site.submit("/login").status_code == 403
    assert "/login" in site.get("/").url


def test_a_bearer_token_does_as_well(site, pages):
    told = {"Authorization": f"Bearer {TOKEN}"}
    assert site.get("/", headers=told, allow_redirects=False).status_code == 200
    wrong = {"Authorization": "Bearer "}
    assert site.get("/", headers=wrong, allow_redirects=False).status_code == 302


def test_the_cookie_is_for_this_site_and_no_script_and_cannot_be_made(site, pages):
    answer = site.log_in().history[0]
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert TOKEN not in cookie
    forged = cookie.split(";")[0].partition("=")[2][:-2] + "xx"
    site.session.cookies.clear()
    answer = site.get("/", headers={"Cookie": f"fixgate={forged}"}, allow_redirects=False)
    assert answer.status_code == 302


def test_leaving_closes(site, pages):
    site.log_in()
    site.submit("/logout", "/")
    assert "/login" in site.get("/").url


@pytest.mark.parametrize(
    "place", ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", ""]
)
def test_the_login_leads_to_no_other_site(site, place):
    fields = {"token": TOKEN, "form_key": form_key(site.get("/login").text)}
    answer = site.post("/login", params={"next": place}, data=fields, allow_redirects=False)
    assert answer.headers["Location"] == "/"


def test_without_a_token_the_dashboard_is_closed(tmp_path):
    with site_with(tmp_path, NOWHERE, FIXGATE_DASHBOARD_TOKEN="") as site:
        assert "FIXGATE_DASHBOARD_TOKEN" in site.get("/").text
        assert site.post("/login", data={"token": ""}).status_code == 403
        assert "/login" in site.get("/", headers={"Authorization": "Bearer "}).url


def test_the_overview_tells_verdicts_precision_and_cost(site, pages):
    site.log_in()
    text = re.sub(r"\s+", " ", text_of(site.get("/")))
    for told in ("1 accepted", "alice/wordtools#14", "$0.40", "0.0 %", "merge queue", "failed"):
        assert told in text, told
    one = text_of(site.get("/?repository=an-organisation/with-a-rather-long-name"))
    assert "alice/wordtools#14" not in one


def test_the_page_of_a_repository_counts_it_alone(site, pages):
    site.log_in()
    one = re.sub(r"\s+", " ", text_of(site.get("/?repository=alice/wordtools")))
    other = "an-organisation/with-a-rather-long-name"
    none = re.sub(r"\s+", " ", text_of(site.get(f"/?repository={other}")))
    assert "1 accepted" in one
    assert "$0.40 spent" in one
    assert other not in one
    assert "0 accepted" in none
    assert "$0.00 spent" in none
    assert "By week" in one
    assert "By week" not in none


def test_a_repository_that_nobody_knows_is_not_found(site, pages):
    site.log_in()
    assert site.get("/?repository=alice/other").status_code == 404


def test_pages_lead_to_github(site, pages):
    site.log_in()
    words = "https://github.com/alice/wordtools"
    for page, links in {
        "overview": [f"{words}/pull/14", f"{words}/issues/12", words],
        "job": [f"{words}/pull/14", f"{words}/commit/{HEAD}"],
        "failed": [f"{words}/issues/12", f"{words}/commit/{'e' * 40}"],
        "verdict": [f"{words}/pull/14", f"{words}/issues/12", f"{words}/commit/{HEAD}"],
    }.items():
        found = re.findall(r'href="(https://github.com[^"]*)"', site.get(pages[page]).text)
        assert set(links) <= set(found), page


@pytest.mark.parametrize("page", ["verdict", "failed"])
def test_the_source_of_the_test_is_shown(site, pages, page):
    site.log_in()
    answer = site.get(pages[page])
    assert "assert count('a b') == 2" in html.unescape(answer.text)
    assert "<script>" not in answer.text


def test_a_verdict_shows_both_sides_of_its_tests_and_the_lines(site, pages):
    site.log_in()
    text = re.sub(r"\s+", " ", text_of(site.get(pages["verdict"])))
    for told in (
        "1 test fails without it",
        "without: failed",
        "with: passed",
        "AssertionError: assert 2 == 3",
        "flaky",
        "3 of 4 changed lines",
        "added 10 ● executed",
        "added 12 to 13 ● executed",
        "added 14 ○ not executed",
        "10 ● + words = text.split()",
        "11 · + # <script>alert(3)</script>",
        "14 ○ + return 0",
        "10 - return text.count",
        "12 more lines of this change are not kept here",
        "called wrong",
        "Without the change test for #12 1 failed",
        "With the change test for #12 1 passed in 0.1 s",
    ):
        assert told in text, told
    assert text.index("test_counts_") < text.index("test_kept")


def test_a_job_shows_what_happened_and_leads_on(site, pages):
    site.log_in()
    page = site.get(pages["failed"])
    assert "not told" not in page.text
    assert 'href="/trajectories/alice%2Bwordtools-12"' in page.text
    assert "alice" in text_of(page)
    assert 'href="/verdicts/1"' in site.get(pages["job"]).text


def test_a_trajectory_leads_back(site, pages):
    site.log_in()
    links = re.findall(r"<nav.*?</nav>", site.get(pages["trajectory"]).text, re.DOTALL)[0]
    for path in re.findall(r'href="([^"]+)"', links):
        assert site.get(html.unescape(path)).status_code == 200
    assert "/?repository=alice/wordtools" in links


def test_what_is_looked_for_is_found(site, pages):
    site.log_in()
    for words in ("wordtools#14", "#14", HEAD[:9], "fails without this", "WORDTOOLS"):
        assert "/verdicts/1" in site.get("/search", params={"q": words}).text, words
    for words in ("wordtools#15", "100%", "_", "deadbeef", "#99999999999999999999", "x" * 5000):
        assert "/verdicts/1" not in site.get("/search", params={"q": words}).text, words


def test_hostile_text_is_shown_and_does_nothing(site, pages):
    site.log_in()
    for name in ("failed", "trajectory", "verdict"):
        page = site.get(pages[name]).text
        assert "<script>" not in page, name
        assert "&lt;script&gt;" in page, name
        assert "\u202e" not in page, name
        assert "{{7*7}}" in html.unescape(page), name


@pytest.mark.parametrize(
    "path",
    [
        "/jobs/verify:nobody/nothing:1::0",
        "/verdicts/99",
        "/trajectories/..%2f..%2fetc%2fpasswd",
        "/trajectories/../../fixgate.db",
        "/trajectories/nothing",
        "/no/such/page",
    ],
)
def test_what_is_not_there_is_not_found(site, pages, path):
    site.log_in()
    assert site.get(path).status_code == 404


def test_no_page_may_run_a_script_or_be_framed(site, pages):
    site.log_in()
    for path in (*pages.values(), "/login"):
        policy = site.get(path).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1280])
def test_in_a_browser_every_page_fits_the_screen(site, pages, tmp_path, width):
    site.log_in()
    style = site.get("/style.css").text
    for name, path in pages.items():
        page = site.get(path).text
        page = page.replace("</head>", f"<style>{style}</style></head>")
        page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
        page = re.sub(r'<link rel="stylesheet"[^>]*>', "", page)
        (tmp_path / name).with_suffix(".html").write_text(
            page.replace("</body>", f"{MEASURE}</body>")
        )
    # All in one: a browser takes a second to start.
    frames = "".join(FRAME.format(url=f"{name}.html", width=width) for name in pages)
    (tmp_path / "frames.html").write_text(f"{LISTEN}{frames}")
    dom = chromium(tmp_path, "frames.html", "--dump-dom")
    measured = json.loads(group_of(r"<title>(.*?)</title>", dom))
    assert measured.keys() == {f"{name}.html" for name in pages}
    for name, (content, window) in measured.items():
        assert content <= window == width, name


FRAME = '<iframe src="{url}" width="{width}" height="800" frameborder="0"></iframe>'
MEASURE = """<script>
for (const item of document.querySelectorAll("details")) item.open = true;
const name = location.pathname.split("/").pop();
parent.postMessage({[name]: [document.documentElement.scrollWidth, innerWidth]}, "*");
</script>"""
LISTEN = """<!doctype html><title>none</title><script>
const measured = {};
onmessage = (event) => {
  Object.assign(measured, event.data);
  document.title = JSON.stringify(measured);
};
</script>"""


def chromium(tmp_path, file, *flags) -> str:
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000"]
    done = subprocess.run(
        [
            "chromium",
            *options,
            f"--user-data-dir={tmp_path}/profile",
            "--allow-file-access-from-files",
            *flags,
            f"file://{tmp_path}/{file}",
        ],
        capture_output=True,
        text=True,
        timeout=280,
        check=True,
    )
    return done.stdout
