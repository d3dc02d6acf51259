"""What functions of Python do beside their results, as a change of their text shows."""

from __future__ import annotations

import pytest

from evaluator.verification.safeguards import unseen_effects

KEPT, ARGUMENT = "{} keeps values for later calls", "{} changes its argument {}"
CAUGHT = "{} catches every error"
F = "def f(a):\n  return a"
SEEN = {
    (F, "known = {}\ndef f(a):\n  known[a] = 1"): [KEPT.format("known")],
    (F, "known = set()\ndef f(a):\n  known.add(a)"): [KEPT.format("known")],
    (F, "class A:\n  known: dict = {}\n  def f(self, a): self.known[a] = 1"): [
        KEPT.format("known")
    ],
    (F, "last = None\ndef f(a):\n  global last\n  last = a"): [KEPT.format("last")],
    (F, "def f(a):\n  a.append(1)"): [ARGUMENT.format("f", "a")],
    (F, "def f(a):\n  a.b[0].c = 1"): [ARGUMENT.format("f", "a")],
    (F, "def f(a):\n  del a[0]"): [ARGUMENT.format("f", "a")],
    (F, "def f(a):\n  try: g()\n  except Exception: raise KeyError(a)"): [CAUGHT.format("f")],
    (F, "def f(a):\n  try: g()\n  except: return a"): [CAUGHT.format("f")],
    (
        F,
        "class A:\n  def f(self):\n    try: g()\n    except (KeyError, builtins.Exception): pass",
    ): [CAUGHT.format("A.f")],
}
UNSEEN = [
    (F, "known = {1: 2}\ndef f(a):\n  return known[a]"),
    (F, "def f(a):\n  known = {}\n  known[a] = 1"),
    (F, "class A:\n  def __init__(self): self.known = {}\n  def f(self, a): self.known[a] = 1"),
    (F, "@lru_cache\ndef f(a):\n  return a"),
    ("seen = {}\ndef f(a):\n  seen[a] = 1", "known = {}\ndef f(a):\n  known[a] = 1"),
    (F, "def f(a):\n  a = list(a)\n  a.append(1)"),
    (F, "def f(a, **more):\n  more.pop(a)"),
    ("def f(a):\n  a.append(1)", "def f(a):\n  a.append(2)"),
    ("", "def f(a):\n  a.append(1)"),
    ("class A:\n  def f(self): ...", "class A:\n  def f(self): self.a = 1"),
    (F, "def f(a):\n  try: g()\n  except KeyError: return a"),
    (F, "def f(a):\n  try: g()\n  except Exception: g(a); raise"),
    (F, "def f(a):\n  try: g()\n  except Exception as error: raise KeyError(a) from error"),
    (F, "def f(a):\n  try: g()\n  except Exception: log.exception(a)"),
    (
        "def f(a):\n  try: g()\n  except Exception: pass",
        "def h(a):\n  try: g()\n  except Exception: pass",
    ),
    (F, "def f(a:"),
]


def effects(path: str, old: str, new: str) -> list[str]:
    found = unseen_effects({path: new.encode()}, {path: old.encode()}.get)
    return [concern.what for concern in found]


@pytest.mark.parametrize(("old", "new"), SEEN)
def test_what_no_result_shows_is_named(old: str, new: str) -> None:
    assert effects("a/b.py", old, new) == SEEN[old, new]
    assert effects("tests/test_b.py", old, new) == []


@pytest.mark.parametrize(("old", "new"), UNSEEN)
def test_what_is_local_was_there_or_tells_is_nothing(old: str, new: str) -> None:
    assert effects("a/b.py", old, new) == []


def test_code_may_be_deep() -> None:
    assert effects("a/b.py", F, "known = " + "+".join("1" * 5000)) == []
