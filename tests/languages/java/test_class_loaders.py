"""Code that tests load with loaders of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.verdict import Decision
from tests.languages.java.judging import judged
from tests.languages.java.repository import BOX, CODE, FIXED, NEW_TESTS, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

ISOLATED = """
    @Test
    void isolated() throws Exception {
        java.net.URL own = Plural.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader alone = new java.net.URLClassLoader(new java.net.URL[] {own}, null);
        Class<?> again = alone.loadClass("words.Plural");
        assertEquals("boxes", again.getMethod("of", String.class).invoke(null, "box"));
    }
}
"""


def test_a_loader_that_finds_no_counters_loads_code_all_the_same(
    tmp_path: Path, java_cache: Path
) -> None:
    repository = Repository(tmp_path / "words")
    tests = BOX.rstrip().removesuffix("}") + ISOLATED
    head = repository.change({CODE: FIXED, NEW_TESTS: tests})
    verdict = judged(repository, head, java_cache)
    assert verdict.decision is Decision.ACCEPT
    assert "BoxTest::isolated" in str(verdict.findings)
