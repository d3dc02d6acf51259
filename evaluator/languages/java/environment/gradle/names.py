"""What names in Gradle scripts stand for: values that are set once, maps, and version catalogs.

See https://docs.gradle.org/current/userguide/version_catalogs.html.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluator.languages.java.environment.gradle.scripts import ends_of

CATALOG = "gradle/libs.versions.toml"
PROPERTIES = "gradle.properties"
_MOST_ROUNDS = 3
"""Of values that name others."""
_VALUE = re.compile(
    r"^[ \t]*(?:def[ \t]+|val[ \t]+|(?:project\.)?ext\.)?([\w.]+)[ \t]*=[ \t]*"
    r"(['\"])([\w.:${}-]+)\2[ \t;]*$",
    re.MULTILINE,
)
_PROPERTY = re.compile(r"^[ \t]*([\w.]+)[ \t]*[=:][ \t]*([\w.:-]+)[ \t]*$", re.MULTILINE)
_MAP = re.compile(r"(?<![\w.])(?:project\.)?(?:ext\.)?(\w+)\s*\+?=\s*\[")
_ENTRY = re.compile(
    r"(?<![\w.'\"])['\"]?([\w.-]+)['\"]?\s*:\s*"
    r"(?:(['\"])([\w.:${}-]+)\2|\[\s*((?:['\"][\w.:${}-]+['\"][\s,]*)*)\])"
)
_JOINED = re.compile(r"(['\"])\s*\+\s*([A-Za-z][\w.]*)(?![\w.(])")
"""A text and a name: `'a:b:' + version`."""
_QUOTED = re.compile(r"['\"]([\w.:${}-]+)['\"]")
_NAME = re.compile(
    r"\$\{([\w.]+)\}|\$([A-Za-z]\w*(?:\.\w+)*)"
    r"|(?<![\w.$'\"/-])([A-Za-z_]\w*(?:\.\w+)+)\b(?!\s*\+?=|[\w.(])"
)

Values = tuple[str, ...]


def filled(text: str, tree: Path) -> str:
    """A text with what its names stand for: `$a` and `${b.c}` in texts, `b.c` for a text or more.

    What is set twice, or to what is not literal, stays as it is.
    """
    text = _JOINED.sub(r"${\2}\1", text)
    known = [*_catalog(tree), *_properties(tree)]
    for _ in range(_MOST_ROUNDS):
        values = _once([*known, *_values(text)])
        text = _NAME.sub(lambda name: _put(name, values), text)  # noqa: B023 - called at once
    return text


def _once(found: Iterable[tuple[str, Values]]) -> Mapping[str, Values]:
    """What is set to one thing only, which names nothing else."""
    every: dict[str, set[Values]] = {}
    for name, values in found:
        every.setdefault(name, set()).add(values)
    single = {name: values for name, (values, *others) in every.items() if not others}
    return {name: each for name, each in single.items() if not any("$" in text for text in each)}


def _put(match: re.Match[str], values: Mapping[str, Values]) -> str:
    braced, plain, bare = match.groups()
    if bare:
        return ", ".join(f"'{value}'" for value in values[bare]) if bare in values else match[0]
    name = plain or braced
    # `$version.jar` is a name with what follows it.
    for end in (len(name), *(place for place, sign in enumerate(name) if sign == "." and plain)):
        if len(found := values.get(name[:end], ())) == 1:
            return f"{found[0]}{name[end:]}"
    return match[0]


def _values(text: str) -> Iterator[tuple[str, Values]]:
    """What a text sets: `name = 'a'`, and `name.b` and `name.c` by `name = [b: 'a', c: ['a']]`."""
    yield from ((name, (value,)) for name, _, value in _VALUE.findall(text))
    ends = ends_of(text)
    last = 0
    for found in _MAP.finditer(text):
        start = found.end()
        if start >= last and start in ends:
            last = ends[start]
            yield from _entries(found[1], text[start:last])


def _entries(name: str, inside: str) -> Iterator[tuple[str, Values]]:
    for key, _, value, several in _ENTRY.findall(inside):
        yield f"{name}.{key}", (value,) if value else tuple(_QUOTED.findall(several))


def _properties(tree: Path) -> Iterator[tuple[str, Values]]:
    path = tree / PROPERTIES
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    yield from ((name, (value,)) for name, value in _PROPERTY.findall(text))


def _catalog(tree: Path) -> Iterator[tuple[str, Values]]:
    """`libs.a.b` for the library `a-b` of the catalog, `libs.bundles.c` for several of them."""
    try:
        found = tomllib.loads((tree / CATALOG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    versions, libraries, bundles = (_table(found, n) for n in ("versions", "libraries", "bundles"))
    known = {alias: _coordinates(library, versions) for alias, library in libraries.items()}
    for alias, coordinates in known.items():
        if coordinates:
            yield f"libs.{_accessor(alias)}", (coordinates,)
    for alias, names in bundles.items():
        members = [known.get(name, "") for name in names] if isinstance(names, list) else [""]
        if all(members):
            yield f"libs.bundles.{_accessor(alias)}", tuple(members)


def _table(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = found.get(name)
    return table if isinstance(table, dict) else {}


def _accessor(alias: str) -> str:
    return re.sub("[-_]", ".", alias)


def _coordinates(library: object, versions: Mapping[str, Any]) -> str:
    """`group:name:version` of an entry, without a version where none is said.

    "" where the rest is not said, or the version in a way of its own.
    """
    if isinstance(library, str):
        return library
    if not isinstance(library, dict):
        return ""
    grouped = f"{library.get('group', '')}:{library.get('name', '')}"
    stated = [_version(library["version"], versions)] if "version" in library else []
    parts = [*str(library.get("module", grouped)).split(":"), *stated]
    texts = [part for part in parts if isinstance(part, str) and part]
    return ":".join(texts) if len(texts) == len(parts) else ""


def _version(stated: object, versions: Mapping[str, Any]) -> object:
    if isinstance(stated, dict):
        named = stated.get("ref")
        return _version(versions.get(named), {}) if isinstance(named, str) else _required(stated)
    return stated


def _required(stated: Mapping[str, Any]) -> object:
    """Of a version with conditions, that which would be taken."""
    return stated.get("strictly") or stated.get("require") or stated.get("prefer")
