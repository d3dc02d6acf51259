"""JUnit 3, 4, 5 and 6 on the JUnit Platform, and TestNG."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evaluator.languages.java.sources.declarations import TEST_MARK

_TEST = re.compile(
    rb"@(?:%b|RunWith|Nested)\b|\bextends\s+[\w.]*Test\w*|\bvoid\s+test\w*\s*\("
    % TEST_MARK.encode()
)


@dataclass(frozen=True)
class Junit:
    """Files are given as they are; the probe finds their classes, and what these are run by."""

    runner: str = "junit"
    variables: Mapping[str, str] = field(default_factory=dict)

    def selects(self, path: str, tree: Path) -> bool:
        """Java files that define tests, or extend a class that may."""
        file = tree / path
        return file.suffix == ".java" and file.is_file() and bool(_TEST.search(file.read_bytes()))

    def label(self, path: str, import_roots: Sequence[str]) -> str:
        """The simple name of the file's class."""
        return PurePosixPath(path).stem

    def arguments(self, labels: Sequence[str], extra: Sequence[str]) -> tuple[str, ...]:
        """Maven's own choice of tests."""
        return (*extra, f"-Dtest={','.join(labels)}")

    def program(self) -> tuple[str, ...]:
        """Maven, which is how people run them."""
        return ("mvn", "-q", "test")
