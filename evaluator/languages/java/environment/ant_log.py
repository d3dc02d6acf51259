"""What Ant reports of its calls of the compiler, when it is verbose.

See https://ant.apache.org/manual/Tasks/javac.html: before each call, its arguments are logged, one
a line and in quotation marks, and then the files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_LINE = re.compile(r"^ *\[javac\] ?(.*)$", re.MULTILINE)
_BEGIN = "Compilation arguments:"
_FILES = re.compile(r"Files? to be compiled:")


@dataclass(frozen=True)
class Call:
    """One call of the compiler; paths are absolute."""

    options: dict[str, str] = field(default_factory=dict)
    files: tuple[Path, ...] = ()

    def paths(self, option: str) -> tuple[Path, ...]:
        """The paths of an option, none where it was not given."""
        return tuple(map(Path, filter(None, self.options.get(option, "").split(os.pathsep))))


def read_calls(log: str) -> tuple[Call, ...]:
    """The calls of the compiler in Ant's verbose output."""
    lines = iter(match[1] for match in _LINE.finditer(log))
    return tuple(_call(lines) for line in lines if line == _BEGIN)


def _call(lines: Iterator[str]) -> Call:
    arguments: list[str] = []
    for line in lines:
        if _FILES.fullmatch(line):
            return Call(_options(arguments), tuple(_files(lines)))
        if len(line) > 1 and line[0] == line[-1] == "'":
            arguments.append(line[1:-1])
    return Call(_options(arguments))


def _files(lines: Iterator[str]) -> Iterator[Path]:
    """The files, which are indented; another line ends them."""
    for line in lines:
        if not line.startswith(" "):
            return
        yield Path(line.strip())


def _options(arguments: list[str]) -> dict[str, str]:
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    return {name: value for name, value in pairs if name.startswith("-")}
