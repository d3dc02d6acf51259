"""Which files of a tree are looked at, and which one a name or a path leads to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evaluator.languages import is_test_file, runnable_test_files
from generator.languages import is_source


def is_own_source(path: str) -> bool:
    """Whether a file holds code of the project itself."""
    return is_source(path) and not is_test_file(path)


def is_runnable_test(path: str) -> bool:
    """Whether a file is one of tests that a framework can run."""
    return is_test_file(path) and bool(runnable_test_files([path]))


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
