from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evaluator.demo.sample import commit, git
from evaluator.regressions.results import Regressions
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verification.change import change_between
from evaluator.verification.thoroughness import Thoroughness
from evaluator.verification.verify import Verification, verify
from evaluator.workspace import Workspace, WorkspaceSettings

Files = Mapping[str, str]
Judge = Callable[..., Verification]

SHOP: Files = {
    "setup.cfg": "[metadata]\nname = shop\nversion = 1\n",
    "shop/__init__.py": "",
    "shop/prices.py": """
RATE = 20


def total(prices):
    return sum(prices)


def taxed(price):
    return price + price * RATE // 100


def rounded(price):
    return round(price)
""",
    "shop/report.py": """
from shop import prices


def line(values):
    return f"total: {prices.total(values)}"
""",
    "shop/letter.py": """
from shop.report import line


def letter(values):
    return "Dear customer, " + line(values)
""",
    "shop/texts.py": "def shout(text):\n    return text.upper()\n",
    "tests/__init__.py": "",
    "tests/test_prices.py": """
import unittest

from shop.prices import rounded, taxed, total


class PricesTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)

    def test_taxed(self):
        self.assertEqual(taxed(100), 120)

    def test_rounded(self):
        self.assertEqual(rounded(1.2), 1)
""",
    "tests/test_letter.py": """
import unittest

from shop.letter import letter


class LetterTest(unittest.TestCase):
    def test_letter(self):
        self.assertEqual(letter([1, 2]), "Dear customer, total: 3")
""",
    "tests/test_texts.py": """
import unittest

from shop.texts import shout


class TextsTest(unittest.TestCase):
    def test_shout(self):
        self.assertEqual(shout("a"), "A")
""",
}
"""A repository whose modules import one another, and one that none of them imports."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "shop"
    lay(place, {**SHOP, "README": f"{tmp_path}: a base of its own, of which nothing is known\n"})
    git(place, "init", "--quiet", "--initial-branch=main")
    commit(place, "shop")
    return place


@pytest.fixture(scope="session")
def environments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def judge(repository: Path, environments: Path) -> Judge:
    """Verifies the base with some texts replaced, without its slower safeguards."""
    settings = WorkspaceSettings(
        (str(repository / ".git"),), environments, ResourceLimits(wall_seconds=60), offline=True
    )
    workspace = Workspace(settings, choose_sandbox("process"))

    def verified(
        edits: Mapping[str, tuple[str, str]], *, files: Files | None = None, budget: float = 30
    ) -> Verification:
        git(repository, "checkout", "--quiet", "-B", "change", "main")
        for path, (old, new) in edits.items():
            text = (repository / path).read_text()
            assert old in text
            lay(repository, {path: text.replace(old, new)})
        lay(repository, files or {})
        commit(repository, "change")
        git(repository, "checkout", "--quiet", "main")
        change = change_between(repository, "main", "change", environments)
        thoroughness = Thoroughness(
            reruns=0, isolated=False, sensitivity=False, mutants=False
        ).with_regressions(budget)
        return verify(workspace, change, thoroughness=thoroughness)

    return verified


def lay(place: Path, files: Files) -> None:
    for path, text in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)


def broken(verification: Verification) -> list[str]:
    found: Regressions = verification.evidence.regressions
    return [test.test.rpartition(".")[2] for test in found.broken]


def unsteady(verification: Verification) -> list[str]:
    found: Regressions = verification.evidence.regressions
    return [test.test.rpartition(".")[2] for test in found.unsteady]
