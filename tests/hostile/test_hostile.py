"""What hostile pull requests get: never an acceptance, and nothing of the machine."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from .attacks import BREAKING, FIXED, FORGING, OWNED, REACHING, STEERING, TREES, inside
from .conftest import CANARY

pytestmark = pytest.mark.bubblewrap


def given(told, attack, check):
    why = str(check["title"]).removeprefix("Cannot tell: ")
    told.append((attack, str(check["conclusion"]), why))


@pytest.mark.parametrize("attack", [*STEERING, *FORGING, *TREES], ids=lambda attack: attack.what)
def test_it_is_not_accepted(target, told, attack):
    check = target.attacked(attack.files)
    given(told, attack.what, check)
    assert check["conclusion"] in attack.conclusions, check["summary"]
    assert attack.says in str(check["summary"]), check["summary"]
    assert not Path(OWNED).exists()


@pytest.mark.parametrize("attack", BREAKING, ids=lambda attack: attack.what)
def test_it_breaks_nothing(tight, told, attack):
    check = tight.attacked(attack.files)
    given(told, attack.what, check)
    assert check["conclusion"] in attack.conclusions, check["summary"]
    assert attack.says in str(check["summary"]), check["summary"]
    assert len(str(check["summary"])) < 65_535
    left = [process for process in psutil.Process().children(recursive=True) if _is_ours(process)]
    assert left == []


def _is_ours(process: psutil.Process) -> bool:
    try:
        return "bwrap" in process.name() or "/testbed" in " ".join(process.cmdline())
    except psutil.Error:
        return False


@pytest.mark.parametrize("what", REACHING)
def test_it_reaches_nothing(target, told, what):
    code = dedent(REACHING[what])
    for name, value in target.names.items():
        code = code.replace(f"{{{name}}}", str(value))
    check = target.attacked(inside(code))
    given(told, f"tries to reach {what}", check)
    assert check["conclusion"] in ("failure", "neutral")
    assert "tried: " in str(check["summary"]), check["summary"]
    assert "reached" not in str(check["summary"])
    assert target.visitors() == 0
    assert list(target.folder.rglob("planted")) == []
    secret = CANARY.encode()
    assert [where for where, content in target.kept() if secret in content] == []


def test_a_right_fix_is_accepted_after_all_that(target):
    check = target.attacked({"wordtools/shorten.py": FIXED})
    assert check["conclusion"] == "success", check["summary"]
