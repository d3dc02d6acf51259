"""Maven 3.9 writes its errors over several lines, and that of Debian 13 leaves their reasons out.

The Maven of the machine that runs the tests may be an earlier one: 3.9 comes from Maven Central.
"""

from __future__ import annotations

import os
import subprocess
import urllib.request
from pathlib import Path

import pytest

from evaluator.environment.tools import ToolError
from evaluator.languages.java.environment.maven import in_one_line_each, interruption
from tests.languages.java.broken_modules import NEEDING
from tests.languages.java.building import NEEDING_OWN, build, divide, resolves_dependencies

pytestmark = pytest.mark.java

VERSION = "3.9.9"
ARCHIVE = (
    "https://repo.maven.apache.org/maven2/org/apache/maven/apache-maven/"
    f"{VERSION}/apache-maven-{VERSION}-bin.tar.gz"
)
TRANSFER = (
    "[ERROR] Plugin a:b:1 or one of its dependencies could not be resolved:\n"
    "[ERROR] \tThe following artifacts could not be resolved: a:b:pom:1 (absent): "
    "Could not transfer artifact a:b:pom:1 from/to own (https://x): "
)
GET = "GET request of: a/b/1/b-1.pom from own failed"


@pytest.fixture
def maven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first `mvn` on the PATH is that of the version."""
    with urllib.request.urlopen(ARCHIVE, timeout=300) as answer:
        subprocess.run(["tar", "-xz"], cwd=tmp_path, input=answer.read(), check=True)
    programs = tmp_path / f"apache-maven-{VERSION}" / "bin"
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")


@resolves_dependencies
@pytest.mark.usefixtures("maven")
@pytest.mark.parametrize(
    ("needing", "said"),
    [
        (
            NEEDING.format(name="nowhere", version="1"),
            "Could not find artifact example:nowhere:jar:1",
        ),
        (NEEDING_OWN.format(url="http://localhost:1"), "cut short"),
    ],
)
def test_what_keeps_a_module_out_is_named(
    tree: Path, java_cache: Path, needing: str, said: str
) -> None:
    divide(tree, {"a": "", "b": needing})
    built = build(tree, java_cache)
    reasons = [*built.packages, *map(str, built.uncompiled)]
    assert [each for each in reasons if said in each], "\n".join(reasons)


@pytest.mark.parametrize(
    ("reason", "may_come"),
    [
        ("transfer failed for https://x/a/b/1/b-1.pom", True),
        ("transfer failed for https://x/a/b/1/b-1.pom: Connection reset", True),
        ("transfer failed for https://x/a/b/1/b-1.pom, status: 503 Service Unavailable", True),
        ("transfer failed for https://x/a/b/1/b-1.pom, status: 403 Forbidden", False),
        ("transfer failed for https://x/a/b/1/b-1.pom: x: Name or service not known", False),
        (GET, True),
        (f"{GET}: Premature end of Content-Length delimited message body", True),
        ("status code: 403, reason phrase: Forbidden (403)", False),
        ("Connection reset", True),
    ],
)
@pytest.mark.parametrize("link", ["", " -> [Help 1]", "\n[ERROR] -> [Help 1]\n[ERROR] "])
def test_a_download_that_may_come_the_next_time(reason: str, link: str, *, may_come: bool) -> None:
    error = ToolError(in_one_line_each(f"{TRANSFER}{reason}{link}"))
    assert bool(interruption(error)) == may_come
