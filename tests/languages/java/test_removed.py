"""Code of Java 8 finds what the JDK has had no more since version 11."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.languages.java.environment.jdk import Jdk
from evaluator.languages.java.environment.removed import removed_from
from evaluator.verdict import Decision
from tests.languages.java.judging import judged
from tests.languages.java.repository import Repository

LETTER = "src/main/java/words/Letter.java"
CODE = """\
package words;

import java.io.StringWriter;
import javax.xml.bind.JAXB;

public final class Letter {
    public String greeting;

    public static String of(String name) {
        Letter letter = new Letter();
        letter.greeting = "Dear " + name;
        StringWriter written = new StringWriter();
        JAXB.marshal(letter, written);
        return written.toString();
    }
}
"""
TESTS = {
    "src/test/java/words/LetterTest.java": """\
package words;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class LetterTest {
    @Test
    public void nobodyIsSirOrMadam() {
        assertTrue(Letter.of("").contains("<greeting>Dear Sir or Madam</greeting>"));
    }
}
"""
}
FIXED = CODE.replace("+ name;", '+ (name.isEmpty() ? "Sir or Madam" : name);')


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.bubblewrap
@pytest.mark.timeout(900)
def test_a_change_of_code_that_needs_it_is_judged(tmp_path: Path, java_cache: Path) -> None:
    repository = Repository(tmp_path / "words")
    repository.base = repository.commit({LETTER: CODE})
    head = repository.change({LETTER: FIXED, **TESTS})
    found = judged(repository, head, java_cache)
    assert found.decision is Decision.ACCEPT, found


@pytest.mark.parametrize(
    ("version", "level", "source", "names"),
    [
        (17, 8, "import javax.xml.bind.JAXB;", ["jaxb-api", "jaxb-runtime"]),
        (17, 7, "javax.jws.WebService x;", ["javax.jws-api"]),
        (17, 8, "import javax.annotation.*;", ["javax.annotation-api"]),
        (17, 8, "import javax.annotation.PostConstruct;", ["javax.annotation-api"]),
        (17, 8, "import javax.annotation.Nullable;", []),
        (17, 8, "import javax.annotation.processing.Processor;", []),
        (17, 8, "import jakarta.xml.bind.JAXB;", []),
        (17, 11, "import javax.xml.bind.JAXB;", []),
        (8, 8, "import javax.xml.bind.JAXB;", []),
    ],
)
def test_what_the_jdk_lacks(
    tmp_path: Path, version: int, level: int, source: str, names: list[str]
) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "A.java").write_text(source)
    jdk = Jdk(tmp_path, version)
    found = removed_from(jdk, level, tmp_path / "tree", "key", tmp_path / "cache")
    assert [name for _, name, _ in found] == names
