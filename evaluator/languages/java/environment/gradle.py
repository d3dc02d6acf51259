"""What a plain Gradle script says literally (Gradle itself is not run).

See https://docs.gradle.org/current/userguide/declaring_dependencies.html. A script is a program;
read are the notations that need no running: coordinates, jars of the tree, and directories. Where
anything else stands in their place, the script is not read at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

FILES = ("build.gradle", "build.gradle.kts")
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:'\"])//[^\n]*", re.DOTALL)
_APPLIED = re.compile(r"apply\s*\(?\s*from\s*[:=]\s*['\"]([\w./-]+\.gradle(?:\.kts)?)['\"]")
_VALUE = re.compile(
    r"^\s*(?:def |val |ext\.)?\s*([\w.]+)\s*=\s*(['\"])([\w.:${}-]+)\2\s*;?\s*$", re.MULTILINE
)
_LEVEL = re.compile(
    r"\bsourceCompatibility\s*=?\s*(?:JavaVersion\.VERSION_)?['\"]?(?:1[._])?(\d+)\b"
)
_STATEMENT = re.compile(r"^(\w+)[\s(]+(.*)$", re.DOTALL)
_COORDINATES = re.compile(r"['\"]([\w.-]+:[\w.-]+:[\w.-]+)['\"]")
_PARTS = re.compile(
    r"group\s*[:=]\s*['\"]([\w.-]+)['\"],\s*name\s*[:=]\s*['\"]([\w.-]+)['\"],"
    r"\s*version\s*[:=]\s*['\"]([\w.-]+)['\"]"
)
_TREE = re.compile(r"fileTree\s*\(?\s*(?:dir\s*[:=]\s*)?['\"]([\w./-]+)['\"]")
_FILE = re.compile(r"['\"]([\w./-]+\.jar)['\"]")
_ELSEWHERE = re.compile(r"configurations\.\w+|sourceSets\.\w+\.output|gradleApi\(\)")
"""What is on the class path anyway, since there is one for all."""
_DIRECTORY = re.compile(r"['\"]([\w./-]+)['\"]")
_USUAL = ("java", "resources")
_MOST_ROUNDS = 3
"""Of values that name others."""
_CONFIGURATION = re.compile(
    r"(?:test)?_?(?:api|compile|compileonly|implementation|runtime|runtimeonly)", re.IGNORECASE
)
"""What Gradle gives to the compiler or to tests; projects have others of their own."""


def read_script(tree: Path) -> Mapping[str, tuple[str, ...]]:
    """The fields of a recipe: `sources`, `tests`, `dependencies`, and `arguments` for the level.

    Empty where there is no script, or where it does not say all of them literally.
    """
    text = _filled("\n".join(_scripts(tree)))
    statements = [line for block in _blocks(text, "dependencies") for line in _statements(block)]
    found = [tuple(_dependencies(statement)) for statement in statements]
    fields = {
        "sources": tuple(_directories(text, tree, "main")),
        "tests": tuple(_directories(text, tree, "test")),
        "dependencies": tuple(dict.fromkeys(name for names in found for name in names)),
    }
    if not all(fields.values()) or "" in fields["dependencies"]:
        return {}
    level = _LEVEL.search(text)
    return fields | ({"arguments": ("--release", level[1])} if level else {})


def _scripts(tree: Path) -> Iterator[str]:
    """The script of the root and those of the tree that it applies, without what builds them."""
    for name in FILES:
        if (tree / name).is_file():
            text = _read(tree / name)
            yield text
            for applied in _APPLIED.findall(text):
                if (tree / applied).is_file():
                    yield _read(tree / applied)
            return


def _read(script: Path) -> str:
    text = _COMMENT.sub("", script.read_text(encoding="utf-8", errors="replace"))
    for block in ("buildscript", "subprojects", "publishing"):
        for inside in _blocks(text, block):
            text = text.replace(inside, "")
    return text


def _blocks(text: str, name: str) -> list[str]:
    """What stands between the braces of each block of a name."""
    found = []
    for match in re.finditer(rf"(?<![\w.]){name}\s*\{{", text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.append(text[match.end() : end - 1])
    return found


def _filled(text: str) -> str:
    """With the values of names that are set once, to a literal: `$a`, `${b.c}`, and `b.c`."""
    for _ in range(_MOST_ROUNDS):
        values: dict[str, set[str]] = {}
        for name, _, value in _VALUE.findall(text):
            values.setdefault(name, set()).add(value)
        for name, (value, *others) in values.items():
            if not others and "$" not in value:
                text = re.sub(rf"\$(?:\{{{name}\}}|{name}\b)", value, text)
                if "." in name:
                    text = re.sub(rf"(?<![\w.]){name}\b(?!\s*=|\.)", f"'{value}'", text)
    return text


def _statements(block: str) -> Iterator[str]:
    """The statements of a block: a line that ends by a comma goes on, and braces are closed."""
    begun = ""
    for line in block.splitlines():
        begun = f"{begun}\n{line.strip()}".strip()
        if begun and not begun.endswith(",") and begun.count("{") <= begun.count("}"):
            yield begun
            begun = ""
    yield from filter(None, [begun])


def _dependencies(statement: str) -> Iterator[str]:
    """What a statement names; "" for what it does not say literally."""
    said = _STATEMENT.match(statement)
    what = said[2] if said else ""
    if tree := _TREE.search(what):
        yield f"{tree[1].rstrip('/')}/**/*.jar"
    elif what.startswith("files"):
        yield from _FILE.findall(what) or [""]
    elif parts := _PARTS.search(what):
        yield ":".join(parts.groups())
    elif (names := _COORDINATES.findall(what)) and len(names) == what.count(",") + 1:
        yield from names
    elif said and _CONFIGURATION.fullmatch(said[1]) and not _ELSEWHERE.match(what):
        yield ""


def _directories(text: str, tree: Path, name: str) -> Iterator[str]:
    """The directories of sources and resources that are there, the usual ones too."""
    stated = [
        directory
        for sets in _blocks(text, "sourceSets")
        for block in _blocks(sets, name)
        for line in block.splitlines()
        if "srcDir" in line
        for directory in _DIRECTORY.findall(line)
    ]
    usual = [f"src/{name}/{kind}" for kind in _USUAL]
    yield from (each for each in dict.fromkeys([*stated, *usual]) if (tree / each).is_dir())
