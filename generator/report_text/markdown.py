"""Splits an issue's text into headings, prose and blocks, as trackers let people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.report_text.notation import Notation
from generator.report_text.types import IssuePart, PartForm, PartRole

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?(?:details|summary|p|br|div|b|i)\b[^>\n]*>", re.IGNORECASE)
_FENCE = re.compile(
    r"^(?P<indent>[ \t]*(?:> ?|[-*] )?[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$"
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<text>.*?)[ \t#]*$")
_BOLD = re.compile(r"^(?:\*\*|__)(?P<text>[^*_]+?)(?:\*\*|__)[ \t]*:?[ \t]*$")
_UNDERLINE = re.compile(r"^(?:=+|-+)[ \t]*$")
_LABEL = re.compile(r"^(?P<text>[A-Z][\w /]{2,40}):[ \t]*$")
_INDENTED = re.compile(r"^(?: {4}|\t)")
_TRAC = re.compile(r"^Description\s*\n(?:\s*\(last modified by [^\n]*\n\s*\n)?", re.MULTILINE)
"""What Trac puts between the title and the text."""
_SENTENCE = re.compile(r"^\s*[A-Z][\w']*(?:,? [\w'`\"()./-]+){3}")


def parts(text: str, notations: Sequence[Notation]) -> tuple[IssuePart, ...]:
    """The parts of an issue in their order, with code in any of the notations.

    Any text can be read; the worst is all prose.
    """
    return tuple(_with_roles(_Reader(cleaned(text).split("\n"), notations).parts()))


def cleaned(text: str) -> str:
    """Without comments and tags of HTML, and once only where the text is there twice."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    text = _COMMENT.sub(lambda match: "\n" * match.group().count("\n"), text)
    return _once(_TAG.sub("", text).expandtabs(4))


def _once(text: str) -> str:
    """Some trackers' exports hold title and body twice, one after the other."""
    title = text.split("\n", 1)[0].strip()
    again = text.find("\n" + title, len(text) // 3) if len(title.split()) > 1 else -1
    first, second = text[:again], text[again:]
    return first if again > 0 and first.split() == second.split() else text


class _Reader:
    """Goes through the lines once; every method that yields a part moves on behind it."""

    def __init__(self, lines: Sequence[str], notations: Sequence[Notation]) -> None:
        self._lines = lines
        self._notations = notations
        self._at = 0
        self._prose: list[str] = []
        self._is_unfenced = _is_unfenced(lines)
        self._unfenced = [each.unfenced(lines) for each in notations]

    def parts(self) -> Iterator[IssuePart]:
        """The first line is the title, and a part of its own."""
        if self._lines[0].strip():
            yield IssuePart(PartForm.PROSE, self._lines[0].strip("# "), 1)
            self._at = 1
        while self._at < len(self._lines):
            part = self._unfenced_part() if self._is_unfenced else self._marked_part()
            if part is None:
                self._prose.append(self._lines[self._at])
                self._at += 1
                continue
            yield from self._prose_before(part.line)
            yield part
        yield from self._prose_before(len(self._lines) + 1)

    def _marked_part(self) -> IssuePart | None:
        return self._fenced() or self._heading() or self._prompted() or self._indented()

    def _unfenced_part(self) -> IssuePart | None:
        return self._prompted() or self._dying() or self._bare_code() or self._heading()

    def _dying(self) -> IssuePart | None:
        """A stack trace in a text without fences, but for the line with the error."""
        start = self._at
        self._at = max(code.trace_end(start) for code in self._unfenced)
        text = _dedented(self._lines[start : self._at])
        return IssuePart(PartForm.BLOCK, text, start + 1) if self._at > start else None

    def _bare_code(self) -> IssuePart | None:
        """Statements in a text without fences."""
        start = self._at
        for unfenced in self._unfenced:
            code, self._at = unfenced.code(start)
            if code:
                return IssuePart(PartForm.BLOCK, code, start + 1)
        return None

    def _prose_before(self, line: int) -> Iterator[IssuePart]:
        text = "\n".join(self._prose)
        start = line - len(self._prose)
        self._prose = []
        if text.strip():
            yield IssuePart(PartForm.PROSE, text.strip("\n"), start)

    def _fenced(self) -> IssuePart | None:
        opening = _FENCE.match(self._lines[self._at])
        if opening is None:
            return None
        start = self._at + 1
        end = next(
            (i for i in range(start, len(self._lines)) if _closes(self._lines[i], opening)),
            len(self._lines),
        )
        self._at = end + 1
        language = (opening["info"].split() or [""])[0].strip("{}.").lower()
        body = [_without(line, opening["indent"]) for line in self._lines[start:end]]
        return IssuePart(PartForm.BLOCK, _dedented(body), start + 1, language)

    def _heading(self) -> IssuePart | None:
        line = self._lines[self._at]
        found = _HEADING.match(line) or _BOLD.match(line) or _LABEL.match(line)
        if found is None and not self._underlined():
            return None
        self._at += 1 if found else 2
        text = found["text"] if found else line
        return IssuePart(PartForm.HEADING, text.strip(" *_:"), self._at)

    def _underlined(self) -> bool:
        below = self._lines[self._at + 1 : self._at + 2]
        line = self._lines[self._at].strip()
        return bool(line and below and len(below[0]) > 2 and _UNDERLINE.match(below[0]))

    def _prompted(self) -> IssuePart | None:
        """A session that stands in the text without a fence, up to an empty line and no prompt."""
        if not self._is_prompt(self._lines[self._at]):
            return None
        start = end = self._at
        while end < len(self._lines) and not self._ends_session(end):
            end += 1
        self._at = end
        return IssuePart(PartForm.BLOCK, _dedented(self._lines[start:end]), start + 1)

    def _ends_session(self, at: int) -> bool:
        if _FENCE.match(self._lines[at]):
            return True
        if self._lines[at].strip():
            return self._is_unfenced and self._is_sentence(self._lines[at])
        following = next((line for line in self._lines[at:] if line.strip()), "")
        return not (self._is_prompt(following) or _INDENTED.match(following))

    def _is_prompt(self, line: str) -> bool:
        return any(notation.is_prompt(line) for notation in self._notations)

    def _is_sentence(self, line: str) -> bool:
        """Whether a line of an unfenced text begins as a sentence does."""
        announced = any(notation.begins_trace(line) for notation in self._notations)
        return _SENTENCE.match(line) is not None and not announced

    def _indented(self) -> IssuePart | None:
        """A block that is set off by four spaces and an empty line, or the sentence before it."""
        if not _INDENTED.match(self._lines[self._at]) or not self._may_begin_block():
            return None
        start = end = self._at
        while end < len(self._lines) and (
            _INDENTED.match(self._lines[end]) or not self._lines[end].strip()
        ):
            end += 1
        self._at = end
        return IssuePart(PartForm.BLOCK, _dedented(self._lines[start:end]), start + 1)

    def _may_begin_block(self) -> bool:
        above = self._lines[self._at - 1] if self._at else ""
        return not above.strip() or above.rstrip().endswith(":") or not self._prose


def _is_unfenced(lines: Sequence[str]) -> bool:
    """Whether a text has neither fences nor empty lines, so that only its form shows the code."""
    text = _TRAC.sub("", "\n".join(lines).rstrip(), count=1)
    return all(line.strip() and "```" not in line for line in text.split("\n"))


def _closes(line: str, opening: re.Match[str]) -> bool:
    closing = _FENCE.match(line)
    return (
        closing is not None
        and not closing["info"].strip()
        and closing["fence"].startswith(opening["fence"])
    )


def _without(line: str, indent: str) -> str:
    """A line without the indentation of the fence around it."""
    return line[len(indent) :] if not line[: len(indent)].strip(" >") else line


def _dedented(lines: Sequence[str]) -> str:
    """Moved left as far as the first line stands right, empty lines at the ends dropped."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines:
        return ""
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(
        line[margin:].rstrip() if not line.strip() else line[margin:] for line in lines
    )


@dataclass
class _Place:
    section: str = ""
    role: PartRole = PartRole.UNSAID


def _with_roles(found: Iterator[IssuePart]) -> Iterator[IssuePart]:
    """Each part with the heading above it, and the role that it or the prose before it gives."""
    heading = _Place()
    role = PartRole.UNSAID
    for number, part in enumerate(found):
        if part.kind is PartForm.PROSE and number == 0:
            role = PartRole.UNSAID  # what a title says holds for the whole issue
        elif part.kind is PartForm.HEADING:
            heading = _Place(part.text, role_of(part.text))
            role = heading.role
        elif part.kind is PartForm.PROSE:
            said = role_of(_last_sentence(part.text))
            role = said if said is not PartRole.UNSAID else heading.role
        yield IssuePart(part.kind, part.text, part.line, part.language, heading.section, role)


def _last_sentence(prose: str) -> str:
    lines = [line for line in prose.split("\n") if line.strip()]
    return re.split(r"(?<=[.!?])\s", lines[-1])[-1] if lines else ""


_EXPECTED = re.compile(
    r"\b(?:expect(?:ed|ation)?|should(?!n't| not)|desired|correct(?:ly)?|ideally|"
    r"i (?:would|'d) (?:like|expect))\b",
    re.IGNORECASE,
)
_ACTUAL = re.compile(
    r"\b(?:actual(?:ly)?|current(?:ly)?|observed|but|instead|however|fails?|errors?|traceback|"
    r"wrong(?:ly)?|incorrect(?:ly)?|unexpected(?:ly)?|bug|what happens|"
    r"(?:gives?|returns?|prints?|outputs?|produces?|says?|raises?|results? in) )",
    re.IGNORECASE,
)


def role_of(words: str) -> PartRole:
    """The role that a heading or a sentence gives to what follows it."""
    expected, actual = _EXPECTED.search(words), _ACTUAL.search(words)
    if bool(expected) == bool(actual):
        return PartRole.UNSAID
    return PartRole.EXPECTED if expected else PartRole.ACTUAL
