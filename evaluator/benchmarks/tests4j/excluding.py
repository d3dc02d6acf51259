"""What a dataset leaves out of a repository: files, and modules of Maven that lie there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evaluator.languages.java.environment.pom import read_pom

_MODULE = re.compile(r"<module>\s*([^<]*?)\s*</module>")


def excluded(
    files: Iterable[str], tree: Path, beginnings: Sequence[str]
) -> Mapping[str, bytes | None]:
    """The files whose paths begin in one of some ways, each None, and the poms that name them.

    `files` are those of a tree. The poms are without these modules.
    """
    if not beginnings:
        return {}
    left_out = tuple(beginnings)
    changes: dict[str, bytes | None] = {}
    for path in files:
        if path.startswith(left_out):
            changes[path] = None
        elif posixpath.basename(path) == "pom.xml":
            before = read_pom(tree / path)
            after = _without_modules(path, before, left_out)
            if after != before:
                changes[path] = after.encode("latin-1")
    return changes


def _without_modules(path: str, pom: str, left_out: tuple[str, ...]) -> str:
    def kept(module: re.Match[str]) -> str:
        directory = posixpath.normpath(posixpath.join(posixpath.dirname(path), module[1]))
        return "" if f"{directory}/".startswith(left_out) else module[0]

    return _MODULE.sub(kept, pom)
