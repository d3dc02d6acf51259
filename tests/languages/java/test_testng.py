"""Tests of TestNG run as those of JUnit do, each case under a name of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.languages import language
from evaluator.model import Phase, Run, Status, TestOutcome
from tests.languages.java.building import Project, build
from tests.languages.java.repository import BROKEN, CODE, POM, SPEAKING, lay

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

TESTS = "src/test/java/words/WordTest.java"
WORDS = """\
package words;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertNotNull;

import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

@Test
public class WordTest {
    @DataProvider(parallel = true)
    public Object[][] words() {
        return new Object[][] {{"box", "boxes"}, {"cat", "cats"}, {"box", "boxes"}};
    }

    @Test(dataProvider = "words")
    public void many(String word, String expected) {
        assertEquals(Plural.of(word), expected);
    }

    @DataProvider
    public Object[][] nothing() {
        throw new IllegalStateException("no data");
    }

    @Test(dataProvider = "nothing")
    public void withoutData(String word) {}

    public void cat() {
        assertEquals(Plural.of("cat"), "cats");
    }

    @Test(dataProvider = "words")
    public void cat(String word, String expected) {
        assertNotNull(word);
    }

    @Test(invocationCount = 2)
    public void twice() {}

    @Test(dependsOnMethods = "broken")
    public void dependent() {}

    @Test
    public void broken() {
        throw new IllegalArgumentException("broken");
    }

    @Test
    public void skipping() {
        throw new SkipException("not here");
    }

    @Test(enabled = false)
    public void left() {}

    @Test(expectedExceptions = NullPointerException.class)
    public void expecting() {
        Plural.of(null).length();
    }

    protected void helper() {}
}
"""
SAYS = "src/test/java/words/SpeakingTest.java"
AROUND = "src/test/java/words/AroundTest.java"
SET_UP = """\
package words;

import org.testng.annotations.Factory;
import org.testng.annotations.Test;

public class AroundTest {
    private final int number;

    @Factory
    public static Object[] all() {
        return new Object[] {new AroundTest(1), new AroundTest(2)};
    }

    private AroundTest(int number) {
        this.number = number;
    }

    @Test
    public void number() {
        if (number == 2) {
            throw new IllegalStateException("two");
        }
    }
}
"""
BEFORE = "src/test/java/words/BeforeTest.java"
FAILING = """\
package words;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class BeforeTest {
    @BeforeMethod
    public void prepare() {
        throw new IllegalStateException("not prepared");
    }

    @Test
    public void one() {}

    @Test
    public void two() {}
}
"""
AFTER = "src/test/java/words/AfterTest.java"
ENDING = """\
package words;

import org.testng.annotations.AfterClass;
import org.testng.annotations.Test;

public class AfterTest {
    @Test
    public void one() {}

    @AfterClass
    public void clear() {
        throw new IllegalStateException("not cleared");
    }
}
"""
UNMADE = "src/test/java/words/UnmadeTest.java"
THROWING = """\
package words;

import org.testng.annotations.Test;

public class UnmadeTest {
    private final int number = Integer.parseInt("none");

    @Test
    public void one() {}
}
"""
JUPITER = "src/test/java/words/JupiterTest.java"
BESIDE = """\
package words;

import org.junit.jupiter.api.Test;

class JupiterTest {
    @Test
    void one() {}
}
"""
ASSERTING = "src/test/java/words/AssertTest.java"
ASSERTIONS = """\
package words;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertNotEquals;

import org.testng.annotations.Test;

public class AssertTest {
    @Test
    public void notices() {
        assertEquals(Plural.of("cat"), "cats");
        assertEquals(Plural.of("cat").length(), 4, "cats");
        assertEquals(1.5, 3 / 2.0, 0.1, "half");
        assertNotEquals(Plural.of("cat"), "cat");
    }

    @Test(expectedExceptions = NumberFormatException.class)
    public void throwing() {
        Integer.parseInt("a");
    }
}
"""
FILES = {
    ASSERTING: ASSERTIONS,
    TESTS: WORDS,
    AROUND: SET_UP,
    SAYS: SPEAKING.replace("NAME", "SpeakingTest").replace("KIND", "org.testng.annotations"),
    BEFORE: FAILING,
    AFTER: ENDING,
    UNMADE: THROWING,
    JUPITER: BESIDE,
}
DEPENDENCY = """\
    <dependency>
      <groupId>org.testng</groupId>
      <artifactId>testng</artifactId>
      <version>VERSION</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
"""


@pytest.fixture(scope="module", params=["6.8.8", "6.14.3", "7.11.0"])
def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, java_cache: Path
) -> Project:
    """With the same tests for each version."""
    tree = tmp_path_factory.mktemp("testng") / "words"
    dependencies = DEPENDENCY.replace("VERSION", request.param)
    pom = POM.replace("  </dependencies>\n", dependencies).replace("ce>8<", "ce>11<")
    files = {CODE: BROKEN, "pom.xml": pom, **FILES}
    lay(tree, files)
    return Project(tree, build(tree, java_cache))


def by_name(run: Run) -> dict[str, TestOutcome]:
    return {test.partition("::")[2]: outcome for test, outcome in run.outcomes.items()}


def statuses(run: Run) -> dict[str, str]:
    return {name: outcome.status.value for name, outcome in by_name(run).items()}


ALL = {
    "WordTest::many[1]": "failed",
    "WordTest::many[2]": "passed",
    "WordTest::many[3]": "failed",
    "WordTest::cat[]": "passed",
    "WordTest::cat[String,String][1]": "passed",
    "WordTest::cat[String,String][2]": "passed",
    "WordTest::cat[String,String][3]": "passed",
    "WordTest::withoutData": "error",
    "WordTest::twice[1]": "passed",
    "WordTest::twice[2]": "passed",
    "WordTest::broken": "failed",
    "WordTest::dependent": "skipped",
    "WordTest::skipping": "skipped",
    "WordTest::expecting": "failed",
}


@pytest.mark.parametrize("seed", [0, 7])
def test_each_case_has_a_name_of_its_own_in_any_order(project: Project, seed: int) -> None:
    assert statuses(project.run(TESTS, seed=seed)) == ALL


def test_a_failure_has_its_type_message_and_place(project: Project) -> None:
    found = by_name(project.run(TESTS))
    failure = found["WordTest::many[1]"].failure
    assert failure is not None
    assert failure.frame is not None
    assert failure.exception_type == "java.lang.AssertionError"
    assert failure.message == "expected [boxes] but found [boxs]"
    assert (failure.frame.path, failure.frame.line) == (TESTS, 19)


def test_nothing_runs_but_what_is_asked_for(project: Project) -> None:
    run = project.run(SAYS, only=frozenset({f"{SAYS}::SpeakingTest::first"}))
    assert statuses(run) == {"SpeakingTest::first": "passed"}
    assert "[first]" in run.output
    assert "[firstOfAll]" not in run.output


def test_only_what_is_asked_for_is_reported(project: Project) -> None:
    name = f"{TESTS}::WordTest::twice[2]"
    assert set(project.run(TESTS, only=frozenset({name})).outcomes) == {name}


def test_what_cannot_be_set_up_is_an_error(project: Project) -> None:
    found = by_name(project.run(BEFORE))
    assert set(found) == {"BeforeTest::one", "BeforeTest::two"}
    for outcome in found.values():
        assert (outcome.status, outcome.phase) == (Status.ERROR, Phase.SETUP)
        assert outcome.failure is not None
        assert outcome.failure.message == "not prepared"


def test_what_fails_behind_all_tests_is_reported_by_itself(project: Project) -> None:
    assert statuses(project.run(AFTER)) == {"AfterTest::one": "passed", "AfterTest::clear": "error"}


def test_a_class_that_cannot_be_made_harms_no_other(project: Project) -> None:
    run = project.run(UNMADE, AFTER)
    assert statuses(run)["AfterTest::one"] == "passed"
    outcome = run.outcomes[UNMADE]
    assert (outcome.status, outcome.phase) == (Status.ERROR, Phase.COLLECTION)
    assert outcome.failure is not None
    assert "UnmadeTest" in outcome.failure.message
    assert run.exit_code == 1


@pytest.mark.parametrize("seed", [0, 7])
def test_objects_of_a_factory_are_numbered(project: Project, seed: int) -> None:
    assert statuses(project.run(AROUND, seed=seed)) == {
        "AroundTest::number[1]": "passed",
        "AroundTest::number[2]": "failed",
    }


def test_classes_of_junit_run_beside_them(project: Project) -> None:
    assert statuses(project.run(AFTER, JUPITER))["JupiterTest::one"] == "passed"


def test_assertions_are_tried_with_other_values(project: Project) -> None:
    tests = frozenset({"notices", "throwing"})
    source = {ASSERTING: ASSERTIONS.encode()}
    negate = language("java").safeguards.negate_assertions
    negated = negate([ASSERTING], tests, source.get, project.environment, "key")
    lay(project.tree, {path: content.decode() for path, content in negated.contents.items()})
    said = {
        name.partition("::")[2]: outcome.failure.message.removeprefix(negated.token)
        for name, outcome in by_name(project.run(ASSERTING)).items()
        if outcome.failure is not None
    }
    assert said == {"notices": " noticed 4", "throwing": " noticed 1"}
