"""How the tests of a project are written, as a test file beside the new one shows it."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass

_BASE = re.compile(r"\bclass\s+\w+(?:<[^{]*?>)?\s+extends\s+(\w+)")


class Kind(enum.StrEnum):
    """A framework, by how its tests look."""

    JUNIT_3 = "junit3"
    JUNIT_4 = "junit4"
    JUPITER = "jupiter"
    TESTNG = "testng"


@dataclass(frozen=True)
class TestStyle:
    """How tests look. `base` is the class that a test class extends, "" for none."""

    __test__ = False

    kind: Kind
    base: str = ""

    @property
    def annotation(self) -> str:
        """What is imported for a test method's annotation, "" where a name is enough."""
        return _ANNOTATIONS.get(self.kind, "")

    @property
    def asserting(self) -> str:
        """The class of the assertions; test classes of JUnit 3 inherit them."""
        return _ASSERTING[self.kind]


_ANNOTATIONS: Mapping[Kind, str] = {
    Kind.JUNIT_4: "org.junit.Test",
    Kind.JUPITER: "org.junit.jupiter.api.Test",
    Kind.TESTNG: "org.testng.annotations.Test",
}
_ASSERTING: Mapping[Kind, str] = {
    Kind.JUNIT_3: "junit.framework.Assert",
    Kind.JUNIT_4: "org.junit.Assert",
    Kind.JUPITER: "org.junit.jupiter.api.Assertions",
    Kind.TESTNG: "org.testng.Assert",
}


def style_of(text: str) -> TestStyle:
    """The style of the tests in a file; tests without annotations inherit from a base class."""
    if "org.junit.jupiter" in text:
        return TestStyle(Kind.JUPITER)
    if "org.testng" in text:
        return TestStyle(Kind.TESTNG)
    if "org.junit.Test" in text or re.search(r"\bimport org\.junit\.\*", text):
        return TestStyle(Kind.JUNIT_4)
    found = _BASE.search(text)
    return TestStyle(Kind.JUNIT_3, found[1] if found else "TestCase")
