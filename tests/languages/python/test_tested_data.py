"""Data of the package that given tests read, where a change makes it another."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from evaluator.environment.types import Environment
from evaluator.languages.python.safeguards.tested_data import edited_data
from evaluator.languages.safeguards import BaseTree

TEST = "tests/test_issue.py"
TABLE = 'CASES = {"a": 1, "b": [2, date(2023, 1, -3)]}\nSIZE: int = 3\n'
IMPORTED = "from conf.cases import CASES, SIZE\n"
LOOP = """

def test_all():
    for given, wanted in CASES.items():
        assert f(given) == wanted
"""
SAID = f"conf/cases.py (edits CASES, which {TEST} reads)"


def said(
    test: str, old: str, new: str, *, own: bool = False, conftest: str = "", beside: str = ""
) -> list[str]:
    files = {"conf/cases.py": old.encode(), "tests/conftest.py": conftest.encode()}
    changed: dict[str, bytes | None] = {
        "conf/cases.py": new.encode(),
        "conf/more.py": beside.encode(),
    }
    if own:
        changed[TEST] = test.encode()
    # What is read here asks nothing of the environment, nor of the tree.
    judged = [(TEST, test.encode())]
    base = BaseTree(Path("/nowhere"), files.get, cast(Environment, None), judged)
    return [str(concern) for concern in edited_data(changed, base)]


@pytest.mark.parametrize(
    "new",
    [
        TABLE.replace('"a": 1, ', ""),
        TABLE.replace("1, -3", "1, -4"),
        TABLE.replace('{"a"', '{"c"'),
        "CASES = dict(zip('ab', (1, 2), strict=True) for _ in '')\n",
        "CASES = made()\n",
        TABLE + "CASES = {}\n",
        TABLE + "if True:\n    CASES = {}\n",
        TABLE + "CASES.pop('a')\n",
        TABLE + "CASES['a'] = 3\n",
        TABLE + "del CASES['b']\n",
        TABLE + "CASES |= {'a': 3}\n",
        TABLE + "\n\ndef f(a):\n    global CASES\n    CASES = {}\n",
    ],
)
@pytest.mark.parametrize(
    "test",
    [
        IMPORTED + LOOP,
        "from conf.cases import *\n" + LOOP,
        "from conf import CASES\n" + LOOP,
        "from ..conf.cases import CASES as cases\n" + LOOP.replace("CASES", "cases"),
        "import conf.cases\n" + LOOP.replace("CASES", "conf.cases.CASES"),
        "from conf import cases\n" + LOOP.replace("CASES", "cases.CASES"),
        IMPORTED
        + "\n\n@pytest.mark.parametrize('case', list(CASES))\ndef test_a(case):\n    f(case)\n",
        IMPORTED + "\n\ndef test_a():\n    assert f('a') == CASES['a']\n",
    ],
)
def test_what_a_given_test_no_longer_finds_is_named(test: str, new: str) -> None:
    assert said(test, TABLE, new) == [SAID]


@pytest.mark.parametrize(
    ("test", "old", "new"),
    [
        (IMPORTED + LOOP, TABLE, TABLE.replace("{", '{"z": 26, ')),
        (IMPORTED + LOOP, TABLE, TABLE.replace("CASES = {", "CASES = {  # all\n    ")),
        (IMPORTED + LOOP, TABLE, TABLE.replace("SIZE: int = 3", "SIZE: int = 4")),
        ("from other.cases import CASES\n" + LOOP, TABLE, "CASES = {}\n"),
        ("from conf.cases import f\nCASES = {}\n" + LOOP, TABLE, "CASES = {}\n"),
        ("from conf import cases\n\n\ndef test_v():\n    assert cases.__version__\n",
         "__version__ = '1'\n", "__version__ = '2'\n"),
        ("from conf.cases import URL\n\n\ndef test_a():\n    assert URL.match('a')\n",
         "URL = re.compile('a')\n", "URL = re.compile('b')\n"),
        ("from conf.cases import f\n\n\ndef test_a():\n    assert f(1)\n",
         "f = lambda a: a\n", "f = lambda a: a + 1\n"),
    ],
)  # fmt: skip
def test_what_is_there_or_what_is_tested_itself_is_not(test: str, old: str, new: str) -> None:
    assert said(test, old, new) == []


def test_who_brings_the_test_along_may_choose_its_data() -> None:
    assert said(IMPORTED + LOOP, TABLE, "CASES = {}\n", own=True) == []


@pytest.mark.parametrize(
    "code",
    [
        "from conf import cases\n\ncases.CASES = {}\n",
        "from conf.cases import CASES\n\nCASES.clear()\n",
        "import conf.cases\n\nsetattr(conf.cases, 'CASES', {})\n",
    ],
)
def test_other_modules_can_make_data_others_too(code: str) -> None:
    found = said(IMPORTED + LOOP, TABLE, TABLE, beside=code)
    assert found == [f"conf/more.py (edits CASES, which {TEST} reads)"]


def test_what_other_modules_add_or_have_of_that_name_is_nothing() -> None:
    code = """
CASES = []
CASES.clear()
other().CASES = 3
CASES.append(3)
CASES.get("a")


def f(self):
    self.CASES = CASES = {}
"""
    assert said(IMPORTED + LOOP, TABLE, TABLE, beside=code) == []


def test_fixtures_read_for_given_tests() -> None:
    fixture = "from conf import cases\n\n\n@pytest.fixture\ndef all():\n    return cases.CASES\n"
    found = said("def test_a(all):\n    assert all\n", TABLE, "CASES = {}\n", conftest=fixture)
    assert found == ["conf/cases.py (edits CASES, which tests/conftest.py reads)"]
