"""Two long things that differ in everything are not compared line by line, which takes minutes."""

from __future__ import annotations

import pytest

from evaluator.model import Status
from evaluator.sandbox.protocol import ResourceLimits

from .conftest import Project, plain_recipe

DIFFERENT = """
import difflib, random, unittest

def text(seed):
    letters = random.Random(seed).choices("abcdefgh ", k=60_000)
    return "\\n".join("".join(letters[start : start + 40]) for start in range(0, 60_000, 40))

class TestDifferences(unittest.TestCase):
    maxDiff = None

    def test_texts(self):
        self.assertEqual(text(1), text(2))

    def test_lists(self):
        self.assertEqual(text(1).splitlines(), text(2).splitlines())

    def test_similar(self):
        self.assertEqual("one\\n" * 300 + "first\\n", "one\\n" * 300 + "second\\n")

    def test_usual(self):
        self.assertEqual(list(difflib.ndiff(["a"] * 300, ["b"] * 300))[0], "- a")

def test_plain_texts():
    assert text(1) == text(2)

def test_plain_lists():
    assert text(1).splitlines() == text(2).splitlines()
"""


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
def test_only_what_is_alike_is_compared(project: Project, framework: str) -> None:
    project.write({"test_different.py": DIFFERENT, "pytest.ini": "[pytest]\naddopts = -vv\n"})
    recipe = plain_recipe(framework)
    limits = ResourceLimits(wall_seconds=60, cpu_seconds=60)
    run = project.run("test_different.py", recipe=recipe, limits=limits)
    found = {name.replace(":", ".").rpartition(".")[2]: o for name, o in run.outcomes.items()}
    passed = {name for name, each in found.items() if each.status is Status.PASSED}
    assert (passed, len(found)) == ({"test_usual"}, 6 if framework == "pytest" else 4)
    unsaid = {
        name
        for name, each in found.items()
        if each.failure is not None and "too different to be compared" in each.failure.message
    }
    # Of plain assertions all that fits into a message is what was compared.
    assert unsaid == {"test_texts", "test_lists"}
    similar = found["test_similar"].failure
    assert similar is not None
    assert "- first" in similar.message
