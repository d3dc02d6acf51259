"""Applies the file patches of a unified diff: new, changed, deleted, moved and binary files."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.diff.binary import blob_id
from evaluator.diff.hunks import ADDED, REMOVED, Hunk, Reading
from evaluator.diff.paths import HeaderNames, checked, found_in
from evaluator.diff.placing import PatchedFile, Placement, Placer, edited
from evaluator.diff.search import COST_OF_READING, WorkBudget
from evaluator.diff.text import bare, decode, encode, to_lines
from evaluator.diff.types import PatchProgress
from evaluator.diff.unified import FilePatch
from evaluator.errors import PatchError

_FULL_ID = 40


class FileApplier:
    """Applies file patches one after the other. A file is changed whole or not at all.

    Renames and copies read the tree as it was before the diff, so that files can swap names, as
    git does; everything else builds on the parts before it.
    """

    def __init__(
        self, results: PatchProgress, effort: WorkBudget, patches: Sequence[FilePatch]
    ) -> None:
        self._results = results
        self._effort = effort
        self._leaving = {patch.names.old for patch in patches if patch.move == "rename"}
        self._moved_to: set[str] = set()

    def apply(self, patch: FilePatch) -> None:
        """Apply one file patch and note how it fared."""
        named = patch.names.both[0] if patch.names.both else ""
        try:
            names, said = self._names(patch)
            path = names.both[0]
            named = path
            if not self._results.leaves_out(*names.both):
                self._perform(patch, names, said)
        except PatchError as error:
            self._results.refused(named, "file", str(error))

    def _names(self, patch: FilePatch) -> tuple[HeaderNames, tuple[str, ...]]:
        """The names of the files that the patch touches, decided by what is there."""
        if not patch.names.both:
            raise PatchError("it names no file")
        if patch.move:
            names, said = patch.names, ""
        else:
            names, said = found_in(patch.names, self._results.read)
        old, new = (None if name is None else checked(name) for name in (names.old, names.new))
        touched = self._touched(patch, HeaderNames(old, new))
        return touched, (said,) if said else ()

    def _touched(self, patch: FilePatch, names: HeaderNames) -> HeaderNames:
        old, new = names.old, names.new
        if patch.move == "rename":
            return names
        if patch.move == "copy" or patch.creates:
            return HeaderNames(None, new)
        if patch.deletes:
            return HeaderNames(old, None)
        there = [name for name in names.both if self._results.read(name) is not None]
        name = there[0] if there else new
        return HeaderNames(name, name)

    def _perform(self, patch: FilePatch, names: HeaderNames, said: tuple[str, ...]) -> None:
        path = names.both[0]
        if patch.problem or patch.special:
            raise PatchError(patch.problem or f"refused: it would become {patch.special}")
        if patch.differs and not patch.binary:
            reason = "its binary content is not in the diff; make it with `git diff --binary`"
            self._results.refused(path, "binary file", reason, fatal=False)
            return
        if patch.is_empty:
            raise PatchError("the diff says nothing that is to be done to it")
        if patch.deletes and not patch.move:
            self._delete(patch, path, said)
        elif patch.creates and not patch.move:
            self._create(patch, path, said)
        else:
            self._change(patch, names, said)

    def _delete(self, patch: FilePatch, path: str, said: tuple[str, ...]) -> None:
        old = self._results.read(path)
        if old is None:
            said = (*said, "the file is gone already")
        elif patch.hunks and not _empties(patch.hunks, old):
            said = (*said, "the deleted file holds something else than the diff says")
        self._results.contents[path] = None
        self._results.removed[path] = _numbered(old)
        self._results.applied(path, "deleted file", said)

    def _create(self, patch: FilePatch, path: str, said: tuple[str, ...]) -> None:
        new, relaxations = _new_content(patch)
        said += relaxations
        standing = self._results.read(path)
        if standing is not None:
            same = standing == new
            said += ("the new file is there already" + ("" if same else "; it is replaced"),)
        self._put(patch, path, new)
        if standing != new:
            self._results.added[path] = _numbered(new)
            self._results.removed[path] = _numbered(standing)
        self._results.applied(path, "new file", said)

    def _change(self, patch: FilePatch, names: HeaderNames, said: tuple[str, ...]) -> None:
        path = names.both[0]
        origin = checked(patch.names.old or path) if patch.move else path
        old = self._results.original(origin) if patch.move else self._results.read(origin)
        if old is None and all(_only_adds(hunk) for hunk in patch.hunks) and patch.hunks:
            self._create(patch, path, (*said, "the file is not there; it is created"))
            return
        if old is None:
            raise PatchError(f"there is no file {origin}")
        if patch.move and path not in self._leaving and self._results.read(path) is not None:
            said += ("a file of the new name is there already; it is replaced",)
        if patch.hunks:
            self._edit(patch, names, old, said)
        else:
            new = old if patch.binary is None else _binary_content(patch, old)
            self._finish(patch, names, new)
            self._results.applied(path, _kind(patch), said)

    def _edit(
        self, patch: FilePatch, names: HeaderNames, old: bytes, said: tuple[str, ...]
    ) -> None:
        path = names.both[0]
        self._effort.spend(len(old) * COST_OF_READING)
        lines = to_lines(decode(old))
        places, failures = _placed(patch.hunks, Placer(lines, self._effort))
        for number, hunk in enumerate(patch.hunks):
            what = f"hunk {number + 1} ({hunk.header[:80].strip()})"
            if failures:
                fits = "it fits, but another hunk of the file does not"
                self._results.refused(path, what, failures.get(number, fits))
            else:
                notes = said if number == 0 else ()
                self._results.applied(path, what, (*notes, *places[number].relaxations))
        if not failures:
            result = edited(lines, places)
            self._finish(patch, names, encode(result.text))
            self._number(names, result)

    def _number(self, names: HeaderNames, result: PatchedFile) -> None:
        before, after = names.old or names.both[0], names.both[0]
        self._results.removed[before] = {**self._results.removed.get(before, {}), **result.removed}
        self._results.added[after] = {**self._results.added.get(after, {}), **result.added}

    def _finish(self, patch: FilePatch, names: HeaderNames, new: bytes) -> None:
        path = names.both[0]
        if patch.move == "rename" and names.old and names.old != path:
            if names.old not in self._moved_to:
                self._results.contents[names.old] = None
            self._moved_to.add(path)
        self._put(patch, path, new)

    def _put(self, patch: FilePatch, path: str, content: bytes) -> None:
        self._results.contents[path] = content
        if patch.changes_mode or patch.new_mode.endswith("755"):
            self._results.set_mode(path, patch.new_mode)


def _kind(patch: FilePatch) -> str:
    if patch.move:
        return "renamed file" if patch.move == "rename" else "copied file"
    return "binary file" if patch.binary else "mode of the file"


def _placed(hunks: Sequence[Hunk], placer: Placer) -> tuple[list[Placement], dict[int, str]]:
    places: list[Placement] = []
    failures: dict[int, str] = {}
    for number, hunk in enumerate(hunks):
        try:
            places.append(placer.place(hunk))
        except PatchError as error:
            failures[number] = str(error)
    return places, failures


def _new_content(patch: FilePatch) -> tuple[bytes, tuple[str, ...]]:
    if patch.binary:
        return _binary_content(patch, None), ()
    readings = [_as_new(hunk) for hunk in patch.hunks]
    said = [note for reading in readings for note in reading.relaxations]
    lines = [line for reading in readings for line in reading.lines]
    if any(line.mark != ADDED for line in lines):
        said.append("a new file has no old lines: context taken as content, removed lines left off")
    if patch.carriage_returns:
        said.append("carriage returns of the patch left off")
    return encode("".join(line.text for line in lines if line.mark != REMOVED)), tuple(said)


def _as_new(hunk: Hunk) -> Reading:
    if not hunk.readings:
        return Reading(())
    return next((reading for reading in hunk.readings if not reading.old_count), hunk.readings[0])


def _only_adds(hunk: Hunk) -> bool:
    return bool(hunk.readings) and not hunk.readings[0].old_count


def _empties(hunks: Sequence[Hunk], content: bytes) -> bool:
    texts = [line.text for hunk in hunks for line in (hunk.readings or (Reading(()),))[0].lines]
    return [bare(text) for text in texts] == [bare(line) for line in to_lines(decode(content))]


def _binary_content(patch: FilePatch, old: bytes | None) -> bytes:
    if patch.binary is None:
        return b""
    new = patch.binary.content(old)
    if len(patch.new_blob) == _FULL_ID and blob_id(new) != patch.new_blob:
        raise PatchError("the binary patch does not give the content that its index line names")
    return new


def _numbered(content: bytes | None) -> dict[int, str]:
    if content is None or b"\0" in content:
        return {}
    return {number: bare(line) for number, line in enumerate(to_lines(decode(content)), start=1)}
