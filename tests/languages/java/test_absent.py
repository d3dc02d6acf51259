"""Dependencies that no repository has are left out and named, and so is what needs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.absent import absent_dependencies
from evaluator.languages.java.environment.maven import in_one_line_each
from evaluator.languages.java.environment.types import JavaRecipe, java_environment
from evaluator.verdict import Decision
from tests.languages.java.building import build, replace, resolves_dependencies
from tests.languages.java.judging import judged
from tests.languages.java.repository import BOX, BROKEN, CODE, FIXED, NEW_TESTS, POM, Repository

pytestmark = pytest.mark.java

DEPENDENCIES = """\
  <dependencies>
    <dependency>
      <groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>
    </dependency>
"""
NOWHERE = DEPENDENCIES.format(group="example", name="nowhere", version="7")
FASTER = """\
  <build>
    <plugins>
      <plugin>
        <groupId>example</groupId>
        <artifactId>faster-maven-plugin</artifactId>
        <version>7</version>
        <executions>
          <execution><phase>generate-sources</phase><goals><goal>write</goal></goals></execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>"""
GONE = """\
  <repositories>
    <repository><id>gone.example</id><url>https://gone.invalid/maven2</url></repository>
  </repositories>
""" + DEPENDENCIES.format(group="commons-cli", name="commons-cli", version="1.9.0")
SCRIPT = """\
apply plugin: 'java'
dependencies {
    implementation 'example:nowhere:7'
    testImplementation 'org.junit.jupiter:junit-jupiter:5.14.1'
    testImplementation 'example:farther:8'
}
"""
USES_NOWHERE = "package words;\n\nclass Far {\n    nowhere.Place place;\n}\n"
FAR = "src/main/java/words/Far.java"
TEST_OF_NOWHERE = "src/test/java/words/FarTest.java"
FAILED = "[ERROR] Failed to execute goal on project words: Could not"
OF_WORDS = "for project example:words:jar:1-SNAPSHOT: "


@resolves_dependencies
def test_what_a_dependency_names_is_left_out_where_it_is_nowhere(
    tree: Path, java_cache: Path
) -> None:
    # Sun's licence kept three of them from Maven Central.
    log4j = DEPENDENCIES.format(group="log4j", name="log4j", version="1.2.15")
    replace(tree, "  <dependencies>\n", log4j)
    environment = build(tree, java_cache)
    assert "log4j-1.2.15" in environment.packages
    assert sorted(environment.unbuilt) == [
        "com.sun.jdmk:jmxtools:jar:1.2.1",
        "com.sun.jmx:jmxri:jar:1.2.1",
        "javax.jms:jms:jar:1.1",
    ]


@resolves_dependencies
def test_plug_ins_that_are_nowhere_are_left_out(tree: Path, java_cache: Path) -> None:
    """As one is that cactoos has its classes made faster by."""
    replace(tree, "</project>", FASTER)
    environment = java_environment(build(tree, java_cache))
    assert environment.unbuilt == ("example:faster-maven-plugin:7",)
    assert list(environment.classes.rglob("Plural.class"))


@resolves_dependencies
def test_a_repository_whose_host_is_gone_is_no_hindrance(tree: Path, java_cache: Path) -> None:
    """As that of the old OSSRH is, which many poms have for snapshots."""
    replace(tree, "  <dependencies>\n", GONE)
    environment = build(tree, java_cache)
    assert {"junit-4.13.2", "commons-cli-1.9.0"} <= {*environment.packages}


@resolves_dependencies
def test_code_that_needs_it_is_left_out_alone(tree: Path, java_cache: Path) -> None:
    replace(tree, "  <dependencies>\n", NOWHERE)
    (tree / FAR).write_text(USES_NOWHERE)
    environment = java_environment(build(tree, java_cache))
    assert [each.place for each in environment.uncompiled] == [FAR]
    assert list(environment.classes.rglob("Plural.class"))


@resolves_dependencies
def test_where_all_code_needs_it_that_is_the_error(tree: Path, java_cache: Path) -> None:
    replace(tree, "  <dependencies>\n", NOWHERE)
    (tree / CODE).write_text(BROKEN.replace("public static", "nowhere.Place place; public static"))
    with pytest.raises(EnvironmentBuildError, match=r"nowhere:jar:7 is left out.*Plural\.java:4"):
        build(tree, java_cache)


@resolves_dependencies
def test_what_a_gradle_script_asks_for_is_left_out_too(tree: Path, java_cache: Path) -> None:
    """As pgjdbc's tests of OSGi ask for what was never published."""
    (tree / "pom.xml").unlink()
    (tree / "build.gradle").write_text(SCRIPT)
    test = tree / "src/test/java/words/BoxTest.java"
    test.parent.mkdir(parents=True)
    test.write_text(BOX)
    environment = build(tree, java_cache)
    assert sorted(environment.unbuilt) == ["example:farther:jar:8", "example:nowhere:jar:7"]
    assert "junit-jupiter-5.14.1" in environment.packages


@resolves_dependencies
def test_what_a_configuration_asks_for_is_not_left_out(tree: Path, java_cache: Path) -> None:
    (tree / "src/test/java").mkdir(parents=True)
    recipe = JavaRecipe(
        build="javac",
        sources=("src/main/java",),
        tests=("src/test/java",),
        dependencies=("junit:junit:4.13.2", "example:nowhere:7"),
    )
    with pytest.raises(EnvironmentBuildError, match="Could not find artifact example:nowhere"):
        build(tree, java_cache, recipe)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Of which one test needs a dependency that is nowhere."""
    return Repository(tmp_path / "words", POM.replace("  <dependencies>\n", NOWHERE))


@resolves_dependencies
@pytest.mark.bubblewrap
def test_a_fix_is_judged_by_the_tests_that_do_without_it(
    repository: Repository, java_cache: Path
) -> None:
    needing = BOX.replace("BoxTest", "FarTest").replace("void box", "nowhere.Place place; void box")
    repository.base = repository.commit({TEST_OF_NOWHERE: needing})
    head = repository.change({CODE: FIXED, NEW_TESTS: BOX})
    assert judged(repository, head, java_cache).decision is Decision.ACCEPT


@resolves_dependencies
@pytest.mark.bubblewrap
def test_a_change_that_asks_for_another_version_of_it_is_judged(
    repository: Repository, java_cache: Path
) -> None:
    pom = POM.replace("  <dependencies>\n", NOWHERE)
    later = pom.replace("<version>7<", "<version>8<", 1)
    assert later != pom
    head = repository.change({CODE: FIXED, NEW_TESTS: BOX, "pom.xml": later})
    found = judged(repository, head, java_cache)
    assert found.decision is not Decision.REJECT
    assert "reproduced" in {each.rule for each in found.findings}


@resolves_dependencies
@pytest.mark.bubblewrap
def test_a_change_that_asks_for_it_is_refused(tmp_path: Path, java_cache: Path) -> None:
    repository = Repository(tmp_path / "words")
    pom = POM.replace("  <dependencies>\n", NOWHERE)
    head = repository.change({CODE: FIXED, NEW_TESTS: BOX, "pom.xml": pom})
    with pytest.raises(EnvironmentBuildError, match="with the change, example:nowhere:jar:7"):
        judged(repository, head, java_cache)


@pytest.mark.parametrize(
    ("log", "names"),
    [
        (
            f"{FAILED} resolve dependencies {OF_WORDS}Could not find artifact "
            "example:nowhere:jar:7 in central (https://repo.maven.apache.org/maven2) -> [Help 1]",
            ["example:nowhere:jar:7"],
        ),
        (
            f"{FAILED} resolve dependencies {OF_WORDS}The following artifacts could not be "
            "resolved: a.b:c:jar:1, a.b:d:jar:sources:2: Could not find artifact a.b:c:jar:1 in "
            "central (https://repo.maven.apache.org/maven2)",
            ["a.b:c:jar:1"],
        ),
        (
            f"{FAILED} collect dependencies {OF_WORDS}Failed to read artifact descriptor for "
            "a.b:c:jar:1: Could not find artifact a.b:parent:pom:3 in central (https://x)",
            ["a.b:c:jar:1"],
        ),
        (
            f"{FAILED} collect dependencies\n[ERROR] \tFailed to read artifact descriptor for "
            "a:b:jar:1\n[ERROR] \t\tCaused by: a checksum\n"
            "[ERROR] dependency: a:c:jar:tests:1 (test)\n"
            "[ERROR] \tCould not find artifact a:c:jar:tests:1 in central (https://x)",
            ["a:c:jar:tests:1"],
        ),
        (
            f"{FAILED} resolve dependencies {OF_WORDS}Could not transfer artifact "
            "a:b:jar:1 from/to own (https://dead.invalid): dead.invalid: unknown host",
            [],
        ),
        (
            f"{FAILED} resolve dependencies {OF_WORDS}Could not transfer artifact "
            "a:b:jar:1 from/to own (https://x/repository): Cannot access https://x/repository "
            "with type legacy using the available connector factories: Basic",
            ["a:b:jar:1"],
        ),
        (
            "[ERROR] Failed to execute goal on project a-plugin: Could not resolve dependencies "
            "for project a:a-plugin:jar:1: a.b:c:jar:1 was not found in https://x during a "
            "previous attempt. This failure was cached in the local repository",
            ["a.b:c:jar:1"],
        ),
        (
            "[ERROR] Plugin a:b-maven-plugin:1 or one of its dependencies could not be resolved: "
            "Could not find artifact a:b-maven-plugin:jar:1 in central (https://x) -> [Help 1]",
            [],
        ),
        (
            "[ERROR] Plugin a:b-maven-plugin:1 or one of its dependencies could not be resolved:\n"
            "[ERROR] \tCould not find artifact a:b-maven-plugin:jar:1 in central (https://x)\n"
            "[ERROR] -> [Help 1]",
            [],
        ),
        (
            "[ERROR] Unresolveable build extension: Plugin a:b:1 or one of its dependencies could "
            "not be resolved: Could not find artifact a:b:jar:1 in central (https://x) @",
            [],
        ),
        (
            "[FATAL] Non-resolvable parent POM for example:words:1: Could not find artifact "
            "a:parent:pom:1 in central (https://x) and 'parent.relativePath' points at no pom",
            [],
        ),
        ("[ERROR] Could not find artifact example:words:jar:1-SNAPSHOT", []),
        ("[ERROR] Could not find artifact junit:junit:jar:4.13.99 in central (https://x)", []),
        ("[ERROR] Could not find artifact org.junit.jupiter:junit-jupiter:jar:9 in x (y)", []),
    ],
)
def test_dependencies_that_maven_says_are_nowhere(tree: Path, log: str, names: list[str]) -> None:
    found = absent_dependencies(in_one_line_each(log), tree)
    assert sorted(map(str, found)) == names
