"""Reads an issue: which statements and commands it shows, what came out, what should."""

from __future__ import annotations

import re
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
