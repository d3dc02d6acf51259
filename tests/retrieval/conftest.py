"""A small repository with a history, and tasks on its commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.checkout import Mirror, Repositories, Trees
from evaluator.diff import ChangedLines, Changes
from evaluator.execution import Subject
from generator.retrieval import Retrieval
from generator.task import Task

CALM = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "C",
    "GIT_COMMITTER_EMAIL": "c@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}

FILES = {
    "shop/__init__.py": "",
    "shop/price.py": '''"""Prices."""


class Price:
    def __init__(self, amount):
        self.amount = amount

    def rounded(self, digits):
        return round(self.amount, digits)


def parse_price(text):
    return Price(float(text))
''',
    "shop/cart.py": '''"""Carts."""

from shop.price import Price


class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        return sum(item.amount for item in self.items)
''',
    "shop/old.py": """def shout(word):
    print word
""",
    "tests/test_price.py": """from shop.price import Price, parse_price


class PriceTests:
    def test_rounded(self):
        assert Price(1.26).rounded(1) == 1.3

    def test_rounded_down(self):
        assert Price(1.24).rounded(1) == 1.2


class ParsingTests:
    def test_parse(self):
        assert parse_price("2").amount == 2

    def test_parse_fraction(self):
        assert parse_price("2.5").amount == 2.5
""",
    "tests/test_cart.py": """from shop.cart import Cart


def test_total():
    assert Cart().total() == 0
""",
    "tests/test_regressions.py": "def test_nothing():\n    pass\n",
    "tests/helpers.py": "from shop.price import parse_price\n",
}


class Shop:
    """The repository, its trees, and retrieval on its commits."""

    def __init__(self, root: Path) -> None:
        self.path = root / "here"
        self.path.mkdir()
        self.cache = root / "cache"
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, **CALM},
        )
        return done.stdout.strip()

    def commit(self, files: dict[str, str]) -> str:
        for name, text in files.items():
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change")
        return self.git("rev-parse", "HEAD")

    def edit(self, *names: str) -> str:
        """A commit that changes files together."""
        return self.commit({n: (self.path / n).read_text() + "# more\n" for n in names})

    def mirror(self) -> Mirror:
        return Mirror.open(self.path, self.cache)

    def task(self, commit: str, issue: str) -> Task:
        trees = Trees(Repositories([str(self.path)], self.cache), self.cache)
        mirror = self.mirror()
        subject = Subject(
            "owner/shop",
            commit,
            trees.pristine("owner/shop", commit),
            mirror.source(commit),
            Changes(),
            ChangedLines({}, {}),
            {},
        )
        return Task("shop-1", issue, subject, mirror)

    def retrieval(self, commit: str, issue: str) -> Retrieval:
        return Retrieval(self.task(commit, issue), self.cache / "50% of #1?")


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path)
    for folder in ("shop/", "tests/"):  # apart, so that nothing changed together yet
        shop.commit({name: text for name, text in FILES.items() if name.startswith(folder)})
    return shop


@pytest.fixture
def look_up(shop: Shop) -> Callable[[str], Retrieval]:
    """Retrieval for an issue on the newest commit."""
    return lambda issue: shop.retrieval(shop.git("rev-parse", "HEAD"), issue)
