"""Texts of Gradle scripts: their blocks, and the statements of these."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

FILES = ("build.gradle", "build.gradle.kts")
SETTINGS = ("settings.gradle", "settings.gradle.kts")
_TEXT_OR_COMMENT = re.compile(
    r"(\"(?:\\.|[^\"\\\n])*(?:\"|$)|'(?:\\.|[^'\\\n])*(?:'|$))|/\*.*?(?:\*/|\Z)|//[^\n]*",
    re.DOTALL | re.MULTILINE,
)
"""Of both, as `/*` stands in the texts of many patterns; what is not closed ends with its line."""
_APPLIED = re.compile(
    r"apply[\s(]+from\s*[:=]\s*(?:file\s*\(\s*)?['\"]"
    r"(\$\{?(?:rootDir|rootProject\.projectDir)\}?/)?([\w./-]+\.gradle(?:\.kts)?)['\"]"
)
_CLOSING = {"}": "{", "]": "["}


def has_scripts(tree: Path) -> bool:
    """Whether Gradle may build a tree, from its root."""
    return any((tree / name).is_file() for name in (*FILES, *SETTINGS))


def script_of(tree: Path, directory: str) -> str:
    """The script of a project and those of the tree that it applies, "" where there is none."""
    for name in FILES:
        if (tree / directory / name).is_file():
            text = read(tree / directory / name)
            applied = [
                (tree if root else tree / directory) / each for root, each in _APPLIED.findall(text)
            ]
            own = [each for each in applied if each.resolve().is_relative_to(tree.resolve())]
            return "\n".join([text, *(read(each) for each in own if each.is_file())])
    return ""


def conventions_of(tree: Path) -> str:
    """The scripts that projects may apply by a name, which stand in `buildSrc`.

    See https://docs.gradle.org/current/userguide/implementing_gradle_plugins_precompiled.html.
    """
    found = (tree / "buildSrc" / "src" / "main").glob("*/**/*.gradle*")
    return "\n".join(read(each) for each in sorted(found) if each.is_file())


def read(script: Path) -> str:
    """A script without comments."""
    text = script.read_text(encoding="utf-8", errors="replace")
    return _TEXT_OR_COMMENT.sub(lambda found: found[1] or "", text)


def ends_of(text: str) -> Mapping[int, int]:
    """For the place behind each opening brace and bracket that of what closes it."""
    found: dict[int, int] = {}
    begun: dict[str, list[int]] = {each: [] for each in _CLOSING.values()}
    for place, sign in enumerate(text):
        if sign in begun:
            begun[sign].append(place + 1)
        elif sign in _CLOSING and begun[_CLOSING[sign]]:
            found[begun[_CLOSING[sign]].pop()] = place
    return found


def blocks(text: str, name: str) -> list[str]:
    """What stands between the braces of each block of a name; an open one ends with the text.

    A block within one of the same name is part of it.
    """
    return [text[start:end] for _, start, end in _spans(text, [name])]


def without(text: str, names: Collection[str]) -> str:
    """A text without the blocks of these names."""
    kept, last = [], 0
    for start, _, end in _spans(text, names):
        kept.append(text[last:start])
        last = end + 1
    return "".join([*kept, text[last:]])


def _spans(text: str, names: Collection[str]) -> Iterator[tuple[int, int, int]]:
    """Where each block begins, its inside, and the end of that."""
    ends, last = ends_of(text), 0
    for match in re.finditer(rf"(?<![\w.])(?:{'|'.join(names)})\s*\{{", text):
        if match.start() >= last:
            last = ends.get(match.end(), len(text))
            yield match.start(), match.end(), last


def statements(block: str) -> Iterator[str]:
    """The statements of a block: a line that ends by a comma goes on, and what opens is closed."""
    begun: list[str] = []
    depth = 0
    for line in filter(None, map(str.strip, block.splitlines())):
        begun.append(line)
        depth += sum(map(line.count, "{(")) - sum(map(line.count, "})"))
        if not line.endswith(",") and depth <= 0:
            yield "\n".join(begun)
            begun, depth = [], 0
    if begun:
        yield "\n".join(begun)
