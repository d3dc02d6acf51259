"""Repositories to choose from, and lists of those that models were trained on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import InputError

_NAME = re.compile(
    r"(?:https?://github\.com/|git@github\.com:)?([\w.-]+/[\w.-]+?)(?:\.git)?/?", re.ASCII
)


@dataclass(frozen=True)
class ListedRepository:
    """A repository; at a commit where the list names one, else "": its last one counts."""

    repo: str
    commit: str = ""


def read_candidates(path: Path) -> tuple[ListedRepository, ...]:
    """The candidates in a file, each repository once.

    A line is `OWNER/NAME` or its address on GitHub; a JSON file is a list of these, or of objects
    with `repo` and optionally `commit`. Raises InputError naming the place of what is neither.
    """
    found = (_candidate(value, place) for place, value in _values(path))
    return tuple({each.repo: each for each in found}.values())


def read_leaked(paths: Iterable[Path]) -> frozenset[str]:
    """The repositories in lists of training data, in lower case. Raises InputError."""
    return frozenset(each.repo.lower() for path in paths for each in read_candidates(path))


def _values(path: Path) -> Sequence[tuple[str, object]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix != ".json":
            lines = enumerate(text.splitlines(), 1)
            return [(f"{path}, line {n}", line.strip()) for n, line in lines if line.strip()]
        rows = json.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    if not isinstance(rows, list):
        raise InputError(f"{path} is no JSON list of repositories")
    return [(f"{path}, row {number}", row) for number, row in enumerate(rows, 1)]


def _candidate(value: object, place: str) -> ListedRepository:
    row: Mapping[str, object] = value if isinstance(value, dict) else {"repo": value}
    match = _NAME.fullmatch(str(row.get("repo", "")))
    commit = str(row.get("commit") or "")
    if match is None or not re.fullmatch(r"|[0-9a-f]{7,40}", commit):
        raise InputError(
            f"{place}: {value!r} is no repository; write OWNER/NAME, "
            "or in JSON an object with `repo` and a `commit` of 7 to 40 hexadecimal digits"
        )
    return ListedRepository(match[1], commit)
