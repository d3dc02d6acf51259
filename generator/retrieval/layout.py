"""Which files of a tree are looked at, and by which dotted names Python knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from evaluator.languages import is_test_file, runnable_test_files

SOURCE_SUFFIXES = (".py", ".pyx")


def is_source(path: str) -> bool:
    """Whether a file holds code of the project itself."""
    return path.endswith(SOURCE_SUFFIXES) and not is_test_file(path)


def is_runnable_test(path: str) -> bool:
    """Whether a file is one of tests that a framework can run."""
    return is_test_file(path) and bool(runnable_test_files([path]))


class Layout:
    """The Python files of a tree, by the dotted names under which they are imported.

    Names start where packages do: at the outermost directory of a chain that have `__init__.py`.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        known = sorted(path for path in paths if path.endswith(SOURCE_SUFFIXES))
        self._packages = {str(PurePosixPath(p).parent) for p in known if p.endswith("/__init__.py")}
        self.modules: Mapping[str, str] = {self.module(path): path for path in reversed(known)}

    def module(self, path: str) -> str:
        """The dotted name of a file."""
        pure = PurePosixPath(path)
        parts = [] if pure.name == "__init__.py" else [pure.stem]
        folder = pure.parent
        while str(folder) in self._packages:
            parts.insert(0, folder.name)
            folder = folder.parent
        return ".".join(parts)

    def imported(self, origin: str, path: str) -> str:
        """The absolute name of what the file at `path` imports from: `..core` is relative to it."""
        name = origin.lstrip(".")
        up = len(origin) - len(name)
        if not up:
            return name
        parts = self.module(path).split(".")
        kept = parts[: len(parts) - up + path.endswith("__init__.py")]
        return ".".join([*kept, *filter(None, [name])])


def resolve_module(dotted: str, modules: Mapping[str, str]) -> tuple[str, str]:
    """The file that a dotted name leads into, and the rest of the name; "" for no file."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        path = modules.get(".".join(parts[:length]))
        if path is not None:
            return path, ".".join(parts[length:])
    return "", dotted


def best_ending(reported: str, paths: Iterable[str]) -> str:
    """The one path that a path on somebody else's machine ends with; "" for none or several.

    A path with directories has to share one at least: everybody has a `utils.py`.
    """
    known = tuple(paths)
    parts = reported.replace("\\", "/").split("/")
    for start in range(max(len(parts) - 1, 1)):
        ending = "/".join(parts[start:])
        found = [path for path in known if path == ending or path.endswith(f"/{ending}")]
        if found:
            return found[0] if len(found) == 1 else ""
    return ""
