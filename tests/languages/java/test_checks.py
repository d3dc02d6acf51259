"""Plug-ins that check style and licences keep nobody from running tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.languages.java.environment.checks import failed_checks
from evaluator.languages.java.environment.executions import Execution
from tests.languages.java.building import build, replace, resolves_dependencies

pytestmark = pytest.mark.java

RAT = Execution("org.apache.rat", "apache-rat-plugin", "rat-check")
TOO_NEW = (
    "[ERROR] Failed to execute goal {}:0.18:check ({}) on project words: "
    "The plugin {}:0.18 requires Maven version 3.9 -> [Help 1]"
)
ENFORCED = """\
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-enforcer-plugin</artifactId>
        <version>3.5.0</version>
        <executions>
          <execution>
            <id>newest</id>
            <goals><goal>enforce</goal></goals>
            <configuration>
              <skip>${checks.skip}</skip>
              <rules><requireMavenVersion><version>[99,)</version></requireMavenVersion></rules>
            </configuration>
          </execution>
        </executions>
      </plugin>
"""
CHECKED = """\
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.rat</groupId>
        <artifactId>apache-rat-plugin</artifactId>
        <version>0.18</version>
        <executions>
          <execution>
            <id>rat-check</id>
            <phase>validate</phase>
            <goals><goal>check</goal></goals>
          </execution>
        </executions>
      </plugin>
    </plugins>
    <resources>
      <resource><directory>src/main/resources</directory><filtering>true</filtering></resource>
    </resources>
  </build>
</project>
"""


def filled_in(tree: Path, java_cache: Path) -> list[str]:
    """What Maven, if its build goes through, makes of a resource with the project's name."""
    (tree / "src/main/resources").mkdir()
    (tree / "src/main/resources/of.txt").write_text("${project.artifactId}")
    environment = build(tree, java_cache)
    return [path.read_text() for path in environment.overlays[0].rglob("of.txt")]


@resolves_dependencies
def test_a_check_that_needs_a_later_maven_is_left_out(tree: Path, java_cache: Path) -> None:
    # Maven 3.8, which Debian 12 has, refuses this release; later ones find it skipped.
    replace(tree, "</project>\n", CHECKED)
    assert filled_in(tree, java_cache) == ["words"]


@resolves_dependencies
def test_a_check_that_asks_another_property_is_left_out(tree: Path, java_cache: Path) -> None:
    replace(tree, "</project>\n", CHECKED.replace("    <plugins>\n", f"    <plugins>\n{ENFORCED}"))
    replace(tree, "<properties>", "<properties><checks.skip>false</checks.skip>")
    assert filled_in(tree, java_cache) == ["words"]


@pytest.mark.parametrize(
    ("plugin", "found"),
    [
        ("org.apache.rat:apache-rat-plugin", {RAT}),
        (
            "a.b:spotless-maven-plugin",
            {Execution("a.b", "spotless-maven-plugin", "rat-check")},
        ),
        ("org.antlr:antlr4-maven-plugin", set()),
    ],
)
def test_only_checks_are_left_out(plugin: str, found: set[Execution]) -> None:
    assert failed_checks(TOO_NEW.format(plugin, "rat-check", plugin)) == found
    failed = f"[ERROR] Failed to execute goal {plugin}:1:check (rat-check) on project b: no"
    assert failed_checks(failed) == found
