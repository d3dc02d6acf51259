"""A repository without a pom at its root, with a Maven project in each of some directories."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.environment.discovery import discover_recipe
from evaluator.languages.java.environment.pom import separate_projects
from evaluator.languages.java.environment.types import java_recipe
from evaluator.model import Status
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from tests.languages.java.building import build
from tests.languages.java.repository import BOX, FIXED, POM, SHELF, lay

pytestmark = pytest.mark.java
TEST = "words & more/src/test/java/words/BoxTest.java"
FILES = {
    "words & more/pom.xml": POM,
    "words & more/src/main/java/words/Plural.java": FIXED,
    "words & more/src/main/java/words/Shelf.java": SHELF,
    TEST: BOX,
    "tools/pom.xml": POM.replace("<artifactId>words<", "<artifactId>tools<", 1),
    "tools/src/main/java/tools/Tool.java": "package tools;\n\nclass Tool {}\n",
}


@pytest.mark.parametrize(
    ("pom", "build_tool"),
    [
        ("words/pom.xml", "maven"),
        ("java/words/pom.xml", "maven"),
        ("a/lot/deeper/pom.xml", ""),
        ("src/archetype/pom.xml", ""),
        ("words/src/test/resources/pom.xml", ""),
    ],
)
def test_projects_are_looked_for_near_the_root(tmp_path: Path, pom: str, build_tool: str) -> None:
    lay(tmp_path, {pom: POM, "words/A.java": "class A {}"})
    assert java_recipe(discover_recipe(tmp_path)).build == build_tool


@pytest.mark.parametrize(
    ("modules", "projects"),
    [
        ("<module>../core</module> <module>../user/pom.xml</module>", ("parent",)),
        ("<module>../core</module> <!-- <module>../user</module> -->", ("parent", "user")),
        ("<module>below</module>", ("core", "parent", "user")),
    ],
)
def test_modules_beside_their_parent_are_no_projects(
    tmp_path: Path, modules: str, projects: tuple[str, ...]
) -> None:
    """As janino has them, which Maven then found twice."""
    parent = POM.replace("<dependencies>", f"<modules>{modules}</modules>\n  <dependencies>")
    places = ("core", "user", "parent/below")
    lay(tmp_path, {"parent/pom.xml": parent, **{f"{place}/pom.xml": POM for place in places}})
    assert separate_projects(tmp_path) == projects


@pytest.mark.maven_central
@pytest.mark.bubblewrap
@pytest.mark.timeout(900)
def test_all_are_built_and_tests_run_in_their_own(tmp_path: Path, java_cache: Path) -> None:
    tree = tmp_path / "all"
    lay(tree, FILES, encoding="latin-1")
    environment = build(tree, java_cache)
    assert not environment.uncompiled
    assert not (tree / "pom.xml").exists()
    run = run_tests(choose_sandbox("bubblewrap"), RunRequest(tree, environment, (TEST,)))
    assert {each.status for each in run.outcomes.values()} == {Status.PASSED}
    assert len(run.outcomes) == 2
