"""Tests of other classes are made fit for the test class of a method."""

from __future__ import annotations

import pytest

from generator.unit_tests.writers.adapting import adapted

from .examples import method

OWN = method()
TESTS = """import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.MatcherAssert.*;

import java.util.List;
import org.junit.jupiter.api.Test;

public class PurseTest {
    private Purse purse;

    private int helper() {}
}
"""
OTHER = method(
    "put",
    focal_class="shop.Purse",
    focal_path="src/main/java/shop/Purse.java",
    test_class="shop.PurseTest",
    test_context=TESTS,
)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("@Test void a() { List<String> it = null; }", "java.util.List<String> it"),
        (
            "@Test void a() { new a.List(); this.List = List.of(); }",
            "this.List = java.util.List.of()",
        ),
        ("@Test void a() { assertEquals(1, 1); }", "{ assertEquals(1, 1); }"),
        ("@Test void a() { assertThat(1, is(1)); }", "org.hamcrest.Matchers.is(1)"),
        ("@Test void a() { assertTrue(true); }", "org.junit.Assert.assertTrue(true)"),
        ("@Test void a() { new Purse().put(purse); }", "new Money().plus(money)"),
        ("@Test void a() { PurseTest.of(); }", "shop.PurseTest.of()"),
    ],
)
def test_names_that_imports_bring_are_written_out(test: str, expected: str) -> None:
    assert expected in adapted(test, OTHER, OWN)[1]


def test_a_class_of_another_package_is_named_in_full() -> None:
    elsewhere = method(test_class="tests.MoneyTest")
    assert "new acme.Money()" in adapted("void a() { new Purse(); }", OTHER, elsewhere)[1]


@pytest.mark.parametrize(
    ("test", "lacking"),
    [
        ("void a() { List.of(); }", 0),
        ("void a() { helper(); }", 1),
        ("void a() { helper(); helper(); one.plus(one); }", 1),
    ],
)
def test_what_only_the_other_test_class_has_is_counted(test: str, lacking: int) -> None:
    assert adapted(test, OTHER, OWN)[0] == lacking


def test_what_cannot_be_read_stays() -> None:
    assert adapted("<" * 5000, OTHER, OWN) == (5000, "<" * 5000)
