"""Plug-ins that check style and licences keep nobody from running tests."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from evaluator.languages.java.environment.checks import CheckingExecution, failed_checks, unbind
from evaluator.languages.java.environment.pom import elements, plugins, text
from tests.languages.java.building import build, replace, resolves_dependencies

pytestmark = pytest.mark.java

RAT = CheckingExecution("org.apache.rat", "apache-rat-plugin", "rat-check")
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
HEAD = '<project xmlns="http://maven.apache.org/POM/4.0.0"><!-- <build><plugins> -->'
ASIDE = """\
<profiles><profile><build><plugins><plugin/></plugins></build></profile></profiles>
<reporting><plugins><plugin/></plugins></reporting>
"""
MANAGED = "<pluginManagement><plugins><plugin/></plugins></pluginManagement>"


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
            {CheckingExecution("a.b", "spotless-maven-plugin", "rat-check")},
        ),
        ("org.antlr:antlr4-maven-plugin", set()),
    ],
)
def test_only_checks_are_left_out(plugin: str, found: set[CheckingExecution]) -> None:
    assert failed_checks(TOO_NEW.format(plugin, "rat-check", plugin)) == found
    failed = f"[ERROR] Failed to execute goal {plugin}:1:check (rat-check) on project b: no"
    assert failed_checks(failed) == found


@pytest.mark.parametrize(
    "build_of_it",
    [
        "",
        "<build></build>",
        f"<build>{MANAGED}</build>",
        "<build><plugins></plugins></build>",
        f"<build>{MANAGED}<plugins><plugin/></plugins></build>",
        f"<build><plugins><plugin/></plugins>{MANAGED}</build>",
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_they_are_bound_to_no_phase_in_the_build_itself(
    tmp_path: Path, build_of_it: str, *, before: bool
) -> None:
    parts = (ASIDE, build_of_it) if before else (build_of_it, ASIDE)
    pom = tmp_path / "pom.xml"
    pom.write_text(f"{HEAD}{''.join(parts)}</project>")
    assert unbind(tmp_path, [RAT])
    (own,) = plugins(ET.parse(pom).getroot(), RAT.artifact)
    (execution,) = elements(own, "executions", "execution")
    assert (text(own, "groupId"), text(execution, "id"), text(execution, "phase")) == (
        "org.apache.rat",
        "rat-check",
        "none",
    )
    assert pom.read_text().count("none") == 1
    assert not unbind(tmp_path, [])
