"""The parts of a reply: its answer, fences and tags, paths, the code of a test file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from evaluator import FixgateError


class UnreadableReplyError(FixgateError):
    """A reply is not what was asked for. The message says why, and can be shown to the model."""


LONGEST_REPLY = 2_000_000
"""Most characters of a reply that are read; what comes after them is dropped."""

_OPENED = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(think|thinking|thought|reasoning)>", re.IGNORECASE)


def answer_of(reply: str) -> str:
    """The reply without the thoughts that some models write ahead of it, and with plain line ends.

    Servers may swallow the tag that opens the thoughts; a reply that never closes them holds no
    answer.
    """
    text = reply[:LONGEST_REPLY].replace("\r\n", "\n")
    opened = _OPENED.match(text)
    closed = _CLOSED.search(text)
    if closed is None:
        return "" if opened else text
    swallowed = not opened and f"<{closed[1].lower()}>" not in text.lower()
    return text[closed.end() :] if opened or swallowed else text


_PATH = re.compile(r"(?<![\w./:-])(?:\./)?((?:[\w.+-]+/)*[\w+-][\w.+-]*\.\w{1,10})\b(?!/)")


def read_paths(reply: str) -> tuple[str, ...]:
    """What looks like a file's path, relative to the project, each once, in order."""
    return tuple(dict.fromkeys(match[1] for match in _PATH.finditer(answer_of(reply))))


_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")


@dataclass(frozen=True)
class Fence:
    """A fenced part: the language it names ("" for none), its text, and whether it was closed."""

    language: str
    text: str
    closed: bool = True


def fences(reply: str) -> tuple[Fence, ...]:
    """The fenced parts of a reply in order; one that is never closed ends with the reply.

    A fence closes at a line of the same marks, at least as many, that names no language (spec
    0.31, section 4.5). Parts that are indented with their fence are moved to the left with it.
    """
    found: list[Fence] = []
    opened: re.Match[str] | None = None
    inside: list[str] = []
    for line in reply.split("\n"):
        match = _FENCE.match(line)
        if opened is None:
            opened, inside = match, []
        elif match and _closes(match, opened):
            found.append(_fence(opened, inside, closed=True))
            opened = None
        else:
            inside.append(line)
    if opened is not None:
        found.append(_fence(opened, inside if any(inside[-1:]) else inside[:-1], closed=False))
    return tuple(found)


def _closes(line: re.Match[str], opened: re.Match[str]) -> bool:
    return line["marks"].startswith(opened["marks"]) and not line["info"].strip()


def _fence(opened: re.Match[str], lines: list[str], *, closed: bool) -> Fence:
    language = (opened["info"].split() or [""])[0].lower()
    margin = len(opened["indent"])
    moved = [line[min(margin, len(line) - len(line.lstrip(" \t"))) :] for line in lines]
    return Fence(language, "".join(f"{line}\n" for line in moved), closed)


@dataclass(frozen=True)
class Tagged:
    """The text between a tag and its end.

    Without an end it goes to the next tag that is looked for, or to the end of the reply.
    """

    tag: str
    text: str
    closed: bool = True


def tagged(reply: str, tags: Collection[str]) -> Iterator[Tagged]:
    """The parts within any of some tags, in order. What stands within a part is its text."""
    names = "|".join(re.escape(tag) for tag in tags)
    marks = re.finditer(rf"<(?P<end>/?)(?P<tag>{names})>", reply, re.IGNORECASE)
    opened: re.Match[str] | None = None
    for mark in marks:
        name = mark["tag"].lower()
        if opened is None:
            opened = None if mark["end"] else mark
        elif mark["end"] and name == opened["tag"].lower():
            yield Tagged(name, reply[opened.end() : mark.start()])
            opened = None
        elif not mark["end"] and name != opened["tag"].lower():
            yield _unclosed(reply, opened, mark.start())
            opened = mark
    if opened is not None:
        yield _unclosed(reply, opened, len(reply))


def _unclosed(reply: str, opened: re.Match[str], end: int) -> Tagged:
    return Tagged(opened["tag"].lower(), reply[opened.end() : end], closed=False)


def read_code(
    reply: str,
    language: str,
    fence_names: Collection[str],
    *,
    is_bare: Callable[[str], bool],
    why_no_tests: Callable[[str], str],
) -> str:
    """The code of the last part of a reply which holds a test, the likeliest kind of part first.

    `language` is its name for people. Fences are read that have one of `fence_names`, and a reply
    without any where `is_bare` takes it for code; `why_no_tests` returns "" for code that will do.
    Raises UnreadableReplyError, which says what is wrong with the likeliest part.
    """
    answer = answer_of(reply)
    reasons: list[str] = []
    for code in _parts(answer, language, fence_names, is_bare):
        reason = why_no_tests(code)
        if not reason:
            return code
        reasons.append(reason)
    nothing = f"the reply holds no {language} code" if answer.strip() else "the reply is empty"
    raise UnreadableReplyError(reasons[0] if reasons else nothing)


def _parts(
    answer: str, language: str, fence_names: Collection[str], is_bare: Callable[[str], bool]
) -> Iterator[str]:
    """What may be meant, the likeliest first: the last fence, the last tag, the bare reply."""
    for fence in reversed(fences(answer)):
        if fence.language in fence_names:
            yield fence.text
    for part in reversed(list(tagged(answer, ("test", "test_file", "code", language.lower())))):
        yield part.text.strip("\n") + "\n"
    if not fences(answer) and is_bare(answer):
        yield answer.strip("\n") + "\n"
