"""The command-line programs of a project itself, as installing it would write them.

Format of their entry points: https://packaging.python.org/en/latest/specifications/entry-points/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.languages.python.environment.project import Project
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

_GROUPS = ("console_scripts", "gui_scripts")
_LINE = re.compile(r"([\w-][\w.-]*)\s*=\s*([\w.]+)\s*:\s*([\w.]+)\s*(?:\[.*\])?")
_PROGRAM = """#!{python}
import sys
from {module} import {first}
if __name__ == "__main__":
    sys.exit({whole}())
"""


def own_programs(cache: Path, project: Project, python: Path) -> Path | None:
    """A directory under `cache` with a project's programs; None where it has none.

    Each imports what it calls from where tests do, from the tree.
    """
    programs = dict(_programs(project, python))
    if not programs:
        return None
    key = short_key(sorted(programs.items()))
    return make_once(cache / "programs", key, lambda place: _lay(programs, place))


def _programs(project: Project, python: Path) -> Iterator[tuple[str, str]]:
    """The name of each program and its text; a line that is none is passed over."""
    for line in (line for group in _GROUPS for line in project.entry_points.get(group, ())):
        if found := _LINE.fullmatch(line.strip()):
            name, module, whole = found.groups()
            first = whole.partition(".")[0]
            yield name, _PROGRAM.format(python=python, module=module, first=first, whole=whole)


def _lay(programs: dict[str, str], place: Path) -> None:
    place.mkdir()
    for name, text in programs.items():
        path = place / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
