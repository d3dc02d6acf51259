"""`fixgate demo` as a new user runs it: from nothing, without a network, to pages to look at."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(600)
LINK = re.compile(r' href="([^"#:]+)"')


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The directory in which the demo ran, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    home = folder / "home"
    home.mkdir()
    command = [str(Path(sys.executable).with_name("fixgate")), "demo"]
    # A proxy that is not there: whatever asks the network fails.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{taken.getsockname()[1]}"
        proxies = {f"{name}_proxy": nowhere for name in ("http", "https", "all")}
        variables = {**os.environ, **proxies, "HOME": str(home), "COLUMNS": "100"}
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, timeout=500
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return folder, done.stdout


def test_it_tells_the_whole_story(shown: tuple[Path, str]) -> None:
    _, told = shown
    assert """self.assertEqual(shorten("just fits", 9), 'just fits')""" in told
    wrong, right = (
        told.index("failure: The test for #1 still fails: got 'just f...', "),
        told.index("success: Fixes #1: 1 test"),
    )
    assert wrong < right < told.index("careful")
    assert "What this showed" in told


def test_the_pages_that_it_names_are_there(shown: tuple[Path, str]) -> None:
    folder, told = shown
    named = re.findall(r"^  .*?(\S+\.html)$", told, re.MULTILINE)
    assert len(named) == 5
    issue, wrong, right, dashboard, report = ((folder / n).read_text("utf-8") for n in named)
    assert "<strong>Reproduced</strong>" in issue
    assert '<span class="label">reproduced</span>' in issue
    assert "<strong>Rejected</strong>" in wrong
    assert "<strong>Accepted</strong>" in right
    assert "alice/wordtools" in dashboard
    assert "careful" in report


def test_the_pages_link_to_each_other_and_to_nothing_else(shown: tuple[Path, str]) -> None:
    folder, _ = shown
    pages = sorted((folder / "demo-output" / "pages").glob("*.html"))
    assert len(pages) > 10
    for page in pages:
        text = page.read_text("utf-8")
        assert "127.0.0.1" not in text, page
        assert "<form" not in text
        for link in LINK.findall(text):
            assert (page.parent / link).is_file(), (page.name, link)


def test_nothing_else_is_left_behind(shown: tuple[Path, str]) -> None:
    folder, _ = shown
    assert {path.name for path in folder.iterdir()} == {"home", "demo-output"}
    assert {path.name for path in (folder / "demo-output").iterdir()} == {"pages", "report"}
