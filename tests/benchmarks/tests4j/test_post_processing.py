"""What models reply becomes test methods, or is refused for a reason."""

from __future__ import annotations

import collections
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.brackets import closing, marks
from evaluator.benchmarks.tests4j.post_processing import (
    LARGEST_REPLY,
    RepliedTest,
    ReplyProblem,
    Step,
    enabled,
    method_of,
    normal_form,
    post_process,
    renamed,
    without_repetition,
)

METHOD = """\
@Test
public void counts() throws Exception {
    String text = "} ; {"; // not a brace: }
    char quote = '}';
    assertThrows(Error.class, () -> { Words.count(null); });
    assertEquals(2, Words.count("a b"));
}"""
CLASS = f"""\
package words;

import org.junit.jupiter.api.Test;

class WordsTest {{
    private int field;

    @BeforeEach
    void prepare() {{ field = 1; }}

{METHOD}

    @Test
    void none() {{
        assertEquals(0, Words.count(""));
    }}
}}
"""


def processed_tests(reply: str) -> tuple[RepliedTest, ...]:
    processed = post_process(reply)
    assert isinstance(processed, tuple), processed
    return processed


def only(reply: str) -> RepliedTest:
    (test,) = processed_tests(reply)
    return test


@pytest.mark.parametrize(
    "behind", ["", "\n\n@Test void other() { f(); }", "\n}\n}", "\nHope it helps"]
)
def test_the_first_method_is_kept_as_it_is(behind: str) -> None:
    assert only(METHOD + behind) == RepliedTest("counts", METHOD)


def test_braces_of_annotations_are_not_those_of_the_method() -> None:
    reply = "@ParameterizedTest\n@ValueSource(ints = {1, 2})\nvoid f(int each) { g(each); }\n}"
    assert only(reply).source == reply[:-2]


@pytest.mark.parametrize("cut", range(METHOD.index("assertThrows"), len(METHOD)))
def test_a_method_cut_anywhere_in_its_statements_is_closed(cut: int) -> None:
    test = only(METHOD[:cut])
    assert (test.name, test.steps) == ("counts", (Step.REPAIRED,))
    assert method_of(test.source) is not None


def test_a_call_that_is_cut_in_a_lambda_is_closed_as_a_statement() -> None:
    assert (
        only("@Test void f() { run(() -> { a(); b").source
        == "@Test void f() { run(() -> { a();});}"
    )


@pytest.mark.parametrize("loop", ["a();", "a(); b();", "a(); b(); c();"])
def test_statements_that_repeat_at_the_end_are_dropped(loop: str) -> None:
    test = only(f"@Test void f() {{ first(); {loop * 3} unfini")
    assert test.steps == (Step.REPAIRED, Step.REPEATED)
    assert normal_form(test.source) == normal_form(f"@Test void f() {{ first(); {loop} }}")


def test_repetition_in_a_method_that_is_whole_stays() -> None:
    assert only("@Test void f() { add(1); add(1); }").steps == ()


def test_of_a_class_each_test_is_taken_and_nothing_else() -> None:
    tests = processed_tests(CLASS)
    assert [test.name for test in tests] == ["counts", "none"]
    assert {test.steps for test in tests} == {(Step.CLASS,)}
    assert tests[0].source == METHOD


def test_of_a_class_that_is_cut_the_first_test_is_repaired() -> None:
    test = only(CLASS[: CLASS.index("assertEquals(2")])
    assert test.steps == (Step.LEADING, Step.REPAIRED)


def test_a_fenced_block_is_taken_out_of_the_text_around_it() -> None:
    reply = f"Here is a test:\n\n```java\n{METHOD}\n```\nIt counts."
    assert only(reply) == RepliedTest("counts", METHOD, (Step.FENCE,))


def test_imports_before_a_test_are_dropped() -> None:
    assert only(f"import a.B;\n\n{METHOD}") == RepliedTest("counts", METHOD, (Step.LEADING,))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@Disabled @Test void f() { }", "@Test void f() { }"),
        ('@Test @Ignore("later") void f() { }', "@Test void f() { }"),
        ("@org.junit.Ignore\n@Test\nvoid f() { }", "@Test\nvoid f() { }"),
        ("@Test(enabled = false) void f() { }", "@Test() void f() { }"),
        ("@Test(enabled=false, timeOut = 5) void f() { }", "@Test(timeOut = 5) void f() { }"),
        ("@Test(timeOut = 5, enabled = false) void f() { }", "@Test(timeOut = 5) void f() { }"),
    ],
)
def test_what_disables_a_test_is_removed(before: str, after: str) -> None:
    assert enabled(before) == after
    assert Step.ENABLED in only(before).steps


@pytest.mark.parametrize(
    ("reply", "refusal"),
    [
        ("", ReplyProblem.EMPTY),
        (" \n\t", ReplyProblem.EMPTY),
        ("x" * (LARGEST_REPLY + 1), ReplyProblem.TOO_LONG),
        ("Sorry, I cannot help with that.", ReplyProblem.TEXT),
        ("int a = f();\nassertEquals(1, a);", ReplyProblem.STATEMENTS),
        ("class A { int f() { return 1; } }", ReplyProblem.NO_TEST_IN_CLASS),
        ("import a.B;\nimport a.C;", ReplyProblem.NO_METHOD),
        ("import a.B;\nint a = f();", ReplyProblem.STATEMENTS),
        ("public Box(int size) { this.size = size; }", ReplyProblem.NO_METHOD),
        ("@Test void f() { assertEquals(<EXPECTED>, 1) }", ReplyProblem.BROKEN),
        ("@Test void f() { a(\\u007d); }", ReplyProblem.BROKEN),
    ],
)
def test_what_is_no_test_is_refused_with_a_reason(reply: str, refusal: ReplyProblem) -> None:
    assert post_process(reply) is refusal


def test_another_name_changes_the_name_alone() -> None:
    test = RepliedTest("name", "@Test void name() { name(); }")
    assert renamed(test, "other") == "@Test void other() { name(); }"


JAVA_LIKE = st.text(st.sampled_from("@Test void f(){};\"'\\/*\n aé\u2028<>[]=.,"), max_size=200)


@given(JAVA_LIKE | st.text(max_size=200))
def test_any_reply_has_methods_that_parse_or_a_reason(reply: str) -> None:
    processed = post_process(reply)
    if isinstance(processed, ReplyProblem):
        return
    for test in processed:
        found = method_of(test.source)
        assert found is not None
        assert found.name == test.name
        assert post_process(test.source) == (RepliedTest(test.name, test.source),)


@given(JAVA_LIKE)
def test_what_is_open_can_be_closed(code: str) -> None:
    for mark in marks(code):
        closed = [*marks(code[: mark.end] + closing(mark.still_open))]
        assert closed[-1].still_open == ""


@given(st.lists(st.sampled_from(["a();", "b();", "int c = 1;"]), max_size=12))
def test_nothing_is_dropped_twice(statements: list[str]) -> None:
    once = without_repetition(f"void f() {{ {' '.join(statements)} }}")
    assert method_of(once) is not None
    assert without_repetition(once) == once or len(set(statements)) > 1


@given(st.sampled_from(["  ", "\n", "/* a */", " // b\n"]))
def test_white_space_and_comments_make_no_other_test(between: str) -> None:
    first = 'void f() { a(); b("x y"); }'
    assert normal_form(first.replace("; b", f";{between}b")) == normal_form(first)


@pytest.mark.dataset
def test_the_fates_of_real_replies(data: Path) -> None:
    """972 rows of ten replies each, by three models to three prompts."""
    rows = (data / "testbench_replies.jsonl").read_text(encoding="utf-8").splitlines()
    replies = [reply for row in rows for reply in json.loads(row)["generate_test"]]
    fates = collections.Counter(map(fate, replies))
    assert sum(fates.values()) == 9720
    assert fates["test"] >= 8750
    assert set(fates) <= {"test", *(refusal.name for refusal in ReplyProblem)}


def fate(reply: str) -> str:
    processed = post_process(reply)
    return processed.name if isinstance(processed, ReplyProblem) else "test"
