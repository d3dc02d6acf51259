"""The page: all there, nothing from outside, nothing that runs but its own script."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evaluator.model import Evaluation, Failure, Side, State, Status, Transition
from evaluator.report.html import LARGEST_PAGE, write_html
from evaluator.report.page import SPARSE
from evaluator.storage.evidence import evidence_path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-logging=stderr",
    "--virtual-time-budget=4000",
]
BROWSERS_OWN = (".google.com", ".googleapis.com")
"""Where Chromium itself asks for its updates and the time, whatever page is open."""
RATES = {"gold": 1.0, "zero-shot": 0.2, "swe-agent": 0.5}
HOSTILE = (
    "</pre></details><script>document.title='owned'</script>"
    '"><img src=x onerror="document.title=1">{{ 7 * 7 }}&amp;\u202eevil\x1b[31m\x00\ud83d'
)


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture
def page(tmp_path: Path):
    """A function that writes a page and returns its text."""

    def write(results, **settings) -> str:
        write_html(tmp_path / "report.html", results, settings=settings)
        return (tmp_path / "report.html").read_text(encoding="utf-8")

    return write


def hostile() -> Evaluation:
    side = Side(Status.FAILED, failure=Failure(HOSTILE, HOSTILE))
    return Evaluation(
        HOSTILE,
        HOSTILE,
        State.GRADED,
        repo=HOSTILE,
        transitions=(Transition(HOSTILE, HOSTILE, side, side),),
        reasons=(HOSTILE,),
        left_out=(HOSTILE,),
        relaxations=(HOSTILE,),
        reference_verdict=HOSTILE,
        patch=HOSTILE,
        golden_patch=f"--- a/{HOSTILE}\n+++ b/x\n@@ -1 +1 @@ {HOSTILE}\n-{HOSTILE}\n+{HOSTILE}\n",
        timings={HOSTILE: 1.0},
        commands={HOSTILE: HOSTILE},
    )


def test_every_instance_and_figure_is_there(page, make_results):
    text = page(make_results(RATES, 30), workers=2)
    elements = Elements(text)
    details = [a for a in elements.named("details") if a.get("class") == "instance"]
    assert len(details) == 30
    shown = re.sub(r"\s+", " ", " ".join(elements.text))
    assert "3 predictions on 30 instances" in shown
    assert "Overlap between predictions" in shown
    assert "Agreement with the reference harness" in shown
    for heading in ("F→x", "F→P", "P→P", "ΔC S", "ΔC ¬S"):
        assert heading in shown


def test_one_prediction_has_no_overlap(page, make_results):
    assert "Overlap between" not in page(make_results({"gold": 1.0}, 5))


@pytest.mark.parametrize("results", [{}, {"gold": ()}])
def test_nothing_to_tell_is_told(page, results):
    assert "There are no instances." in page(results)


def test_the_lines_of_the_fix_are_marked(page, make_results):
    results = make_results({"gold": 1.0}, 1)
    evaluation = results["gold"][0]
    marks = re.findall(r'<i class="(\w+)">', page({"gold": [evaluation]}))
    assert marks == [line.state.value for line in evaluation.coverage.lines]


def test_nothing_is_loaded_from_elsewhere(page, make_results):
    for tag, attributes in Elements(page(make_results(RATES, 10))).found:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
        assert "src" not in attributes
        address = attributes.get("href", "#")
        assert address is not None
        assert address.startswith("#")
        assert not any(name.startswith("on") or name == "style" for name in attributes)


def test_only_the_pages_own_script_and_style_may_run(page, make_results):
    text = page(make_results(RATES, 3))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    for tag in ("script", "style"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src &#39;sha256-{digest}&#39;" in policy[1].replace("'", "&#39;")
    assert "default-src 'none'" in policy[1]


def test_hostile_text_stays_text(page):
    text = page({HOSTILE: [hostile()], "other": []}, note=HOSTILE)
    elements = Elements(text)
    assert len(elements.named("script")) == 1
    assert elements.named("img") == []
    assert "{{ 7 * 7 }}" in text
    assert not set("\u202e\x1b\x00") & set(text)
    assert "⟨202e⟩evil⟨1b⟩[31m⟨0⟩⟨d83d⟩" in text


def test_evidence_is_linked_where_it_lies(page, tmp_path, make_results):
    first, second = make_results({"my/model": 0.5}, 2)["my/model"]
    (tmp_path / evidence_path(first)).mkdir(parents=True)
    links = [a["href"] for a in Elements(page({"my/model": [first, second]})).named("a")]
    evidence = [link for link in links if link and link.startswith("evidence/")]
    assert evidence == [f"evidence/my%252Fmodel/{first.instance_id}/"]


def test_a_page_never_grows_beyond_bounds(page, make_results):
    side = Side(Status.FAILED, failure=Failure("E", "m" * 50_000))
    tests = tuple(Transition(f"t.py::test_{i}", "t.py", side, side) for i in range(100))
    results = {
        name: [
            dataclasses.replace(e, transitions=tests, patch="p" * 100_000, reasons=("r" * 9999,))
            for e in evaluations
        ]
        for name, evaluations in make_results(dict.fromkeys("abcdefgh", 0.3), 50).items()
    }
    text = page(results)
    assert len(text.encode()) <= LARGEST_PAGE
    assert "more tests" in text
    assert "more characters" in text


def test_eight_predictions_on_250_instances_fit_with_all_their_tests(page, make_results):
    text = page(make_results({f"method-{i}": 0.1 * i for i in range(8)}, 250))
    assert len(text.encode()) < LARGEST_PAGE
    assert text.count('class="instance"') == 250
    assert "more tests" not in text


def test_the_smallest_page_still_tells_what_decided(page, make_results):
    assert SPARSE.tests > 0
    text = page(make_results({"gold": 1.0}, 1))
    assert text.index("test_empty_or_keeps_related") < text.index("test_plain_or")


@pytest.fixture
def browse(tmp_path):
    """A function that opens a page in Chromium and returns its DOM and what it logged."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on PATH; install chromium to run this")

    def open_page(path: Path, *flags: str) -> tuple[str, str]:
        done = subprocess.run(
            [
                CHROMIUM,
                *FLAGS,
                f"--user-data-dir={tmp_path / 'profile'}",
                f"--log-net-log={tmp_path / 'net.json'}",
                *flags,
                "--dump-dom",
                path.as_uri(),
            ],
            capture_output=True,
            text=True,
            timeout=90,
            check=True,
        )
        return done.stdout, done.stderr

    return open_page


@pytest.mark.browser
def test_in_a_browser_the_filter_works_and_nothing_is_fetched(page, browse, tmp_path, make_results):
    page(make_results(RATES, 20))
    dom, log = browse(tmp_path / "report.html")
    assert "20 of 20 shown" in dom
    assert "CONSOLE" not in log
    hosts = re.findall(r'"url":"https?://([^/"]+)', (tmp_path / "net.json").read_text())
    assert {host for host in hosts if not host.endswith(BROWSERS_OWN)} == set()


@pytest.mark.browser
def test_in_a_browser_hostile_text_does_not_run(page, browse, tmp_path):
    page({"gold": [hostile()]})
    dom, log = browse(tmp_path / "report.html")
    assert "<title>fixgate: gold</title>" in dom
    assert "1 of 1 shown" in dom
    assert "CONSOLE" not in log


@pytest.mark.browser
def test_in_a_browser_a_link_opens_its_instance(page, browse, tmp_path, make_results):
    results = make_results(RATES, 5)
    name = results["gold"][2].instance_id
    page(results)
    (tmp_path / "jump.html").write_text(
        f"<!doctype html><meta http-equiv=refresh content='0; url=report.html#{name}'>"
    )
    dom, _ = browse(tmp_path / "jump.html")
    (opened,) = re.findall(r'<details class="instance" id="([^"]+)" open="">', dom)
    assert opened == name


MEASURE = """<script>
for (const item of document.querySelectorAll("details")) item.open = true;
parent.postMessage(JSON.stringify([document.documentElement.scrollWidth, innerWidth]), "*");
</script>"""
FRAME = """<!doctype html><script>onmessage = (event) => { document.title = event.data; };</script>
<iframe src="open.html" width="WIDTH" height="800" frameborder="0"></iframe>"""


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_in_a_browser_the_page_fits_the_screen(page, browse, tmp_path, make_results, width):
    long_name = {"a-prediction-with-a-rather-long-name-2024-11-20": 0.4}
    text = page(make_results(RATES | long_name, 8))
    open_page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    (tmp_path / "open.html").write_text(open_page.replace("</body>", MEASURE + "</body>"))
    (tmp_path / "frame.html").write_text(FRAME.replace("WIDTH", str(width)))
    dom, _ = browse(tmp_path / "frame.html")
    title = re.search(r"<title>(.*?)</title>", dom)
    assert title is not None
    content, window = json.loads(title[1])
    assert content <= window == width
