"""Packages of extras that are missing: one message, which names an extra that there is."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from evaluator import ExtraMissingError, InputError, extra_needed

ROOT = Path(__file__).parents[2]


def test_it_says_what_needs_which_extra_and_how_to_do_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ExtraMissingError) as raised, extra_needed("x", "this", "do that"):
        import tokenizers  # noqa: F401
    assert isinstance(raised.value, InputError)
    assert str(raised.value) == (
        "this needs an extra (import of tokenizers halted; None in sys.modules); "
        "install it with: pip install 'fixgate[x]', or do that"
    )


def test_other_errors_stay_as_they_are() -> None:
    with pytest.raises(KeyError), extra_needed("x", "this"):
        raise KeyError("this")


@pytest.mark.parametrize(
    ("command", "module", "extra"),
    [("gitlab-note", "gitlab", "gitlab"), ("messages", "graphql", "demo")],
)
def test_commands_name_theirs(command: str, module: str, extra: str, tmp_path: Path) -> None:
    # In a process of its own: modules that were loaded before cannot be taken back here.
    script = f"import sys; sys.modules['{module}'] = None; from bot.cli import main; main()"
    given = {"gitlab-note": [str(ROOT / "README.md")]}.get(command, ["--out", str(tmp_path / "x")])
    line = [sys.executable, "-c", script, command, *given]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"pip install 'fixgate[{extra}]'" in done.stderr


def test_every_extra_that_is_named_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    sources = [path for room in ("bot", "evaluator", "generator") for path in _sources(room)]
    named = set(re.findall(r'extra_needed\(\s*"(\w+)"', "".join(sources)))
    assert named <= set(project["optional-dependencies"])
    assert {"anthropic", "buckets", "demo", "gitlab", "hub", "tokenizers", "tuning"} <= named


def _sources(room: str) -> list[str]:
    return [path.read_text("utf-8") for path in (ROOT / room).rglob("*.py")]
