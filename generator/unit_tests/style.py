"""How tests look in a test class: their annotation, and where their assertions come from."""

from __future__ import annotations

from evaluator.benchmarks.tests4j.dataset import FocalMethod, TestFramework
from generator.unit_tests.code import imports

_BY_IMPORT = {
    "org.junit.jupiter.api": TestFramework.JUPITER,
    "org.testng.annotations": TestFramework.TESTNG,
    "org.junit": TestFramework.JUNIT4,
}
_ASSERTIONS = {
    TestFramework.JUNIT3: "junit.framework.Assert",
    TestFramework.JUNIT4: "org.junit.Assert",
    TestFramework.JUPITER: "org.junit.jupiter.api.Assertions",
    TestFramework.TESTNG: "org.testng.AssertJUnit",
}
"""Classes whose methods take what is expected first, as JUnit's do."""


def framework(method: FocalMethod) -> TestFramework:
    """What runs the test class of a method: JUnit 3 where it imports no annotation `Test`."""
    for name in imports(method.test_context):
        package, _, imported = name.rpartition(".")
        if imported in ("Test", "*") and package in _BY_IMPORT:
            return _BY_IMPORT[package]
    return TestFramework.JUNIT3


def annotation(method: FocalMethod) -> str:
    """The line before a test; "" for JUnit 3, which goes by names that begin with `test`."""
    return "" if framework(method) is TestFramework.JUNIT3 else "@Test\n"


def assertions(method: FocalMethod) -> str:
    """The class whose static methods assert, in the order of JUnit's arguments."""
    return _ASSERTIONS[framework(method)]
