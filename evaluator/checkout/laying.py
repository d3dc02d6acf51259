"""Writes the entries of a git tree into a directory.

Not `git checkout-index` or `git archive`: both obey attributes, filters and settings, so that the
files on disk would differ from the bytes that patches are applied to.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from evaluator.checkout.listing import Entry, Kind
from evaluator.errors import CheckoutError


def lay_entries(
    entries: Mapping[str, Entry], directory: Path, moment: float, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Write all entries under `directory`, dated `moment` (Unix time in seconds).

    `environment` is that in which git finds the objects. Returns paths without content.
    """
    _make_directories(entries, directory)
    with_content = {path: e for path, e in entries.items() if e.kind is not Kind.SUBMODULE}
    absent = []
    links: list[tuple[str, bytes]] = []
    for path, content in _contents(with_content, environment):
        if content is None:
            absent.append(path)
        elif entries[path].kind is Kind.LINK:
            links.append((path, content))
        else:
            _write(directory / path, content, entries[path].kind is Kind.EXECUTABLE, moment)
    for path, target in links:  # last, so that no file is ever written through a link
        _link(directory / path, target, moment)
    _date_directories(directory, moment)
    return tuple(absent)


def _make_directories(entries: Mapping[str, Entry], directory: Path) -> None:
    directories = {os.path.dirname(path) for path in entries}  # noqa: PTH120 - many, so fast
    directories |= {path for path, entry in entries.items() if entry.kind is Kind.SUBMODULE}
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


def _contents(
    entries: Mapping[str, Entry], environment: Mapping[str, str]
) -> Iterator[tuple[str, bytes | None]]:
    """The content of each entry, in order, from one git process; None where it is absent."""
    with tempfile.TemporaryFile() as wanted:
        wanted.writelines(f"{entry.object_id}\n".encode() for entry in entries.values())
        wanted.seek(0)
        with subprocess.Popen(
            ["git", "cat-file", "--batch", "--buffer"],
            env=environment,
            stdin=wanted,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None
            for path in entries:
                yield path, _content(process.stdout, path)


def _content(stream: IO[bytes], path: str) -> bytes | None:
    """Read one answer of `git cat-file --batch`: a header line, the content, a line end."""
    header = stream.readline().split()
    if header[1:] == [b"missing"]:
        return None
    content = stream.read(int(header[2])) if len(header) == 3 else b""
    if stream.read(1) != b"\n":
        raise CheckoutError(f"git stopped at {path}; look at the repository with git fsck")
    return content
