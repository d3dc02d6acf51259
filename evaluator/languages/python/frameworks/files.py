"""The protocol that every framework follows on fixgate's side."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

TEST_NAME = re.compile(r"test.*\.py|.*tests?\.py")
TEST_DEFINITION = re.compile(
    rb"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+test|def[ \t]+runTest\b|class[ \t]+\w*Test)"
    rb"|\bload_tests\b|\bTestSuite\b",
    re.MULTILINE,
)


class Framework(Protocol):
    """One way of running test files.

    `runner` is the module of the probe (`fixgate_probe_<runner>.py`) that runs the tests inside
    the target's interpreter; `variables` are set for it.
    """

    @property
    def runner(self) -> str:
        """The probe's part that runs the tests."""
        ...

    @property
    def variables(self) -> Mapping[str, str]:
        """Environment variables."""
        ...

    def selects(self, path: str, tree: Path) -> bool:
        """Whether a file (relative to the tree) is something that this framework can run."""
        ...

    def label(self, path: str) -> str:
        """What the framework is given for a file."""
        ...

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """The arguments of the framework's command, `extra` being those of the recipe."""
        ...

    def program(self) -> tuple[str, ...]:
        """The framework's own command, for reproducing a run by hand from the tree."""
        ...


def holds_tests(path: str, tree: Path) -> bool:
    """Whether a Python file is named as a test or defines tests; support files do not.

    A diff's test part touches more than tests: packages, fixtures, modules to be documented. Some
    of these cannot even be imported by themselves, so they are not given to the framework.
    """
    file = tree / path
    if file.suffix != ".py" or not file.is_file():
        return False
    if TEST_NAME.fullmatch(file.name):
        return True
    return TEST_DEFINITION.search(file.read_bytes()) is not None


def module_name(path: str) -> str:
    """The dotted name of a Python file relative to its root; a package's for `__init__.py`."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1:] == ("__init__",) else parts)
