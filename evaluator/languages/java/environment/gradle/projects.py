"""The projects of a Gradle build, as its settings name them.

See https://docs.gradle.org/current/userguide/multi_project_builds.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.languages.java.environment.gradle.scripts import SETTINGS, read, statements

_INCLUDE = re.compile(r"include\b[\s(]")
_PATH = re.compile(r"['\"]:?([\w.:-]+)['\"]")
_ELSEWHERE = re.compile(
    r"project\s*\(\s*['\"]:?([\w.:-]+)['\"]\s*\)\s*\.projectDir\s*=\s*"
    r"(?:file|new\s+File)\s*\((?:\s*(?:settingsDir|rootDir|rootProject\.projectDir)\s*,)?\s*"
    r"['\"]([\w./-]+)['\"]"
)


def project_directories(tree: Path) -> tuple[str, ...]:
    """The directories of all projects that the settings include, "" for the root, which is first.

    Those outside of the tree, and those that are not there, are left out.
    """
    text = "\n".join(read(tree / name) for name in SETTINGS if (tree / name).is_file())
    elsewhere = dict(_ELSEWHERE.findall(text))
    found = (elsewhere.get(path, path.replace(":", "/")) for path in _included(text))
    inside = (path.lstrip("/") for path in found if ".." not in Path(path).parts)
    return tuple(dict.fromkeys(["", *(path for path in inside if (tree / path).is_dir())]))


def _included(text: str) -> Iterator[str]:
    for statement in statements(text):
        if _INCLUDE.match(statement):
            yield from _PATH.findall(statement)
