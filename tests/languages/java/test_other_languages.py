"""Code of other languages stands beside Java's: Maven's plug-ins compile it, and Java uses it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from evaluator.languages.java.environment.lifecycle import phase_needed
from evaluator.languages.java.environment.other_languages import is_of_another_language
from evaluator.languages.java.environment.types import java_environment
from evaluator.verdict import Decision
from evaluator.verification.thoroughness import THOROUGH
from tests.languages.java.broken_modules import NEEDING
from tests.languages.java.building import (
    build,
    divide,
    pom_with_plug_in,
    replace,
    resolves_dependencies,
)
from tests.languages.java.judging import judged
from tests.languages.java.repository import (
    BOX,
    CODE,
    FOR_MAVEN,
    NEW_TESTS,
    OLD_TESTS,
    POM,
    TESTS,
    Repository,
    lay,
)

GMAVEN_PLUS = """\
      <plugin>
        <groupId>org.codehaus.gmavenplus</groupId>
        <artifactId>gmavenplus-plugin</artifactId>
        <version>3.0.2</version>
        <executions><execution><goals>{goals}</goals></execution></executions>
      </plugin>
"""
GOALS = "<goal>addSources</goal><goal>generateStubs</goal><goal>compile</goal>"
GROOVY = f"""\
    <dependency>
      <groupId>org.apache.groovy</groupId>
      <artifactId>groovy</artifactId>
      <version>4.0.21</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
{GMAVEN_PLUS.format(goals=GOALS)}    </plugins>
  </build>
"""
RULE = "src/main/groovy/words/Rule.groovy"
ENDING = "src/main/groovy/words/Ending.java"
PLURAL = """\
package words;

public final class Plural {
    public static String of(String word) {
        return new Rule().plural(word);
    }
}
"""
RULES = """\
package words

class Rule {
    String plural(String word) {
        [word, Ending.of(word)].collect { it.toLowerCase() }.join("")
    }
}
"""
ENDINGS = """\
package words;

final class Ending {
    static String of(String word) {
        return "S";
    }
}
"""
TESTING = f"""\
  <build>
    <plugins>
{GMAVEN_PLUS.format(goals="<goal>compile</goal>")}      <plugin>
        <artifactId>maven-antrun-plugin</artifactId>
        <version>3.1.0</version>
        <executions>
          <execution>
            <phase>process-test-classes</phase>
            <goals><goal>run</goal></goals>
            <configuration><target><echo message="tested"/></target></configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
"""
FIXES = {
    "in Java": {ENDING: ENDINGS.replace('"S"', 'word.endsWith("x") ? "ES" : "S"')},
    "in both": {
        RULE: RULES.replace("Ending.of(word)", "Ending.of(word).replace('+', '')"),
        ENDING: ENDINGS.replace('"S"', 'word.endsWith("x") ? "+ES" : "+S"'),
    },
    "in Groovy": {RULE: RULES.replace("Ending.of(word)", 'word.endsWith("x") ? "es" : "s"')},
}


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.bubblewrap
@pytest.mark.timeout(900)
@pytest.mark.parametrize("fix", FIXES.values(), ids=FIXES)
def test_a_fix_beside_groovy(tmp_path: Path, java_cache: Path, fix: dict[str, str]) -> None:
    """As in REST Assured: each of the two languages needs what the other one has compiled."""
    pom = POM.replace("  </dependencies>\n", GROOVY).replace("  </properties>", FOR_MAVEN)
    repository = Repository(tmp_path / "words", pom)
    repository.base = repository.commit({CODE: PLURAL, RULE: RULES, ENDING: ENDINGS})
    head = repository.commit({NEW_TESTS: BOX, **fix})
    found = judged(repository, head, java_cache, thoroughness=THOROUGH)
    assert found.decision is Decision.ACCEPT, found.findings


@resolves_dependencies
@pytest.mark.java
def test_a_test_that_does_not_compile_leaves_no_module_out(tree: Path, java_cache: Path) -> None:
    """As where a change breaks one in cache2k: Maven compiles tests, too, for what comes later."""
    replace(tree, "</properties>", FOR_MAVEN)
    divide(tree, {"core": TESTING, "user": NEEDING.format(name="core", version="1-SNAPSHOT")})
    lay(tree / "core", {TESTS: OLD_TESTS.replace("Plural.of", "Plural.ofAll")})
    assert not java_environment(build(tree, java_cache)).uncompiled


@pytest.mark.parametrize(
    ("plugin", "executions", "phase"),
    [
        ("kotlin-maven-plugin", "<goals><goal>compile</goal></goals>", "compile"),
        ("kotlin-maven-plugin", "<goals><goal>test-compile</goal></goals>", "test-compile"),
        ("gmavenplus-plugin", "<goals><goal>compileTests</goal></goals>", ""),
        ("gmavenplus-plugin", "<goals><goal>addSources</goal></goals>", ""),
        ("scala-maven-plugin", "", "compile"),
        ("scala-maven-plugin", "<goals><goal>testCompile</goal></goals>", ""),
        ("maven-compiler-plugin", "<goals><goal>compile</goal></goals>", ""),
    ],
)
def test_the_phases_that_compile_other_languages_run(
    plugin: str, executions: str, phase: str
) -> None:
    pom = pom_with_plug_in(plugin, executions)
    assert phase_needed([pom], modules=False) == phase


@pytest.mark.java
def test_a_class_says_what_language_it_is_of(tmp_path: Path) -> None:
    compiler = shutil.which("javac")
    assert compiler is not None
    source = tmp_path / "Words.java"
    source.write_text('class Words { String file = "Rule.groovy"; }')
    subprocess.run([compiler, "-d", str(tmp_path), str(source)], check=True)
    made = tmp_path / "Words.class"
    assert not is_of_another_language(made)
    other = tmp_path / "Rule.class"
    other.write_bytes(made.read_bytes().replace(b"\x00\x0aWords.java", b"\x00\x09Words.kts"))
    assert is_of_another_language(other)
