"""What a project's compiler plug-in says of code and of tests, which may differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.jdk import installed
from evaluator.languages.java.environment.project import LAST_WITH_SEVEN
from evaluator.model import Run, Status
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from tests.languages.java.building import (
    COMPILER,
    build,
    configure_compiler,
    replace,
    resolves_dependencies,
)
from tests.languages.java.repository import BROKEN, CODE, NEW_TESTS, TESTS, lay

pytestmark = [pytest.mark.java, pytest.mark.bubblewrap]

EXECUTION = """\
<executions>
  <execution>
    <id>default-testCompile</id>
    <phase>test-compile</phase>
    <goals><goal>testCompile</goal></goals>
    <configuration><release>17</release></configuration>
  </execution>
</executions>
"""
LEVELS = {
    "property": (
        "</properties>",
        "  <maven.compiler.testRelease>17</maven.compiler.testRelease>\n  </properties>",
    ),
    "configuration": (
        "  <dependencies>\n",
        COMPILER.format("<configuration><testSource>11</testSource></configuration>"),
    ),
    "execution": ("  <dependencies>\n", COMPILER.format(EXECUTION)),
}
"""What is replaced in a pom of level 8 so that its tests are for a later one."""
LATER = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void cat() {
        var found = Plural.of("cat");
        assertEquals("cats", found);
    }
}
"""
REFLECTING = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void parameter() throws Exception {
        java.lang.reflect.Method of = Plural.class.getMethod("of", String.class);
        assertEquals("word", of.getParameters()[0].getName());
    }
}
"""

OLD = """\
package words;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class BoxTest {
    @SuppressWarnings("unchecked")
    static <T> T boxed() {
        return (T) Integer.valueOf(2);
    }

    @Test
    public void box() {
        assertEquals(2, boxed());
    }
}
"""
"""Up to Java 7 this compares objects; by later rules it may be numbers as well."""


def ran(tree: Path, cache: Path) -> Run:
    request = RunRequest(tree, build(tree, cache), (NEW_TESTS,))
    return run_tests(choose_sandbox("bubblewrap"), request)


@resolves_dependencies
@pytest.mark.parametrize("kind", LEVELS)
def test_tests_are_of_the_level_that_is_stated_for_them(
    tree: Path, java_cache: Path, kind: str
) -> None:
    replace(tree, *LEVELS[kind])
    lay(tree, {NEW_TESTS: LATER})
    (outcome,) = ran(tree, java_cache).outcomes.values()
    assert outcome.status is Status.PASSED, outcome


@resolves_dependencies
def test_code_keeps_the_level_that_is_stated_for_all(tree: Path, java_cache: Path) -> None:
    replace(tree, *LEVELS["property"])
    later = BROKEN.replace("return word", "var all = word; return all")
    far = later.replace("Plural", "Far")
    lay(tree, {NEW_TESTS: LATER, CODE.replace("Plural", "Far"): far})
    with pytest.raises(EnvironmentBuildError, match=r"does not compile: .*Far\.java:5"):
        build(tree, java_cache)


@resolves_dependencies
@pytest.mark.parametrize(
    "said",
    [
        "<compilerArgs><arg>-parameters</arg></compilerArgs>",
        "<parameters>true</parameters>",
    ],
)
def test_names_of_parameters_are_kept_where_that_is_stated(
    tree: Path, java_cache: Path, said: str
) -> None:
    configure_compiler(tree, f"<configuration>{said}</configuration>")
    lay(tree, {NEW_TESTS: REFLECTING, CODE: BROKEN})
    (outcome,) = ran(tree, java_cache).outcomes.values()
    assert outcome.status is Status.PASSED, outcome


@resolves_dependencies
@pytest.mark.skipif(
    not any(jdk.version <= LAST_WITH_SEVEN for jdk in installed()),
    reason="no later JDK compiles by the rules of Java 7",
)
def test_old_tests_that_later_rules_of_types_refuse_are_compiled_by_theirs(
    tree: Path, java_cache: Path
) -> None:
    """The code compiles either way; so it was for xmemcached, and its tests were not."""
    lay(tree, {NEW_TESTS: OLD, CODE: BROKEN})
    (outcome,) = ran(tree, java_cache).outcomes.values()
    assert outcome.status is Status.PASSED, outcome


@resolves_dependencies
def test_the_first_releases_of_jupiter_bring_the_engine_of_junit_4_by_its_version(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "5.14.1", "5.0.3")
    old = OLD.replace("BoxTest", "PluralTest").replace("(2,", "((Object) 2,")
    lay(tree, {NEW_TESTS: LATER.replace("var", "String"), TESTS: old, CODE: BROKEN})
    request = RunRequest(tree, build(tree, java_cache), (NEW_TESTS, TESTS))
    run = run_tests(choose_sandbox("bubblewrap"), request)
    ends = {each.file: each.status for each in run.outcomes.values()}
    assert ends == {NEW_TESTS: Status.PASSED, TESTS: Status.PASSED}
