"""What tox.ini and noxfile.py install before they run the tests."""

from __future__ import annotations

import configparser
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from evaluator.languages.python.environment.project import requirement_lines
from evaluator.languages.python.environment.static import called_with, functions, parse

Found = tuple[list[str], list[str], tuple[str, ...]]


def tox_and_nox(tree: Path, extras: Collection[str]) -> Found:
    """Extras, requirement files and packages; tox.ini wins over noxfile.py.

    `extras` are those that the project has: others are left out.
    """
    lines, wanted = _tox(tree / "tox.ini")
    if not lines and not wanted:
        lines, wanted = _nox(tree / "noxfile.py")
    files = [file for file in _files(lines) if (tree / file).is_file()]
    return [extra for extra in wanted if extra in extras], files, requirement_lines(lines)


def _tox(path: Path) -> tuple[list[str], list[str]]:
    """Dependencies and extras of `[testenv]`; lines for some factors only are left out."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return [], []
    section = dict(parser["testenv"]) if parser.has_section("testenv") else {}
    lines = [line.strip() for line in section.get("deps", "").splitlines()]
    plain = [line for line in lines if line and not re.match(r"[\w!{},.-]+:\s", line)]
    extras = re.split(r"[\s,]+", section.get("extras", "").strip())
    return [line.replace("{toxinidir}/", "") for line in plain], [e for e in extras if e]


def _nox(path: Path) -> tuple[list[str], list[str]]:
    """What `session.install` gets in the sessions that are named after tests."""
    sessions = [node for node in functions(parse(path)) if re.search(r"test|unit", node.name)]
    lines: list[str] = []
    for session in sessions:
        arguments = called_with(session, "install")
        lines += [f"-r {arg}" if arg.endswith(".txt") else arg for arg in arguments]
    extras = [name for line in lines for name in _own_extras(line)]
    return lines, extras


def _own_extras(line: str) -> list[str]:
    match = re.fullmatch(r"\.\[([\w,\s-]+)\]", line)
    return [name.strip() for name in match[1].split(",")] if match else []


def _files(lines: Iterable[str]) -> list[str]:
    matches = (re.match(r"(?:-r|--requirement)[\s=]*(\S+)", line) for line in lines)
    return [match[1] for match in matches if match]
