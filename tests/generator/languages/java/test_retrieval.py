"""Code search and retrieval in a Java repository: names, tests, and words that fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.checkout import Mirror, Repositories, Trees
from evaluator.diff import ChangedLines, Changes
from evaluator.execution import Subject
from generator.code_search import CodeSearch, answer
from generator.replies import WrittenCall
from generator.retrieval import Retrieval
from generator.retrieval.files import path_words
from generator.task import Task
from tests.languages.java.repository import CODE, TESTS, USER, Repository

TRACE = """\
Labels fail

java.lang.NullPointerException: word
    at words.Plural.of(Plural.java:5)
    at words.Shelf.label(Shelf.java:6)
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("java") / "words")


@pytest.fixture
def look_up(repository: Repository, tmp_path: Path) -> Retrieval:
    return retrieval(repository, tmp_path, TRACE)


def retrieval(repository: Repository, cache: Path, issue: str) -> Retrieval:
    trees = Trees(Repositories([str(repository.path)], cache), cache)
    mirror = Mirror.open(repository.path, cache)
    subject = Subject(
        "owner/words",
        repository.base,
        trees.pristine("owner/words", repository.base),
        mirror.source(repository.base),
        Changes(),
        ChangedLines({}, {}),
        {},
    )
    return Retrieval(Task("words-1", issue, subject, mirror), cache / "retrieval")


def test_code_is_searched_by_the_names_of_java(repository: Repository) -> None:
    search = CodeSearch(repository.path)
    assert [found.path for found in search.search_class("Plural")] == [CODE]
    (method,) = search.search_method_in_class("of", "Plural")
    assert (method.path, method.name, method.first, method.last) == (CODE, "Plural.of", 4, 6)
    assert [found.path for found in search.search_code("Plural.of(")] == [USER, TESTS]


def test_what_is_found_is_shown_as_java(repository: Repository) -> None:
    shown = answer(CodeSearch(repository.path), WrittenCall("search_class", ("Shelf",)))
    assert f"{USER}, lines 3 to 8, Shelf:\n```java\nfinal class Shelf {{" in shown


def test_a_stack_trace_leads_to_sources_and_methods(look_up: Retrieval) -> None:
    found = {file.path: file.reasons for file in look_up.source_files()}
    assert found.keys() == {CODE, USER}
    assert all("the stack trace goes through it" in reasons for reasons in found.values())
    methods = {method.symbol.name: method.reasons for method in look_up.functions()}
    for name in ("Plural.of", "Shelf.label"):
        assert "a frame of the stack trace lies in it" in methods[name]


def test_a_class_is_tested_by_the_one_that_is_named_after_it(look_up: Retrieval) -> None:
    first = look_up.test_files()[0]
    assert first.path == TESTS
    assert f"is named like {CODE}" in first.reasons
    assert path_words(TESTS).keys() == {"src", "java", "word", "plural"}


def test_a_test_goes_beside_one_that_only_an_annotation_marks(look_up: Retrieval) -> None:
    anchor = look_up.anchor(TESTS)
    assert (anchor.path, anchor.class_name, anchor.beside) == (TESTS, "PluralTest", "cat")
