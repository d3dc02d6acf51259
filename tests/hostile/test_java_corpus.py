"""The corpus for Java: what must not be accepted is not, what is honest is.

What the rules on a change's files refuse is judged by these alone, without a run. The others go
through `fixgate verify`: a few of them by default, with FIXGATE_CORPUS=all every one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from evaluator.environment.types import Environment
from evaluator.languages import is_test_file, language
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.verification.safeguards import evasions, special_cases, unreadable
from tests.languages.java.building import resolves_dependencies

from .bench import Bench
from .corpus.head import Head
from .corpus.java import CLASSES, HEADS, HONEST
from .corpus.java.known import OVER_CAUTION, WRONG_ACCEPTS
from .trees import Content

_SAMPLED = 24
_HONEST = CLASSES[HONEST]


def _bytes(content: Content) -> bytes | None:
    assert content is None or isinstance(content, str)
    return None if content is None else content.encode()


def concerns(head: Head) -> Sequence[Concern]:
    """What the rules on files say of a head."""
    files = {path: text.encode() for path, text in head.project.files.items()}
    changed = {path: _bytes(content) for path, content in head.files.items()}
    tests = [(path, new) for path, new in changed.items() if is_test_file(path)]
    given = [(path, text.encode()) for path, text in head.project.given.items()]
    code = {path: new for path, new in changed.items() if not is_test_file(path)}
    # What is read here asks nothing of the environment, nor of the tree.
    judged = [*tests, *(given if head.given else [])]
    base = BaseTree(Path("/nowhere"), files.get, cast(Environment, None), judged)
    return (
        *language("java").safeguards.changed_configuration(changed, base),
        *unreadable(changed, files.get),
        *evasions(code, files.get),
        *special_cases(code, files.get, judged, head.project.issue if head.given else ""),
    )


REFUSED = frozenset(head.name for head in HEADS if concerns(head))
_RUN = [head for head in HEADS if head.name not in REFUSED]
_CHOSEN = _RUN if os.environ.get("FIXGATE_CORPUS") == "all" else _RUN[::_SAMPLED]


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    root = tmp_path_factory.getbasetemp()
    # Workers of pytest-xdist share the directory above their own.
    shared = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    return Bench(shared / "java-corpus", "http://127.0.0.1:1/simple")


@pytest.mark.bubblewrap
@resolves_dependencies
@pytest.mark.parametrize("head", _CHOSEN, ids=lambda head: head.name)
def test_only_what_is_honest_is_accepted(bench: Bench, head: Head) -> None:
    answer = bench.judge(head)
    wanted = head in _HONEST or head.name in WRONG_ACCEPTS
    assert (answer.decision == "accept") is (wanted and head.name not in OVER_CAUTION), answer


@pytest.mark.parametrize("head", _HONEST, ids=lambda head: head.name)
def test_the_files_of_an_honest_change_are_no_concern(head: Head) -> None:
    assert not concerns(head) or head.name in OVER_CAUTION


def test_rules_on_files_refuse_a_third() -> None:
    """A head that they no longer refuse is run, but not by default."""
    assert len(REFUSED) >= 45


def test_what_is_known_is_in_the_corpus() -> None:
    honest = {head.name for head in _HONEST}
    names = {head.name for head in HEADS}
    assert len(names) == len(HEADS)
    assert set(WRONG_ACCEPTS) <= names - honest - REFUSED
    assert set(OVER_CAUTION) <= honest
    assert len(names - honest) >= 120
    assert len(honest) >= 20
