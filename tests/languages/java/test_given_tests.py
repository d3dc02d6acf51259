"""Java tests that somebody hands in: admitted and judged as far as they fail as reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.verdict import Decision, Verdict
from evaluator.verification.verify import GivenTests
from tests.languages.java.judging import judged
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
FACTORY = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class BoxTest {
    @TestFactory
    Stream<DynamicTest> plurals() {
        MADE
    }
}
"""
STATEMENTS = """
        return Stream.of("box", "fox").map(word -> dynamicTest(word, () -> {
            String plural = Plural.of(word);
            assertEquals(word + "es", plural);
        }));"""
EXPRESSION = 'return Stream.of(dynamicTest("x", () -> assertEquals("boxes", Plural.of("box"))));'
STREAM = """
        return DynamicTest.stream(Stream.of("box").iterator(), word -> word,
            word -> assertEquals(word + "es", Plural.of(word)));"""
EMPTY = """
        assertEquals("boxes", Plural.of("box"));
        return Stream.of(dynamicTest("x", () -> { }));"""


class Library:
    """A repository whose changes are judged by tests that are no part of them."""

    def __init__(self, place: Path, cache: Path) -> None:
        self._repository, self._cache = Repository(place / "words"), cache

    def verdict(self, code: str, tests: str, issue: str, **more: str) -> Verdict:
        """What becomes of a change of the code, by tests for an issue and more files of theirs."""
        repository = self._repository
        head = repository.change({CODE: code})
        given = GivenTests("test for #12", repository.patch({NEW_TESTS: tests, **more}), issue)
        return judged(repository, head, self._cache, [given])


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


@pytest.mark.parametrize(
    ("made", "decision"),
    [
        (STATEMENTS, Decision.ACCEPT),
        (EXPRESSION, Decision.ACCEPT),
        (STREAM, Decision.ACCEPT),
        (EMPTY, Decision.ABSTAIN),
    ],
    ids=["of statements", "of an expression", "of a stream", "that assert nothing"],
)
def test_tests_that_a_factory_makes(library: Library, made: str, decision: Decision) -> None:
    """They run when the factory has returned, so what it asserts itself is none of theirs."""
    found = library.verdict(FIXED, FACTORY.replace("MADE", made), REPORTED)
    assert found.decision is decision, found.findings


def test_an_agent_that_only_lies_on_the_class_path_is_not_asked(library: Library) -> None:
    """As in checkstyle, whose tests depend on JaCoCo's agent and do not start it."""
    found = library.verdict(FIXED, BOX, REPORTED, **{RECORDER: NOT_STARTED})
    assert found.decision is Decision.ACCEPT, found.findings
