"""`fixgate demo --java` with a JDK and Maven, and without."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.java, pytest.mark.timeout(900)]


BY_A_PROXY_THAT_IS_NOT_THERE = """\
<settings><proxies>
  <proxy><active>true</active><protocol>https</protocol><host>127.0.0.1</host><port>9</port></proxy>
</proxies></settings>
"""


def run_demo(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("fixgate")), "demo", "--java"]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100", **variables},
        capture_output=True,
        text=True,
        timeout=800,
    )


@pytest.mark.maven_central
@pytest.mark.bubblewrap
def test_from_an_issue_to_an_accepted_fix(tmp_path: Path, java_cache: Path) -> None:
    done = run_demo(tmp_path, XDG_CACHE_HOME=str(java_cache.parent))
    assert done.returncode == 0, done.stdout + done.stderr
    assert '+        assertEquals("1h 15s", Durations.format(3615));' in done.stdout
    wrong = done.stdout.index("failure: The test for #1 still fails: ")
    assert wrong < done.stdout.index("success: Fixes #1: 1 test")
    named = re.findall(r"^  .*?(\S+\.html)$", done.stdout, re.MULTILINE)
    issue, refused, accepted, dashboard = ((tmp_path / n).read_text("utf-8") for n in named)
    assert "src/test/java/org/example/durations/" in issue
    assert "<strong>Rejected</strong>" in refused
    assert "<strong>Accepted</strong>" in accepted
    assert "alice/durations" in dashboard


def test_a_repository_of_libraries_that_cannot_be_reached_is_said_to_be_that(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    (home / ".m2").mkdir(parents=True)
    (home / ".m2" / "settings.xml").write_text(BY_A_PROXY_THAT_IS_NOT_THERE)
    done = run_demo(tmp_path, HOME=str(home), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert "127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr
