"""What is done about a package that cannot be built, and what was chosen in the end."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from packaging.utils import canonicalize_name

from evaluator.environment.tools import ToolError
from evaluator.languages.failures import headline
from evaluator.languages.python.environment.resolve import UNSOLVABLE
from evaluator.languages.python.environment.uv import Uv
from evaluator.storage.once import completed, make_once

BUILD_FAILED = "build backend returned an error"
"""What uv says where the build of a package from its sources ended with an error."""
CHOICE_FORMAT = 3
"""What is kept of a choice: a cache may hold what an older fixgate kept."""
_UNBUILT = re.compile(r"Failed to (?:download and )?build:? `?([\w.-]+?)(?:==[^`\s]*)?`?(?:\s|\Z)")
_ABSENT = re.compile(r"Because (?:only )?([\w.-]+) was not found in the package registry")
_UNUSABLE = re.compile(
    r"Because (?:all versions of )?([\w.-]+?)[<>=!~\d.,]* ha(?:s|ve) a non-PEP 625"
)
"""Of some releases an index has nothing but an archive that no installer of now takes."""
_CHAIN = re.compile(r"was included because (.+)")
_QUOTED = re.compile(r"`([\w.-]+)[^`]*`")
_COMPLAINTS = re.compile(r"\[std(?:err|out)\]\n(.*?)(?=\n\s*(?:\[stderr\]|hint:)|\Z)", re.DOTALL)
_COMPLAINT = re.compile(r"\w*error: ", re.IGNORECASE)
_EXHAUSTED = re.compile(
    r"MemoryError\b|Cannot allocate memory|virtual memory exhausted|Killed signal terminated"
    r"|No space left on device|Disk quota exceeded"
)
"""What Python, the C library and compilers say of a machine that has no more to give."""


class ProjectBuildError(ToolError):
    """The build of the project itself failed, not that of a package that it needs."""


def may_do_otherwise(error: ToolError) -> bool:
    """Whether to try in another way: what failed was no network, disk, memory or limit.

    What a busy machine lacked it may have the next time, and a choice is kept for good.
    """
    own = isinstance(error, ProjectBuildError)
    failed = own or BUILD_FAILED in error.log or UNSOLVABLE in error.log
    return failed and not _EXHAUSTED.search(error.log)


def unbuilt(error: ToolError) -> str:
    """The package that could not be built, or that no index has; "" where something else failed."""
    if not may_do_otherwise(error):
        return ""
    causes = [_UNBUILT] if BUILD_FAILED in error.log else [_ABSENT, _UNUSABLE]
    found = next(filter(None, (cause.search(error.log) for cause in causes)), None)
    return canonicalize_name(found[1]) if found else ""


def why_unbuilt(error: ToolError) -> str:
    """What the build of a package complains of first, else its last line."""
    texts = [found[1] for found in _COMPLAINTS.finditer(error.log)]
    lines = [line.strip() for line in (texts[-1] if texts else error.log).split("\n")]
    said = [line for line in lines if line]
    complaints = (line[found.start() :] for line in said if (found := _COMPLAINT.search(line)))
    return headline(next(complaints, said[-1] if said else "it says nothing"))


def required_through(error: ToolError) -> tuple[str, ...]:
    """The packages through which the one that could not be built is required, as far as told."""
    found = _CHAIN.search(error.log)
    return tuple(canonicalize_name(name) for name in _QUOTED.findall(found[1])) if found else ()


@dataclass(frozen=True)
class BuildChoice:
    """What was built in the end: for which interpreter, and without what.

    `unbuilt` are packages, and `members` the directories of projects below the root that need such
    a one, each with why. `uncompiled` says why there are no compiled modules of the project itself,
    "" where there are.
    """

    version: str
    unbuilt: tuple[str, ...] = ()
    members: Mapping[str, str] = field(default_factory=dict)
    uncompiled: str = ""

    @classmethod
    def kept(cls, uv: Uv, key: str) -> BuildChoice | None:
        """The choice that was made before; None where the first attempt succeeded or is to come."""
        try:
            place = completed(uv.cache / "choices", key)
        except FileNotFoundError:
            return None
        kept = json.loads((place / "choice.json").read_text(encoding="utf-8"))
        unbuilt = tuple(kept["unbuilt"])
        return cls(kept["version"], unbuilt, kept["members"], kept["uncompiled"])

    def keep(self, uv: Uv, key: str) -> None:
        """Have the same build not fail again."""

        def write(place: Path) -> None:
            place.mkdir()
            kept = json.dumps(dataclasses.asdict(self))
            (place / "choice.json").write_text(kept, encoding="utf-8")

        make_once(uv.cache / "choices", key, write)
