"""The parts of a change that can be taken back: runs of changed lines, and whole files."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.diff import Changes, Source
from evaluator.languages import Language, source_language
from evaluator.languages.sources import Sources

_MOST_LINES = 20_000


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
    may read. Hunks without which a source is not valid are left out; a file that has no others is
    taken back whole. `mostly` is the language of the project.
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
    hunks = [(hunk, sources.behaviour(hunk.content or b"")) for hunk in _hunks(path, before, after)]
    found = [hunk for hunk, without in hunks if without not in (None, now)]
    if not found and any(without is None for _, without in hunks):
        found = [RevertibleHunk(path, 0, 0, before)]
    yield from found


def _hunks(path: str, before: bytes, after: bytes) -> Iterator[RevertibleHunk]:
    """Each hunk of a file that stands on both sides, with what is left of the file without it."""
    old_lines, new_lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for first, last, lines in _changed(old_lines, new_lines):
        content = b"".join([*new_lines[:first], *lines, *new_lines[last:]])
        yield RevertibleHunk(path, first + 1, last, content)


def _changed(
    before: Sequence[bytes], after: Sequence[bytes]
) -> Iterator[tuple[int, int, Sequence[bytes]]]:
    """From where to where the new lines differ, counted from 0, and the old lines there."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_end, start, end in matcher.get_opcodes():
        if tag != "equal":
            yield start, end, before[old_start:old_end]
