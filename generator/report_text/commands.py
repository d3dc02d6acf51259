"""Finds the commands that an issue says were run, what they printed, and the files they ran on."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from generator.report_text.notation import Notation
from generator.report_text.types import IssuePart, PartForm, ReportedCommand, ReportedFile

_PROMPT = re.compile(r"^\s*(?:\([\w.-]+\)\s*)?(?:[\w.@~:/\\-]*\s?)?[$\u276f]+ +(?P<command>\S.*)$")
_SHELL = frozenset({"bash", "sh", "shell", "console", "cmd", "bat", "powershell", "zsh"})
_RUN = re.compile(r"\b(?:run(?:ning|s)?|execut(?:e|ing))\b[^`\n]{0,30}`([^`\n]+)`", re.I)
_DRAWN = re.compile(r"^[\s|\u2502]*(?:[|`+\u251c\u2514])[-\u2500]{2}", re.MULTILINE)
_FIRST_COMMENT = r"^\s*#+\s*(?:file:?\s*|in\s+)?`?(?P<name>{name})`?:?\s*$"
_LEADING = r"(?:^|[\s`*(])(?P<name>{name})[`*)]*\s*:?\s*$"


def commands(parts: Sequence[IssuePart]) -> tuple[ReportedCommand, ...]:
    """Commands in the order of the text, each with the output that stands under it."""
    found = [command for index in range(len(parts)) for command in _of_part(parts, index)]
    return tuple(found)


def files(parts: Sequence[IssuePart], notation: Notation) -> tuple[ReportedFile, ...]:
    """Blocks that say which file they are: in their first line, or in the prose above them."""
    found: dict[str, ReportedFile] = {}
    for before, part in zip((None, *parts), parts, strict=False):
        if part.kind is not PartForm.BLOCK or _DRAWN.search(part.text):
            continue
        if name := _name_of(part, before, notation.file_name):
            found.setdefault(name, ReportedFile(name, part.text.strip("\n") + "\n", part.line))
    return tuple(found.values())


def _of_part(parts: Sequence[IssuePart], index: int) -> Iterator[ReportedCommand]:
    part = parts[index]
    if part.kind is PartForm.PROSE:
        for quoted in _RUN.finditer(part.text):
            yield from _command(quoted[1], "", part.line)
    elif part.kind is PartForm.BLOCK and _PROMPT.match(_first_line(part.text)):
        yield from _prompted(part)
    elif part.kind is PartForm.BLOCK and part.language in _SHELL and "\n" not in part.text.strip():
        following = [p for p in parts[index + 1 : index + 4] if p.kind is PartForm.BLOCK]
        yield from _command(part.text.strip(), following[0].text if following else "", part.line)


def _prompted(part: IssuePart) -> Iterator[ReportedCommand]:
    command, output, line = "", list[str](), part.line
    for number, text in enumerate(part.text.split("\n"), start=part.line):
        found = _PROMPT.match(text)
        if found is None:
            output.append(text)
            continue
        yield from _command(command, "\n".join(output), line)
        command, output, line = found["command"], [], number
    yield from _command(command, "\n".join(output), line)


def _command(text: str, output: str, line: int) -> Iterator[ReportedCommand]:
    try:
        argv = tuple(shlex.split(text, comments=True))
    except ValueError:
        return
    if argv:
        yield ReportedCommand(argv, output.strip("\n"), line)


def _first_line(text: str) -> str:
    return text.lstrip("\n").split("\n", 1)[0]


def _name_of(part: IssuePart, before: IssuePart | None, pattern: str) -> str:
    comment = re.match(_FIRST_COMMENT.format(name=pattern), _first_line(part.text), re.IGNORECASE)
    if comment is not None:
        return comment["name"]
    if before is None or before.kind is PartForm.BLOCK:
        return ""
    last_line = before.text.rstrip().rsplit("\n", 1)[-1]
    leading = re.search(_LEADING.format(name=pattern), last_line)
    return leading["name"] if leading else ""
