"""Reads an issue: which statements and commands it shows, what came out, what should."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from evaluator.issue_text import bounded
from generator.report_text.claims import claims
from generator.report_text.markdown import cleaned, parts
from generator.report_text.notation import Notation
from generator.report_text.types import (
    Example,
    IssuePart,
    IssueReport,
    PartForm,
    ReportedCommand,
    ReportedFile,
    Statement,
)

_OUTPUT = re.compile(
    r"\b(?:outputs?|prints?|printed|says|returns?|results?(?: in| is)?|yields?|gives?(?: me)?)\b"
    r"[^.]{0,20}:?\s*$",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b(?:code|example|snippet|script|program)\b", re.IGNORECASE)


def read_report(issue: str, notation: Notation) -> IssueReport:
    """Read an issue, title first, as much of it as is read of any issue. Any text can be read.

    `notation` is that of the language in which the issue shows code.
    """
    issue = bounded(issue)
    found = parts(issue, (notation,))
    text = cleaned(issue)
    return IssueReport(
        title=text.strip().split("\n", 1)[0].strip("# "),
        text=text,
        parts=found,
        examples=tuple(_examples(found, notation)),
        errors=notation.errors(text),
        claims=claims(found, notation),
        commands=commands(found),
        files=files(found, notation),
    )


def _examples(found: Sequence[IssuePart], notation: Notation) -> Iterator[Example]:
    code = [
        (index, () if _is_announced_output(found, index, notation) else _statements(part, notation))
        for index, part in enumerate(found)
    ]
    starts = [index for index, statements in code if statements]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(found)
        part = found[start]
        following = found[start + 1 : end]
        yield Example(
            statements=code[start][1],
            line=part.line,
            outputs=tuple(_outputs(found, start + 1, notation)),
            before=_prose_before(found[:start]),
            after="\n".join(p.text for p in following if p.kind is PartForm.PROSE),
            section=part.section,
            role=part.role,
        )


def _outputs(found: Sequence[IssuePart], start: int, notation: Notation) -> Iterator[IssuePart]:
    """The blocks up to the next one that is surely code; printed values can be read as code."""
    for index in range(start, len(found)):
        part = found[index]
        if part.kind is PartForm.BLOCK:
            announced = _is_announced_output(found, index, notation)
            code = () if announced else _statements(part, notation)
            if notation.is_session(part.text) or not all(map(notation.is_value, code)):
                return
            yield part


def _is_announced_output(found: Sequence[IssuePart], index: int, notation: Notation) -> bool:
    """Whether the words before a block, which come after another one, say that it is output."""
    words = found[index - 1] if index else None
    if words is None or words.kind is PartForm.BLOCK or notation.is_session(found[index].text):
        return False
    lead = words.text.strip().rsplit("\n", 1)[-1]
    after_code = any(part.kind is PartForm.BLOCK for part in found[:index])
    return after_code and bool(_OUTPUT.search(lead)) and not _CODE.search(lead)


def _statements(part: IssuePart, notation: Notation) -> tuple[Statement, ...]:
    return notation.statements(part) if part.kind is PartForm.BLOCK else ()


def _prose_before(earlier: Sequence[IssuePart]) -> str:
    """The prose right before a block, back to the block before it."""
    texts: list[str] = []
    for part in reversed(earlier):
        if part.kind is PartForm.BLOCK:
            break
        texts.insert(0, part.text)
    return "\n".join(texts)


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
