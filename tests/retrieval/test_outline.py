"""Outlines of Python files, whatever Python they were written for."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.languages.python.outline import outline, outline_text

MODERN = '''import os

@decorated
class Outer(Base, metaclass=Meta):
    """Text."""

    x = 1

    class Inner:
        def deep(self): ...

    async def method(self, a, *b, c=1, **d):
        def local():
            pass
        return local

if os.name:
    def conditional(x: int) -> int:
        return x
'''
OLD = """import os

class Outer(Base):
    def method(self, a,
               b=1):
        def local():
            print "nothing"
        exec "code"

    # a remark
    def other(self):
        try:
            pass
        except IOError, error:
            print error

def function(): pass
"""


def test_modern_file() -> None:
    assert [(s.name, s.is_class, s.first, s.last) for s in outline(MODERN)] == [
        ("Outer", True, 3, 15),
        ("Outer.Inner", True, 9, 10),
        ("Outer.Inner.deep", False, 10, 10),
        ("Outer.method", False, 12, 15),
        ("conditional", False, 18, 19),
    ]


def test_file_that_does_not_parse() -> None:
    assert [(s.name, s.is_class, s.first, s.last) for s in outline(OLD)] == [
        ("Outer", True, 3, 15),
        ("Outer.method", False, 4, 8),
        ("Outer.other", False, 11, 15),
        ("function", False, 17, 17),
    ]


def test_outline_for_reading() -> None:
    assert outline_text(outline(MODERN)).splitlines() == [
        "3: class Outer(Base)",
        "9:     class Inner",
        "10:         def deep(self)",
        "12:     def method(self, a, *b, c=1, **d)",
        "18: def conditional(x: int)",
    ]


@pytest.mark.parametrize(
    "text", ["", "def", "class :\n", "def f(:\n  (", "\x00", "\x0c", "f(" * 500]
)
def test_broken_text_gives_an_outline(text: str) -> None:
    assert isinstance(outline(text), tuple)


@given(
    st.lists(
        st.sampled_from(["def f(a):\n", "class C:\n", "  x = 1\n", "  def g(b):\n", "    y\n"])
    )
)
def test_lines_stay_within_the_file(lines: list[str]) -> None:
    for symbol in outline("".join(lines)):
        assert 1 <= symbol.first <= symbol.last <= len(lines)


@given(st.sets(st.sampled_from("abcdefg"), min_size=1))
def test_both_ways_agree(names: set[str]) -> None:
    code = "\n".join(f"class {n.upper()}:\n    def {n}(self):\n        pass\n" for n in names)
    ast.parse(code)
    exact = [(s.name, s.is_class, s.first, s.last) for s in outline(code)]
    broken = outline(code + "\nprint 'old'\n")
    assert [(s.name, s.is_class, s.first, s.last) for s in broken] == exact


def test_signature_that_is_nested_deeply() -> None:
    nested = "+".join(["1"] * 600)
    assert [s.name for s in outline(f"def f(x={nested}): pass\n")] == ["f"]
