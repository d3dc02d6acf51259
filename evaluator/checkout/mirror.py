"""A git directory that is only ever read."""

from __future__ import annotations

import datetime
import functools
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.checkout.git import git, reading
from evaluator.checkout.laying import lay_entries
from evaluator.checkout.listing import Entry, Kind, parse_listing
from evaluator.errors import CheckoutError, PatchError

_FULL_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_COMMITTER = re.compile(rb"^committer .*> (\d+) [+-]\d{4}$", re.MULTILINE)


@dataclass(frozen=True)
class Mirror:
    """A repository whose objects are read. Its configuration, hooks and attributes never count.

    Git runs in a bare directory of ours (`reader`) that has nothing but a pointer to the
    mirror's objects. Every method takes a commit as an id of 7 to 64 hexadecimal digits, is safe
    to call from several threads, and raises CheckoutError when the commit is not there.
    """

    git_directory: Path
    objects: Path
    reader: Path

    @staticmethod
    def open(place: Path, cache: Path) -> Mirror:
        """The repository at `place`: a git directory, or a work tree that holds one.

        Raises CheckoutError saying what `place` is instead.
        """
        if not place.is_dir():
            raise CheckoutError("no such directory")
        candidate = place / ".git" if (place / ".git").exists() else place
        try:
            told = git(
                ["rev-parse", "--show-object-format", "--git-common-dir"],
                _without_objects(_behind_gitfile(candidate)),
            )
        except CheckoutError as error:
            raise CheckoutError(f"not a git repository ({error})") from error
        object_format, _, common = os.fsdecode(told).rstrip("\n").partition("\n")
        common_directory = Path(common).absolute()
        reader = _reader(cache, object_format)
        return Mirror(common_directory, common_directory / "objects", reader)

    def resolve(self, commit: str) -> str:
        """The full id of a commit that is given by an id or by the beginning of one."""
        if not re.fullmatch(r"[0-9a-f]{7,64}", commit):
            raise CheckoutError(f"{commit!r} is not a commit id (7 to 64 hexadecimal digits)")
        try:
            told = self._git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
        except CheckoutError as error:
            raise CheckoutError(f"commit {commit} is not in it") from error
        return told.decode().strip()

    def lacking(self, commits: Sequence[str]) -> tuple[str, ...]:
        """Those of some commits that are not there with their tree; looked up all at once."""
        wanted = "".join(f"{commit}^{{tree}}\n" for commit in commits).encode()
        environment = reading(self.reader, self.objects)
        told = git(["cat-file", "--batch-check"], environment, given=wanted).splitlines()
        return tuple(
            commit for commit, line in zip(commits, told, strict=True) if b" tree " not in line
        )

    def date(self, commit: str) -> datetime.datetime:
        """When the commit was committed, in UTC."""
        raw = self._git("cat-file", "commit", self.resolve(commit))
        match = _COMMITTER.search(raw.partition(b"\n\n")[0])
        if match is None:
            raise CheckoutError(f"commit {commit} in {self.git_directory} has no readable date")
        return datetime.datetime.fromtimestamp(int(match[1]), datetime.UTC)

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
        return self._git("cat-file", "blob", entry.object_id)

    def source(self, commit: str) -> Callable[[str], bytes | None]:
        """A reader of the files of one commit."""
        return functools.partial(self.read, self.resolve(commit))

    def listing(self, commit: str) -> Mapping[str, Entry]:
        """Everything in the tree of a commit, by path: files, symbolic links, submodules."""
        return _listing(self, self.resolve(commit))

    def lay(self, commit: str, directory: Path) -> tuple[str, ...]:
        """Write the tree of a commit into an empty directory, without `.git`.

        Files hold exactly the committed bytes (no line-end conversion, no filter, no attribute),
        submodules are empty directories, and every modification time is the commit's date.
        Returns the paths whose content is missing or damaged in the repository; they are left
        out. Raises CheckoutError where something cannot be written.
        """
        moment = self.date(commit).timestamp()
        environment = reading(self.reader, self.objects)
        try:
            return lay_entries(self.listing(commit), directory, moment, environment)
        except OSError as error:
            raise CheckoutError(f"commit {commit} cannot be laid down: {error}") from error

    def _git(self, *arguments: str) -> bytes:
        return git(arguments, reading(self.reader, self.objects))


@functools.lru_cache(maxsize=16)
def _listing(mirror: Mirror, commit: str) -> Mapping[str, Entry]:
    environment = reading(mirror.reader, mirror.objects)
    return parse_listing(git(["ls-tree", "-r", "-z", "--full-tree", commit], environment))


def _check_no_link(path: str, entries: Mapping[str, Entry]) -> None:
    for part in (path, *map(str, PurePosixPath(path).parents)):
        if part in entries and entries[part].kind is Kind.LINK:
            raise PatchError(f"refused path {path!r}: {part!r} is a symbolic link in the tree")


def _without_objects(git_directory: Path) -> dict[str, str]:
    environment = reading(git_directory)
    del environment["GIT_OBJECT_DIRECTORY"]
    return environment


def _behind_gitfile(candidate: Path) -> Path:
    """The git directory that a `.git` file (of a linked work tree or submodule) points to."""
    if candidate.is_dir():
        return candidate
    pointer = candidate.read_text(encoding="utf-8", errors="surrogateescape")
    return candidate.parent / pointer.removeprefix("gitdir:").strip()


def _reader(cache: Path, object_format: str) -> Path:
    """A bare git directory with no objects, no configuration to speak of and no hooks."""
    place = cache / "git" / object_format
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        _make_reader(place, object_format)
    return place


def _make_reader(place: Path, object_format: str) -> None:
    fresh = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}-"))
    for folder in ("objects", "refs"):
        (fresh / folder).mkdir()
    (fresh / "HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
    (fresh / "config").write_text(
        "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n"
        f"[extensions]\n\tobjectFormat = {object_format}\n",
        encoding="utf-8",
    )
    try:
        fresh.rename(place)
    except OSError:  # another process was first
        shutil.rmtree(fresh)
