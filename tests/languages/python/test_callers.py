"""Public functions of Python that a change keeps from being called as they could."""

from __future__ import annotations

import pytest

from evaluator.verification.safeguards import refused_calls

HASHLESS = "A gains __eq__ without __hash__, and fits into no set any more"
REFUSED = {
    ("def f(a): ...", "def f(a, b): ..."): ["f needs b"],
    ("def f(a): ...", "def f(b, a): ..."): ["f needs b"],
    ("def f(a, b=1): ...", "def f(a, b): ..."): ["f needs b"],
    ("def f(*, a=1): ...", "def f(*, a): ..."): ["f needs a"],
    ("def f(a): ...", "def f(a, *, b): ..."): ["f needs b"],
    ("def f(a): ...", "def f(b): ..."): ["f has no parameter a"],
    ("def f(a, b=1): ...", "def f(a, b=1, /): ..."): ["f has no parameter a, b"],
    ("async def f(a): ...", "async def f(a, b): ..."): ["f needs b"],
    ("def f(a, b=1): ...", "def f(a): ..."): ["f takes no more than 1 argument"],
    ("def f(a=1): ...", "def f(): ..."): ["f takes no more than 0 arguments"],
    ("def f(a, b=1): ...", "def f(a, *, b=1): ..."): ["f takes no more than 1 argument"],
    ("def f(*a): ...", "def f(a=1, b=2): ..."): ["f takes no more than 2 arguments"],
    ("def f(*, a=1): ...", "def f(): ..."): ["f has no parameter a"],
    ("class A: ...", "class A:\n  def __eq__(self, o): ..."): [HASHLESS],
    ("class A(object):\n  x = 1", "class A(object):\n  def __eq__(self, o): ..."): [HASHLESS],
    ("class A(Generic[T]): ...", "class A(Generic[T]):\n  def __eq__(self, o): ..."): [HASHLESS],
    (
        "class A:\n  def __init__(self, a): ...",
        "class A:\n  def __init__(self, a, md): ...",
    ): ["A needs md"],
    (
        "class A:\n class B:\n  @staticmethod\n  def f(a): ...",
        "class A:\n class B:\n  @staticmethod\n  def f(a, b): ...",
    ): ["A.B.f needs b"],
    (
        "try:\n  import x\nexcept ImportError:\n  def f(a): ...",
        "def f(a, b): ...",
    ): ["f needs b"],
    ("@dataclass\nclass A:\n  a: int", "@dataclass\nclass A:\n  a: int\n  b: int"): ["A needs b"],
    (
        "@dataclass(frozen=True)\nclass A:\n  a: int = 1",
        "@dataclass(frozen=True)\nclass A:\n  a: int = field(repr=False)",
    ): ["A needs a"],
    (
        "@dataclass\nclass A(B):\n  a: int",
        "@dataclass\nclass A(B):\n  a: int\n  _: KW_ONLY\n  b: int",
    ): ["A needs b"],
    (
        "@attrs.define\nclass A:\n  a: int",
        "@attrs.define\nclass A:\n  a: int\n  b: int = field(kw_only=True)",
    ): ["A needs b"],
    (
        "class A(NamedTuple, Generic[T]):\n  a: T\n  b: T",
        "class A(NamedTuple, Generic[T]):\n  a: T",
    ): ["A takes no more than 1 argument"],
    (
        "class A:\n  def __init__(self, a): ...",
        "@dataclass(kw_only=True)\nclass A:\n  a: int\n  b: int",
    ): ["A needs b", "A takes no more than 0 arguments"],
}
EQUAL = "class A:\n  def __eq__(self, o): ..."
ALLOWED = [
    ("class A: ...", f"{EQUAL}\n  def __hash__(self): ..."),
    ("class A: ...", f"{EQUAL}\n  __hash__ = None"),
    ("class A(list): ...", "class A(list):\n  def __eq__(self, o): ..."),
    ("class A: ...", f"@dataclass\n{EQUAL}"),
    (EQUAL, f"{EQUAL}\n  x = 1"),
    ("", EQUAL),
    ("def f(a, /): ...", "def f(b, /): ..."),
    ("def f(a): ...", "def f(b, **all): ..."),
    ("def f(a): ...", "def f(a, b=1, *c, d=2, **e): ..."),
    ("def f(a, b): ...", "def f(a, *, b): ...\ndef f(a, b): ..."),
    ("def f(*, a=1): ...", "def f(**all): ..."),
    ("def f(*, a=1): ...", "def f(a=1): ..."),
    ("def f(a, b): ...", "def f(a, b=1): ..."),
    ("def f(a): ...", ""),
    ("", "def f(a): ..."),
    ("def _f(a): ...", "def _f(a, b): ..."),
    ("class _A:\n  def f(self): ...", "class _A:\n  def f(self, a): ..."),
    ("def f():\n  def g(): ...", "def f():\n  def g(a): ..."),
    ("@command\ndef f(a): ...", "@command\ndef f(a, b): ..."),
    ("@property\ndef f(a): ...", "def f(a, b): ..."),
    ("class A:\n  def f(self): ...", "class A:\n  def f(*a): ..."),
    ("def f(a): ...", "def f(a, b: ..."),
    ("@dataclass\nclass A:\n  a: int", "@dataclass\nclass A:\n  a: int\n  b: int = 1"),
    ("@attrs.frozen\nclass A:\n  a: int", "@attrs.frozen\nclass A:\n  _a: int"),
    (
        "@dataclass\nclass A:\n  a: list",
        "@dataclass\nclass A:\n  a: list = field(default_factory=list)",
    ),
    (
        "@dataclass\nclass A:\n  a: int",
        "@dataclass\nclass A:\n  a: int\n  b: int = field(init=False)\n  c: ClassVar[int]",
    ),
    ("@dataclass\nclass A:\n  a: int", "@dataclass(init=False)\nclass A:\n  a: int\n  b: int"),
    ("@dataclass\nclass A(B):\n  a: int\n  b: int", "@dataclass\nclass A(C):\n  b: int"),
    ("@other\nclass A:\n  a: int", "@other\nclass A:\n  a: int\n  b: int"),
    (
        "@dataclass\nclass A:\n  a: int",
        "@dataclass\nclass A:\n  a: int\n  b: int\n  def __init__(self, a): ...",
    ),
    ("if x:\n  def f(): ...\nelse:\n  def f(a): ...", "def f(a): ..."),
]


def refused(path: str, old: str, new: str) -> list[str]:
    found = refused_calls({path: new.encode()}, {path: old.encode()}.get)
    return [concern.what for concern in found]


@pytest.mark.parametrize(("old", "new"), REFUSED)
def test_what_callers_can_no_longer_do_is_said(old: str, new: str) -> None:
    assert refused("a/b.py", old, new) == REFUSED[old, new]
    assert refused("a/__init__.py", old, new) == REFUSED[old, new]


@pytest.mark.parametrize(("old", "new"), ALLOWED)
def test_who_calls_as_before_may(old: str, new: str) -> None:
    assert refused("a/b.py", old, new) == []


@pytest.mark.parametrize("path", ["a/_b.py", "_a/__init__.py", "a/__main__.py", "a/b.txt"])
def test_what_is_private_has_no_other_callers(path: str) -> None:
    assert refused(path, "def f(a): ...", "def f(a, b): ...") == []
