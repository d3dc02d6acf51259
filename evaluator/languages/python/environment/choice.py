"""What is done about a package that cannot be built, and what was chosen in the end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from evaluator.environment.tools import ToolError
from evaluator.languages.python.environment.resolve import UNSOLVABLE
from evaluator.languages.python.environment.uv import Uv
from evaluator.storage.once import completed, make_once

BUILD_FAILED = "build backend returned an error"
"""What uv says where the build of a package from its sources ended with an error."""
_UNBUILT = re.compile(r"Failed to (?:download and )?build:? `?([\w.-]+?)(?:==[^`\s]*)?`?(?:\s|\Z)")
_EXHAUSTED = re.compile(
    r"MemoryError\b|Cannot allocate memory|virtual memory exhausted|Killed signal terminated"
    r"|No space left on device|Disk quota exceeded"
)
"""What Python, the C library and compilers say of a machine that has no more to give."""


def may_do_otherwise(error: ToolError) -> bool:
    """Whether to try in another way: what failed was no network, disk, memory or limit.

    What a busy machine lacked it may have the next time, and a choice is kept for good.
    """
    failed = BUILD_FAILED in error.log or UNSOLVABLE in error.log
    return failed and not _EXHAUSTED.search(error.log)


def unbuilt(error: ToolError) -> str:
    """The package that could not be built, "" where that was not what failed."""
    found = _UNBUILT.search(error.log) if BUILD_FAILED in error.log else None
    return canonicalize_name(found[1]) if found else ""


@dataclass(frozen=True)
class BuildChoice:
    """What was built in the end: for which interpreter, and without which packages for tests."""

    version: str
    unbuilt: tuple[str, ...] = ()

    @classmethod
    def kept(cls, uv: Uv, key: str) -> BuildChoice | None:
        """The choice that was made before; None where the first attempt succeeded or is to come."""
        try:
            place = completed(uv.cache / "choices", key)
        except FileNotFoundError:
            return None
        version, *unbuilt = (place / "choice.txt").read_text(encoding="utf-8").split()
        return cls(version, tuple(unbuilt))

    def keep(self, uv: Uv, key: str) -> None:
        """Have the same build not fail again."""

        def write(place: Path) -> None:
            place.mkdir()
            text = " ".join((self.version, *self.unbuilt))
            (place / "choice.txt").write_text(text, encoding="utf-8")

        make_once(uv.cache / "choices", key, write)
