"""Test classes without their tests still compile, and nothing in them is run as a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.stripping import names_of_tests, strip_repository, strip_tests
from evaluator.checkout import Repositories
from evaluator.languages.java.syntax import parsed
from tests.benchmarks.tests4j.java import test_classes
from tests.mirrors import mirror_of, mirror_templates


@given(made=test_classes())
def test_all_tests_go_and_all_else_stays(made: tuple[str, list[str], list[str]]) -> None:
    source, tests, others = made
    assert sorted(names_of_tests(source)) == tests
    left = strip_tests(source)
    root = parsed(left.encode())
    assert root is not None
    assert not root.has_error
    assert names_of_tests(left) == ()
    assert all(" ".join(other.split()) in " ".join(left.split()) for other in others)
    assert not any(name in left for name in tests)
    assert strip_tests(left) == left


@given(text=st.text())
def test_any_text_without_tests_stays(text: str) -> None:
    assert strip_tests(text) == text


def test_comments_go_with_the_test_that_they_are_about() -> None:
    source = """class A {
  int x; // about x
  /** About the test. */
  // More about it.
  @Test void a() {}
  // The end.
}
"""
    assert strip_tests(source) == "class A {\n  int x; // about x\n  // The end.\n}\n"


def test_junit3_tests_go_by_inheritance() -> None:
    source = """import junit.framework.TestCase;
class A extends TestCase {
  public void setUp() {}
  public void testA() {}
  public void testOf(int value) {}
  private int testValue() { return 1; }
}
"""
    assert names_of_tests(source) == ("testA",)
    assert "testOf" in strip_tests(source)


def test_inheritance_counts_across_files() -> None:
    files = {
        "Base.java": b"package a; import junit.framework.TestCase; class Base extends TestCase {}",
        "Near.java": b"package a; class Near extends Base { public void testIt() {} }",
        "Far.java": b"package b; import a.Base; class Far extends Base { public void testIt() {} }",
        "Other.java": b"package b; class Other extends Thread { public void testIt() {} }",
        "Contract.java": b"package c; interface Contract { @Test void same(); }",
        "Kept.java": b"package c; class Kept implements Contract { @Override public void same(){}}",
        "Annotated.java": b"package d; @Test class Annotated {}",
        "Ng.java": b"package d; class Ng extends Annotated { public void it() {} void no() {} }",
    }
    assert strip_repository(files) == {
        "Near.java": b"package a; class Near extends Base {  }",
        "Far.java": b"package b; import a.Base; class Far extends Base {  }",
        "Contract.java": b"package c; interface Contract {  }",
        "Kept.java": b"package c; class Kept implements Contract { }",
        "Ng.java": b"package d; class Ng extends Annotated {  void no() {} }",
    }


def test_a_test_that_helpers_call_stays_without_being_one() -> None:
    source = """class A {
  void helper() { first(); run(this::second); }
  @Test void first() { third(); }
  @Test void second() {}
  @Test void third() {}
  @Test void fourth() { second(); }
}
"""
    left = strip_tests(source)
    assert names_of_tests(left) == ()
    assert [name for name in ("first", "second", "third", "fourth") if f"void {name}" in left] == [
        "first",
        "second",
        "third",
    ]


def test_testng_configuration_is_no_test() -> None:
    source = """@Test public class A {
  @BeforeMethod public void prepare() {}
  @DataProvider public Object[][] data() { return null; }
  public void one() {}
  public int two() { return 2; }
  private void three() {}
}
"""
    assert names_of_tests(source) == ("one",)


def test_bytes_that_are_no_utf8_stay() -> None:
    source = b'class A { String a = "\xe9"; @Test void t() {} }'.decode("utf-8", "surrogateescape")
    assert strip_tests(source).encode("utf-8", "surrogateescape") == (
        b'class A { String a = "\xe9";  }'
    )


@pytest.mark.mirrors
@pytest.mark.parametrize(
    ("repository", "commit"),
    [
        ("nhl/dflib", "fecaa4ed4120c1114e27c39e027b15c87a7519c2"),
        ("messaginghub/pooled-jms", "6a1b94224793d69c951be0ce514a63ebed2f62cc"),
    ],
)
def test_no_real_repository_has_a_test_left(tmp_path: Path, repository: str, commit: str) -> None:
    mirror_of(repository)
    mirror = Repositories(mirror_templates(), tmp_path).find(repository, commit)
    entries = {
        path: entry for path, entry in mirror.listing(commit).items() if path.endswith(".java")
    }
    sources = mirror.contents(entries)
    stripped = strip_repository(sources)
    assert len(stripped) > 20
    assert strip_repository({**sources, **stripped}) == {}
    for path, content in stripped.items():
        before, after = parsed(sources[path]), parsed(content)
        assert before is not None
        assert after is not None
        assert after.has_error <= before.has_error, path


def test_what_disables_a_whole_class_goes_with_its_tests() -> None:
    source = '@Disabled("later")\nclass A {\n  @Test void a() {}\n  @Ignore static class B {}\n}\n'
    left = strip_tests(source)
    assert "Disabled" not in left
    assert "Ignore" not in left
    assert strip_tests("@Disabled class A { int x; }") == "@Disabled class A { int x; }"


def test_classes_that_inherit_from_each_other_end_the_search() -> None:
    """As those do that a parser of Java has for its own tests, or two modules of the same names."""
    source = """class A extends B {
  @Override void a() {}
  @Override @Test void b() {}
}
class B extends A {
  @Override void a() {}
  @Override void b() {}
}
"""
    assert names_of_tests(source) == ("b", "b")
