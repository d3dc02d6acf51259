"""A git directory that is only ever read."""

from __future__ import annotations

import datetime
import functools
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.checkout.export import contents, export_entries
from evaluator.checkout.listing import EntryKind, TreeEntry, read_tree
from evaluator.checkout.objects import Algorithm, Commit, ObjectStore
from evaluator.checkout.place import GitDirectory, find_place, read_small
from evaluator.checkout.revisions import Ancestry, find_commit, peeled
from evaluator.errors import CheckoutError, PatchError


@dataclass(frozen=True)
class Mirror:
    """A repository whose objects are read. Its configuration, hooks and attributes never count.

    Git runs in a bare directory of ours (see `ObjectStore`) that points to the mirror's objects,
    and every object is hashed. Methods that take a commit take an id of 7 to 64 hexadecimal
    digits, are safe to call from several threads, and raise CheckoutError when the commit is not
    there, or anything is not what its id says.
    """

    place: GitDirectory
    store: ObjectStore

    @staticmethod
    def open(place: Path, cache: Path) -> Mirror:
        """The repository at `place`: a git directory, or a work tree that holds one.

        Raises CheckoutError saying what `place` is instead.
        """
        found = find_place(place)
        return Mirror(found, ObjectStore(found.common / "objects", _reader(cache, found.algorithm)))

    @property
    def git_directory(self) -> Path:
        """The git directory that has the objects."""
        return self.place.common

    def commit(self, commit: str) -> Commit:
        """What a commit says that is given by an id or by the beginning of one."""
        if not re.fullmatch(r"[0-9a-f]{7,64}", commit):
            raise CheckoutError(f"{commit!r} is not a commit id (7 to 64 hexadecimal digits)")
        return _commit(self, commit)

    def resolve(self, commit: str) -> str:
        """The full id of a commit that is given by an id or by the beginning of one."""
        return self.commit(commit).id

    def named(self, revision: str) -> str:
        """The full id of the commit that a revision such as `main` or `HEAD~2` names."""
        with self.store.open() as objects:
            return find_commit(self.place, objects, revision).id

    def merge_base(self, ours: str, theirs: str) -> str:
        """The best common ancestor of two commits.

        A shallow clone's history ends where it says so; grafts and replacements do not count.
        """
        ends = frozenset(read_small(self.place.common / "shallow").split())
        with self.store.open() as objects:
            return Ancestry(objects, ends).merge_base(self.resolve(ours), self.resolve(theirs))

    def lacking(self, commits: Sequence[str]) -> tuple[str, ...]:
        """Those of some commits that are not there with their tree; looked up all at once."""
        wanted = "".join(f"{commit}^{{tree}}\n" for commit in commits).encode()
        answers = self.store.git("cat-file", "--batch-check", given=wanted).splitlines()
        return tuple(
            commit for commit, line in zip(commits, answers, strict=True) if b" tree " not in line
        )

    def date(self, commit: str) -> datetime.datetime:
        """When the commit was committed, in UTC."""
        return self.commit(commit).date

    def read(self, commit: str, path: str) -> bytes | None:
        """The bytes of the file at `path`, as committed; None where no file is there.

        Raises PatchError for a path that is a symbolic link or goes through one, so that nobody
        takes it for free, and CheckoutError when the repository lacks the file's content.
        """
        entries = self.listing(commit)
        _check_no_link(path, entries)
        entry = entries.get(path)
        if entry is None or not entry.is_file:
            return None
        return self.contents({path: entry})[path]

    def source(self, commit: str) -> Callable[[str], bytes | None]:
        """A reader of the files of one commit."""
        return functools.partial(self.read, self.resolve(commit))

    def contents(self, entries: Mapping[str, TreeEntry]) -> Mapping[str, bytes]:
        """The contents of files and links. Raises CheckoutError where the repository lacks one."""
        found = {}
        for path, content in contents(entries, self.store):
            if content is None:
                wanted = entries[path].object_id
                raise CheckoutError(f"the repository lacks the content of {path!r} ({wanted})")
            found[path] = content
        return found

    def listing(self, commit: str) -> Mapping[str, TreeEntry]:
        """Everything in the tree of a commit, by path: files, symbolic links, submodules."""
        return _listing(self, self.commit(commit).tree)

    def absent(self, commit: str) -> tuple[str, ...]:
        """The paths in the tree of a commit whose content the repository lacks."""
        entries = {
            p: e for p, e in self.listing(commit).items() if e.kind is not EntryKind.SUBMODULE
        }
        wanted = "".join(f"{entry.object_id}\n" for entry in entries.values()).encode()
        answers = self.store.git("cat-file", "--batch-check", given=wanted).splitlines()
        return tuple(
            path for path, line in zip(entries, answers, strict=True) if line.endswith(b" missing")
        )

    def lay(self, commit: str, directory: Path) -> tuple[str, ...]:
        """Write the tree of a commit into an empty directory, without `.git`.

        Files hold exactly the committed bytes (no line-end conversion, no filter, no attribute),
        submodules are empty directories, and every modification time is the commit's date.
        Returns the paths whose content is missing or damaged in the repository; they are left
        out. Raises CheckoutError where something cannot be written, or is not what its id says.
        """
        moment = self.date(commit).timestamp()
        try:
            return export_entries(self.listing(commit), directory, moment, self.store)
        except OSError as error:
            raise CheckoutError(f"commit {commit} cannot be laid down: {error}") from error


@functools.lru_cache(maxsize=256)
def _commit(mirror: Mirror, commit: str) -> Commit:
    with mirror.store.open() as objects:
        return peeled(objects, commit)


@functools.lru_cache(maxsize=16)
def _listing(mirror: Mirror, tree: str) -> Mapping[str, TreeEntry]:
    with mirror.store.open() as objects:
        return read_tree(objects, tree)


def _check_no_link(path: str, entries: Mapping[str, TreeEntry]) -> None:
    for part in (path, *map(str, PurePosixPath(path).parents)):
        if part in entries and entries[part].kind is EntryKind.LINK:
            raise PatchError(f"refused path {path!r}: {part!r} is a symbolic link in the tree")


def _reader(cache: Path, algorithm: Algorithm) -> Path:
    """A bare git directory with no objects, no configuration to speak of and no hooks."""
    place = cache / "git" / algorithm
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        _make_reader(place, algorithm)
    return place


def _make_reader(place: Path, algorithm: Algorithm) -> None:
    fresh = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}-"))
    for folder in ("objects", "refs"):
        (fresh / folder).mkdir()
    (fresh / "HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
    (fresh / "config").write_text(
        "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n"
        f"[extensions]\n\tobjectFormat = {algorithm}\n",
        encoding="utf-8",
    )
    try:
        fresh.rename(place)
    except OSError:  # another process was first
        shutil.rmtree(fresh)


_LONGEST = 20_000
_COMMIT = "\1"


def changed_together(mirror: Mirror, commit: str) -> Iterator[tuple[str, ...]]:
    """The paths that each commit changed, newest first, of a commit and its nearest ancestors.

    A merge shows what it brought to its first parent, so that the commits of a pull request count
    as one too. Only ancestors are walked: no reference, tag or reflog is read. Renames show as
    two paths. Raises CheckoutError when the commit is not there.
    """
    log = mirror.store.git(
        "log",
        "-z",
        "--name-only",
        "--no-renames",
        "--diff-merges=first-parent",
        f"--max-count={_LONGEST}",
        "--format=%x01",
        mirror.resolve(commit),
        "--",
    )
    for listed in os.fsdecode(log).split(_COMMIT):
        paths = tuple(path for path in (p.lstrip("\n") for p in listed.split("\0")) if path)
        if paths:
            yield paths
