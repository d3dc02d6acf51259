"""Which tests a file has, by runners of their own and by classes that extend its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.languages.java.building import Project, build
from tests.languages.java.repository import BROKEN, CODE, POM, SPEAKING, lay

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

TESTS = "src/test/java/words/CasesTest.java"
# The objects are written with their addresses, which differ from run to run.
CASES = """\
package words;

import static org.junit.Assert.assertEquals;

import junitparams.JUnitParamsRunner;
import junitparams.Parameters;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitParamsRunner.class)
public class CasesTest {
    public static Object[] words() {
        return new Object[] {
            new Object[] {new Object(), "(cat) [7]"}, new Object[] {new Object(), "ox\\nen"}
        };
    }

    @Test
    @Parameters(method = "words")
    public void many(Object ignored, String word) {
        assertEquals("(cat) [7]", word);
    }

    @Test
    public void one() {}
}
"""
SHARED = "src/test/java/words/SharedTests.java"
ALONE = "src/test/java/words/AloneTests.java"
EXTENDED = """\
package words;

import org.junit.Test;

public abstract class NAME {
    @Test
    public void shared() {}
}
"""
EXTENDING = "package words;\n\npublic class {name} extends {base} {{}}\n"
CLASSES = {
    "PlainTest": "SharedTests",
    "GwtTestPlain": "SharedTests",
    "GwtTestAlone": "AloneTests",
}
MARK = """\
package words;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;

@Test
@Retention(RetentionPolicy.RUNTIME)
@interface WordsTest {}
"""
MARKED = "src/test/java/words/Marked.java"
OWN_MARK = """\
package words;

class Marked {
    @WordsTest
    void one() {}
}
"""
INHERITED = """\
package words;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

abstract class GroupedTest {
    @Nested
    class Inner {
        @Test
        void one() {}
    }
}
"""
GROUPS = "src/test/java/words/GroupsTest.java"
SUITE = "src/test/java/words/AllTests.java"
SUITE_OF_OTHERS = """\
package words;

import org.junit.runner.RunWith;
import org.junit.runners.Suite;

@RunWith(Suite.class)
@Suite.SuiteClasses({CasesTest.class, PlainTest.class})
public class AllTests {}
"""
KINDS = {"OldSpeakingTest": "org.junit", "SpeakingTest": "org.junit.jupiter.api"}
DEPENDENCY = """\
    <dependency>
      <groupId>pl.pragmatists</groupId>
      <artifactId>JUnitParams</artifactId>
      <version>1.1.1</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, java_cache: Path) -> Project:
    tree = tmp_path_factory.mktemp("runners") / "words"
    files = {
        CODE: BROKEN,
        "pom.xml": POM.replace("  </dependencies>\n", DEPENDENCY),
        TESTS: CASES,
        SHARED: EXTENDED.replace("NAME", "SharedTests"),
        ALONE: EXTENDED.replace("NAME", "AloneTests"),
        "src/test/java/words/WordsTest.java": MARK,
        MARKED: OWN_MARK,
        "src/test/java/words/GroupedTest.java": INHERITED,
        GROUPS: EXTENDING.format(name="GroupsTest", base="GroupedTest"),
        SUITE: SUITE_OF_OTHERS,
    }
    for name, kind in KINDS.items():
        text = SPEAKING.replace("NAME", name).replace("KIND", kind)
        files[f"src/test/java/words/{name}.java"] = text
    for name, base in CLASSES.items():
        files[f"src/test/java/words/{name}.java"] = EXTENDING.format(name=name, base=base)
    lay(tree, files)
    return Project(tree, build(tree, java_cache))


def statuses(project: Project, path: str, *only: str) -> dict[str, str]:
    """How the tests of a file end, or some of them, by class and method."""
    names = frozenset(f"{path}::{name}" for name in only)
    outcomes = project.run(path, only=names).outcomes.values()
    return {each.test.partition("::")[2]: each.status.value for each in outcomes}


def test_cases_of_junitparams_are_numbered(project: Project) -> None:
    cases = {"CasesTest::many[0]": "passed", "CasesTest::many[1]": "failed"}
    assert statuses(project, TESTS) == {**cases, "CasesTest::one": "passed"}
    assert statuses(project, TESTS, "CasesTest::many[1]") == {"CasesTest::many[1]": "failed"}
    assert statuses(project, TESTS, "CasesTest::many") == cases


def test_of_an_abstract_class_those_run_that_builds_do_if_there_are_any(project: Project) -> None:
    assert statuses(project, SHARED) == {"PlainTest::shared": "passed"}
    assert statuses(project, ALONE) == {"GwtTestAlone::shared": "passed"}


def test_a_project_may_have_annotations_of_its_own_for_tests(project: Project) -> None:
    assert statuses(project, MARKED) == {"Marked::one": "passed"}


def test_inherited_classes_of_tests_are_those_of_the_file_that_extends(project: Project) -> None:
    assert statuses(project, GROUPS) == {"GroupsTest.Inner::one": "passed"}
    assert statuses(project, GROUPS, "GroupsTest.Inner::one") == {"GroupsTest.Inner::one": "passed"}


def test_a_suite_has_the_tests_of_other_files(project: Project) -> None:
    found = statuses(project, SUITE)
    assert found["PlainTest::shared"] == "passed"
    assert found["CasesTest::many[1]"] == "failed"
    assert statuses(project, SUITE, "PlainTest::shared") == {"PlainTest::shared": "passed"}
    assert {each.file for each in project.run(SUITE).outcomes.values()} == {SUITE}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("only", [{"first"}, {"first", "second"}, {"first", "firstOfAll"}])
def test_nothing_runs_but_the_tests_that_are_asked_for(
    project: Project, name: str, only: set[str]
) -> None:
    path = f"src/test/java/words/{name}.java"
    run = project.run(path, only=frozenset(f"{path}::{name}::{each}" for each in only))
    assert {each.test.rpartition("::")[2] for each in run.outcomes.values()} == only
    assert set(re.findall(r"\[(\w+)\]", run.output)) == only


@pytest.mark.parametrize("name", KINDS)
def test_what_is_left_out_does_not_run(project: Project, name: str) -> None:
    path = f"src/test/java/words/{name}.java"
    every = {each.test for each in project.run(path).outcomes.values()}
    left_out = frozenset({f"{path}::{name}::first"})
    run = project.run(path, without=left_out)
    assert left_out < every
    assert set(run.outcomes) == every - left_out
    assert "first" not in re.findall(r"\[(\w+)\]", run.output)


def test_cases_are_left_out_with_their_method(project: Project) -> None:
    run = project.run(TESTS, without=frozenset({f"{TESTS}::CasesTest::many"}))
    assert set(run.outcomes) == {f"{TESTS}::CasesTest::one"}
