"""Writes the entries of a git tree into a directory.

Not `git checkout-index` or `git archive`: both obey attributes, filters and settings, so that the
files on disk would differ from the bytes that patches are applied to.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from evaluator.checkout.git import git_process
from evaluator.checkout.listing import EntryKind, TreeEntry
from evaluator.checkout.objects import ObjectStore, read_answer
from evaluator.errors import CheckoutError

MOST_BYTES = 32 << 30
"""Most bytes of a tree's files together: one object can be the content of any number of them."""


def export_entries(
    entries: Mapping[str, TreeEntry], directory: Path, moment: float, store: ObjectStore
) -> tuple[str, ...]:
    """Write all entries under `directory`, dated `moment` (Unix time in seconds).

    Every content is hashed on its way. Returns the paths whose content is absent in the store.
    Raises CheckoutError for a content that is not what its id says, and OSError.
    """
    _make_directories(entries, directory)
    absent = []
    links: list[tuple[str, bytes]] = []
    for path, content in contents(entries, store):
        if content is None:
            absent.append(path)
        elif entries[path].kind is EntryKind.LINK:
            links.append((path, content))
        else:
            _write(directory / path, content, entries[path].kind is EntryKind.EXECUTABLE, moment)
    for path, target in links:  # last, so that no file is ever written through a link
        _link(directory / path, target, moment)
    _date_directories(directory, moment)
    return tuple(absent)


def contents(
    entries: Mapping[str, TreeEntry], store: ObjectStore
) -> Iterator[tuple[str, bytes | None]]:
    """The content of each file and link, in order, from one git process; None where it is absent.

    Raises CheckoutError, naming the path, for a content that is not what its id says.
    """
    paths = [path for path, entry in entries.items() if entry.kind is not EntryKind.SUBMODULE]
    total = 0
    with tempfile.TemporaryFile() as wanted:
        wanted.writelines(f"{entries[path].object_id}\n".encode() for path in paths)
        wanted.seek(0)
        command = ["cat-file", "--batch", "--buffer"]
        with git_process(command, store.environment, wanted) as process:
            assert process.stdout is not None
            for path in paths:
                wanted_id = entries[path].object_id
                found = read_answer(process.stdout, wanted_id, store.algorithm, path)
                total += len(found.content) if found else 0
                if total > MOST_BYTES:
                    raise CheckoutError(f"the files of the tree have more than {MOST_BYTES} bytes")
                yield path, found.content if found else None


def _make_directories(entries: Mapping[str, TreeEntry], directory: Path) -> None:
    directories = {os.path.dirname(path) for path in entries}  # noqa: PTH120 - many, so fast
    directories |= {path for path, entry in entries.items() if entry.kind is EntryKind.SUBMODULE}
    for name in sorted(directories):
        (directory / name).mkdir(parents=True, exist_ok=True)


def _write(path: Path, content: bytes, executable: bool, moment: float) -> None:
    mode = 0o755 if executable else 0o644
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(descriptor, "wb") as stream:
        os.fchmod(descriptor, mode)  # whatever the umask says
        stream.write(content)
        stream.flush()
        os.utime(descriptor, (moment, moment))


def _link(path: Path, target: bytes, moment: float) -> None:
    path.symlink_to(os.fsdecode(target))
    os.utime(path, (moment, moment), follow_symlinks=False)


def _date_directories(directory: Path, moment: float) -> None:
    for parent, _, _ in os.walk(directory, topdown=False):
        os.utime(parent, (moment, moment))
