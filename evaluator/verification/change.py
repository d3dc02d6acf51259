"""A change between two commits of a repository, read object by object.

No text is read back here: what is judged is what the trees of both commits hold, to the byte.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.checkout import Mirror, local_name
from evaluator.checkout.listing import (
    Altered,
    EntryKind,
    TreeEntry,
    altered,
    differing_lines,
    tree_id,
)
from evaluator.checkout.objects import Algorithm, object_id
from evaluator.diff import ChangedLines, Changes, numbered
from evaluator.errors import CheckoutError
from evaluator.languages import is_test_file, languages, source_language
from evaluator.languages.safeguards import Concern


@dataclass(frozen=True)
class Change:
    """What `head` changes since it left `base`: its code and its tests, as contents.

    Of the tests are also new files elsewhere that they alone name and that no code is packed with.
    `beyond` are paths at which something is, or was, that is no file (symbolic links, submodules):
    neither part has them.
    `repo` names the repository as `owner/name`; both commits are full ids. `base` is the merge
    base of the two commits that were asked for. `lines` are those of the code.
    """

    repo: str
    base: str
    head: str
    code: Changes
    tests: Changes
    lines: ChangedLines
    beyond: tuple[Concern, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All that it changes, sorted."""
        beyond = (concern.path for concern in self.beyond)
        return tuple(sorted({*self.code.contents, *self.tests.contents, *beyond}))


def change_between(repository: Path, base: str, head: str, cache: Path) -> Change:
    """The change from the merge base of two revisions to `head`.

    What it makes of the base is exactly the tree of `head`, but for what is no file. Raises
    CheckoutError where the directory is no repository, a revision is unknown, or an object is
    absent or forged.
    """
    mirror = Mirror.open(repository, cache)
    head_commit = mirror.named(head)
    base_commit = mirror.merge_base(mirror.named(base), head_commit)
    before, after = mirror.listing(base_commit), mirror.listing(head_commit)
    everything = tuple(altered(before, after))
    parts = tuple(part for part in everything if _is_of_files(part))
    others = tuple(part for part in everything if not _is_of_files(part))
    new = mirror.contents({part.path: part.after for part in parts if part.after})
    for_tests = {part.path for part in parts if is_test_file(part.path)}
    for_tests |= _data_of_tests(parts, new, for_tests, before.keys() | after.keys())
    code = _changes([part for part in parts if part.path not in for_tests], new)
    tests = _changes([part for part in parts if part.path in for_tests], new)
    _check_whole(_as_in(after, others, before), code.merged(tests), after, mirror.store.algorithm)
    old = mirror.contents({part.path: part.before for part in parts if part.before})
    return Change(
        repo=local_name(repository),
        base=base_commit,
        head=head_commit,
        code=code,
        tests=tests,
        lines=_lines(old, new, code),
        beyond=tuple(_concern(part) for part in others),
    )


def _data_of_tests(
    parts: Iterable[Altered],
    new: Mapping[str, bytes],
    tests: Collection[str],
    listing: Collection[str],
) -> set[str]:
    """New data outside of tests that a changed test names, and no code: `samples/issue-12.pdf`.

    Without the change the tests get it, too: that it is not there shows nothing of the code.
    """
    sources = {path: text for path, text in new.items() if source_language(path)}
    found = (part.path for part in parts if part.before is None and part.path not in tests)
    loose = {path for path in found if _is_loose_data(path, listing)}
    naming = {path: [by for by, text in sources.items() if _name(path) in text] for path in loose}
    return {path for path, by in naming.items() if by and all(each in tests for each in by)}


def _is_loose_data(path: str, listing: Collection[str]) -> bool:
    """Whether a file lies in a directory, is no source, and is packed with no code."""

    def there(other: str) -> bytes | None:
        return b"" if other in listing else None

    if "/" not in path or source_language(path) is not None:
        return False
    return not any(language.sources.is_data(path, there) for language in languages())


def _name(path: str) -> bytes:
    return os.fsencode(PurePosixPath(path).name)


def commit_of(repository: Path, revision: str, cache: Path) -> str:
    """The full id of a revision. Raises CheckoutError where there is none of that name."""
    return Mirror.open(repository, cache).named(revision)


def _is_of_files(part: Altered) -> bool:
    return all(entry.is_file for entry in (part.before, part.after) if entry)


def _concern(part: Altered) -> Concern:
    kinds = {entry.kind for entry in (part.before, part.after) if entry}
    what = "a symbolic link" if EntryKind.LINK in kinds else "a submodule"
    return Concern(part.path, what)


def _as_in(
    other: Mapping[str, TreeEntry], parts: Iterable[Altered], listing: Mapping[str, TreeEntry]
) -> Mapping[str, TreeEntry]:
    """A listing with some parts as another one has them."""
    paths = {part.path for part in parts}
    kept = {path: entry for path, entry in listing.items() if path not in paths}
    return kept | {path: other[path] for path in paths if path in other}


def _changes(parts: Sequence[Altered], new: Mapping[str, bytes]) -> Changes:
    executable = {part.path for part in parts if _is_executable(part.after)}
    plain = {p.path for p in parts if _is_executable(p.before) and p.after} - executable
    contents = {part.path: new.get(part.path) for part in parts}
    return Changes(contents, frozenset(executable), frozenset(plain))


def _is_executable(entry: TreeEntry | None) -> bool:
    return entry is not None and entry.kind is EntryKind.EXECUTABLE


def _check_whole(
    base: Mapping[str, TreeEntry],
    changes: Changes,
    head: Mapping[str, TreeEntry],
    algorithm: Algorithm,
) -> None:
    """Raise CheckoutError unless the base with the changes is the head, by their trees' ids."""
    made = {path: entry for path, entry in base.items() if path not in changes.contents}
    for path, content in changes.contents.items():
        if content is not None:
            kind = EntryKind.EXECUTABLE if path in changes.executable else EntryKind.FILE
            made[path] = TreeEntry(kind, object_id("blob", content, algorithm))
    ids = tree_id(made, algorithm), tree_id(head, algorithm)
    if len(set(ids)) > 1:
        raise CheckoutError(f"the change makes the tree {ids[0]}, and not {ids[1]} of its head")


def _lines(old: Mapping[str, bytes], new: Mapping[str, bytes], code: Changes) -> ChangedLines:
    """The changed lines of the code; a file that moves is compared with what it was."""
    removed: dict[str, Mapping[int, str]] = {}
    added: dict[str, Mapping[int, str]] = {}
    for file in differing_lines(old, new):
        if file.old in code.contents and file.removed:
            texts = numbered(old[file.old])
            removed[file.old] = {number: texts[number] for number in file.removed}
        if file.new in code.contents and file.added:
            texts = numbered(new[file.new])
            added[file.new] = {number: texts[number] for number in file.added}
    return ChangedLines(removed, added)
