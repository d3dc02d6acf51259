"""Resources lie where Maven puts them: many tests read them there by their path."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verdict import Decision
from evaluator.verification.change import change_between
from evaluator.verification.thoroughness import QUICK
from evaluator.verification.verify import verify
from evaluator.workspace import Workspace, WorkspaceSettings
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
    base = repository.commit(files)
    head = repository.commit({CODE: FIXED, NEW_TESTS: TEST})
    where = (str(repository.path / ".git"),)
    settings = WorkspaceSettings(where, java_cache, ResourceLimits(wall_seconds=120))
    workspace = Workspace(settings, choose_sandbox("bubblewrap"))
    change = change_between(repository.path, base, head, java_cache)
    found = verify(workspace, change, thoroughness=QUICK).verdict
    assert found.decision is Decision.ACCEPT, found.findings
