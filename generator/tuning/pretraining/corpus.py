"""Source files of directories and git repositories, as training data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator import CheckoutError, InputError
from evaluator.checkout.mirror import Mirror
from generator.tuning.pretraining.heads import BODIES

_LARGEST = 200_000
"""Bytes of a file above which it is taken for generated, and left out."""
_TOGETHER = 500
"""Files of a repository that are in memory together."""
_READ_AS = "without licences and imports"
"""Changes with the way of reading, so that tokens are made anew."""


@dataclass(frozen=True)
class Corpus:
    """Places of source files: directories, or git repositories as `PATH@REVISION`.

    `suffix` is how the names of files end. Of Java files neither licences nor imports are
    read: a small model writes them wherever a file may begin. A text that stands in several files
    is read once.
    """

    places: tuple[str, ...]
    cache: Path
    suffix: str = ".java"

    def texts(self) -> Iterator[str]:
        """Each text once, in an order that depends on the places alone.

        Raises InputError for a place that is neither a directory nor a repository.
        """
        seen = set[bytes]()
        for place in self.places:
            for text in self._texts(place):
                digest = hashlib.sha256(text.encode()).digest()
                if digest not in seen:
                    seen.add(digest)
                    yield text

    def key(self) -> object:
        """What its texts depend on: commits, and the names, sizes and times of files."""
        return [_READ_AS, self.suffix, *(self._key(place) for place in self.places)]

    def _key(self, place: str) -> object:
        path, _, revision = place.rpartition("@")
        if path:
            return self._opened(Path(path), revision)[1]
        stats = ((str(file), file.stat()) for file in self._files(place))
        return [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]

    def _texts(self, place: str) -> Iterator[str]:
        path, _, revision = place.rpartition("@")
        contents = self._of_repository(Path(path), revision) if path else self._of(place)
        for content in contents:
            if len(content) <= _LARGEST and (text := self._text(content)):
                yield text

    def _text(self, content: bytes) -> str:
        text = content.decode("utf-8", "ignore").replace("\r\n", "\n")
        return body(text) if (body := BODIES.get(self.suffix)) else text

    def _of(self, directory: str) -> Iterator[bytes]:
        return (file.read_bytes() for file in self._files(directory))

    def _files(self, directory: str) -> Sequence[Path]:
        root = Path(directory)
        if not root.is_dir():
            raise InputError(f"{directory} is no directory; write PATH@REVISION for a repository")
        return [path for path in sorted(root.rglob(f"*{self.suffix}")) if path.is_file()]

    def _opened(self, repository: Path, revision: str) -> tuple[Mirror, str]:
        try:
            mirror = Mirror.open(repository, self.cache)
            return mirror, mirror.named(revision)
        except CheckoutError as error:
            raise InputError(f"{repository}@{revision} cannot be read: {error}") from error

    def _of_repository(self, repository: Path, revision: str) -> Iterator[bytes]:
        mirror, commit = self._opened(repository, revision)
        absent = set(mirror.absent(commit))
        entries = [
            (path, entry)
            for path, entry in mirror.listing(commit).items()
            if path.endswith(self.suffix) and entry.is_file and path not in absent
        ]
        for start in range(0, len(entries), _TOGETHER):
            yield from mirror.contents(dict(entries[start : start + _TOGETHER])).values()
