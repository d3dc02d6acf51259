"""Resources lie where Maven puts them: many tests read them there by their path."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.verdict import Decision
from tests.languages.java.judging import judged
from tests.languages.java.repository import CODE, FIXED, NEW_TESTS, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]
TEST = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void box() throws Exception {
        String word = read("target/test-classes/words/word.txt");
        assertEquals(read("target/classes/plural.txt"), Plural.of(word));
    }

    private static String read(String path) throws Exception {
        return new String(Files.readAllBytes(Paths.get(path))).trim();
    }
}
"""


def test_resources_are_found_below_target(tmp_path: Path, java_cache: Path) -> None:
    repository = Repository(tmp_path / "words")
    files = {
        "src/test/resources/words/word.txt": "box\n",
        "src/main/resources/plural.txt": "boxes\n",
    }
    repository.base = repository.commit(files)
    head = repository.commit({CODE: FIXED, NEW_TESTS: TEST})
    found = judged(repository, head, java_cache)
    assert found.decision is Decision.ACCEPT, found.findings


def test_tests_may_write_into_target(tmp_path: Path, java_cache: Path) -> None:
    repository = Repository(tmp_path / "words")
    written = 'Files.write(Paths.get("target/plural.txt"), "boxes".getBytes());'
    writing = TEST.replace("        String word", f"        {written}\n        String word")
    writing = writing.replace('read("target/test-classes/words/word.txt")', '"box"')
    writing = writing.replace("target/classes/plural.txt", "target/plural.txt")
    head = repository.commit({CODE: FIXED, NEW_TESTS: writing})
    found = judged(repository, head, java_cache)
    assert found.decision is Decision.ACCEPT, found.findings
