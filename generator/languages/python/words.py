"""What prompts say of Python."""

from __future__ import annotations

from generator.languages.protocol import PromptWords

_PASSING = """\
from project.numbers import double


def test_double_of_two():
    assert double(2) == 5"""

_ADDED = """\


def test_pop_gives_the_last_item():
    assert Stack([1, 2]).pop() == 2"""

_DIFF = """\
--- a/tests/test_stack.py
+++ b/tests/test_stack.py
@@ -10,3 +10,8 @@ class StackTest(TestCase):
\x20
     def test_empty(self):
         self.assertEqual(len(Stack()), 0)
+
+    def test_pop_gives_the_last_item(self):
+        stack = Stack([1, 2])
+        self.assertEqual(stack.pop(), 2)
+        self.assertEqual(len(stack), 1)"""

_BLOCKS = """\
diff
tests/test_stack.py
insert
EOF
def test_pop_gives_the_last_item():
    stack = Stack([1, 2])
    assert stack.pop() == 2
    assert len(stack) == 1
end diff
diff
tests/test_stack.py
rewrite
12
def test_empty():
    assert not Stack()
    assert len(Stack()) == 0
end diff"""

WORDS = PromptWords(
    fence="python",
    program="The Python of the repository's environment is first on the path.",
    writing="sed or Python",
    expecting="`pytest.raises` or `assertRaises`",
    addition="one function, or one class with a method",
    passing_file="tests/test_numbers.py",
    passing=_PASSING,
    assertion="assert double(2) == 4",
    edited_file="tests/test_stack.py",
    standing="    assert len(Stack()) == 0",
    added=_ADDED,
    diff=_DIFF,
    blocks=_BLOCKS,
    tests=(
        "are named `test_*.py`, `*_test.py`, `tests.py` or `conftest.py`, or lie in a directory "
        "`tests`, `test` or `*_tests`"
    ),
    trace="traceback",
    checkers=("black", "flake8", "isort", "ruff"),
)
