"""Java sources for writers of tests: outlines, layouts, replies, places, formatting, assertions."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import PatchError
from evaluator.diff import Changes
from generator.languages import language, outline_text
from generator.replies import UnreadableReplyError, apply_edits
from generator.replies.edits import Edit
from generator.retrieval.terms import read_mentions
from tests.sources import source_of

JAVA = language("java")
CODE = """\
package org.example;

import java.util.List;

/** A stack. */
public final class Stack<T> implements Iterable<T> {
    private final List<T> items;

    Stack(List<T> items) { this.items = items; }

    @Override
    public T pop(int count,
                 String why) throws IOException {
        class Local { void inner() {} }
        return null;
    }

    record Pair(int a, int b) { int sum() { return a + b; } }

    enum Kind { ONE; abstract void act(); }
}

interface Other { int size(); }
"""
TESTS = """\
package org.example;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class StackTest {
  @Test
  public void testSize() {
    assertEquals(0, new Stack().size());
  }
}
"""
PATH = "src/test/java/org/example/StackTest.java"
REPLY = """\
The test:

```java
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class AddedTest {
    @Test
    void testPop() {
        assertEquals(2, new Stack(List.of(1, 2)).pop());
    }
}
```
"""


def test_an_outline_names_types_and_methods() -> None:
    assert outline_text("a/Stack.java", CODE).splitlines() == [
        "6: class Stack<T> implements Iterable<T>",
        "9:     Stack(List<T> items)",
        "11:     pop(int count, String why) throws IOException",
        "18:     class Pair(int a, int b)",
        "18:         sum()",
        "20:     class Kind",
        "20:         act()",
        "23: class Other",
        "23:     size()",
    ]


def test_names_and_imports_of_a_tree() -> None:
    paths = ("core/src/main/java/org/example/Stack.java", PATH, "src/java/org/a/B.java")
    layout = JAVA.sources.layout(paths)
    assert set(layout.modules) == {"org.example.Stack", "org.example.StackTest", "org.a.B"}
    assert set(layout.imports(PATH, TESTS)) == {
        "org.junit.Assert.assertEquals",
        "org.junit.Test",
        "org.example.Stack",
        "org.example.StackTest",
    }
    assert JAVA.sources.definitions(CODE) >= {"Stack", "pop", "Pair", "sum", "Other", "size"}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("@Test void a() {}", True),
        ("public void testIt() {}", True),
        ("@ParameterizedTest", True),
        ("class Helper { void run() {} }", False),
    ],
)
def test_files_that_hold_tests(code: str, expected: bool) -> None:
    assert JAVA.sources.holds_test(code) is expected


def test_a_reply_is_placed_in_the_class_that_stands() -> None:
    code = JAVA.test_files.read_test_file(REPLY)
    changes = JAVA.placed({PATH: TESTS.encode()}.get, PATH, code)
    assert (changes.contents[PATH] or b"").decode() == TESTS.replace(
        "import org.junit.Test;\n", "import org.junit.Test;\nimport java.util.List;\n"
    ).replace(
        "  }\n}\n",
        "  }\n\n  @Test\n  void testPop() {\n"
        "      assertEquals(2, new Stack(List.of(1, 2)).pop());\n  }\n}\n",
    )


def test_a_method_alone_is_placed_too_and_a_name_only_once() -> None:
    source = {PATH: TESTS.encode()}.get
    changes = JAVA.placed(source, PATH, "@Test\npublic void testTwo() {}\n")
    assert b"  @Test\n  public void testTwo() {}\n}" in (changes.contents[PATH] or b"")
    with pytest.raises(PatchError, match=r"`testSize\(\)` already"):
        JAVA.placed(source, PATH, "@Test public void testSize() { run(); }")


def test_a_new_file_gets_the_package_of_its_path() -> None:
    changes = JAVA.placed(
        source_of({}), "src/test/java/org/example/AddedTest.java", "class AddedTest {}"
    )
    assert list(changes.contents.values()) == [b"package org.example;\n\nclass AddedTest {}\n"]
    with pytest.raises(PatchError, match="needs a class `OtherTest`"):
        JAVA.placed(source_of({}), "src/test/java/OtherTest.java", "class AddedTest {}")
    with pytest.raises(PatchError, match="not a path of tests"):
        JAVA.placed(source_of({}), "src/main/java/Other.java", "class Other {}")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ("I cannot.", "holds no Java code"),
        ("```java\nclass A { void run() {} }\n```", "defines no test"),
        ("```java\nclass A { @Test void a( {} }\n```", "line 1"),
    ],
)
def test_replies_without_a_test(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReplyError, match=reason):
        JAVA.test_files.read_test_file(reply)


def test_edits_that_would_break_a_class_are_refused() -> None:
    edited = apply_edits(
        [Edit(PATH, "new Stack().size()", "new Stack(.size()")], {PATH: TESTS.encode()}.get
    )
    assert "the file would be no Java any more" in edited.refused[0]


@pytest.mark.parametrize(
    ("old", "added", "expected"),
    [
        ("class A {\n\tint a;\n}\n", "    int b;\n", "\tint b;\n"),
        ("class A {\n  int a;\n}\n", "\tint b;\n", "  int b;\n"),
        ("class A {\r\n    int a;\r\n}\r\n", "    int b;\n", "    int b;\r\n"),
    ],
)
def test_added_lines_look_like_their_file(old: str, added: str, expected: str) -> None:
    lines = old.splitlines(keepends=True)
    new = Changes({PATH: "".join([*lines[:2], added, *lines[2:]]).encode()})
    done = JAVA.formatted(new, {PATH: old.encode()}.get).contents[PATH] or b""
    assert done.decode() == "".join([*lines[:2], expected, *lines[2:]])


INVERTED = """\
class ATest {
    @Test
    void testIt() {
        int value = run();
        assertEquals(5, value);
        assertThrows(IOException.class, () -> {
            open();
        });
        assertThat(value).isEqualTo(5);
    }
}
"""


def test_assertions_are_turned_round_and_nothing_else() -> None:
    tests = JAVA.assertions.new_tests("", INVERTED)
    assert tests == {"ATest.testIt"}
    found = JAVA.assertions.assertions_of(INVERTED, tests)
    texts = {one.number: JAVA.assertions.flipped(one) for one in found}
    assert list(texts.values()) == [
        "assertNotEquals(5, value);",
        "open();",
        "assertThat(value).isNotEqualTo(5);",
    ]
    code = JAVA.assertions.replaced(INVERTED, tests, texts)
    assert "        assertNotEquals(5, value);\n        open();\n" in code
    with pytest.raises(UnreadableReplyError, match="which is no assertion"):
        JAVA.assertions.replaced(INVERTED, tests, {1: "value = 7;"})
    with pytest.raises(UnreadableReplyError, match="numbered from 1 to 3"):
        JAVA.assertions.replaced(INVERTED, tests, {4: "assertTrue(true);"})


def test_the_deepest_frame_of_a_trace_comes_last() -> None:
    trace = """\
It fails:
java.lang.NullPointerException: null
    at org.example.Stack.pop(Stack.java:12)
    at java.base/java.util.List.of(List.java:3)
    at org.example.Main.main(Main.java)
"""
    found = [(frame.path, frame.function) for frame in read_mentions(trace).frames]
    assert found == [("Main.java", "main"), ("List.java", "of"), ("Stack.java", "pop")]


PIECES = (
    "class A {",
    "@Test void t() {",
    "assertEquals(1, 2);",
    "}",
    "(",
    '"',
    "import a.b;",
    "\n",
    "é",
    "\udc80",
)


@settings(max_examples=30)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join) | st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    lines = text.count("\n") + 1
    for symbol in JAVA.outlines.outline(text):
        assert 1 <= symbol.first <= symbol.last <= lines
    JAVA.sources.definitions(text)
    JAVA.test_files.why_broken(text)
    with contextlib.suppress(UnreadableReplyError):
        JAVA.test_files.read_test_file(text)
    with contextlib.suppress(PatchError):
        JAVA.assertions.assertions_of(text, JAVA.assertions.new_tests("", text))
    with contextlib.suppress(PatchError):
        JAVA.placed({PATH: TESTS.encode()}.get, PATH, text)
