"""The pages, and the commands that stand in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

_BLOCK = re.compile(r"(?:^    .*\n?)+", re.MULTILINE)
_PROGRAM = re.compile(r"^(?:\.venv/bin/)?fixgate ")


def commands(page: Path) -> Iterator[tuple[str, ...]]:
    """The arguments of each `fixgate` in an indented block of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for block in _BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            if _PROGRAM.match(line.strip()):
                yield tuple(shlex.split(line, comments=True)[1:])


def all_commands() -> list[tuple[str, tuple[str, ...]]]:
    """All of them with the name of their page."""
    return [(page.name, found) for page in PAGES for found in commands(page)]


def yaml_blocks(page: Path) -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
