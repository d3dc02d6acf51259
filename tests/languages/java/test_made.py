"""A change of what plug-ins read or fill in is judged as it is, not as the base has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.languages.java.environment.made import any_is_made_of
from evaluator.verdict import Decision
from evaluator.verification.thoroughness import THOROUGH
from tests.languages.java.judging import judged
from tests.languages.java.repository import NEW_TESTS, POM, Repository

FILTERING = POM.replace(
    "</project>",
    """\
  <build>
    <resources>
      <resource><directory>src/main/resources</directory><filtering>true</filtering></resource>
    </resources>
    <testResources>
      <testResource><directory>src/test/resources</directory><filtering>true</filtering></testResource>
    </testResources>
  </build>
</project>""",
)
WORDS = """\
package words;

import java.io.InputStream;
import java.util.Properties;

public final class Words {
    public static String of(String name) throws java.io.IOException {
        Properties known = new Properties();
        try (InputStream read = Words.class.getResourceAsStream("/words/known.properties")) {
            known.load(read);
        }
        return known.getProperty(name);
    }
}
"""
TEST = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.util.Scanner;
import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void box() throws Exception {
        try (InputStream read = BoxTest.class.getResourceAsStream("/expected.txt")) {
            assertEquals(new Scanner(read).nextLine(), Words.of("box"));
        }
    }
}
"""
KNOWN, EXPECTED = "src/main/resources/words/known.properties", "src/test/resources/expected.txt"
STANDING = {
    "src/main/java/words/Words.java": WORDS,
    KNOWN: "box = boxs\n",
    "src/main/resources/words/of.txt": "${project.artifactId}\n",
    EXPECTED: "boxs\n",
    "src/test/resources/of.txt": "${project.artifactId}\n",
}


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.bubblewrap
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("boxs", "boxes", "boxes"),
        ("${project.artifactId}, boxs", "${project.artifactId}, boxes", "words, boxes"),
    ],
    ids=["as it is", "filled in"],
)
def test_a_resource_of_a_project_that_fills_some_in(
    tmp_path: Path, java_cache: Path, before: str, after: str, expected: str
) -> None:
    repository = Repository(tmp_path / "words", FILTERING)
    repository.base = repository.commit({**STANDING, KNOWN: f"box = {before}\n"})
    head = repository.commit(
        {KNOWN: f"box = {after}\n", NEW_TESTS: TEST, EXPECTED: f"{expected}\n"}
    )
    found = judged(repository, head, java_cache, thoroughness=THOROUGH)
    assert found.decision is Decision.ACCEPT, found.findings


@pytest.mark.parametrize(
    ("path", "made", "expected"),
    [
        ("src/main/proto/words.proto", ["target/generated-sources/p/Words.java"], True),
        ("core/src/main/resources/a.xsd", ["core/target/generated-sources/x/A.java"], True),
        ("src/main/resources/a.txt", ["target/classes/a.txt"], True),
        ("src/main/resources/guide.html", ["target/classes/guide.html"], True),
        ("core/src/main/resources/a/b.txt", ["core/target/classes/a/b.txt"], True),
        ("src/test/resources/a.txt", ["target/test-classes/a.txt"], True),
        ("src/main/resources/a.txt", ["target/classes/b.txt"], False),
        ("src/main/resources/a.txt", [], False),
        ("etc/words.txt", ["target/classes/words.txt"], True),
        ("etc/words.txt", [], False),
        ("src/main/java/words/Words.java", ["target/generated-sources/p/Words.java"], False),
        ("README.md", ["target/classes/a.txt"], False),
        ("src/changes/changes.xml", ["target/classes/a.txt"], False),
        ("RELEASE-NOTES.txt", ["target/classes/a.txt"], False),
        ("release-notes/VERSION", ["target/classes/a.txt"], False),
        (".github/workflows/ci.yml", ["target/classes/a.txt"], False),
        (".mvn/extensions.xml", ["target/classes/a.txt"], True),
    ],
)
def test_which_changes_the_plug_ins_have_to_run_for_again(
    tmp_path: Path, path: str, made: list[str], expected: bool
) -> None:
    for name in made:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert any_is_made_of([path], [tmp_path]) is expected
    assert any_is_made_of(["README.md", path], [tmp_path]) is expected
