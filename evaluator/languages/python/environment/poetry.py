"""Poetry's own tables of pyproject.toml, in the terms of the packaging standards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evaluator.languages.python.environment.described import by_poetry


def describe(pyproject: Mapping[str, Any]) -> dict[str, Any]:
    """Name, version, dependencies, groups and entry points of `[tool.poetry]`."""
    table = pyproject.get("tool", {}).get("poetry", {})
    dependencies = table.get("dependencies", {})
    groups = {"dev": table.get("dev-dependencies", {})}
    groups |= {
        name: group.get("dependencies", {}) for name, group in table.get("group", {}).items()
    }
    points = {"console_scripts": table.get("scripts", {}), **table.get("plugins", {})}
    sources = [package.get("from", "") for package in table.get("packages", [])]
    return {
        "name": table.get("name", ""),
        "version": table.get("version", ""),
        "requires_python": _python(dependencies.get("python", "")),
        "dependencies": _requirements(dependencies, optional=False),
        "extras": _extras(table, dependencies)
        | {name: _requirements(group, optional=True) for name, group in groups.items() if group},
        "entry_points": {
            group: tuple(f"{name} = {target}" for name, target in lines.items())
            for group, lines in points.items()
            if lines and all(isinstance(target, str) for target in lines.values())
        },
        "source_root": sources[0] if sources else "",
        "fields": by_poetry(table),
    }


def specifier(constraint: str) -> str:
    """A Poetry version constraint as a PEP 440 specifier (`^1.2` is `>=1.2,<2`).

    Rules: https://python-poetry.org/docs/dependency-specification/. Alternatives (`||`) have no
    equivalent and are given up.
    """
    if "||" in constraint:
        return ""
    parts = (part.strip() for part in constraint.split(","))
    return ",".join(filter(None, (_part(part) for part in parts)))


def _part(part: str) -> str:
    if part in ("", "*"):
        return ""
    operator, version = re.fullmatch(r"([\^~<>=!]*)\s*(.*)", part).groups()  # type: ignore[union-attr]
    if operator == "^":
        return f">={version},<{_next(version, _first_nonzero(version))}"
    if operator == "~":
        return f">={version},<{_next(version, min(1, version.count('.')))}"
    return f"{operator or '=='}{version}"


def _first_nonzero(version: str) -> int:
    digits = version.split(".")
    significant = [place for place, digit in enumerate(digits) if digit.strip("0")]
    return significant[0] if significant else len(digits) - 1


def _next(version: str, place: int) -> str:
    numbers = [int(digits) for digits in re.findall(r"\d+", version)] or [0]
    place = min(place, len(numbers) - 1)
    return ".".join(str(number) for number in [*numbers[:place], numbers[place] + 1])


def _python(constraint: object) -> str:
    return specifier(constraint) if isinstance(constraint, str) else ""


def _requirements(table: Mapping[str, Any], *, optional: bool) -> list[str]:
    named = {name: value for name, value in table.items() if name.lower() != "python"}
    return [
        _requirement(name, value)
        for name, value in named.items()
        if optional or not (isinstance(value, dict) and value.get("optional"))
    ]


def _requirement(name: str, value: Any) -> str:
    """One dependency; a git or path dependency becomes its released package."""
    details = value if isinstance(value, dict) else {"version": value}
    extras = ",".join(details.get("extras", []))
    constraint = details.get("version", "*")
    line = f"{name}[{extras}]" if extras else name
    line += specifier(constraint) if isinstance(constraint, str) else ""
    return f"{line} ; {details['markers']}" if details.get("markers") else line


def _extras(table: Mapping[str, Any], dependencies: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        extra: [_requirement(name, dependencies[name]) for name in names if name in dependencies]
        for extra, names in table.get("extras", {}).items()
    }
