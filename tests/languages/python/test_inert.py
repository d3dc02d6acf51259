"""Files with what a change adds, and the behaviour that they had before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.python.sources.inert import inert

BEFORE = '''"""Words."""

import re

MOST = 3


def cut(text, width=8):
    """Cut."""
    return text[:width]


class Words:
    """Many words."""

    order = ["a"]

    def first(self):
        return self.words[0]
'''
PIECES = st.sampled_from(
    [
        "import os\n",
        "x = 1\n",
        "x = 2\n",
        "y: int = 3\n",
        "def f(a):\n    return a\n",
        'def f(a, b=1):\n    """Doc."""\n    return b\n',
        "def f(a): return 0\n",
        "@g\ndef f(a):\n    pass\n",
        "class C:\n    def m(self):\n        return 1\n",
        "class C:\n    z = 1\n\n    def m(self):\n        # why\n        return 2\n",
        "class C:\n    def m(self):\n        return 2\n\n    def n(self): pass\n",
        "class C(B): pass\n",
        "if x:\n    f(1)\n",
        "f(2)\n",
        "# a comment\n",
    ]
)


def made(*edits: tuple[str, str]) -> str:
    after = BEFORE
    for old, new in edits:
        assert old in after
        after = after.replace(old, new)
    found = inert(BEFORE.encode(), after.encode())
    assert found is not None
    return found.decode()


def run(code: str) -> dict[str, object]:
    space: dict[str, object] = {}
    exec(code, space)
    return space


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return text[:width]", "return text[: width + 1]"),
        ("width=8", "width=9"),
        ("MOST = 3", "MOST = 4"),
        ('order = ["a"]', 'order = ["b"]'),
        ("return self.words[0]", "words = self.words\n        return words[0]"),
        ("class Words:", "class Words(list):"),
    ],
)
def test_what_a_change_does_to_what_was_there_is_taken_back(old: str, new: str) -> None:
    assert made((old, new)) == BEFORE


def test_what_a_change_adds_stays() -> None:
    more = "MOST = 3\nLEAST = 1\n\n\ndef is_short(text):\n    return len(text) < MOST\n"
    found = made(
        ("MOST = 3\n", more),
        ('"""Cut."""', '"""Cut, strictly."""\n    # Fixed.'),
        ("width=8", "width: int = 8, *, strict=False"),
        ("return text[:width]", "return text[:width] if strict else is_short(text)"),
    )
    space = run(found)
    assert space["is_short"]("ab") is True  # type: ignore[operator]
    assert space["cut"]("some words", strict=True) == "some wor"  # type: ignore[operator]
    assert space["cut"].__doc__ == "Cut, strictly."
    assert "# Fixed." in found


def test_methods_of_classes_that_were_there_are_only_there() -> None:
    method = "\n    def last(self):\n        return self.words[-1]\n"
    space = run(made(("return self.words[0]\n", f"return self.words[0]\n{method}")))
    with pytest.raises(NotImplementedError):
        space["Words"]().last()  # type: ignore[operator]


def test_what_may_change_what_was_there_does_nothing() -> None:
    found = made(
        ("MOST = 3\n", "MOST = 3\nprint(MOST)\n"),
        ("    order = ", "    limit = 3\n    order = "),
        ("class Words", "@registered\ndef handler():\n    return 1\n\n\nclass Words"),
        (
            "import re\n",
            "import re\n\n\nclass Own(re.Pattern):\n    def match(self):\n        return 1\n",
        ),
    )
    assert "print" not in found
    assert "limit" not in found
    assert found.count("raise NotImplementedError") == 2


def test_what_was_removed_is_there_again() -> None:
    words = BEFORE[BEFORE.index("\n    def first") :]
    for gone in ("import re\n", words, "MOST = 3\n"):
        after = BEFORE.replace(gone, "")
        found = inert(BEFORE.encode(), after.encode())
        assert found is not None
        assert gone.strip() in found.decode()
        run(found.decode())


def test_a_new_file_stays_and_what_is_no_python_is_not_known() -> None:
    assert inert(None, b"x = 1\n") == b"x = 1\n"
    assert inert(b"x = 1\n", b"x = (\n") is None
    assert inert("x = 'ä'\n".encode("latin-1"), b"x = 1\n") is None


@given(st.lists(PIECES, max_size=8))
def test_without_a_change_nothing_changes(pieces: list[str]) -> None:
    code = "".join(pieces).encode()
    assert inert(code, code) == code


@given(st.lists(PIECES, max_size=8), st.lists(PIECES, max_size=8))
def test_the_result_is_python_or_not_known(old: list[str], new: list[str]) -> None:
    found = inert("".join(old).encode(), "".join(new).encode())
    if found is not None:
        compile(found, "m.py", "exec")
