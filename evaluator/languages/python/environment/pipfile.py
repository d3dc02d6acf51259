"""A Pipfile in the terms of the packaging standards (https://github.com/pypa/pipfile)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ELSEWHERE = frozenset({"git", "hg", "svn", "bzr", "path", "file", "editable"})


def describe(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Dependencies, and those for development as the group `dev`.

    What does not come from an index is left out, the project itself before all (`path = "."`).
    """
    development = _requirements(tables.get("dev-packages", {}))
    return {
        "dependencies": _requirements(tables.get("packages", {})),
        "extras": {"dev": development} if development else {},
    }


def _requirements(table: Mapping[str, Any]) -> list[str]:
    named = {name: _details(value) for name, value in table.items()}
    return [
        _requirement(name, details)
        for name, details in named.items()
        if not _ELSEWHERE & details.keys()
    ]


def _details(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {"version": value}


def _requirement(name: str, details: Mapping[str, Any]) -> str:
    extras = ",".join(details.get("extras", []))
    version = str(details.get("version", "*"))
    line = f"{name}[{extras}]" if extras else name
    line += "" if version == "*" else version
    return f"{line} ; {details['markers']}" if details.get("markers") else line
