"""Fixes that are to be judged, read from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import InputError
from evaluator.model import Instance
from evaluator.swtbench.formats import read_rows
from evaluator.swtbench.rows import Fields, Problems, fields_of


@dataclass(frozen=True)
class Fix:
    """A code patch that somebody proposes for an instance.

    `name` tells apart several fixes of one instance (the run that they come from). `resolved` says
    whether the golden tests pass with it, None where nobody knows.
    """

    instance_id: str
    name: str
    patch: str
    resolved: bool | None = None


@dataclass(frozen=True)
class LoadedFixes:
    """Fixes in the order of the file, and the ids that no instance has."""

    fixes: tuple[Fix, ...]
    unknown_ids: tuple[str, ...]


def load_fixes(path: Path, instances: Sequence[Instance]) -> LoadedFixes:
    """Read fixes from a .jsonl, .json or .parquet file.

    A row has `instance_id`, `model_patch`, and optionally `resolved` (true, false or null) and
    `run` or `name`, without which a fix is named by the file. Raises InputError naming line and
    field of all that is wrong, two fixes of one name for an instance included.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file; name a file with fixes")
    problems, places = Problems(str(path)), dict[tuple[str, str], str]()
    found: list[Fix] = []
    for row in read_rows(path, problems):
        fields = fields_of(row, problems)
        if fields is not None:
            found.append(_fix(fields, path.stem, places))
    problems.check()
    if not found:
        raise InputError(f"{path}: holds no fixes")
    known = frozenset(instance.instance_id for instance in instances)
    return LoadedFixes(
        tuple(fix for fix in found if fix.instance_id in known),
        tuple(dict.fromkeys(fix.instance_id for fix in found if fix.instance_id not in known)),
    )


def _fix(fields: Fields, stem: str, places: dict[tuple[str, str], str]) -> Fix:
    if not fields.has("model_patch"):
        fields.problem("model_patch", "is missing; a fix without changes has null or empty text")
    fix = Fix(
        instance_id=fields.required_text("instance_id"),
        name=_name(fields) or stem,
        patch=fields.text("model_patch"),
        resolved=_resolved(fields),
    )
    place = (fix.instance_id, fix.name)
    if place in places:
        message = f"a fix named {fix.name!r} stands already ({places[place]}); name its run"
        fields.problem("instance_id", message)
    places.setdefault(place, fields.where)
    return fix


def _name(fields: Fields) -> str:
    for field in ("run", "name"):
        value = fields.value(field)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if text := fields.text(field):
            return text
    return ""


def _resolved(fields: Fields) -> bool | None:
    value = fields.value("resolved")
    if value is None or isinstance(value, bool):
        return value
    fields.problem("resolved", "expected true, false or null")
    return None
