"""Where workers leave the files beside results: a directory that commands see too, or a bucket."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import urlsplit

from evaluator.distributed.records import KEPT_SECONDS
from evaluator.errors import InputError, extra_needed

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_HIDDEN = shutil.ignore_patterns(".*")
_STORES: Final = ("s3", "gs", "az")
_MARK: Final = "fixgate"


class SharedFiles(Protocol):
    """Files of tasks. Raises InputError where the place cannot be read or written."""

    def check(self) -> None:
        """Raise InputError where nothing can be written."""

    def directory(self, task: str) -> Path:
        """Where a task leaves its files on this host."""

    def publish(self, task: str) -> None:
        """Let others see what a task has left by now."""

    def take(self, task: str, files: Path, target: Path) -> None:
        """Copy a file or directory of a task; nothing, where its writer was killed before."""

    def forget_old(self) -> None:
        """Remove from this host what no result in Redis belongs to any more."""


def shared_files(place: str, cache: Path) -> SharedFiles:
    """Those of a directory, or of a bucket by its URL, whose files begin in `cache`.

    Raises InputError where the URL is of no kind of bucket that is known.
    """
    scheme, separator, _ = place.partition("://")
    if not separator:
        return SharedDirectory(Path(place))
    if scheme not in _STORES or not urlsplit(place).netloc:
        known = ", ".join(f"{name}://BUCKET/..." for name in _STORES)
        raise InputError(f"--shared {place}: is neither a directory nor one of {known}")
    return Bucket(place, SharedDirectory(cache / "leaving"))


@dataclass(frozen=True)
class SharedDirectory:
    """A directory that workers and commands see alike, at whatever path."""

    path: Path

    def check(self) -> None:
        """See `SharedFiles`."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--shared {self.path}: {error.strerror}") from error

    def directory(self, task: str) -> Path:
        """See `SharedFiles`."""
        return self.path / task

    def publish(self, task: str) -> None:
        """Nothing: others see the directory itself."""

    def take(self, task: str, files: Path, target: Path) -> None:
        """See `SharedFiles`."""
        source = self.path / task / files
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            # Hidden are the beginnings of files whose writer was killed.
            shutil.copytree(source, target, ignore=_HIDDEN, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copyfile(source, target)

    def forget_old(self) -> None:
        """See `SharedFiles`."""
        self.check()
        for folder in self.path.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another worker may just do the same
                if folder.stat().st_mtime < time.time() - 2 * KEPT_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Bucket:
    """A bucket by its URL; credentials and address come from the environment (`AWS_...`).

    What is in it is not removed here: that is for a lifecycle rule of the bucket.
    """

    url: str
    local: SharedDirectory

    def check(self) -> None:
        """See `SharedFiles`. Leaves an empty object."""
        with self._named_errors() as store:
            store.put(_MARK, b"")

    def directory(self, task: str) -> Path:
        """See `SharedFiles`."""
        return self.local.directory(task)

    def publish(self, task: str) -> None:
        """Upload what is there; what was uploaded is removed here."""
        root = self.local.path
        with self._named_errors() as store:
            for path in _seen(self.local.directory(task)):
                store.put(path.relative_to(root).as_posix(), path)
                path.unlink()

    def take(self, task: str, files: Path, target: Path) -> None:
        """See `SharedFiles`."""
        source = PurePosixPath(task, *files.parts)
        with self._named_errors() as store:
            names = [meta["path"] for part in store.list(str(source)) for meta in part]
            for name in names:
                _download(store, name, target / PurePosixPath(name).relative_to(source))
            if not names:
                with contextlib.suppress(FileNotFoundError):  # what obstore raises
                    _download(store, str(source), target)

    def forget_old(self) -> None:
        """See `SharedFiles`: what killed tasks left on this host."""
        self.local.forget_old()

    @contextlib.contextmanager
    def _named_errors(self) -> Iterator[ObjectStore]:
        with extra_needed("buckets", f"--shared {self.url}"):
            from obstore.exceptions import BaseError
            from obstore.store import from_url
        try:
            yield from_url(self.url)
        except (BaseError, OSError, ValueError) as error:
            reason = " ".join(str(error).partition("Debug source")[0].split())
            raise InputError(f"--shared {self.url}: {reason}") from error


def _seen(folder: Path) -> Iterator[Path]:
    """Files below a folder, but for hidden ones: these are beginnings."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") for part in parts):
            yield path


def _download(store: ObjectStore, name: str, target: Path) -> None:
    content = store.get(name).bytes()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
