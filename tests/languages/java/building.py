"""A Maven project as a directory, and how its environment is built."""

from __future__ import annotations

import datetime
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.environment.discovery import discover_recipe
from evaluator.environment.types import Environment, SharedDownloads
from evaluator.languages import language
from evaluator.languages.java.environment.jdk import installed
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.model import Run, Status
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.process import ProcessSandbox
from tests.languages.java.repository import BROKEN, CODE, lay

MODULE = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>example</groupId>
    <artifactId>words</artifactId>
    <version>1-SNAPSHOT</version>
  </parent>
  <artifactId>{name}</artifactId>
{rest}</project>
"""
COMPILER = """\
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.11.0</version>
        {}
      </plugin>
    </plugins>
  </build>
  <dependencies>
"""
NEEDING_OWN = """\
  <repositories>
    <repository><id>own</id><url>{url}</url></repository>
  </repositories>
  <dependencies>
    <dependency><groupId>example</groupId><artifactId>own</artifactId><version>1</version></dependency>
  </dependencies>
"""


@dataclass(frozen=True)
class Project:
    """A tree with its environment."""

    tree: Path
    environment: Environment

    def run(
        self,
        *files: str,
        seed: int = 0,
        only: frozenset[str] = frozenset(),
        without: frozenset[str] = frozenset(),
    ) -> Run:
        """Run test files."""
        asked = RunRequest(
            self.tree, self.environment, files, seed=seed, only=only, without=without
        )
        return run_tests(choose_sandbox("bubblewrap"), asked)


def statuses(run: Run) -> dict[str, Status]:
    """By the names of the methods."""
    return {each.test.rpartition("::")[2]: each.status for each in run.outcomes.values()}


on_later_java = pytest.mark.skipif(
    any(jdk.version < 13 for jdk in installed()),
    reason="tests of old code run on the oldest JDK, which differs from later ones in this",
)


def resolves_dependencies(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test for which Maven downloads, which may take its time."""
    marked: Callable[..., None] = pytest.mark.maven_central(pytest.mark.timeout(900)(test))
    return marked


def pom_with_plug_in(name: str, execution: str) -> ET.Element:
    """A pom with a plug-in that has one execution, of which the content is given."""
    plugin = f"<artifactId>{name}</artifactId><executions><execution>{execution}</execution>"
    return ET.fromstring(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><build><plugins><plugin>'
        f"{plugin}</executions></plugin></plugins></build></project>"
    )


def build(
    tree: Path,
    cache: Path,
    recipe: JavaRecipe | None = None,
    downloads: SharedDownloads | None = None,
    *,
    offline: bool = False,
) -> Environment:
    environments = language("java").environments
    return environments.builder(cache, sandbox=ProcessSandbox(), offline=offline).build(
        recipe or discover_recipe(tree),
        date=datetime.date(2024, 1, 1),
        tree=tree,
        tree_key=str(tree),
        downloads=downloads,
    )


def replace(tree: Path, old: str, new: str) -> None:
    pom = tree / "pom.xml"
    pom.write_text(pom.read_text().replace(old, new, 1))


def configure_compiler(tree: Path, said: str) -> None:
    """Have a pom say more of the plug-in that compiles."""
    replace(tree, "  <dependencies>\n", COMPILER.format(said))


def divide(tree: Path, modules: Mapping[str, str]) -> None:
    """Give a project modules with the faulty code: names, and the rest of the pom of each."""
    listed = "".join(f"<module>{name}</module>" for name in modules)
    parent = f"  <packaging>pom</packaging>\n  <modules>{listed}</modules>\n"
    replace(tree, "  <properties>", f"{parent}  <properties>")
    for name, rest in modules.items():
        lay(tree / name, {CODE: BROKEN, "pom.xml": MODULE.format(name=name, rest=rest)})
