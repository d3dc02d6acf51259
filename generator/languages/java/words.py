"""What prompts say of Java."""

from __future__ import annotations

from generator.languages.protocol import PromptWords

_PASSING = """\
package org.example.numbers;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class NumbersTest {

    @Test
    public void testDoubleOfTwo() {
        assertEquals(5, Numbers.twice(2));
    }
}"""

_ADDED = """\
    }

    @Test
    public void testPopReturnsTheLastItem() {
        assertEquals(2, new Stack(1, 2).pop());"""

_DIFF = """\
--- a/src/test/java/org/example/StackTest.java
+++ b/src/test/java/org/example/StackTest.java
@@ -10,4 +10,11 @@ public class StackTest {
     @Test
     public void testEmpty() {
         assertEquals(0, new Stack().size());
+    }
+
+    @Test
+    public void testPopReturnsTheLastItem() {
+        Stack stack = new Stack(1, 2);
+        assertEquals(2, stack.pop());
+        assertEquals(1, stack.size());
     }"""

WORDS = PromptWords(
    fence="java",
    program=(
        "The JDK of the repository's environment is first on the path, and build tools are not. "
        "`run-tests FILE [METHOD...]` compiles what you changed, runs a test file, and shows what "
        "came of its tests, or of those methods; a test in a new file serves as a scratch script."
    ),
    writing="sed",
    expecting="`assertThrows`, or `try` and `fail` where the tests do so",
    addition="one class with the new methods alone, whose file need not exist",
    passing_file="src/test/java/org/example/numbers/NumbersTest.java",
    passing=_PASSING,
    assertion="assertEquals(4, Numbers.twice(2));",
    edited_file="src/test/java/org/example/StackTest.java",
    standing="        assertEquals(0, new Stack().size());",
    added=_ADDED,
    diff=_DIFF,
    blocks="",
    tests="lie below `src/test` or a directory `test`, or are named `*Test.java` or `Test*.java`",
    trace="stack trace",
)
