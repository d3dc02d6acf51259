"""Reads objects by id. Every one is hashed: it is what its id says, or it is refused."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import itertools
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from evaluator.checkout.git import git, git_process, reading
from evaluator.errors import CheckoutError

Algorithm = Literal["sha1", "sha256"]
"""How a repository names its objects."""

_AT_ONCE = 400
"""Ids that are asked for before answers are read: as many as surely fit into a pipe."""
_ID = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True, slots=True)
class Object:
    """An object whose content hashes to its id. `kind` is blob, tree, commit or tag."""

    id: str
    kind: str
    content: bytes


def object_id(kind: str, content: bytes, algorithm: Algorithm) -> str:
    """The id of an object, in hexadecimal, as git makes it."""
    total = hashlib.new(algorithm, usedforsecurity=False)
    total.update(b"%b %d\0" % (kind.encode(), len(content)))
    total.update(content)
    return total.hexdigest()


class Objects:
    """An open `git cat-file`, asked for one object after the other."""

    def __init__(self, process: subprocess.Popen[bytes], algorithm: Algorithm) -> None:
        self._process = process
        self._algorithm = algorithm

    def find(self, wanted: str) -> Object | None:
        """The object of an id or of the beginning of one; None where there is none, or several."""
        return next(self.find_all([wanted]))[1]

    def find_all(self, wanted: Iterable[str]) -> Iterator[tuple[str, Object | None]]:
        """Each id with its object, in order. Raises CheckoutError for one that is forged."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        waiting = iter(wanted)
        while some := list(itertools.islice(waiting, _AT_ONCE)):
            self._ask(some)
            for name in some:
                yield name, read_answer(self._process.stdout, name, self._algorithm)

    def _ask(self, names: Sequence[str]) -> None:
        assert self._process.stdin is not None
        if not all(map(_ID.fullmatch, names)):
            raise CheckoutError(f"{names[0]!r} is not the id of an object")
        with contextlib.suppress(BrokenPipeError):  # the answers, which are not there, show it
            self._process.stdin.write("".join(f"{name}\n" for name in names).encode())
            self._process.stdin.flush()


@dataclass(frozen=True)
class ObjectStore:
    """Where the objects of a repository lie, and the git directory of ours that they are read in.

    `reader` is a bare git directory without objects, references, hooks and settings, but for how
    objects are named, which is its name.
    """

    objects: Path
    reader: Path

    @property
    def algorithm(self) -> Algorithm:
        """How the objects are named."""
        return "sha256" if self.reader.name == "sha256" else "sha1"

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which git reads these objects."""
        return reading(self.reader, self.objects)

    def git(self, *arguments: str, given: bytes = b"") -> bytes:
        """What a git command prints that reads these objects. Raises CheckoutError."""
        return git(arguments, self.environment, given=given)

    @contextlib.contextmanager
    def open(self) -> Iterator[Objects]:
        """Read many objects with one process. Raises CheckoutError without git."""
        command = ["cat-file", "--batch"]
        with git_process(command, self.environment, subprocess.PIPE) as process:
            yield Objects(process, self.algorithm)


def read_answer(
    stream: IO[bytes], wanted: str, algorithm: Algorithm, path: str = ""
) -> Object | None:
    """Read one answer of `git cat-file --batch`: a header line, the content, a line end.

    None where the object is missing, damaged, or not the only one whose id begins like this.
    Raises CheckoutError, naming the path where there is one, if git stopped or the content is not
    what the id says.
    """
    named = f"{path} ({wanted})" if path else wanted
    header = stream.readline().split()
    if header[1:] in ([b"missing"], [b"ambiguous"]):
        return None
    content = stream.read(int(header[2])) if len(header) == 3 else b""
    if stream.read(1) != b"\n":
        raise CheckoutError(f"git stopped at {named}; look at the repository with git fsck")
    found, kind = header[0].decode(), header[1].decode()
    if not found.startswith(wanted) or object_id(kind, content, algorithm) != found:
        raise CheckoutError(
            f"the content of {named} is not what its id says: the repository is corrupt or forged"
        )
    return Object(found, kind, content)


_HEADER = re.compile(rb"tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)author ")
_COMMITTER = re.compile(rb"^committer .*> (\d{1,11}) [+-]\d{4}$", re.MULTILINE)


@dataclass(frozen=True)
class Commit:
    """A commit: the ids of its tree and parents, and its date in seconds of Unix time.

    The date is None where it cannot be read.
    """

    id: str
    tree: str
    parents: tuple[str, ...]
    moment: int | None

    @property
    def date(self) -> datetime.datetime:
        """When it was committed, in UTC. Raises CheckoutError where that cannot be read."""
        if self.moment is None:
            raise CheckoutError(f"commit {self.id} has no readable date")
        return datetime.datetime.fromtimestamp(self.moment, datetime.UTC)


def parse_commit(found: Object) -> Commit:
    """The commit that an object is. Raises CheckoutError for what is no commit."""
    if found.kind != "commit":
        raise CheckoutError(f"commit {found.id} is not in it: this is the id of a {found.kind}")
    header = _HEADER.match(found.content)
    if header is None:
        raise CheckoutError(f"commit {found.id} cannot be read")
    parents = tuple(header[2].decode().replace("parent ", "").split())
    date = _COMMITTER.search(found.content.partition(b"\n\n")[0])
    return Commit(found.id, header[1].decode(), parents, int(date[1]) if date else None)
