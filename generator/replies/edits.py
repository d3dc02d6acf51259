"""Edits in replies: a file, what stands there, and what shall stand there instead.

Two notations are read: `<file>`, `<original>` and `<patched>` as AutoCodeRover has them, and
`<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE` below the file's name as Aider has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import pairwise

from evaluator import PatchError
from evaluator.diff import Changes, Keep, Source
from evaluator.diff.paths import checked
from evaluator.diff.search import (
    COST_OF_INDEXING,
    COST_OF_READING,
    LineIndex,
    WorkBudget,
    as_is,
    without_ending,
    without_space,
)
from evaluator.diff.text import bare, decode, encode, ending_of, margin, to_lines
from generator.languages import is_source, language_of_file
from generator.replies.text import Tagged, UnreadableReplyError, answer_of, fences, tagged

_TAGS = ("file", "original", "patched")
_SEARCH = re.compile(r"\s*<{5,9} ?(SEARCH|ORIGINAL|HEAD)\b.*", re.IGNORECASE)
_DIVIDER = re.compile(r"\s*={5,9}\s*")
_REPLACE = re.compile(r"\s*>{5,9} ?(REPLACE|UPDATED|PATCHED).*", re.IGNORECASE)
_FENCE_MARKS = ("```", "~~~")
_LINES_ABOVE = 4
"""How far above a SEARCH line the name of its file may stand."""


@dataclass(frozen=True)
class Edit:
    """One edit as written. `original` is empty where the file is new or grows at its end."""

    path: str
    original: str
    patched: str


def read_edits(reply: str) -> tuple[Edit, ...]:
    """The edits in AutoCodeRover's notation, fenced or bare; one file may head several of them.

    Raises UnreadableReplyError where there is none, and where a part misses its counterpart.
    """
    answer = answer_of(reply)
    edits = tuple(_paired(list(tagged(answer, _TAGS))))
    if not edits:
        raise UnreadableReplyError(_why_no_edits(answer))
    return edits


def read_search_replace(reply: str) -> tuple[Edit, ...]:
    """The edits in Aider's notation. A block without a file's name is for the file of the last.

    Raises UnreadableReplyError where there is none, for a first one without a file's name, and
    for one that is cut off.
    """
    lines = answer_of(reply).split("\n")
    edits: list[Edit] = []
    starts = [number for number, line in enumerate(lines) if _SEARCH.fullmatch(line)]
    for start, following in pairwise([*starts, len(lines)]):
        path = _path_above(lines, start) or (edits[-1].path if edits else "")
        edits.append(_block(path, lines[start + 1 : following]))
    if not edits:
        raise UnreadableReplyError("the reply holds no SEARCH/REPLACE block")
    return tuple(edits)


def _paired(parts: Sequence[Tagged]) -> Iterator[Edit]:
    path, original = "", None
    for part in parts:
        if part.tag == "file":
            path = _path(part.text)
        elif part.tag == "original":
            original = _code(part)
        elif original is None:
            raise UnreadableReplyError("a <patched> part has no <original> part before it")
        elif not path:
            raise UnreadableReplyError("an edit names no file: <file> is missing or empty")
        else:
            yield Edit(path, original, _code(part))
            original = None
    if original is not None:
        raise UnreadableReplyError("an <original> part has no <patched> part after it")


def _path(text: str) -> str:
    return text.strip().strip("`'\"*: ").removeprefix("./")


def _code(part: Tagged) -> str:
    """The code of a part, without an inner fence and without empty lines around it.

    A part that is not closed ends where the fence around it does; without one, it is cut off.
    """
    text = part.text
    inner = fences(text)
    if len(inner) == 1 and text.strip().startswith(_FENCE_MARKS):
        return _without_empty_ends(inner[0].text)
    if not part.closed:
        lines = text.split("\n")
        end = next((n for n, line in enumerate(lines) if line.startswith(_FENCE_MARKS)), None)
        if end is None:
            raise UnreadableReplyError(f"the reply is cut off: a <{part.tag}> part has no end")
        text = "\n".join(lines[:end])
    return _without_empty_ends(text)


def _without_empty_ends(text: str) -> str:
    lines = text.split("\n")
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "\n".join(lines)


def _why_no_edits(answer: str) -> str:
    if not answer.strip():
        return "the reply is empty"
    if "<file>" in answer:
        return "the reply names a file, and no <original> with a <patched> after it"
    return "the reply holds no edit: no <file>, <original> and <patched>"


def _path_above(lines: Sequence[str], start: int) -> str:
    """The file's name in the lines above a block, past a fence; "" where there is none."""
    for line in reversed(lines[max(0, start - _LINES_ABOVE) : start]):
        if _REPLACE.fullmatch(line):
            return ""
        words = line.strip().lstrip("#").removeprefix("`" * 3).split()
        path = _path(words[-1]) if words else ""
        if "." in path or "/" in path:
            return path
    return ""


def _block(path: str, lines: Sequence[str]) -> Edit:
    divider = next((n for n, line in enumerate(lines) if _DIVIDER.fullmatch(line)), None)
    end = next((n for n, line in enumerate(lines) if _REPLACE.fullmatch(line)), None)
    if divider is None or end is None or end < divider:
        raise UnreadableReplyError("a SEARCH/REPLACE block has no ======= or no >>>>>>> REPLACE")
    if not path:
        raise UnreadableReplyError("a SEARCH/REPLACE block has no file's name above it")
    original = _without_empty_ends("\n".join(lines[:divider]))
    return Edit(path, original, _without_empty_ends("\n".join(lines[divider + 1 : end])))


@dataclass(frozen=True)
class EditedSource:
    """What edits make of a source. `refused` says of each that found no place why."""

    changes: Changes
    refused: tuple[str, ...] = ()


def apply_edits(edits: Sequence[Edit], source: Source, *, keep: Keep | None = None) -> EditedSource:
    """Apply edits one after the other; one that cannot be applied leaves the others alone.

    The original is looked for as written, then without regard to white space, then as a part of
    lines that stands in the file once; its replacement is indented as what it replaces. An empty
    original makes a new file, or adds to the end of one that stands. `keep` says which paths are
    wanted; edits of others are refused, and so are those after which a source cannot be read.
    """
    changes, refused, effort = Changes(), list[str](), WorkBudget()
    for number, edit in enumerate(edits, start=1):
        try:
            path = _wanted_path(edit.path, keep)
            content = changes.overlaid(source)(path)
            before = None if content is None else decode(content)
            after = _edited(edit, before, effort)
            _check_still_whole(path, before or "", after)
        except PatchError as error:
            refused.append(f"edit {number} of {edit.path[:200]}: {error}")
            continue
        changes = changes.merged(Changes({path: encode(after)}))
    return EditedSource(changes, tuple(refused))


def _wanted_path(written: str, keep: Keep | None) -> str:
    path = checked(written)
    if keep is not None and not keep(path):
        raise PatchError("it is not a test file, and only tests are wanted")
    return path


def _edited(edit: Edit, text: str | None, effort: WorkBudget) -> str:
    if not edit.original:
        return _grown(edit.patched, text or "")
    if text is None:
        raise PatchError("there is no such file; leave the original empty to make one")
    meant = replace(edit, original=unescape(edit.original), patched=unescape(edit.patched))
    for form in dict.fromkeys((edit, meant)):
        result = _put(form, text, effort)
        if result is not None:
            return result
    raise PatchError("the original is not in the file as it is written")


def _put(edit: Edit, text: str, effort: WorkBudget) -> str | None:
    """The text with the edit made, None where its original is not found."""
    lines, wanted = to_lines(text), to_lines(edit.original + "\n")
    for normal in (as_is, without_ending, without_space):
        effort.spend(COST_OF_READING * len(text) + COST_OF_INDEXING * len(lines))
        start = next(LineIndex(lines, normal, effort).nearest(wanted, 0), None)
        if start is not None:
            return _replaced(lines, start, wanted, edit)
    return text.replace(edit.original, edit.patched) if text.count(edit.original) == 1 else None


def _grown(added: str, text: str) -> str:
    """The text with code at its end, two empty lines apart."""
    if not added:
        raise PatchError("it is empty")
    return f"{text.rstrip()}\n\n\n{added}\n" if text.strip() else f"{added}\n"


def _replaced(lines: list[str], start: int, wanted: list[str], edit: Edit) -> str:
    """The file with the replacement, indented in the way that keeps it readable where one does."""
    old = lines[start : start + len(wanted)]
    ways = [_joined(lines, start, len(wanted), new) for new in _moved(edit, old, wanted)]
    fine = (text for text in ways if not _why_broken(edit.path, text))
    return next(fine, ways[0])


def _moved(edit: Edit, old: Sequence[str], wanted: Sequence[str]) -> Iterator[Sequence[str]]:
    """The new lines moved as the original was: all of them, or the first one alone.

    The first alone loses its white space where it is written right behind a tag.
    """
    new, indented = to_lines(edit.patched), language_of_file(edit.path).indented
    before, after = _shift(margin(wanted[0]), margin(old[0]))
    yield indented(new, before, after)
    yield [*indented(new[:1], before, after), *new[1:]]


def _shift(in_edit: str, in_file: str) -> tuple[str, str]:
    """Which margin is to be put in place of which, without what both have."""
    pairs = list(zip(in_edit, in_file, strict=False))
    common = next((n for n, (a, b) in enumerate(pairs) if a != b), len(pairs))
    return in_edit[common:], in_file[common:]


def _joined(lines: list[str], start: int, count: int, new: Sequence[str]) -> str:
    ending = ending_of(lines)
    closed = [bare(line) + ending for line in new]
    if closed and start + count == len(lines) and not lines[-1].endswith("\n"):
        closed[-1] = bare(closed[-1])
    return "".join([*lines[:start], *closed, *lines[start + count :]])


def _check_still_whole(path: str, before: str, after: str) -> None:
    if is_source(path) and not _why_broken(path, before):
        problem = _why_broken(path, after)
        if problem:
            raise PatchError(
                f"the file would be no {language_of_file(path).title} any more: {problem}"
            )


def _why_broken(path: str, text: str) -> str:
    return language_of_file(path).test_files.why_broken(text) if is_source(path) else ""
