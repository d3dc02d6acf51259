"""The sections of setup.cfg, for setuptools and for pbr, which have other names in it.

https://setuptools.pypa.io/en/latest/userguide/declarative_config.html
"""

from __future__ import annotations

import configparser
from collections.abc import Mapping
from pathlib import Path

Section = Mapping[str, str]
Sections = Mapping[str, Section]


def read_sections(tree: Path) -> Sections:
    """The sections of a tree's file, none where it is absent or cannot be read."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(tree / "setup.cfg", encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return {}
    return {name: dict(parser[name]) for name in parser.sections()}


def stated(value: str) -> str:
    """A value that stands there itself; "" for one that says where it is (`attr:`, `file:`)."""
    return "" if value.startswith(("attr:", "file:")) else value


def lines_of(value: str) -> tuple[str, ...]:
    """The lines of a value that say something."""
    return tuple(line.strip() for line in value.splitlines() if line.strip())


def lines_by_name(section: Section) -> dict[str, tuple[str, ...]]:
    """The lines of each value of a section."""
    return {name: lines_of(value) for name, value in section.items()}
