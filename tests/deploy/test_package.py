"""What is published: wheel and source distribution, manual pages, completion in a shell."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from uv import find_uv_bin

from tests.commands.test_help import COMMANDS

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
COMPLETION = """
eval "$(_FIXGATE_COMPLETE=bash_source fixgate)"
complete -p fixgate
COMP_WORDS=(fixgate %s) COMP_CWORD=%d
_fixgate_completion fixgate
printf '%%s\\n' "${COMPREPLY[@]}"
"""


def _checked(*command: str | Path) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.network
def test_wheel_and_source_are_fit_to_be_published(tmp_path: Path) -> None:
    _checked(find_uv_bin(), "build", "--quiet", "--out-dir", tmp_path, ROOT)
    (wheel,), (source,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    assert "PASSED" in _checked(BIN / "twine", "check", "--strict", wheel, source)
    assert wheel.name in _checked(BIN / "check-wheel-contents", wheel)
    with tarfile.open(source) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"pyproject.toml", "app.yml", "LICENSE", "bot/cli.py", "tests/conftest.py"} <= names
    # Larger than all of it by far, once something is packed that does not belong there.
    assert source.stat().st_size < 5_000_000
    assert wheel.stat().st_size < 3_000_000


def test_each_command_has_a_manual_page(tmp_path: Path) -> None:
    _checked(sys.executable, "docs/man_pages.py", tmp_path)
    for name in ("fixgate", *(f"fixgate-{name.replace(' ', '-')}" for name in COMMANDS)):
        page = (tmp_path / f"{name}.1").read_text("utf-8")
        assert page.startswith(".TH ")
        assert ".SH SYNOPSIS" in page
    assert "fixgate-check-config(1)" in (tmp_path / "fixgate.1").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("check-", {"check-config"}),
        ("tests4j ma", {"map"}),
        ("verify --ba", {"--base"}),
    ],
)
def test_bash_completes_commands_and_options(words: str, found: set[str]) -> None:
    script = COMPLETION % (words, len(words.split()))
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={"PATH": f"{BIN}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    installed, *completed = done.stdout.splitlines()
    assert "_fixgate_completion" in installed
    assert set(completed) == found
