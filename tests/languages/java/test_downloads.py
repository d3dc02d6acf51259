"""What Maven downloads: what it says where something is missing, and what is kept."""

from __future__ import annotations

import io
import json
import threading
import time
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaluator.environment.types import SharedDownloads
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.types import java_environment
from evaluator.storage.keys import short_key
from tests.languages.java.building import (
    MODULE,
    NEEDING_OWN,
    build,
    divide,
    replace,
    resolves_dependencies,
)

pytestmark = pytest.mark.java

PARENT = """\
  <parent>
    <groupId>example.nowhere</groupId>
    <artifactId>gone</artifactId>
    <version>7-SNAPSHOT</version>
  </parent>
  <artifactId>words</artifactId>
"""
PARENT_OF_PARENT = MODULE.format(name="gone", rest="  <packaging>pom</packaging>\n")
OWN_PARENT = """\
  <parent>
    <groupId>{group}</groupId>
    <artifactId>{name}</artifactId>
    <version>{version}</version>
  </parent>
  <artifactId>words</artifactId>
"""
RELEASED_PARENT = OWN_PARENT.format(
    group="org.apache.commons", name="commons-parent", version="56-SNAPSHOT"
)
PARENT_OF_JACKSON = OWN_PARENT.format(
    group="com.fasterxml.jackson", name="jackson-base", version="2.18.2-SNAPSHOT"
)
NEEDING_JACKSON = """\
  <dependencies>
    <dependency>
      <groupId>com.fasterxml.jackson.jr</groupId>
      <artifactId>jackson-jr-objects</artifactId>
    </dependency>
  </dependencies>
"""
CENTRAL_BY_HTTP = """\
  <repositories>
    <repository><id>central</id><url>http://repo.maven.apache.org/maven2</url></repository>
  </repositories>
"""
DEAD_HOST = """\
  <repositories>
    <repository><id>dead</id><url>https://dead.invalid/maven</url></repository>
  </repositories>
"""
OF_THE_TREE = """\
  <dependencies>
    <dependency>
      <groupId>example</groupId>
      <artifactId>own</artifactId>
      <version>1</version>
      <scope>system</scope>
      <systemPath>${project.basedir}/lib/own.jar</systemPath>
    </dependency>
"""
OWN_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>own</artifactId><version>1</version>
</project>
"""


class ArtifactServer(ThreadingHTTPServer):
    """A repository of Maven with one artifact, `example:own:1`, that answers all with `status`."""

    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ArtifactHandler)
        jar = io.BytesIO()
        with zipfile.ZipFile(jar, "w") as file:
            file.writestr("own.txt", "own")
        self.files = {
            "/example/own/1/own-1.pom": OWN_POM.encode(),
            "/example/own/1/own-1.jar": jar.getvalue(),
        }

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_port}"


class ArtifactHandler(BaseHTTPRequestHandler):
    server: ArtifactServer

    def do_GET(self) -> None:
        content = self.server.files.get(self.path)
        status = self.server.status if content is not None or self.server.status != 200 else 404
        self.send_response(status)
        body = (content or b"") if status == 200 else b""
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@pytest.fixture
def artifacts() -> Iterator[ArtifactServer]:
    with ArtifactServer() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@resolves_dependencies
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</project>", "</projekt>", "Non-parseable POM"),
        ("  <artifactId>words</artifactId>\n", PARENT, "Non-resolvable parent POM.*gone"),
        ("4.13.2", "4.13.99", r"junit:junit:jar:4\.13\.99"),
        ("  <dependencies>", f"{DEAD_HOST}  <dependencies>", ""),
    ],
)
def test_maven_s_own_error_is_shown(
    tree: Path, java_cache: Path, old: str, new: str, said: str
) -> None:
    replace(tree, old, new)
    if not said:
        replace(tree, "4.13.2", "4.13.99")
        said = r"dead\.invalid"
    with pytest.raises(EnvironmentBuildError, match=said):
        build(tree, java_cache)


@resolves_dependencies
@pytest.mark.parametrize(("status", "is_tried_again"), [(503, True), (404, False)])
def test_a_download_that_was_cut_short_is_tried_again_minutes_later(
    tree: Path,
    java_cache: Path,
    artifacts: ArtifactServer,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    *,
    is_tried_again: bool,
) -> None:
    divide(tree, {"a": "", "b": NEEDING_OWN.format(url=artifacts.url)})
    artifacts.status = status
    now = time.time() // 600 * 600
    monkeypatch.setattr(time, "time", lambda: now)
    first = build(tree, java_cache).packages
    assert "own-1" not in first
    said = [each for each in first if "cut short" in each]
    assert [f"{status}" in each for each in said] == [True] * is_tried_again
    artifacts.status = 200
    assert "own-1" not in build(tree, java_cache).packages
    monkeypatch.setattr(time, "time", lambda: now + 600)
    assert ("own-1" in build(tree, java_cache).packages) == is_tried_again


@resolves_dependencies
def test_parents_in_a_cycle_are_named(tree: Path, java_cache: Path) -> None:
    here = "  <relativePath>parent/pom.xml</relativePath>\n  </parent>"
    parent = PARENT.replace("example.nowhere", "example").replace("7-SNAPSHOT", "1-SNAPSHOT")
    replace(tree, "  <artifactId>words</artifactId>\n", parent.replace("  </parent>", here))
    (tree / "parent").mkdir()
    (tree / "parent" / "pom.xml").write_text(PARENT_OF_PARENT)
    with pytest.raises(EnvironmentBuildError, match="parents form a cycle"):
        build(tree, java_cache)


@resolves_dependencies
def test_releases_stand_in_for_snapshots_that_are_gone(tree: Path, java_cache: Path) -> None:
    replace(tree, "  <artifactId>words</artifactId>\n", RELEASED_PARENT)
    replace(tree, "4.13.2", "4.13.2-SNAPSHOT")
    packages = build(tree, java_cache).packages
    assert "junit-4.13.2" in packages
    assert "junit:junit (,4.13.2] in the place of 4.13.2-SNAPSHOT" in packages
    assert "org.apache.commons:commons-parent (,56] in the place of 56-SNAPSHOT" in packages


@resolves_dependencies
def test_a_parent_that_is_a_release_brings_no_release_of_the_tree_s_own_modules(
    tree: Path, java_cache: Path
) -> None:
    """As with jackson-jr, whose tests ran with the release that had their fix already."""
    replace(tree, "  <artifactId>words</artifactId>\n", PARENT_OF_JACKSON)
    group = "  <groupId>com.fasterxml.jackson.jr</groupId>\n"
    divide(tree, {"jackson-jr-objects": group, "user": NEEDING_JACKSON})
    project = java_environment(build(tree, java_cache)).project
    units = {unit["name"]: unit["classpath"] for unit in json.loads(project.read_text())["units"]}
    needed = units["example.user"]
    assert "unit:com.fasterxml.jackson.jr.jackson-jr-objects" in needed
    assert not any("jackson-jr-objects-2" in entry for entry in needed)


@resolves_dependencies
def test_maven_central_is_asked_by_https_where_a_pom_says_http(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "  <dependencies>", CENTRAL_BY_HTTP + "  <dependencies>")
    replace(
        tree, "junit</artifactId>\n      <version>4.13.2", "junit</artifactId>\n      <version>4.11"
    )
    assert "junit-4.11" in build(tree, java_cache).packages


@resolves_dependencies
def test_what_a_base_commit_downloaded_serves_other_trees_of_its_repository(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "1-SNAPSHOT", "3-SNAPSHOT")
    place = java_cache / "java" / "downloads" / short_key("o/kept")
    build(tree, java_cache, downloads=SharedDownloads("o/kept", trusted=True))
    kept = set(place.rglob("*"))
    assert kept
    replace(tree, "3-SNAPSHOT", "4-SNAPSHOT")
    build(tree, java_cache, downloads=SharedDownloads("o/kept", trusted=False), offline=True)
    replace(tree, "4.13.2", "4.12")
    build(tree, java_cache, downloads=SharedDownloads("o/kept", trusted=False))
    assert set(place.rglob("*")) == kept


@resolves_dependencies
def test_a_jar_of_the_tree_is_found_in_each_tree(tree: Path, java_cache: Path) -> None:
    (tree / "lib").mkdir()
    with zipfile.ZipFile(tree / "lib" / "own.jar", "w") as jar:
        jar.writestr("words.txt", "box")
    replace(tree, "  <dependencies>\n", OF_THE_TREE)
    environment = java_environment(build(tree, java_cache))
    project = json.loads(environment.project.read_text())
    assert all("tree:lib/own.jar" in unit["classpath"] for unit in project["units"])
