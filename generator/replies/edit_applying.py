"""Puts edits into the files that they name, as they were meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape

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
from generator.replies.edits import Edit


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
    wanted; edits of others are refused, and so are those that leave a Python file that is none.
    """
    changes, refused, effort = Changes(), list[str](), WorkBudget()
    for number, edit in enumerate(edits, start=1):
        try:
            path = _path(edit.path, keep)
            content = changes.overlaid(source)(path)
            before = None if content is None else decode(content)
            after = _edited(edit, before, effort)
            _check_still_whole(path, before or "", after)
        except PatchError as error:
            refused.append(f"edit {number} of {edit.path[:200]}: {error}")
            continue
        changes = changes.merged(Changes({path: encode(after)}))
    return EditedSource(changes, tuple(refused))


def _path(written: str, keep: Keep | None) -> str:
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
    """The file with the replacement, indented in the way that keeps it Python where one does."""
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
