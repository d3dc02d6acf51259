"""Executions of plug-ins that fail are left out, and said to be."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from evaluator.languages.java.environment.executions import Execution, failed_executions, unbind
from evaluator.languages.java.environment.pom import elements, plugins, text
from evaluator.languages.java.environment.types import java_environment
from tests.languages.java.broken_modules import NEEDING
from tests.languages.java.building import (
    build,
    divide,
    on_later_java,
    replace,
    resolves_dependencies,
)
from tests.languages.java.repository import BROKEN, CODE, FOR_MAVEN

pytestmark = pytest.mark.java

RAT = Execution("org.apache.rat", "apache-rat-plugin", "rat-check")
FAILED = """\
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal a.b:fetch-plugin:1.9.0:wget (WORDS-1) on project words: no.host -> \
[Help 1]
[ERROR] Failed to execute goal a.b:make-plugin:1:make (default) on project words
[ERROR] Failed to execute goal on project boxes: Could not resolve dependencies -> [Help 2]
"""
COPYING = """\
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-antrun-plugin</artifactId>
        <version>3.1.0</version>
        <executions>
          <execution>
            <id>fetch</id>
            <phase>generate-test-resources</phase>
            <goals><goal>run</goal></goals>
            <configuration><target><echo message="there is no such host"/></target></configuration>
          </execution>
          <execution>
            <id>copy</id>
            <phase>process-classes</phase>
            <goals><goal>run</goal></goals>
            <configuration>
              <target>
                <copy file="${project.build.outputDirectory}/words/Plural.class"
                    tofile="${project.build.outputDirectory}/copied.txt"/>
              </target>
            </configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
"""
STRICT = """\
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.11.0</version>
        <configuration>
          <showWarnings>true</showWarnings>
          <compilerArgs><arg>-Xlint:all</arg><arg>-Werror</arg></compilerArgs>
        </configuration>
      </plugin>
    </plugins>
"""
CHECKING = """\
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.6.1</version>
        <configuration>
          <compilerId>javac-with-errorprone</compilerId>
          <forceJavacCompilerUse>true</forceJavacCompilerUse>
        </configuration>
        <dependencies>
          <dependency>
            <groupId>org.codehaus.plexus</groupId>
            <artifactId>plexus-compiler-javac-errorprone</artifactId>
            <version>2.8.1</version>
          </dependency>
          <dependency>
            <groupId>com.google.errorprone</groupId>
            <artifactId>error_prone_core</artifactId>
            <version>2.0.16</version>
          </dependency>
        </dependencies>
      </plugin>
    </plugins>
"""
OLD = """\
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>2.5.1</version>
      </plugin>
    </plugins>
    <resources>
      <resource><directory>src/main/resources</directory><filtering>true</filtering></resource>
    </resources>
  </build>
"""
"""It compiles whatever it is told to skip."""
USER = NEEDING.format(name="core", version="1-SNAPSHOT")
CLASS = "public final class Plural {\n"
WARNED = f"{CLASS}    private static final java.util.List WORDS = null;\n"
HEAD = '<project xmlns="http://maven.apache.org/POM/4.0.0"><!-- <build><plugins> -->'
ASIDE = """\
<profiles><profile><build><plugins><plugin/></plugins></build></profile></profiles>
<reporting><plugins><plugin/></plugins></reporting>
"""
MANAGED = "<pluginManagement><plugins><plugin/></plugins></pluginManagement>"


def test_they_are_read_from_what_maven_says() -> None:
    assert failed_executions(FAILED) == {
        Execution("a.b", "fetch-plugin", "WORDS-1"): "no.host",
        Execution("a.b", "make-plugin", "default"): "",
    }


def copied(tree: Path, java_cache: Path) -> tuple[int, tuple[str, ...]]:
    """How many files a plug-in made of the classes, and what is said of the environment."""
    replace(tree, "</properties>", FOR_MAVEN)
    environment = build(tree, java_cache)
    assert not java_environment(environment).uncompiled
    return len([*environment.overlays[0].rglob("copied.txt")]), environment.packages


@resolves_dependencies
def test_one_that_cannot_fetch_its_data_keeps_no_test_from_running(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "</project>\n", COPYING.replace("<echo ", "<fail "))
    found, said = copied(tree, java_cache)
    assert found == 1
    (line,) = (each for each in said if "fails" in each)
    plugin = "org.apache.maven.plugins:maven-antrun-plugin"
    assert line.startswith(f"left out, as it fails: {plugin} (fetch): ")
    assert "there is no such host" in line


@resolves_dependencies
def test_an_old_compiler_with_checks_keeps_no_plug_in_from_its_classes(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "</project>\n", COPYING.replace("    </plugins>\n", CHECKING))
    assert copied(tree, java_cache)[0] == 1


@resolves_dependencies
def test_a_compiler_that_allows_no_warnings_leaves_no_module_out(
    tree: Path, java_cache: Path
) -> None:
    strict = COPYING.replace("    </plugins>\n", STRICT).removesuffix("</project>\n")
    divide(tree, {"core": strict, "user": USER})
    (tree / "core" / CODE).write_text(BROKEN.replace(CLASS, WARNED))
    assert "(copy): " in copied(tree, java_cache)[1][-1]


@on_later_java
@resolves_dependencies
def test_what_maven_cannot_compile_on_this_jdk_leaves_no_module_out(
    tree: Path, java_cache: Path
) -> None:
    divide(tree, {"core": OLD, "user": USER})
    bound = "@javax.xml.bind.annotation.XmlRootElement\npublic"
    (tree / "core" / CODE).write_text(BROKEN.replace("public", bound, 1))
    assert not java_environment(build(tree, java_cache)).uncompiled


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
