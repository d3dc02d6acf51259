"""What is wrong with a Java project is said by name, in words that say what to do."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from evaluator.environment.discovery import discover_recipe
from evaluator.errors import EnvironmentBuildError, InterpreterMissingError
from evaluator.languages import language
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.sandbox.process import ProcessSandbox
from tests.languages.java.repository import BROKEN, CODE, POM

PARENT = """\
  <parent>
    <groupId>example.nowhere</groupId>
    <artifactId>gone</artifactId>
    <version>7-SNAPSHOT</version>
  </parent>
  <artifactId>words</artifactId>
"""
DEAD_HOST = """\
  <repositories>
    <repository><id>dead</id><url>https://dead.invalid/maven</url></repository>
  </repositories>
"""


def build(tree: Path, cache: Path, recipe: JavaRecipe | None = None) -> None:
    builder = language("java").environments.builder(cache, sandbox=ProcessSandbox())
    builder.build(
        recipe or discover_recipe(tree),
        date=datetime.date(2024, 1, 1),
        tree=tree,
        tree_key=str(tree),
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    place = tmp_path / "words"
    (place / CODE).parent.mkdir(parents=True)
    (place / CODE).write_text(BROKEN)
    (place / "pom.xml").write_text(POM)
    return place


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.getbasetemp() / "java-cache"


def replace(tree: Path, old: str, new: str) -> None:
    pom = tree / "pom.xml"
    pom.write_text(pom.read_text().replace(old, new, 1))


@pytest.mark.java
def test_a_jdk_that_is_missing_is_named_with_what_to_install(tree: Path, cache: Path) -> None:
    with pytest.raises(InterpreterMissingError, match=r"no JDK 99 is installed.*openjdk-99-jdk"):
        build(tree, cache, JavaRecipe(java=("99",)))


@pytest.mark.java
def test_a_directory_without_a_pom_is_said_to_be_that(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {}")
    with pytest.raises(EnvironmentBuildError, match=r"there is no `pom\.xml`"):
        build(tmp_path, tmp_path / "cache", JavaRecipe())


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</project>", "</projekt>", "Non-parseable POM"),
        ("  <artifactId>words</artifactId>\n", PARENT, "Non-resolvable parent POM.*gone"),
        ("4.13.2", "4.13.99", r"junit:junit:jar:4\.13\.99"),
        ("  <dependencies>", f"{DEAD_HOST}  <dependencies>", ""),
    ],
)
def test_maven_s_own_error_is_shown(tree: Path, cache: Path, old: str, new: str, said: str) -> None:
    replace(tree, old, new)
    if not said:
        replace(tree, "4.13.2", "4.13.99")
        said = r"dead\.invalid"
    with pytest.raises(EnvironmentBuildError, match=said):
        build(tree, cache)


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.timeout(900)
def test_code_that_does_not_compile_is_shown_with_its_place(tree: Path, cache: Path) -> None:
    (tree / CODE).write_text(BROKEN.replace("return word", "return wort"))
    with pytest.raises(EnvironmentBuildError, match=rf"does not compile: {CODE}:5: cannot find"):
        build(tree, cache)
