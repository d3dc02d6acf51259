"""Files of data that tests name, and what stands in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator.languages.substitutions import LETTER, PARTS
from evaluator.model import Source

_MOST_BYTES = 2_000_000
_LONGEST_NAME = 400


@dataclass(frozen=True)
class NamedData:
    """Files of data at `paths` that tests may name, and a reader of them.

    What a test expects of such a file stands in it.
    """

    paths: Collection[str]
    read: Source

    def words(self, texts: Iterable[str]) -> frozenset[str]:
        """The words, numbers and lone letters, in small ones, of the files that some texts name.

        Those of the files' names are among them.
        A text names a file whose name it ends with, if that has a suffix or stands in a directory.
        Of more than two million bytes it is a part.
        """
        named = {PurePosixPath(text).name for text in texts if _may_name_a_file(text)}
        found: set[str] = set()
        left = _MOST_BYTES
        for path in self.paths:
            if left > 0 and PurePosixPath(path).name in named:
                content = (self.read(path) or b"")[:left].decode(errors="replace")
                left -= len(content)
                found.update(PARTS.findall(path) + PARTS.findall(content) + LETTER.findall(content))
        return frozenset(part.lower() for part in found)


NO_DATA = NamedData((), dict[str, bytes]().get)


def _may_name_a_file(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and ("/" in text or "." in text.strip("."))
