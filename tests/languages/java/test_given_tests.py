"""Java tests that somebody hands in: admitted and judged as far as they fail as reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verdict import Decision, Verdict
from evaluator.verification.change import change_between
from evaluator.verification.thoroughness import QUICK
from evaluator.verification.verify import GivenTests, verify
from evaluator.workspace import Workspace, WorkspaceSettings
from tests.languages.java.repository import BOX, BROKEN, CODE, FIXED, NEW_TESTS, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

REPORTED = """Plural of box is wrong

`Plural.of("box")` gives "boxs" where it should give "boxes".
"""
ELSEWHERE = "The shelves of the library are dusty.\n"
NO_FIX = BROKEN.replace('return word + "s"', 'return word.concat("s")')
BRANCHING = BROKEN.replace(
    'return word + "s"',
    'return new StringBuilder(word.endsWith("x") ? word + "e" : word).append("s").toString()',
)
RECORDER = "src/test/java/org/jacoco/agent/rt/RT.java"
NOT_STARTED = """\
package org.jacoco.agent.rt;

public class RT {
    public static Object getAgent() {
        throw new IllegalStateException("JaCoCo agent not started.");
    }
}
"""
NOT_COMPILING = BOX.replace("Plural.of", "Plural.ofMany")


class Library:
    """A repository whose changes are judged by tests that are no part of them."""

    def __init__(self, place: Path, cache: Path) -> None:
        self._repository, self._cache = Repository(place / "words"), cache

    def verdict(self, code: str, tests: str, issue: str, **more: str) -> Verdict:
        """What becomes of a change of the code, by tests for an issue and more files of theirs."""
        repository = self._repository
        head = repository.change({CODE: code})
        given = GivenTests("test for #12", repository.patch({NEW_TESTS: tests, **more}), issue)
        where = (str(repository.path / ".git"),)
        settings = WorkspaceSettings(where, self._cache, ResourceLimits(wall_seconds=120))
        change = change_between(repository.path, repository.base, head, self._cache)
        workspace = Workspace(settings, choose_sandbox("bubblewrap"))
        return verify(workspace, change, given=[given], thoroughness=QUICK).verdict


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, java_cache: Path) -> Library:
    return Library(tmp_path_factory.mktemp("given"), java_cache)


@pytest.mark.parametrize(
    ("code", "tests", "issue", "decision"),
    [
        (FIXED, BOX, REPORTED, Decision.ACCEPT),
        (BRANCHING, BOX, REPORTED, Decision.ACCEPT),
        (NO_FIX, BOX, REPORTED, Decision.REJECT),
        (FIXED, BOX, ELSEWHERE, Decision.ABSTAIN),
        (FIXED, NOT_COMPILING, REPORTED, Decision.ABSTAIN),
    ],
    ids=[
        "right",
        "right with a branch before an object is made",
        "without effect",
        "of another issue",
        "not compiling",
    ],
)
def test_as_far_as_they_fail_as_reported(
    library: Library, code: str, tests: str, issue: str, decision: Decision
) -> None:
    found = library.verdict(code, tests, issue)
    assert found.decision is decision, found.findings


def test_an_agent_that_only_lies_on_the_class_path_is_not_asked(library: Library) -> None:
    """As in checkstyle, whose tests depend on JaCoCo's agent and do not start it."""
    found = library.verdict(FIXED, BOX, REPORTED, **{RECORDER: NOT_STARTED})
    assert found.decision is Decision.ACCEPT, found.findings
