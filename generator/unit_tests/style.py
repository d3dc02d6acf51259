"""How tests look in a test class."""

from __future__ import annotations

from generator.unit_tests.code import imports

_OF_TESTS = ("org.junit.", "org.testng.annotations.")
_IMPORTED = frozenset(f"{package}{name}" for package in _OF_TESTS for name in ("Test", "*")) | {
    "org.junit.jupiter.api.Test",
    "org.junit.jupiter.api.*",
}


def annotation(test_context: str) -> str:
    """The line `@Test` where the class imports such an annotation; "" where JUnit 3 goes by name.

    A test whose name begins with `test` fits in any class with it.
    """
    return "@Test\n" if _IMPORTED.intersection(imports(test_context)) else ""
