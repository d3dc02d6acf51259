from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.languages.python.inverting import assertions_of, flipped, new_tests, replaced
from generator.replies import UnreadableReplyError, read_replacements

BEFORE = """\
import unittest


class ToRomanTest(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(to_roman(8), "VIII")
"""
AFTER = (
    BEFORE
    + '''
    def test_é(self):
        "Ünïcode before, on the same lines as bytes are counted."
        with self.assertRaises(ValueError) as caught:
            text = parse("""é
  kept as it is
""")
            parse(text)
        self.assertEqual(str(caught.exception), "é")
        for number in (4, 9):
            if number: assert to_roman(number) == "IIII", "said"


def helper():
    assert True


def test_function():
    value = 1; assert value
    np.testing.assert_allclose(
        value,
        1,
    )
'''
)
NEW = new_tests(BEFORE, AFTER)


def numbered(code: str = AFTER) -> list[str]:
    return [assertion.text for assertion in assertions_of(code, NEW)]


def test_only_new_tests_count() -> None:
    assert {"ToRomanTest.test_é", "test_function"} == NEW
    assert len(numbered()) == 5
    assert numbered()[1] == 'self.assertEqual(str(caught.exception), "é")'
    assert numbered()[2] == 'assert to_roman(number) == "IIII", "said"'


def test_a_changed_test_is_new() -> None:
    assert new_tests(BEFORE, BEFORE.replace("VIII", "IX")) == {"ToRomanTest.test_adds_up"}
    assert new_tests(BEFORE, BEFORE + "\n# a comment\n") == frozenset()


def test_nothing_but_the_assertion_changes() -> None:
    code = replaced(AFTER, NEW, {3: 'assert to_roman(number) != "IIII"', 4: "assert not value"})
    changed = AFTER.replace('== "IIII", "said"', '!= "IIII"').replace("1; assert", "1; assert not")
    assert code == changed


def test_what_stands_in_a_block_may_stay_and_is_moved() -> None:
    body = (
        textwrap.dedent('''\
        text = parse("""é
          kept as it is
        """)
        parse(text)
        self.assertEqual(parse(text), 3)''')
        .replace("  kept", "kept")
        .replace("kept", "  kept")
    )
    code = replaced(AFTER, NEW, {1: body})
    assert '        text = parse("""é\n  kept as it is\n""")\n        parse(text)\n' in code
    assert "        self.assertEqual(parse(text), 3)\n        self.assertEqual(str" in code
    named = replaced(AFTER, NEW, {1: "result = parse(text)\nself.assertEqual(result, 3)"})
    assert "        result = parse(text)\n        self.assertEqual(result, 3)\n" in named


@pytest.mark.parametrize(
    ("number", "text", "why"),
    [
        (2, "import os", "no assertion"),
        (2, "to_roman = fake", "no assertion"),
        (2, "self.assertEqual(1, 2)\nos.remove('x')", "no assertion"),
        (2, "if True:\n    assert x", "no assertion"),
        (2, "def assert_it(): pass", "no assertion"),
        (2, "parse(text)", "no assertion"),
        (1, "parse(other)", "no assertion"),
        (1, "self.value = parse(text)", "no assertion"),
        (2, "assert (", "no valid Python"),
        (2, "", "is empty"),
        (2, "# nothing", "is empty"),
        (4, "assert a\nassert b", "no room"),
        (9, "assert a", "numbered from 1 to 5"),
    ],
)
def test_whatever_changes_more_is_refused(number: int, text: str, why: str) -> None:
    with pytest.raises(UnreadableReplyError, match=why):
        replaced(AFTER, NEW, {number: text})


@pytest.mark.parametrize(
    ("assertion", "opposite"),
    [
        ("assert a == b", "assert a != b"),
        ("assert a != b", "assert a == b"),
        ("assert (a or b) == c, 'said'", "assert (a or b) != c"),
        ("assert a in [1, 2]", "assert a not in [1, 2]"),
        ("assert a is None", "assert a is not None"),
        ("assert a < b", "assert a >= b"),
        ("assert a < b < c", "assert not (a < b < c)"),
        ("assert not a", "assert a"),
        ("assert f(a)", "assert not (f(a))"),
        ("assert a or b", "assert not (a or b)"),
        ("self.assertEqual(a, 'assertEqual')", "self.assertNotEqual(a, 'assertEqual')"),
        ("self.assertListEqual(a, b)", "self.assertNotEqual(a, b)"),
        ("self.assertFalse(a)", "self.assertTrue(a)"),
        ("self.assertIsNone(a)", "self.assertIsNotNone(a)"),
        ("self.assertLess(a, b)", "self.assertGreaterEqual(a, b)"),
        ("with pytest.raises(E):\n        f()\n        g()", "f()\ng()"),
        ("with pytest.raises(E): f(); g()", "f()\ng()"),
        ("np.testing.assert_allclose(a, b)", ""),
        ("self.fail()", ""),
        ("pytest.raises(E, f)", ""),
    ],
)
def test_plain_opposites(assertion: str, opposite: str) -> None:
    code = f"def test_it(self):\n    {assertion}\n"
    (found,) = assertions_of(code, {"test_it"})
    assert flipped(found) == opposite
    if opposite:
        ast.parse(replaced(code, {"test_it"}, {1: opposite}))


def test_replacements_are_read_by_their_numbers() -> None:
    reply = (
        "So:\n```python\n# assertion 2\nassert a == 1\n\n  # Assertion 3 (in test_it)\n"
        "    assert b\n```\nand\n```\n#assertion 5\nwith raises(E):\n    f()\n```\n"
    )
    assert read_replacements(reply) == {
        2: "assert a == 1",
        3: "assert b",
        5: "with raises(E):\n    f()",
    }


@pytest.mark.parametrize("reply", ["", "no", "```python\nassert 1\n```", "# assertion 1\nassert 1"])
def test_a_reply_without_numbers_is_refused(reply: str) -> None:
    with pytest.raises(UnreadableReplyError, match="NUMBER"):
        read_replacements(reply)


VALUES = st.sampled_from(["1", "'é'", "f(x)", "(1, 2)", '"""a\nb"""', "not x", "lambda: 0"])


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4), st.sampled_from(["", "    "]))
def test_any_replacement_leaves_the_rest_alone(pairs: list[tuple[str, str]], more: str) -> None:
    body = "".join(f"    {more}x = 'ü'\n    {more}assert {a} == ({b})\n" for a, b in pairs)
    head = "def test_it():\n" + ("    if True:\n" if more else "")
    code = head + body
    (first, *_) = assertions_of(code, {"test_it"})
    new = replaced(code, {"test_it"}, {1: "assert 0"})
    before, after = code.encode()[: first.start], code.encode()[first.end :]
    assert new.encode() == before + b"assert 0" + after
