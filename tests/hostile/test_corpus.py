"""The corpus through `fixgate verify`: what must not be accepted is not, what is honest is.

One head in fourteen of each class by default; with FIXGATE_CORPUS=all every one. What is known to
be wrong is listed in `corpus/known.py`, and must be wrong for as long as it stands there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .bench import Bench
from .corpus import CLASSES, HEADS, HONEST
from .corpus.head import Head
from .corpus.known import OVER_CAUTION, WRONG_ACCEPTS
from .corpus.spoiling import OWNED
from .packages import installed_packages

pytestmark = pytest.mark.bubblewrap

_STEP = 1 if os.environ.get("FIXGATE_CORPUS") == "all" else 14
_CHOSEN = [head for heads in CLASSES.values() for head in heads[::_STEP]]


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    root = tmp_path_factory.getbasetemp()
    # Workers of pytest-xdist share the directory above their own.
    shared = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    with installed_packages() as index:
        yield Bench(shared / "corpus", index)


def _chosen(*, honest: bool) -> list[Head]:
    return [head for head in _CHOSEN if (head in CLASSES[HONEST]) is honest]


@pytest.mark.parametrize("head", _chosen(honest=False), ids=lambda head: head.name)
def test_it_is_not_accepted(bench: Bench, head: Head) -> None:
    answer = bench.judge(head)
    assert (answer.decision == "accept") is (head.name in WRONG_ACCEPTS), answer
    assert not OWNED.exists()


@pytest.mark.parametrize("head", _chosen(honest=True), ids=lambda head: head.name)
def test_an_honest_change_is_accepted(bench: Bench, head: Head) -> None:
    answer = bench.judge(head)
    assert (answer.decision == "accept") is (head.name not in OVER_CAUTION), answer


def test_what_is_known_is_in_the_corpus() -> None:
    names = {head.name for head in HEADS}
    assert len(names) == len(HEADS)
    honest = {head.name for head in CLASSES[HONEST]}
    assert set(WRONG_ACCEPTS) <= names - honest
    assert set(OVER_CAUTION) <= honest


def test_the_corpus_is_large_enough() -> None:
    honest = len(CLASSES[HONEST])
    assert len(HEADS) - honest >= 150
    assert honest >= 40
    assert min(len(heads) for heads in CLASSES.values()) >= 10


@pytest.mark.parametrize("head", HEADS, ids=lambda head: head.name)
def test_it_is_a_change(head: Head) -> None:
    same = [path for path, content in head.files.items() if head.project.files.get(path) == content]
    assert len(same) < len(head.files) or head.spoil is not None
    assert Path(head.project.module).suffix == ".py"
