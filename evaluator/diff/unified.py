"""Reads unified diffs, as git and `diff -u` write them and as language models mean them.

What is not a diff (prose, markdown fences, mail headers) is passed over. The reading is one pass
over the lines and never fails; whether a patch fits a source is found out in `apply`.

Format: git-diff(1), "Generating patch text with -p"; GNU diffutils, "Detailed Description of
Unified Format".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.diff.binary import Binary, read_binary
from evaluator.diff.hunks import Hunk, is_hunk_header, read_hunk
from evaluator.diff.paths import HeaderNames, name_of, names_of_git_line, unquoted, without_prefixes

_COMBINED = ("diff --cc ", "diff --combined ")
_LINK, _SUBMODULE = "120000", "160000"


@dataclass(frozen=True)
class FilePatch:
    """What a diff says about one file.

    `names` are as written in the headers; for a rename or copy (`move`) they are what git says
    beside the headers, which carry no prefix. Modes and blob ids are "" where not given. `differs`
    marks a binary file whose content the diff leaves out. `text` is this part of the diff as
    written; `problem` says why it can be no more than named.
    """

    names: HeaderNames
    git: bool = False
    created: bool = False
    deleted: bool = False
    move: str = ""
    old_mode: str = ""
    new_mode: str = ""
    new_blob: str = ""
    hunks: tuple[Hunk, ...] = ()
    binary: Binary | None = None
    differs: bool = False
    problem: str = ""
    carriage_returns: bool = False
    text: str = ""

    @property
    def creates(self) -> bool:
        """Whether the file is new by what the headers say."""
        return self.created or self.names.old is None

    @property
    def deletes(self) -> bool:
        """Whether the file goes by what the headers say."""
        return self.deleted or self.names.new is None

    @property
    def changes_mode(self) -> bool:
        """Whether the mode of a file that stays is changed."""
        return bool(self.new_mode) and self.new_mode != self.old_mode

    @property
    def special(self) -> str:
        """What the new file would be if not a regular one."""
        kinds = {_LINK: "a symbolic link", _SUBMODULE: "a submodule"}
        return "" if self.deletes else kinds.get(self.new_mode or self.old_mode, "")

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing that could be done to a file."""
        visible = self.hunks or self.binary or self.move or self.created or self.deleted
        return not (visible or self.changes_mode)


def parse(text: str) -> tuple[FilePatch, ...]:
    """The file patches that a text holds, in order; none where it holds no unified diff."""
    return _Parser(text).parse()


def usual_names(patch: FilePatch) -> HeaderNames:
    """The names of a file patch without git's prefixes, from the patch alone."""
    return patch.names if patch.move else without_prefixes(patch.names)


class _Parser:
    """One pass over the lines. `_patch` is the file patch that is being read."""

    def __init__(self, text: str) -> None:
        self._written = text.split("\n")
        self._carriage_returns = _has_carriage_returns(self._written)
        self._lines = self._written
        if self._carriage_returns:
            self._lines = [line.removesuffix("\r") for line in self._written]
        self._at = self._began = self._end = 0
        self._patch: FilePatch | None = None
        self._hunks: list[Hunk] = []
        self._named = False
        self._patches: list[FilePatch] = []

    def parse(self) -> tuple[FilePatch, ...]:
        steps = (self._file_line, self._name_lines, self._hunk, self._extended, self._binary)
        while self._at < len(self._lines):
            before = self._at
            if any(step(self._lines[before]) for step in steps):
                self._end = self._at
            else:
                self._at += 1
        self._close()
        return tuple(self._patches)

    def _open(self, patch: FilePatch) -> FilePatch:
        self._close()
        self._patch = replace(patch, carriage_returns=self._carriage_returns)
        self._began, self._named = self._at, False
        return self._patch

    def _close(self) -> None:
        if self._patch:
            text = "\n".join(self._written[self._began : self._end]) + "\n"
            self._patches.append(replace(self._patch, hunks=tuple(self._hunks), text=text))
        self._hunks = []

    def _file_line(self, line: str) -> bool:
        if line.startswith("diff --git "):
            self._open(FilePatch(names_of_git_line(line.removeprefix("diff --git ")), git=True))
        elif line.startswith(_COMBINED):
            name = unquoted(line.split(" ", 2)[2])
            problem = "it is the combined diff of a merge; give a diff between two commits"
            self._open(FilePatch(HeaderNames(name, name), git=True, problem=problem))
        else:
            return False
        self._at += 1
        return True

    def _name_lines(self, line: str) -> bool:
        following = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        single = is_hunk_header(following) and line.startswith(("--- ", "+++ "))
        if not single and not (line.startswith("--- ") and following.startswith("+++ ")):
            return False
        old = name_of(line[4:])
        new = name_of(following[4:])
        if single:
            old = new = old and old.removeprefix("a/" if line.startswith("-") else "b/")
        patch = self._patch
        if patch is None or self._hunks or self._named or not _may_be_named(patch, {old, new}):
            patch = self._open(FilePatch(HeaderNames(old, new)))
        self._patch = patch if patch.move else replace(patch, names=HeaderNames(old, new))
        self._named = True
        self._at += 1 if single else 2
        return True

    def _hunk(self, line: str) -> bool:
        if self._patch is None or not is_hunk_header(line):
            return False
        hunk, self._at = read_hunk(self._lines, self._at, git=self._patch.git)
        self._hunks.append(hunk)
        return True

    def _extended(self, line: str) -> bool:
        """Read one of the header lines that git adds, such as `rename from`."""
        start = next((start for start in _EXTENDED if line.startswith(start)), None)
        if self._patch is None or self._hunks or start is None:
            return False
        self._patch = _EXTENDED[start](self._patch, line.removeprefix(start).strip())
        self._at += 1
        return True

    def _binary(self, line: str) -> bool:
        if line.startswith("Binary files ") and line.endswith(" differ"):
            self._differing(line)
        elif self._patch and line == "GIT binary patch":
            binary, self._at = read_binary(self._lines, self._at + 1)
            self._patch = replace(self._patch, binary=binary)
        else:
            return False
        return True

    def _differing(self, line: str) -> None:
        patch = self._patch
        if patch is None or not patch.git or self._hunks or patch.differs:
            old, _, new = line[len("Binary files ") : -len(" differ")].partition(" and ")
            patch = self._open(FilePatch(HeaderNames(name_of(old), name_of(new))))
        self._patch = replace(patch, differs=True)
        self._at += 1


def _may_be_named(patch: FilePatch, names: set[str | None]) -> bool:
    """Whether `---` and `+++` lines with these names belong to the `diff --git` line above them."""
    return patch.git and (patch.is_empty or bool(names & set(patch.names.both)) or bool(patch.move))


def _has_carriage_returns(lines: Sequence[str]) -> bool:
    """Whether the patch itself was put into CRLF: its headers end so, and not only its content."""
    headers = [line for line in lines if line.startswith(("diff --git ", "+++ "))]
    return bool(headers) and all(line.endswith("\r") for line in headers)


def _old_mode(patch: FilePatch, mode: str) -> FilePatch:
    return replace(patch, old_mode=mode)


def _new_mode(patch: FilePatch, mode: str) -> FilePatch:
    return replace(patch, new_mode=mode)


def _created(patch: FilePatch, mode: str) -> FilePatch:
    return replace(patch, created=True, new_mode=mode)


def _deleted(patch: FilePatch, mode: str) -> FilePatch:
    return replace(patch, deleted=True, old_mode=mode)


def _from(patch: FilePatch, name: str) -> FilePatch:
    return replace(patch, names=HeaderNames(unquoted(name), patch.names.new))


def _rename_to(patch: FilePatch, name: str) -> FilePatch:
    return replace(patch, names=HeaderNames(patch.names.old, unquoted(name)), move="rename")


def _copy_to(patch: FilePatch, name: str) -> FilePatch:
    return replace(patch, names=HeaderNames(patch.names.old, unquoted(name)), move="copy")


def _index(patch: FilePatch, rest: str) -> FilePatch:
    blobs, _, mode = rest.partition(" ")
    new_blob = blobs.partition("..")[2]
    modes = (mode, mode) if mode and not patch.new_mode else (patch.old_mode, patch.new_mode)
    return replace(patch, new_blob=new_blob, old_mode=modes[0], new_mode=modes[1])


def _nothing(patch: FilePatch, rest: str) -> FilePatch:
    del rest
    return patch


_EXTENDED: Mapping[str, Callable[[FilePatch, str], FilePatch]] = {
    "old mode ": _old_mode,
    "new mode ": _new_mode,
    "new file mode ": _created,
    "deleted file mode ": _deleted,
    "rename from ": _from,
    "rename to ": _rename_to,
    "copy from ": _from,
    "copy to ": _copy_to,
    "similarity index ": _nothing,
    "dissimilarity index ": _nothing,
    "index ": _index,
}
