"""A small Maven project with a class that is tested."""

from __future__ import annotations

import subprocess
from pathlib import Path

from evaluator.benchmarks.tests4j.dataset import FocalMethod, HumanTest
from tests.languages.java.repository import POM

from .examples import method

OF = """public static String of(String word) {
        return word + "s";
    }"""
CODE = f"package words;\n\npublic class Plural {{\n    {OF}\n}}\n"
OTHER = "package words;\n\npublic class Other {\n    public int size() { return 1; }\n}\n"
HUMAN = """@Test
    public void cats() {
        assertEquals("cats", Plural.of("cat"));
    }"""
TEST_CLASS = """package words;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PluralTest {
    HUMAN
}
"""


def make_project(root: Path) -> str:
    """Write it into a new git repository; the id of its commit."""
    files = {
        "pom.xml": POM,
        "src/main/java/words/Plural.java": CODE,
        "src/main/java/words/Other.java": OTHER,
        "src/test/java/words/PluralTest.java": TEST_CLASS.replace("HUMAN", HUMAN),
    }
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        return subprocess.check_output(["git", "-C", root, *identity, *arguments], text=True)

    git("init", "--quiet")
    git("add", "-A")
    git("commit", "--quiet", "-m", "one")
    return git("rev-parse", "HEAD").strip()


def focal(name: str, parameters: tuple[str, ...], owner: str, source: str) -> FocalMethod:
    where = f"src/main/java/words/{owner}.java"
    return method(
        name,
        focal_path=where,
        focal_class=f"words.{owner}",
        parameters=parameters,
        source=source,
        focal_context=f"public class {owner} {{\n}}\n",
        test_path="src/test/java/words/PluralTest.java",
        test_class="words.PluralTest",
        test_context=TEST_CLASS.replace("    HUMAN\n", ""),
        tests=(HumanTest(name="cats", source=HUMAN),),
    )
