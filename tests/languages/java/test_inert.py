"""Java files with what a change adds, and the behaviour that they had before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.java.sources.inert import inert
from evaluator.languages.java.syntax import parsed

BEFORE = """\
package words;

import java.util.List;

/** Plurals. */
public class Plural {
    static final int MOST = 3;

    public String of(String word) {
        return word + "s";
    }

    enum Kind {
        ONE, MANY;
    }
}
"""
MEMBERS = st.sampled_from(
    [
        "int a = 1;",
        "int a = 2;",
        "int b, c;",
        "int f() { return 1; }",
        "int f() { return 2; }",
        "int f(int x) { return x; }",
        "// a comment\n",
        "static { run(); }",
        "{ run(); }",
        "A() { run(); }",
        "class B { int f() { return 1; } }",
        "class B { int f() { return 2; } int g() { return 3; } }",
        "enum E { X, Y }",
        "interface I { void f(); }",
    ]
)


def made(old: str, new: str) -> str:
    assert old in BEFORE
    found = inert(BEFORE.encode(), BEFORE.replace(old, new).encode())
    assert found is not None
    return found.decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('return word + "s";', 'return word + "es";'),
        ("MOST = 3", "MOST = 4"),
        ("public String of", "public synchronized String of"),
        ("    public String of", "    @Override\n    public String of"),
        ("    static final", "    static {\n        run();\n    }\n    static final"),
    ],
)
def test_what_a_change_does_to_what_was_there_is_taken_back(old: str, new: str) -> None:
    assert made(old, new).split() == BEFORE.split()


def test_what_a_change_adds_stays_and_does_nothing() -> None:
    more = (
        "static int LEAST = 1;\n    int count() { return 1; }\n"
        "    private int sum() { return 3; }\n"
        "    class Own { int f() { return 2; } }\n"
    )
    found = made("    static final", f"    {more}    // Fixed.\n    static final")
    assert "int count() { throw new UnsupportedOperationException(); }" in found
    assert "LEAST = 1" in found
    assert "int sum() { return 3; }" in found
    assert "int f() { return 2; }" in found
    assert "// Fixed." in found


@pytest.mark.parametrize(
    "gone",
    [
        "import java.util.List;\n",
        "    static final int MOST = 3;\n",
        '    public String of(String word) {\n        return word + "s";\n    }\n',
    ],
)
def test_what_was_removed_is_there_again(gone: str) -> None:
    found = made(gone, "")
    assert gone.strip() in found
    assert not parsed(found.encode()).has_error  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ONE, MANY", "ONE, FEW, MANY"),
        ("class Plural", "class Plural extends Word"),
        ("package words", "package texts"),
        ("class Plural {", "class Plural {{"),
    ],
)
def test_what_changes_more_than_members_is_not_known(old: str, new: str) -> None:
    assert inert(BEFORE.encode(), BEFORE.replace(old, new).encode()) is None


def test_a_new_file_stays() -> None:
    assert inert(None, BEFORE.encode()) == BEFORE.encode()


@given(st.lists(MEMBERS, max_size=8))
def test_without_a_change_nothing_changes(members: list[str]) -> None:
    code = f"class A {{ {' '.join(members)} }}".encode()
    assert inert(code, code) == code


@given(st.lists(MEMBERS, max_size=8, unique=True), st.lists(MEMBERS, max_size=8, unique=True))
def test_the_result_is_java_or_not_known(old: list[str], new: list[str]) -> None:
    before, after = (f"class A {{ {' '.join(each)}\n}}".encode() for each in (old, new))
    found = inert(before, after)
    if found is not None:
        assert not parsed(found).has_error  # type: ignore[union-attr]
