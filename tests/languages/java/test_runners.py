"""Runners of JUnit 4 that make several tests of a method: each case has a steady name."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from tests.languages.java.building import build
from tests.languages.java.repository import BROKEN, CODE, POM

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
DEPENDENCY = """\
    <dependency>
      <groupId>pl.pragmatists</groupId>
      <artifactId>JUnitParams</artifactId>
      <version>1.1.1</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
"""


def test_cases_of_junitparams_are_numbered(tmp_path: Path, java_cache: Path) -> None:
    tree = tmp_path / "words"
    pom = POM.replace("  </dependencies>\n", DEPENDENCY)
    for path, content in {CODE: BROKEN, "pom.xml": pom, TESTS: CASES}.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(content)
    environment = build(tree, java_cache)

    def statuses(*only: str) -> dict[str, str]:
        names = frozenset(f"{TESTS}::CasesTest::{name}" for name in only)
        asked = RunRequest(tree, environment, (TESTS,), only=names)
        outcomes = run_tests(choose_sandbox("bubblewrap"), asked).outcomes.values()
        return {each.test.rpartition("::")[2]: each.status.value for each in outcomes}

    assert statuses() == {"many[0]": "passed", "many[1]": "failed", "one": "passed"}
    assert statuses("many[1]") == {"many[1]": "failed"}
    assert statuses("many") == {"many[0]": "passed", "many[1]": "failed"}
