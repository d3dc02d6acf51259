"""Java tests of one's own that find in a roundabout way that something is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.verdict import Decision
from tests.languages.java.judging import judged
from tests.languages.java.repository import BROKEN, CODE, FIXED, NEW_TESTS, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]
TESTS = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void box() throws Exception {
        %s
    }
}
"""
COUNTING = BROKEN.replace(
    "Plural {", "Plural {\n    static int count(String word) {\n        return 1;\n    }\n"
)
LIMITED = BROKEN.replace("Plural {", "Plural {\n    static final int LIMIT = 80;\n")
HISSING = FIXED.replace('word.endsWith("x")', "Hissing.is(word)")
NEW_CLASS = """\
package words;

final class Hissing {
    static boolean is(String word) {
        return word.endsWith("x");
    }
}
"""
BESIDE = "src/main/java/words/Hissing.java"
CALLED = """Object count = 0;
        try {
            count = Plural.class.getDeclaredMethod("co" + "unt", String.class).invoke(null, "cat");
        } catch (NoSuchMethodException error) {
            count = -1;
        }
        assertEquals(1, count);"""
FIELD = """int limit = 0;
        try {
            Field field = Plural.class.getDeclaredField("LI" + "MIT");
            limit = field.getInt(null);
        } catch (NoSuchFieldException error) {
            limit = -1;
        }
        assertEquals(80, limit);"""
READ = """String code = new String(Files.readAllBytes(Paths.get("src", "main", "java", "words", \
"Plural" + "." + "java")));
        assertEquals(true, code.contains("Fixed"));"""
COMPILED = 'assertEquals(true, Plural.class.getResource("Hissing.class") != null);'
BOXES = 'assertEquals("boxes", Plural.of("box"));'


@pytest.mark.parametrize(
    ("files", "test", "decision"),
    [
        ({CODE: COUNTING}, CALLED, Decision.ABSTAIN),
        ({CODE: LIMITED}, FIELD, Decision.ABSTAIN),
        ({CODE: f"// Fixed.\n{BROKEN}"}, READ, Decision.ABSTAIN),
        ({CODE: f"{BROKEN}\n", BESIDE: NEW_CLASS}, COMPILED, Decision.ABSTAIN),
        ({CODE: HISSING, BESIDE: NEW_CLASS}, BOXES, Decision.ACCEPT),
    ],
    ids=["method", "field", "comment", "class", "a fix with a new class"],
)
def test_what_only_exists_is_no_behaviour(
    files: Mapping[str, str], test: str, decision: Decision, tmp_path: Path, java_cache: Path
) -> None:
    repository = Repository(tmp_path / "words")
    head = repository.change({**files, NEW_TESTS: TESTS % test})
    found = judged(repository, head, java_cache)
    assert found.decision is decision, found.findings
