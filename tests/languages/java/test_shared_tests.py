"""Modules whose tests use those of another one, as its test-jar."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.model import Status
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from tests.languages.java.building import MODULE, build
from tests.languages.java.repository import FIXED, POM, lay

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

MODULES = """\
<version>1-SNAPSHOT</version>
  <packaging>pom</packaging>
  <modules><module>core</module><module>user</module></modules>"""
NEEDING = """\
  <dependencies>
    <dependency>
      <groupId>example</groupId>
      <artifactId>core</artifactId>
      <version>1-SNAPSHOT</version>
    </dependency>
    <dependency>
      <groupId>example</groupId>
      <artifactId>core</artifactId>
      <version>1-SNAPSHOT</version>
      <type>test-jar</type>
      <scope>test</scope>
    </dependency>
  </dependencies>
"""
CHECKS = """\
package words;

import org.junit.jupiter.api.Assertions;

public abstract class Checks {
    protected static void plural(String expected, String word) {
        Assertions.assertEquals(expected, Plural.of(word));
    }
}
"""
USING = """\
package words;

import org.junit.jupiter.api.Test;

class UserTest extends Checks {
    @Test
    void box() {
        plural("boxes", "box");
    }
}
"""
TEST = "user/src/test/java/words/UserTest.java"


def test_they_are_compiled_and_found(tmp_path: Path, java_cache: Path) -> None:
    files = {
        "pom.xml": POM.replace("<version>1-SNAPSHOT</version>", MODULES, 1),
        "core/pom.xml": MODULE.format(name="core", rest=""),
        "core/src/main/java/words/Plural.java": FIXED,
        "core/src/test/java/words/Checks.java": CHECKS,
        "user/pom.xml": MODULE.format(name="user", rest=NEEDING),
        TEST: USING,
    }
    lay(tmp_path / "words", files)
    environment = build(tmp_path / "words", java_cache)
    assert not environment.uncompiled
    run = run_tests(
        choose_sandbox("bubblewrap"), RunRequest(tmp_path / "words", environment, (TEST,))
    )
    found = {outcome.test: outcome.status for outcome in run.outcomes.values()}
    assert found == {f"{TEST}::UserTest::box": Status.PASSED}
