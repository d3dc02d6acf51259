"""Pages behind the html_urls: all that is there, and no harm from what strangers write."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bot.demo.simulator.pages.markdown import to_html
from bot.messages.markdown import fenced, folded, plain
from tests.demo.simulator.conftest import Studio

PLACE = "alice/calc"
HOSTILE = """</div></article></main><script>document.title = 'owned'</script>
<img src=x onerror="document.title='owned'"> <a href="javascript:document.title='owned'">x</a>
[y](javascript:document.title='owned') ![z](http://tracker.example/z.png) <details open onclick=x()>

<details><summary>never closed <sub>

</div></div><iframe src="http://evil.example"></iframe><style>body { display: none }</style>
<form action="/login"><input name=q><!-- hidden --><svg onload="document.title='owned'">

| a |
|---|
| <b onmouseover=alert(1)>b</b> |

```diff
-</code></pre><script>document.title = 'owned'</script>
```
"""
OURS = {
    *("html", "head", "meta", "title", "style", "body", "nav", "main", "article", "header"),
    *("section", "div", "span", "p", "br", "h1", "h2", "a", "b", "ul", "li", "pre", "code"),
    *("table", "thead", "tbody", "tr", "th", "td", "strong", "details", "summary", "sub"),
}
KNOWN = {"@alice": "/alice", "#1": "/alice/calc/issues/1", "gh-1": "/alice/calc/issues/1"}


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    @property
    def tags(self) -> set[str]:
        return {tag for tag, _ in self.found}

    @property
    def links(self) -> list[str]:
        return [attributes.get("href") or "" for tag, attributes in self.found if tag == "a"]


def page(studio: Studio, path: str) -> str:
    answer = studio.anonymous("GET", f"{studio.github.web_url}{path}")
    assert answer.status_code == 200, answer.text
    return answer.text


def links(text: str) -> list[str]:
    return Elements(to_html(text, lambda word: KNOWN.get(word.lower(), ""))).links


def checked_pull(studio: Studio, **more: Any) -> tuple[int, Any]:
    """The number of a pull, and a concluded check run on its head."""
    number = studio.pull(body="Fixes #1")
    head = studio.github.repository(PLACE).git.resolve("fix")
    note = {"path": "calc.py", "annotation_level": "warning", "title": "Not executed"}
    notes = [
        {**note, "start_line": 2, "end_line": 2, "message": "no <b>test</b> executes this"},
        {**note, "start_line": 40, "end_line": 41, "message": "far away"},
    ]
    output = {"title": "Fixes #1", "summary": "**Accepted.**", "annotations": notes, **more}
    action = {"label": "Add the tests", "description": "Commit them", "identifier": "add"}
    run = studio.repo().create_check_run(
        "fixgate", head, conclusion="success", output=output, actions=[action]
    )
    return number, run


def test_an_issue_shows_its_text_labels_and_comments(studio: Studio) -> None:
    number = studio.bob.open_issue(PLACE, "add <i>subtracts</i>", "`add(1, 1)` is 0, @alice.", [])
    studio.alice.label(PLACE, number, "bug")
    studio.alice.comment(PLACE, number, "See **it** in #1")
    issue = studio.repo().get_issue(number)
    text = page(studio, issue.html_url.removeprefix(studio.github.web_url))
    assert "add &lt;i&gt;subtracts&lt;/i&gt;" in text
    assert "<code>add(1, 1)</code> is 0" in text
    assert '<span class="label">bug</span>' in text
    assert "See <strong>it</strong> in" in text
    assert {"/alice", f"/{PLACE}/issues/1"} <= set(Elements(text).links)


def test_a_pull_shows_its_check_its_changes_and_the_remarks_on_them(studio: Studio) -> None:
    studio.bob.open_issue(PLACE, "It subtracts")
    number, _ = checked_pull(studio)
    text = page(studio, f"/{PLACE}/pull/{number}")
    assert "<strong>Accepted.</strong>" in text
    assert "success" in text
    assert "Add the tests" in text
    assert f"/{PLACE}/issues/1" in Elements(text).links
    changes = text[text.index("Files changed") :]
    assert changes.index("-    return a - b") < changes.index("+    return a + b")
    assert changes.index("+    return a + b") < changes.index("no &lt;b&gt;test&lt;/b&gt;")
    assert "far away" in changes


def test_a_check_run_has_a_page_of_its_own(studio: Studio) -> None:
    studio.bob.open_issue(PLACE, "It subtracts")
    number, run = checked_pull(studio, text="| a |\n|---|\n| `x` |\n")
    text = page(studio, run.html_url.removeprefix(studio.github.web_url))
    assert "<td><code>x</code></td>" in text
    assert "Not executed" in text
    assert f"/{PLACE}/pull/{number}" in Elements(text).links


def test_a_commit_shows_what_it_changes(studio: Studio) -> None:
    studio.pull()
    tree = studio.github.repository(PLACE).git
    fix = page(studio, f"/{PLACE}/commit/{tree.resolve('fix')}")
    assert fix.index("-    return a - b") < fix.index("+    return a + b")
    first = page(studio, f"/{PLACE}/commit/{tree.resolve('main')}")
    assert "+    return a - b" in first


def test_all_links_of_the_pages_lead_somewhere(studio: Studio) -> None:
    studio.bob.open_issue(PLACE, "It subtracts", "@alice, #2 and alice/calc#1")
    checked_pull(studio)
    seen: set[str] = set()
    ahead = [f"/{PLACE}"]
    while ahead:
        path = ahead.pop()
        seen.add(path)
        found = [link for link in Elements(page(studio, path)).links if link.startswith("/")]
        ahead += set(found) - seen - set(ahead)
    assert {f"/{PLACE}/issues/1", f"/{PLACE}/pull/2", "/alice"} <= seen


def test_issues_and_pulls_lead_to_each_other(studio: Studio) -> None:
    number = studio.pull()
    answer = studio.anonymous("GET", f"{studio.github.web_url}/{PLACE}/issues/{number}")
    assert answer.url.endswith(f"/{PLACE}/pull/{number}")


@pytest.mark.parametrize(
    "path",
    ["/nobody", "/alice/none", f"/{PLACE}/issues/9", f"/{PLACE}/runs/9", f"/{PLACE}/commit/9"],
)
def test_what_is_not_there_is_not_found(shared: Studio, path: str) -> None:
    assert shared.anonymous("GET", f"{shared.github.web_url}{path}").status_code == 404


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@alice", ["/alice"]),
        (r"\@alice", ["/alice"]),
        ("(GH-1)", ["/alice/calc/issues/1"]),
        ("#1, @nobody and #2", ["/alice/calc/issues/1"]),
        ("`@alice` and me@alice", []),
        ("```\n@alice #1\n```", []),
        ("[@alice](http://x.example)", ["http://x.example"]),
        (
            "https://x.example/a www.x.example README.md",
            ["https://x.example/a", "http://www.x.example"],
        ),
    ],
)
def test_mentions_references_and_addresses_are_linked_as_on_github(
    text: str, expected: list[str]
) -> None:
    assert links(text) == expected


@pytest.mark.parametrize("text", ["@alice", "#1", "gh-1", "http://x.example", "<b>@alice</b>"])
def test_what_fixgate_makes_harmless_is_not_linked(text: str) -> None:
    assert links(text), "the text itself is linked, so that this test can fail"
    for written in (plain(text), fenced(text), folded("more", plain(text))):
        assert links(written) == []


def test_hostile_markdown_shows_as_text(studio: Studio) -> None:
    number = studio.bob.open_issue(PLACE, HOSTILE[:250].replace("\n", " "), HOSTILE)
    studio.alice.comment(PLACE, number, "after it")
    found = Elements(page(studio, f"/{PLACE}/issues/{number}"))
    assert found.tags <= OURS
    assert [tag for tag, _ in found.found if tag == "article"] == ["article", "article"]
    names = {name for _, attributes in found.found for name in attributes}
    assert not any(name.startswith("on") for name in names)
    assert not any(link.startswith(("javascript", "data")) for link in found.links)
    assert "src" not in names


@pytest.fixture
def browse(tmp_path: Path) -> Any:
    """A function that opens an address in Chromium; what it asked the network for goes to a log."""
    browser = shutil.which("chromium") or ""

    def open_page(address: str, *flags: str) -> str:
        own = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        log = f"--log-net-log={tmp_path / 'net.json'}"
        command = [browser, *own, profile, log, *flags, "--dump-dom", address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        return done.stdout

    return open_page


@pytest.mark.browser
def test_in_a_browser_hostile_markdown_does_nothing(
    studio: Studio, browse: Any, tmp_path: Path
) -> None:
    number = studio.bob.open_issue(PLACE, "Hostile", HOSTILE)
    studio.alice.comment(PLACE, number, "after it")
    dom = browse(f"{studio.github.web_url}/{PLACE}/issues/{number}", "--virtual-time-budget=3000")
    assert "<title>Hostile" in dom
    last = dom[dom.rindex("<article") :]
    assert "after it" in last
    assert "never closed" not in last
    asked = (tmp_path / "net.json").read_text(errors="replace")
    assert "evil.example" not in asked
    assert "tracker.example" not in asked


MEASURE = """<script>
for (const item of document.querySelectorAll("details")) item.open = true;
parent.postMessage(JSON.stringify([document.documentElement.scrollWidth, innerWidth]), "*");
</script></body>"""
FRAME = """<!doctype html><script>onmessage = (event) => { document.title = event.data; };</script>
<iframe src="open.html" width="WIDTH" height="800" frameborder="0"></iframe>"""


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1200])
def test_in_a_browser_the_pages_fit_the_screen(
    studio: Studio, browse: Any, tmp_path: Path, width: int
) -> None:
    long = "tests/" + "a_long_name_" * 20
    studio.bob.open_issue(
        PLACE, long, f"{long}\n\n```diff\n+{long}\n```\n\n| a |\n|---|\n| `{long}` |"
    )
    number, _ = checked_pull(studio, title=long[:200], summary=f"{long} `{long}`", text=HOSTILE)
    for path in (f"/{PLACE}/pull/{number}", f"/{PLACE}/issues/1", f"/{PLACE}"):
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page(studio, path))
        (tmp_path / "open.html").write_text(text.replace("</body>", MEASURE))
        (tmp_path / "frame.html").write_text(FRAME.replace("WIDTH", str(width)))
        dom = browse((tmp_path / "frame.html").as_uri(), "--virtual-time-budget=3000")
        title = re.search(r"<title>(.*?)</title>", dom)
        assert title is not None
        content, window = json.loads(title[1])
        assert content <= window == width, path
