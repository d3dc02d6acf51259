"""What becomes of the code in issues, before anything is run."""

from __future__ import annotations

import pytest

from generator.languages.java.issue_only import writing
from generator.languages.java.issue_only.drafts import Draft, drafts
from generator.languages.java.issue_only.names import ClassIndex, commonly_imported
from generator.languages.java.issue_only.reported import wanted_exceptions
from generator.languages.java.issue_only.snippets import snippets
from generator.languages.java.issue_only.style import Kind, TestStyle

PROJECT = ClassIndex(("src/main/java/words/Plural.java",))


def drafted(code: str) -> list[Draft]:
    return list(drafts(snippets(f"Plural is wrong\n\n```java\n{code}\n```\n")))


def written(draft: Draft, kind: Kind = Kind.JUNIT_4, familiar: tuple[str, ...] = ()) -> str:
    place = writing.Place("words", "", TestStyle(kind), familiar)
    return writing.test_class(draft, "PluralTest", place, PROJECT, "Plural is wrong")


@pytest.mark.parametrize(
    ("comment", "asserted"),
    [
        ("should be 2", ['assertEquals("2", String.valueOf(Plural.forms("a")));']),
        ("returns 3, should be 2", ['assertEquals("2", String.valueOf(Plural.forms("a")));']),
        ("returns 3", []),
        ("is slow", []),
    ],
)
def test_only_what_a_value_should_be_is_asserted(comment: str, asserted: list[str]) -> None:
    found = drafted(f'Plural.forms("a"); // {comment}')
    lines = [line.strip() for draft in found for line in written(draft).splitlines()]
    assert [line for line in lines if line.startswith("assert")] == asserted


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("It should throw an IllegalStateException.", {"IllegalStateException"}),
        (
            "So it must result in an IOException.\n\njava.io.IOException: -1\n\tat a.B.c(B.java:1)",
            set(),
        ),
        (
            "An IOException is thrown, but it should be an IllegalStateException.",
            {"IllegalStateException"},
        ),
    ],
)
def test_an_exception_that_is_shown_is_not_the_one_that_is_missed(
    words: str, wanted: set[str]
) -> None:
    assert wanted_exceptions(f"Plural is wrong\n\n{words}\n") == wanted


@pytest.mark.parametrize(
    ("kind", "call"),
    [(Kind.JUNIT_4, "Assert.assertEquals"), (Kind.JUPITER, "Assertions.assertEquals")],
)
def test_assertions_are_those_of_the_project(kind: Kind, call: str) -> None:
    for given in ("Assert", "Assertions"):
        (draft,) = drafted(f'{given}.assertEquals("as", Plural.of("a"));')
        assert f'{call}("as", Plural.of("a"));' in written(draft, kind)


def test_what_other_files_import_is_imported() -> None:
    others = ("import b.Mark;\nimport java.util.List;\n", "import a.Mark;\n", "import b.Mark;\n")
    (draft,) = drafted("List<Mark> marks = Plural.marks(new Mark());")
    text = written(draft, familiar=tuple(commonly_imported(others)))
    assert "import b.Mark;" in text
    assert "import java.util.List;" in text
    assert "import Mark" not in written(draft)
