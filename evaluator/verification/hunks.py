"""The parts of a change that can be taken back: runs of changed lines, and whole files."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evaluator.diff import Changes, Source
from evaluator.languages import Language, source_language
from evaluator.languages.sources import Sources

_MOST_LINES = 20_000
_MOST_JOINED = 8
"""Hunks that are taken back together, as a source is not valid without fewer of them."""


@dataclass(frozen=True)
class RevertibleHunk:
    """Lines `first` to `last` of a changed file, and the file's content without that change.

    `last` is below `first` where lines are only removed; both are 0 where the whole file is taken
    back. `content` is None where the file was not there before.
    """

    path: str
    first: int
    last: int
    content: bytes | None


def hunks_of(fix: Changes, source: Source, mostly: Language) -> tuple[RevertibleHunk, ...]:
    """Each run of changed lines that changes what is executed, in the order of files and lines.

    New files and removed ones are taken back whole, and so are other files than sources that code
    may read. A hunk without which a source is not valid is taken back with those that follow it; a
    file where that does not help is taken back whole. `mostly` is the language of the project.
    """
    found: list[RevertibleHunk] = []
    for path, after in sorted(fix.contents.items()):
        before, language = source(path), source_language(path)
        if before == after:
            continue
        if language is not None:
            found += _of_source(path, before, after, language.sources)
        elif mostly.sources.is_data(path, source):
            found.append(RevertibleHunk(path, 0, 0, before))
    return tuple(found)


def without(hunks: Iterable[RevertibleHunk], fix: Changes) -> Mapping[str, bytes | None]:
    """The contents of the changed files of some hunks where all of these are taken back."""
    contents: dict[str, bytes | None] = {}
    for hunk in sorted(hunks, key=lambda hunk: -hunk.first):
        now = contents.get(hunk.path, fix.contents[hunk.path])
        contents[hunk.path] = _reverted(hunk, now or b"", fix.contents[hunk.path] or b"")
    return contents


def _reverted(hunk: RevertibleHunk, now: bytes, after: bytes) -> bytes | None:
    """`now` without a hunk below which nothing of `after` was changed."""
    if hunk.content is None or not hunk.first:
        return hunk.content
    lines, alone = now.splitlines(keepends=True), hunk.content.splitlines(keepends=True)
    rest = len(after.splitlines()) - hunk.last
    return b"".join(
        [*lines[: hunk.first - 1], *alone[hunk.first - 1 : len(alone) - rest], *lines[hunk.last :]]
    )


def _of_source(
    path: str, before: bytes | None, after: bytes | None, sources: Sources
) -> Iterator[RevertibleHunk]:
    now = None if after is None else sources.behaviour(after)
    if before is None or after is None or now is None or after.count(b"\n") > _MOST_LINES:
        yield RevertibleHunk(path, 0, 0, before)
        return
    found = [hunk for hunk, without in _valid(path, before, after, sources) if without != now]
    if not found and sources.behaviour(before) != now:
        found = [RevertibleHunk(path, 0, 0, before)]
    yield from found


def _valid(
    path: str, before: bytes, after: bytes, sources: Sources
) -> Iterator[tuple[RevertibleHunk, str]]:
    """Each hunk without which a source is valid, or the fewest together, and what that does.

    What is between hunks that are taken back together is taken back with them.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    rest = list(_changed(old, new))
    while rest:
        for count in range(1, min(_MOST_JOINED, len(rest)) + 1):
            hunk = _joined(path, old, new, rest[:count])
            if (without := sources.behaviour(hunk.content or b"")) is not None:
                yield hunk, without
                break
        else:
            count = 1
        rest = rest[count:]


def _joined(
    path: str, old: Sequence[bytes], new: Sequence[bytes], changed: Sequence[_Changed]
) -> RevertibleHunk:
    """What lies from the first to the last of some changed places, with the file without it."""
    first, last = changed[0], changed[-1]
    kept = old[first.old_start : last.old_end]
    content = b"".join([*new[: first.start], *kept, *new[last.end :]])
    return RevertibleHunk(path, first.start + 1, last.end, content)


class _Changed(NamedTuple):
    """From where to where old lines and new ones differ, counted from 0."""

    old_start: int
    old_end: int
    start: int
    end: int


def _changed(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[_Changed]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return (_Changed(*places) for tag, *places in matcher.get_opcodes() if tag != "equal")
