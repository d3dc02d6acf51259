"""Public methods of Java that a change keeps from being called as they could."""

from __future__ import annotations

import pytest

from evaluator.verification.safeguards import refused_calls

REFUSED = {
    ("public void f(int a) {}", "public void f(int a, int b) {}"): ["A.f does not take 1 argument"],
    ("public void f(int a) {}", "public void f() {}"): ["A.f does not take 1 argument"],
    ("public void f(int... a) {}", "public void f(int a) {}"): ["A.f does not take 1 argument"],
    (
        "public void f() {} public void f(int a, int b) {}",
        "public void f() {}",
    ): ["A.f does not take 2 arguments"],
    ("public A(int a) {}", "public A(int a, int b) {}"): ["A does not take 1 argument"],
    ("", "public A(int a) {}"): ["A does not take 0 arguments"],
    (
        "public interface B { void f(); }",
        "public interface B { void f(int a); }",
    ): ["A.B.f does not take 0 arguments"],
    ("public record B(int a) {}", "public record B(int a, int b) {}"): [
        "A.B does not take 1 argument"
    ],
}
ALLOWED = [
    ("public void f(int a) {}", "public void f(long b) {}"),
    ("public void f(int a) {}", "public void f(int a) {} public void f(int a, int b) {}"),
    ("public void f(int a) {}", "public void f(int... a) {}"),
    ("public void f(int a) {}", ""),
    ("", "public void f(int a) {}"),
    ("void f(int a) {}", "void f(int a, int b) {}"),
    (
        "public interface B { private void f() {} }",
        "public interface B { private void f(int a) {} }",
    ),
    ("protected void f(int a) {}", "protected void f() {}"),
    ("public A() {}", ""),
    ("static class B { public void f() {} }", "static class B { public void f(int a) {} }"),
    ("public record B(int a) {}", "public record B(int a, int b) { public B(int a) {} }"),
    ("public void f(int a) {}", "public void f(int a, int b) {"),
]
PATH = "src/main/java/a/A.java"


def refused(path: str, old: str, new: str) -> list[str]:
    before, after = (f"package a; public class A {{ {each} }}".encode() for each in (old, new))
    return [concern.what for concern in refused_calls({path: after}, {path: before}.get)]


@pytest.mark.parametrize(("old", "new"), REFUSED)
def test_what_callers_can_no_longer_do_is_said(old: str, new: str) -> None:
    assert refused(PATH, old, new) == REFUSED[old, new]


@pytest.mark.parametrize(("old", "new"), ALLOWED)
def test_who_calls_as_before_may(old: str, new: str) -> None:
    assert refused(PATH, old, new) == []


@pytest.mark.parametrize("path", ["src/main/java/a/internal/A.java", "src/main/java/a/A.txt"])
def test_what_is_internal_has_no_other_callers(path: str) -> None:
    assert refused(path, "public void f() {}", "public void f(int a) {}") == []
