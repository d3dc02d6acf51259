"""Assertions are tried with other expected values: honest ones notice, lies do not."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from evaluator.languages.python.safeguards.assertions.inserted import inserted
from evaluator.languages.python.safeguards.assertions.negating import negated
from tests.languages.python.trying import ran, written

CODE = "from words import *\n"
HONEST = {
    "equal": 'assert shorten("just fits") == "just fits", "message"',
    "expected first": 'assert ("just fits") == (\n  # both sides\n  shorten("just fits")\n)',
    "number": "assert count() == 3",
    "float": "assert half() == 0.5",
    "nothing": "assert nothing() is None and nothing() == None",
    "boolean": "assert same() is True\nassert same() == True",
    "list": "assert numbers() == [1, 2, [3]]",
    "dictionary": 'assert table() == {"a": [1], "b": None}',
    "tuple": 'assert (count(), shorten("x")) == (3, "x")',
    "set": "assert set(numbers()[:2]) == {1, 2}",
    "bytes": 'assert raw() == b"abc"',
    "empty text": 'assert shorten("") == ""',
    "not equal": 'assert shorten("a") != "b"',
    "not": 'assert not shorten("a") == "b"',
    "in a text": 'assert "fits" in shorten("just fits")',
    "a letter in a text": 'assert "s" in shorten("just fits")',
    "in a list": "assert 2 in numbers()",
    "not in": 'assert "x" not in shorten("just fits")',
    "one of": 'assert shorten("a") in ("a", "b")',
    "in an iterator": "assert 2 in iter(numbers())",
    "chain": "assert 1 <= count() <= 3\nassert 1 < count() == 3",
    "greater": "assert count() > 2",
    "subset": "assert {1} <= set(numbers()[:2])",
    "truth": "assert same()",
    "call": "assert isinstance(count(), int)",
    "starts": 'assert shorten("just fits").startswith("just")',
    "all": "assert all(n == 3 for n in [count(), count()])",
    "method": "self.assertEqual(count(), 3)",
    "method on names": 'wanted = "a"\nself.assertEqual(wanted, shorten("a"))',
    "lists": "self.assertListEqual(numbers(), [1, 2, [3]])",
    "count": "self.assertCountEqual(iter(numbers()[:2]), [2, 1])",
    "lines": 'self.assertMultiLineEqual(shorten("a\\nb\\n"), "a\\nb\\n")',
    "dictionaries": 'self.assertDictEqual(table(), {"a": [1], "b": None})',
    "true": "self.assertTrue(same())",
    "true comparison": "self.assertTrue(count() == 3)",
    "false": "self.assertFalse(not same())",
    "is": "self.assertIs(same(), True)",
    "none": "self.assertIsNone(nothing())",
    "not none": "self.assertIsNotNone(count())",
    "member": "self.assertIn(2, numbers())",
    "no member": "self.assertNotIn(7, numbers())",
    "instance": "self.assertIsInstance(count(), int)",
    "almost": "self.assertAlmostEqual(half(), 0.5004, places=3)",
    "delta": "self.assertAlmostEqual(half(), 100, delta=200)",
    "less": "self.assertLess(count(), 4)",
    "at most": "self.assertLessEqual(count(), 3)",
    "regular": 'self.assertRegex(shorten("just fits"), "^just|x$")',
    "not regular": 'self.assertNotRegex(shorten("just fits"), "z")',
    "unequal": "self.assertNotEqual(count(), 4)",
    "raises block": "with self.assertRaises(ValueError) as seen:\n  fails()\nassert seen.exception",
    "raises call": "self.assertRaises(ValueError, fails)",
    "raises anything": "with self.assertRaises(Exception):\n  fails()",
    "raises for a name": "with self.assertRaises(NameError):\n  nowhere",
    "raises by keyword": "with pytest.raises(expected_exception=NameError):\n  nowhere",
    "raises one of two": "with pytest.raises((ValueError, NameError)):\n  nowhere",
    "raises message": 'with self.assertRaisesRegex(ValueError, "no good"):\n  fails()',
    "raises message call": 'self.assertRaisesRegex(ValueError, "no good", fails)',
    "warns": "with self.assertWarns(UserWarning):\n  warns()",
    "logs": 'with self.assertLogs("words", "INFO"):\n  logs()',
    "pytest raises": 'with pytest.raises(ValueError, match="good") as e:\n  fails()\nassert e',
    "pytest raises call": "assert pytest.raises(ValueError, fails).value",
    "pytest warns": 'with pytest.warns(UserWarning, match="careful"):\n  warns()',
    "two blocks": "with self.subTest(), pytest.raises(ValueError):\n  fails()",
    "try": 'try:\n  fails()\n  self.fail("no")\nexcept ValueError:\n  pass',
    "try and raise": "try:\n  fails()\n  raise AssertionError\nexcept (KeyError, ValueError): pass",
    "try and assert": 'try:\n  fails()\n  assert False, "no"\nexcept ValueError:\n  pass',
    "try and look": "try:\n  fails()\n  self.fail('no')\nexcept Exception as e:\n"
    "  self.assertIn('good', str(e))",
    "try and else": 'try:\n  fails()\nexcept Exception:\n  pass\nelse:\n  self.fail("no")',
    "approximately": "assert half() == pytest.approx(0.5000001)",
    "approximate list": "assert [half(), 1] == pytest.approx([0.5, 1.0])",
    "loop": "for n in range(200):\n  with self.subTest(n=n):\n    assert shorten(str(n)) == str(n)",
    "if": 'if count() != 3:\n  raise AssertionError("no")',
    "if fails": 'if not count() == 3:\n  self.fail("no")',
    "helper": "check(count(), 3)",
    "private helper": "self.__check(count(), 3)",
    "in a chain": "assertpy.assert_that(count()).is_not_none().is_equal_to(3)",
    "part of a chain": 'assertpy.assert_that(shorten("just fits")).contains("fits")',
    "expectation": "expect(count()).to(equal(3))",
    "negated expectation": "expect(count()).not_to(equal(4))",
    "snapshots": 's = Snapshot(3, "a")\nassert count() == s\nassert s == shorten("a")',
    "inner function": "def inner():\n  assert count() == 3\ninner()",
    "returns": "assert count() == 3\nreturn",
    "object": "assert Point(1, 2) == point()",
    "test's own object": "assert Mine(1) == Mine(count() - 2)",
    "date": "assert day() == datetime.date(2020, 1, 2)",
    "path": 'assert pathlib.Path("a") == pathlib.Path(shorten("a"))',
    "mock": "m = unittest.mock.Mock()\nm(count())\nm.assert_called_once_with(3)",
    "mock called": "m = unittest.mock.Mock()\nm(count())\nm.assert_called_once()",
    "plug-in's mock": "m = unittest.mock.Mock()\nm(3)\nwrapped(m).assert_called_once_with(count())",
    "matcher": "assert_that(count(), equal_to(3))",
    "matcher in a matcher": "assert_that(count(), is_(equal_to(3)))",
    "matcher of many values": "assert_that(count(), greater_than(2))",
    "any": "assert [count(), 3] == [unittest.mock.ANY, 3]",
    "holds itself": "class Tree(dict): __eq__ = lambda a, b: {**a, 'me': 0} == {**b, 'me': 0}\n"
    "tree = Tree()\ntree['me'] = tree\ntree['n'] = count()\nassert tree == Tree(n=3)",
    "walrus": 'assert (n := count()) == 3 and (m := "a") and not (n == 4)',
    "lambda": "assert (lambda: count())() == 3",
    "text of a comparison": "assert str(Column() == 5) == 'column'",
    "package's own": "shipped.eq_(count(), 3)",
    "package's own is": "shipped.is_(same(), True)\nshipped.is_true(same())",
    "package's own in": "shipped.in_(2, numbers())\nshipped.not_in(7, numbers())",
    "package's own text": """shipped.eq_ignore_blanks(shorten("a b"), "a  b")""",
    "package's own on names": "wanted = 'a b'\nshipped.eq_ignore_blanks(shorten('ab'), wanted)",
    "package's own method": """shipped.Context(shorten("a")).assert_(f"{shorten('a')}")""",
    "package's own raises": "shipped.assert_raises(ValueError, fails)",
    "package's own raises block": "with shipped.raises(ValueError):\n  fails()",
}
NOTHING = {
    "smoke": "shorten('a')",
    "try without a claim": "try:\n  fails()\nexcept ValueError:\n  pass",
    "try, for any error": "try:\n  fails()\n  raise AssertionError\nexcept Exception:\n  pass",
    "raised on purpose": "try:\n  raise ValueError\nexcept ValueError:\n  pass",
    "branch": "name = 'x'\nif name == 'x':\n  shorten('a')",
    "mock that is asked": "m = unittest.mock.Mock()\nm.in_(3)\nm.is_(1, 2)\nm.eq_(1, 2)",
    "package's own that asserts nothing": "shipped.assert_nothing(count(), 3)",
    "package's own of no plain value": "shipped.assert_column(Column(), Column())",
    "condition of a value": "column = Column() == 5\nshorten('a')",
}
LIES = {
    "text": 'assert LyingText("x") == "just fits"',
    "text inside": 'assert [LyingText("x")] == ["just fits"]',
    "after an honest one": 'assert count() == 3\nassert LyingText("x") == "just fits"',
    "only texts": 'self.assertEqual(OnlyTexts("x"), "just fits")',
    "as long": 'assert AsLong("just fitt") == "just fits"',
    "the same start": 'assert Starts("just") == "just fits"',
    "number": "assert LyingNumber(1) == 3",
    "near": "assert Near(1) == 2",
    "list": "assert LyingList() == [1, 2]",
    "dictionary": 'assert LyingDict() == {"a": 1}',
    "not unequal": 'assert not LyingText("x") != "just fits"',
    "unequal": "assert Unequal() != 4",
    "contains": 'assert "fits" in LyingText("x")',
    "contains no": 'assert "fits" not in Empty()',
    "one of": 'assert LyingText("x") in ("a", "b")',
    "greater": "assert Greater() > 3",
    "starts": 'assert LyingText("x").startswith("just")',
    "if": 'if LyingText("x") != "just fits":\n  raise AssertionError("no")',
    "assigned": 'right = LyingText("x") == "just fits"\nassert right',
    "assertTrue": 'self.assertTrue(LyingText("x") == "just fits")',
    "loop": "for n in range(3):\n  assert LyingText(n) == n if n else True",
    "helper": 'check(LyingText("x"), "just fits")',
    "callback": 'assert all(part == "a" for part in [LyingText("x")])',
    "method's": 'self.assertIn("a", LyingText("x"))',
    "object": "assert Point(1, 2) == AnyPoint(3, 4)",
    "same object": "assert AnyPoint(1, 2) == AnyPoint(3, 4)",
    "mock": 'm = unittest.mock.Mock()\nm(LyingText("x"))\nm.assert_called_once_with("a")',
    "package's own": 'shipped.eq_(LyingText("x"), "just fits")',
    "package's own in": 'shipped.in_("a", LyingText("x"))',
    "matcher": 'assert_that(LyingText("x"), is_(equal_to("just fits")))',
    "chain": 'assertpy.assert_that(LyingText("x")).is_not_none().is_equal_to("just fits")',
    "part of a chain": 'assertpy.assert_that(Lies()).contains("just")',
    "expectation": 'expect(LyingText("x")).to(equal("just fits"))',
    "snapshot": 'assert LyingText("x") == Snapshot("just fits")',
    "a slip taken for an error": "with self.assertRaises(Exception):\n  shorten(nowhere)",
    "try, for a slip": "try:\n  nowhere()\nexcept Exception:\n  pass\nelse:\n  self.fail('no')",
    "a slip taken for one of two": "with pytest.raises((OSError, Exception)):\n  nowhere",
}


def said(directory: Path, table: dict[str, str], interpreter: str = sys.executable) -> list[str]:
    """What each rewritten test reports, in the order of the table."""
    code = inserted("key")
    names = [f"test_{number}" for number in range(len(table))]
    found = negated(written(table), names, code)
    assert found.tests == set(names)
    ends = {}
    for block in ran(directory, found.content, interpreter).split("=" * 70)[1:]:
        number = re.search(r"test_(\d+)", block)
        end = re.search(rf"{code.token} (.*)", block)
        assert number is not None
        ends[int(number[1])] = end[1] if end else block
    return [ends.get(number, "passed") for number in range(len(table))]


def test_honest_assertions_notice(tmp_path: Path) -> None:
    found = dict(zip(HONEST, said(tmp_path, HONEST), strict=True))
    assert {n: end for n, end in found.items() if not re.fullmatch(r"noticed [1-9]\d*", end)} == {}


def test_lies_are_seen(tmp_path: Path) -> None:
    found = dict(zip(LIES, said(tmp_path, LIES), strict=True))
    assert {
        n: end for n, end in found.items() if not re.match(r"held \d+(, \d+)*; noticed \d+", end)
    } == {}


def test_who_answers_in_turns_is_not_believed(tmp_path: Path) -> None:
    (end,) = said(tmp_path, {"odd": "assert Odd() == 3"})
    assert not end.startswith("noticed")


def test_what_asserts_nothing_says_so(tmp_path: Path) -> None:
    assert said(tmp_path, NOTHING) == ["noticed 0"] * len(NOTHING)
