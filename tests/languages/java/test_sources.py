"""How Java's sources are read: code, its changes, and what tests say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.admission.match import Strength, match, read_report
from evaluator.diff import Source
from evaluator.languages import is_test_file, language
from evaluator.model import Failure, Frame, Side, Status, TestOutcome, Transition

JAVA = language("java")
CODE = """\
package org.example;

import java.util.List;

/** Words. */
public class Plural {
    static final int MOST = 3;
    private int calls = count();

    @Deprecated
    public String of(String word) {
        // An x needs more.
        if (word.endsWith("x")) {
            return word + "es";
        }
        List<String> parts =
            split(word);
        return parts
            .get(0)
            .concat("s");
    }

    void nothing() {
    }
}
"""
TEST = """\
package org.example;

import static org.junit.jupiter.api.Assertions.*;
import static org.assertj.core.api.Assertions.assertThat;

class PluralTest {
    Plural plural;

    @BeforeEach void prepare() { plural = new Plural(); }

    @Test
    void boxes() {
        String expected = "boxes";
        assertEquals(expected, plural.of("box"), "a message");
    }

    @ParameterizedTest
    void fluent(String word) {
        assertThat(plural.of(word)).as("text").isNotEqualTo("boxs").doesNotContain("xs");
    }
}
"""
PATH = "src/test/java/org/example/PluralTest.java"


def source(files: Mapping[str, str]) -> Source:
    return lambda path: files[path].encode() if path in files else None


def failed(test: str, failure: Failure | None = None) -> TestOutcome:
    name = f"{PATH}::PluralTest::{test}"
    return TestOutcome(name, PATH, Status.FAILED, failure=failure)


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        (PATH, True),
        ("src/test/resources/words.txt", True),
        ("core/src/it/simple/pom.xml", True),
        ("lib/src/integrationTest/java/A.java", True),
        ("src/java/org/PluralTestCase.java", True),
        ("src/java/org/TestPlural.java", True),
        ("test/org/mockito/Loaders.java", True),
        ("core/test/com/google/inject/Asserts.java", True),
        ("main/ejml-core/test/org/ejml/data/GenericTestsDMatrix.java", True),
        ("javatests/de/jflex/testcase/token_limit/LimitTest0.java", True),
        ("robovm-test/src/main/java/PlatformTest.java", True),
        ("src/main/java/org/example/LoadTest.java", False),
        ("src/main/java/org/springframework/test/Context.java", False),
        ("src/java/org/Latest.java", False),
        ("core/src/com/google/test/Server.java", False),
        ("core/org/example/test/Server.java", False),
        ("IPAddress/src/inet.ipaddr/inet/ipaddr/test/Generator.java", False),
        ("src/java/org/Testing.java", False),
    ],
)
def test_tests_are_known_by_their_paths(path: str, is_test: bool) -> None:
    assert JAVA.tests.is_test(path) is is_test
    assert is_test_file(path) or not is_test


@pytest.mark.parametrize(
    ("path", "is_runnable"),
    [
        (PATH, True),
        ("src/java/org/PluralTestCase.java", True),
        ("tests/test-base/src/main/java/org/AbstractPluralTest.java", False),
        ("src/test/resources/org/PluralTest.java", False),
        ("src/test/java/org/package-info.java", False),
    ],
)
def test_what_others_inherit_or_read_is_not_run_itself(path: str, is_runnable: bool) -> None:
    assert JAVA.tests.is_test(path)
    assert JAVA.tests.is_runnable(path) is is_runnable


def test_lines_with_code_are_those_that_a_compiler_numbers() -> None:
    every = range(1, CODE.count("\n") + 1)
    found = JAVA.sources.executable_lines("Plural.java", CODE.encode(), every)
    assert sorted(found) == [6, 8, 13, 14, 16, 17, 18, 19, 20, 24]


def test_lines_that_run_when_a_class_is_loaded_are_those_of_no_method() -> None:
    code = """\
class A {
    static final Pattern P =
        Pattern.compile("a");
    int own = f();
    static { count = 3; }
    static Runnable later = () -> {
        f();
    };
    int f() { return 2; }
    enum E { ONE(1) }
}
"""
    assert sorted(JAVA.sources.loading_lines(code.encode())) == [2, 3, 5, 6, 10]


def test_behaviour_is_the_same_whatever_comments_and_layout_are() -> None:
    behaviour = JAVA.sources.behaviour
    assert behaviour(b"class A { int a; }") == behaviour(b"/** B */ class A {\n  int a; // b\n}")
    assert behaviour(b'class A { String s = "a"; }') != behaviour(b'class A { String s = "a "; }')
    assert behaviour(b"class A {") is None


@given(st.binary())
def test_any_bytes_are_read(content: bytes) -> None:
    sources, tests = JAVA.sources, JAVA.test_code
    lines = range(1, content.count(b"\n") + 2)
    assert set(sources.executable_lines("A.java", content, lines)) <= set(lines)
    assert sources.behaviour(content) == sources.behaviour(content)
    assert sources.touched("A.java", lambda _: content, content).functions == {
        "A.java": frozenset()
    }
    assert tests.count_tests(content) >= 0
    assert sources.imports({"A.java": content}, [""]) == {"A.java": frozenset()}


def test_a_change_touches_methods_where_they_begin() -> None:
    path = "src/main/java/org/example/Plural.java"
    new = CODE.replace('"es"', '"en"').replace("An x", "Some")
    touched = JAVA.sources.touched(path, source({path: CODE}), new.encode())
    assert touched.functions == {path: {10}}
    assert touched.loaded == frozenset()
    assert touched.names == {"Plural", "of"}
    other = JAVA.sources.touched(path, source({path: CODE}), CODE.replace("= 3", "= 4").encode())
    assert other.functions == {path: frozenset()}
    assert other.loaded == {path}


def test_imports_are_found_in_packages_and_by_statements() -> None:
    files = {
        "a/A.java": b"package a; class A { B b; c.D d; }",
        "a/B.java": b"package a; import c.*; import static c.E.F.*; class B {}",
        "c/D.java": b"package c; class D { String a; }",
        "c/E.java": b"package c; class E {}",
    }
    assert JAVA.sources.imports(files, [""]) == {
        "a/A.java": {"a/B.java", "c/D.java"},
        "a/B.java": {"c/E.java"},
        "c/D.java": frozenset(),
        "c/E.java": frozenset(),
    }


def test_tests_are_counted_and_say_what_they_are_named_for() -> None:
    code = JAVA.test_code
    assert code.count_tests(TEST.encode()) == 2
    assert code.count_tests(b"class T extends TestCase { public void testA() {} }") == 1
    assert code.count_tests(b"class T { @WordsTest void a() {} @VisibleForTest void b() {} }") == 1
    assert code.count_tests(b"class T { @BeforeTest void a() {} @AfterTest void b() {} }") == 0
    names = ["PluralTest", "PluralTests", "TestPlural", "PluralIT", "PluralTestCase", "Plural"]
    assert {code.subject_of(f"a/{name}.java") for name in names} == {"Plural"}


def test_names_are_those_of_a_method_and_its_preparation() -> None:
    names = JAVA.test_code.names_used(failed("boxes"), source({PATH: TEST}))
    assert {"plural", "of", "Plural", "assertEquals"} <= names
    assert "fluent" not in names


def test_what_an_assertion_compares_is_shown_as_code() -> None:
    read = source({PATH: TEST})
    assert JAVA.test_code.compared(failed("boxes"), read) == (('"boxes"', 'plural.of("box")'),)
    failure = Failure("AssertionError", "", Frame(PATH, 19, "fluent"))
    sides = JAVA.test_code.compared(failed("fluent", failure), read)
    assert ("plural.of(word)", '"boxs"') in sides


def test_messages_of_junit_4_are_no_side() -> None:
    text = "import static org.junit.Assert.*;\nclass T { @Test public void a() { CALL } }"
    cases = {
        'assertEquals("said", 1, f());': ("1", "f()"),
        "assertEquals(1.5, f(), 0.1);": ("1.5", "f()"),
        'assertTrue("said", f());': ("f()",),
        'assertThat("said", f(), is(1));': ("f()", "is(1)"),
        "assert f() : 2;": ("f()",),
    }
    for call, sides in cases.items():
        read = source({PATH: text.replace("CALL", call)})
        assert JAVA.test_code.compared(failed("a"), read) == (sides,)


def test_tests_that_only_deny_are_known() -> None:
    read = source({PATH: TEST})
    assert JAVA.test_code.only_negative(failed("fluent"), read)
    assert not JAVA.test_code.only_negative(failed("boxes"), read)


COMPARISONS = {
    "expected:<boxes> but was:<boxs>": "org.junit.ComparisonFailure",
    "expected: <boxes> but was: <boxs>": "org.opentest4j.AssertionFailedError",
    "a text ==> expected: <boxes> but was: <boxs>": "org.opentest4j.AssertionFailedError",
    "expected [boxes] but found [boxs]": "java.lang.AssertionError",
    'Expected: is "boxes"\n     but: was "boxs"': "java.lang.AssertionError",
    '\nExpecting:\n <"boxs">\nto be equal to:\n <"boxes">\nbut was not.': "AssertionError",
    '\nexpected: "boxes"\n but was: "boxs"': "org.opentest4j.AssertionFailedError",
    "value of    : of()\nexpected    : boxes\nbut was     : boxs": "ComparisonFailureWithFacts",
}


@pytest.mark.parametrize("message", COMPARISONS)
def test_both_values_of_a_comparison_are_found_in_an_issue(message: str) -> None:
    report = read_report("I get `boxs`, not `boxes`.", JAVA)
    outcome = failed("gone", Failure(COMPARISONS[message], message))
    assert match(outcome, report, source({})).strength is Strength.STRONG


def test_an_exception_that_an_issue_reports_is_a_match() -> None:
    report = read_report(
        "java.lang.IllegalStateException: no word to put there\n\tat a.B.c(B.java:3)", JAVA
    )
    failure = Failure("java.lang.IllegalStateException", "no word to put there")
    assert match(failed("gone", failure), report, source({})).strength is Strength.STRONG


def absent(
    changed: Mapping[str, str],
    failure: Failure,
    test: str = TEST,
    beside: Mapping[str, str] | None = None,
) -> str:
    path = "src/main/java/org/example/Plural.java"
    contents = {each: text.encode() for each, text in changed.items()}
    missing = JAVA.sources.absences(contents, source({path: CODE}))
    before = Side(Status.FAILED, failure=failure)
    transition = Transition(f"{PATH}::PluralTest::boxes", PATH, before, Side(Status.PASSED))
    return missing(transition, source({PATH: test, **(beside or {})}))


def test_a_name_that_a_test_looks_for_is_no_behaviour() -> None:
    changed = {"src/main/java/org/example/Plural.java": CODE.replace("void nothing", "void some")}
    missing = Failure("java.lang.NoSuchMethodException", "org.example.Plural.some()")
    assert absent(changed, missing) == "the name 'some'"
    asking = TEST.replace('plural.of("box")', 'Plural.class.getMethod("some")')
    asserted = Failure("AssertionError", "", Frame(PATH, 7, "boxes"))
    assert absent(changed, asserted, asking) == "the name 'some'"
    assert absent(changed, asserted) == ""


def test_an_annotation_or_a_version_that_a_test_looks_for_is_no_behaviour() -> None:
    path = "src/main/java/org/example/Plural.java"
    asserted = Failure("AssertionError", "", Frame(PATH, 7, "boxes"))
    asking = TEST.replace('plural.of("box")', "Plural.class.getAnnotation(Deprecated.class)")
    annotated = {path: CODE.replace("class Plural", "@Deprecated class Plural", 1)}
    assert absent(annotated, asserted, asking) == "the annotation 'Deprecated'"
    assert absent({path: CODE}, asserted, asking) == ""
    assert absent(annotated, asserted) == ""
    asking = TEST.replace('plural.of("box")', 'Plural.VERSION.equals("1.1")')
    field = 'static final String VERSION = "1.1";\n'
    numbered = {path: CODE.replace("void nothing", f"{field} void nothing")}
    assert absent(numbered, asserted, asking) == "a version"
    local = {path: CODE.replace("void nothing", f"void more() {{ {field[7:]} }} void nothing")}
    assert absent(local, asserted, asking) == ""


def test_what_a_test_that_was_cut_looks_for_may_stand_in_its_helpers() -> None:
    changed = {"src/main/java/org/example/Plural.java": CODE.replace("void nothing", "void some")}
    cut = Failure("", "the run ended during this test (timeout)")
    waiting = TEST.replace('plural.of("box")', "Waiting.longEnough()")
    helper = (
        "package org.example;\n\nclass Waiting {\n    static Object longEnough() {\n"
        '        return Plural.class.getMethod("some");\n    }\n}\n'
    )
    beside = {str(PurePosixPath(PATH).parent / "Waiting.java"): helper}
    assert absent(changed, cut, waiting, beside) == "the name 'some'"
    assert absent(changed, cut, waiting) == ""
    deeper = {
        str(PurePosixPath(PATH).parent / "Waiting.java"): helper.replace(
            "Plural.class", "deep.Far"
        ),
        "src/test/java/deep/Far.java": helper.replace("package org.example", "package deep"),
    }
    assert absent(changed, cut, waiting, deeper) == "the name 'some'"
    assert absent(changed, cut, TEST, deeper) == ""
