"""Java is read whatever stands in it, in bounded time."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.java.syntax import field, first_line, found, last_line, parsed, text, walk

MODERN = b'''
package a.b;

sealed interface Shape permits Circle, Square {}

record Circle(double radius) implements Shape {}

class Shapes {
  String text = """
      a "quoted" \\""" text
      """;

  double area(Shape shape) {
    return switch (shape) {
      case Circle(double radius) when radius > 0 -> radius;
      case null, default -> { yield 0; }
    };
  }
}
'''
TOKENS = [*"()<>{}[]a,;@?:='é\"", "->", "class", '"""', "/*", "*/", "//", "int", "new", "\\u0041"]


def test_a_modern_source_is_read_with_the_place_of_each_part() -> None:
    root = parsed(MODERN)
    assert root is not None
    assert not root.has_error
    [method] = found(root, "method_declaration")
    assert text(field(method, "name")) == "area"
    assert (first_line(method), last_line(method)) == (13, 18)


def test_what_is_broken_or_not_utf_8_hides_nothing_else() -> None:
    root = parsed('// é\nclass A { void f( { } void g() {} String s = "é"; }'.encode("latin-1"))
    assert root is not None
    assert root.has_error
    assert "g" in {text(node) for node in found(root, "identifier")}


@given(st.lists(st.sampled_from(TOKENS)))
def test_a_walk_sees_every_node_once(tokens: list[str]) -> None:
    root = parsed(" ".join(tokens).encode())
    assert root is not None
    assert sum(1 for _ in walk(root)) == root.descendant_count


@pytest.mark.parametrize(
    "source",
    [
        b"class A{int a=" + b"(" * 200_000,
        b"class A{void f(){" + b"a<b<" * 25_000,
        b"class A{void f(){" + b"a<b<c>>" * 60_000,
        b"class A{void f(){ x = " + b"(a)(b)+-" * 60_000,
        b'"""' * 100_000,
        b"@A(" * 100_000,
        random.Random(1).randbytes(1_000_000),
        " ".join(random.Random(2).choices(TOKENS, k=200_000)).encode(),
    ],
    ids=lambda source: source[17:30].hex(),
)
def test_hostile_sources_take_seconds_at_most(source: bytes) -> None:
    before = time.process_time()
    root = parsed(source)
    assert root is None or sum(1 for _ in walk(root)) == root.descendant_count
    assert time.process_time() - before < 15
