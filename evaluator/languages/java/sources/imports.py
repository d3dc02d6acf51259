"""Which files of a tree use which others, by the names that stand in them.

Java needs no import for what lies in the same package, so that names decide; a name in a comment
counts too, which makes the graph larger, never smaller.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evaluator.environment.types import Environment

_PACKAGE = re.compile(rb"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_IMPORT = re.compile(rb"^\s*import\s+(?:static\s+)?([\w.]+)(\.\*)?\s*;", re.MULTILINE)
_NAME = re.compile(rb"\b[A-Za-z_]\w*")
_QUALIFIED = re.compile(rb"\b(?:[a-z_]\w*\.)+[A-Z]\w*")


def import_roots(environment: Environment) -> tuple[str, ...]:  # noqa: ARG001 - as of any language
    """The root of the tree: files say themselves which package they belong to."""
    return ("",)


def imports(
    files: Mapping[str, bytes],
    roots: Sequence[str],  # noqa: ARG001 - as of any language
) -> Mapping[str, frozenset[str]]:
    """The path of each Java file -> the paths of those whose types it names.

    That is a type of the same package, or one that is imported, alone, with its package, or for a
    static member. What is loaded by a name that is put together is not seen.
    """
    packages = _Packages.of(files)
    return {
        path: frozenset(packages.used(path, content)) - {path} for path, content in files.items()
    }


def named_files(path: str, content: bytes) -> Iterator[str]:
    """Where the types may lie that a file names, below the same root: there or not.

    Those are types of its own package, and those that are imported, or named with their package.
    """
    directory, root = PurePosixPath(path).parent, root_of(path, content)
    imported = _IMPORT.findall(content)
    whole = [root.joinpath(*name.decode().split(".")) for name, star in imported if star]
    for name in sorted({name.decode() for name in _NAME.findall(content)}):
        yield from (f"{package / name}.java" for package in (directory, *whole))
    for qualified in {*(name for name, _ in imported), *_QUALIFIED.findall(content)}:
        parts = qualified.decode().split(".")
        yield from (f"{root.joinpath(*parts[:end])}.java" for end in range(1, len(parts) + 1))


@dataclass(frozen=True)
class _Packages:
    """The types of a tree: package -> name -> the paths of files that are named for it."""

    types: Mapping[str, Mapping[str, Sequence[str]]]

    @staticmethod
    def of(files: Mapping[str, bytes]) -> _Packages:
        found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for path, content in files.items():
            found[package_of(content)][PurePosixPath(path).stem].append(path)
        return _Packages(found)

    def used(self, path: str, content: bytes) -> Iterator[str]:
        """The paths that a file uses."""
        names = {name.decode() for name in _NAME.findall(content)}
        whole = {package_of(content)}
        for imported, star in _IMPORT.findall(content):
            whole |= {imported.decode()} if star else set()
            yield from self._type(imported.decode())
        for package in whole:
            known = self.types.get(package, {})
            for name in names & known.keys():
                yield from known[name]
        for qualified in _QUALIFIED.findall(content):
            yield from self._type(qualified.decode())

    def _type(self, qualified: str) -> Iterator[str]:
        """The files of a type, or of the type that a nested one or a member belongs to."""
        parts = qualified.split(".")
        for end in range(len(parts), 0, -1):
            known = self.types.get(".".join(parts[: end - 1]), {})
            if parts[end - 1] in known:
                yield from known[parts[end - 1]]
                return


def package_of(content: bytes) -> str:
    """The package that a file declares; "" for none."""
    match = _PACKAGE.search(content)
    return match[1].decode() if match else ""


def root_of(path: str, content: bytes) -> PurePosixPath:
    """The directory of sources that a file lies in, by its package."""
    directory, package = PurePosixPath(path).parent, package_of(content)
    depth = package.count(".") + 1 if package else 0
    return directory.parents[depth - 1] if 0 < depth <= len(directory.parents) else directory
