"""Which Python files hold tests, and what modules they are."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

TEST_NAME = re.compile(r"test.*\.py|.*tests?\.py")
TEST_DEFINITION = re.compile(
    rb"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+test|def[ \t]+runTest\b|class[ \t]+\w*Test)"
    rb"|\bload_tests\b|\bTestSuite\b",
    re.MULTILINE,
)


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
