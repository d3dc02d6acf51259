"""Assertions are tried with other expected values: honest ones notice, lies do not."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.languages.python.safeguards.assertions.inserted import inserted
from evaluator.languages.python.safeguards.assertions.negating import negated, undefined

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
HAMCREST = """
class Matcher:
    def __init__(self, matches):
        self.matches = matches
class IsEqual:
    def __init__(self, object):
        self.object = object
    def matches(self, item):
        return item == self.object
class Is:
    def __init__(self, matcher):
        self.matcher, self.matches = matcher, matcher.matches
equal_to, is_ = IsEqual, Is
def greater_than(number):
    return Matcher(lambda item: item > number)
def is_not(matcher):
    return Matcher(lambda item: not matcher.matches(item))
def assert_that(item, matcher):
    if not matcher.matches(item):
        raise AssertionError("no match")
"""
ASSERTPY = """
class Chain:
    def __init__(self, value):
        self.value = value
    def is_not_none(self):
        assert self.value is not None
        return self
    def is_equal_to(self, wanted):
        assert self.value == wanted
        return self
    def contains(self, part):
        assert part in self.value
        return self
def assert_that(value):
    return Chain(value)
"""
EXPECTS = """
class equal:
    def __init__(self, wanted):
        self._expected = wanted
class Expectation:
    def __init__(self, value):
        self.value, self._negated = value, False
    @property
    def not_to(self):
        self._negated = True
        return self.to
    def to(self, matcher):
        assert (self.value == matcher._expected) is not self._negated
def expect(value):
    return Expectation(value)
"""
SYRUPY = """
class Snapshot:
    executions = 0
    def __init__(self, *stored):
        self.stored = stored
    def __eq__(self, other):
        self.executions += 1
        return other == self.stored[self.executions - 1]
"""
PYTEST_MOCK = """
class wrapped:
    def __init__(self, mock):
        self.mock = mock
    def assert_called_once_with(self, *given):
        self.mock.assert_called_once_with(*given)
"""
SHIPPED = """
import contextlib
def eq_(found, wanted):
    assert found == wanted
def is_(found, wanted):
    assert found is wanted
def is_true(found):
    assert found
def in_(found, all):
    assert found in all
def not_in(found, all):
    assert found not in all
def eq_ignore_blanks(found, wanted):
    assert found.replace(" ", "") == wanted.replace(" ", "")
def assert_nothing(found, wanted):
    pass
def assert_column(found, wanted):
    assert type(found) is type(wanted)
class Context:
    def __init__(self, found):
        self.found = found
    def assert_(self, *wanted):
        eq_([self.found], [text.strip() for text in wanted])
def assert_raises(kind, function):
    try:
        function()
    except kind:
        return
    raise AssertionError("nothing raised")
@contextlib.contextmanager
def raises(kind):
    try:
        yield
    except kind:
        return
    raise AssertionError("nothing raised")
"""
WORDS = (Path(__file__).parent / "words_that_lie.py").read_text()
HEAD = '''"""Documentation."""
from __future__ import annotations
import datetime, pathlib, unittest, unittest.mock
import pytest
import package.testing as shipped
import assertpy
from expects import equal, expect
from hamcrest import *
from syrupy import Snapshot
from pytest_mock import wrapped
from words import *
class Mine:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
def check(found, wanted):
    assert found == wanted
class Test(unittest.TestCase):
    def __check(self, found, wanted):
        assert found == wanted
'''


def written(table: dict[str, str]) -> bytes:
    bodies = ("\n".join(f"        {line}" for line in body.splitlines()) for body in table.values())
    methods = (f"    def test_{n}(self):\n{body}\n" for n, body in enumerate(bodies))
    return (HEAD + "".join(methods)).encode()


def lay_words(directory: Path) -> None:
    (directory / "words.py").write_text(WORDS)
    (directory / "hamcrest.py").write_text(HAMCREST)
    (directory / "pytest_mock.py").write_text(PYTEST_MOCK)
    (directory / "assertpy.py").write_text(ASSERTPY)
    (directory / "expects.py").write_text(EXPECTS)
    (directory / "syrupy.py").write_text(SYRUPY)
    (directory / "package").mkdir(exist_ok=True)
    (directory / "package" / "testing.py").write_text(SHIPPED)


def ran(directory: Path, content: bytes, interpreter: str = sys.executable) -> str:
    """What unittest prints of a rewritten test file."""
    lay_words(directory)
    (directory / "test_negated.py").write_bytes(content)
    command = [interpreter, "-m", "unittest", "-v", "test_negated"]
    return subprocess.run(
        command, cwd=directory, capture_output=True, text=True, check=False
    ).stderr


def ends_of(printed: str, token: str) -> list[tuple[str, str]]:
    """The tests that did not pass, each with what it reports."""
    return re.findall(rf"(?:FAIL|ERROR): (\w+)(?s:.*?){token} (.*)", printed)


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


MADE = """
import unittest
from words import *
def claims(wanted):
    def check(self):
        self.assertEqual(count(), wanted)
    return check
class Meta(type):
    def __new__(kind, name, bases, scope):
        scope["test_meta"] = claims(3)
        return super().__new__(kind, name, bases, scope)
class Test(unittest.TestCase, metaclass=Meta):
    pass
for name, wanted in {"test_loop": 3, "test_other": 3}.items():
    setattr(Test, name, claims(wanted))
Made = type("Made", (unittest.TestCase,), {"test_type": claims(3), "test_none": lambda self: 0})
Made.test_same = Test.test_loop
"""


def test_tests_that_no_definition_is_named_for_are_tried(tmp_path: Path) -> None:
    names = ["test_loop", "test_meta", "test_none", "test_same", "test_type"]
    code = inserted("key")
    found = negated(MADE.encode(), names, code, undefined([MADE.encode()], names))
    assert found.tests == set()
    printed = ran(tmp_path, found.content)
    noticed = dict.fromkeys(names, "noticed 1") | {"test_none": "noticed 0"}
    assert dict(ends_of(printed, code.token)) == noticed, printed


HELD = {"anything": "fails()", "slip": "nowhere"}
RAISING = """
import functools, unittest
from words import *
def raises(*kinds):
    def decorate(function):
        @functools.wraps(function)
        def run(self):
            try:
                function(self)
            except kinds:
                return
            raise AssertionError("nothing raised")
        return run
    return decorate
class lax:
    def raises(*kinds):
        return raises(Exception)
class Test(unittest.TestCase):
    @raises(ValueError)
    def test_one(self): fails()
    @raises(OSError, ValueError)
    def test_one_of_two(self): fails()
    @raises(Exception)
    def test_slip(self): nowhere
    @lax.raises(ValueError)
    def test_anything(self): fails()
    @raises(ValueError)
    def test_more(self):
        self.assertEqual(count(), 3)
        fails()
"""


def test_what_a_decorator_says_that_a_test_raises_is_tried(tmp_path: Path) -> None:
    """pyexcel's tests have nose's: whatever came in the place of other values, it was content."""
    code = inserted("key")
    names = ["test_anything", "test_more", "test_one", "test_one_of_two", "test_slip"]
    found = negated(RAISING.encode(), names, code)
    assert found.tests == set(names)
    printed = ran(tmp_path, found.content)
    lines = RAISING.splitlines()
    held = {name: lines.index(f"    def test_{name}(self): {body}") for name, body in HELD.items()}
    assert dict(ends_of(printed, code.token)) == {
        "test_anything": f"held {held['anything']}; noticed 0",
        "test_slip": f"held {held['slip']}; noticed 0",
        "test_one": "noticed 1",
        "test_one_of_two": "noticed 1",
        "test_more": "noticed 2",
    }, printed


def test_a_definition_that_a_name_begins_with_is_its_own() -> None:
    content = b"def test_add():\n    assert 1\n"
    assert undefined([content], ["test_add", "test_add_0", "test_new"]) == {"test_new"}


@pytest.mark.parametrize(
    ("cookie", "encoding"),
    [("utf8", "utf-8"), ("UTF_8", "utf-8"), ("ascii", "ascii"), ("iso8859-1", "ascii")],
)
def test_a_file_that_is_the_same_in_utf_8_is_rewritten(cookie: str, encoding: str) -> None:
    word = "ä" if encoding == "utf-8" else "a"
    content = f"# -*- coding: {cookie} -*-\ndef test_word():\n    assert '{word}'\n"
    assert negated(content.encode(encoding), ["test_word"], inserted("key")).tests == {"test_word"}


def test_decorators_are_such_as_every_python_reads() -> None:
    """Before 3.9, only a name may be called there: dpath's tests stand below `raises` of nose."""
    code = b"@raises(TypeError)\ndef test_x(): assert 1 == f()\n"
    found = negated(code, ["test_x"], inserted("key"))
    assert found.tests == {"test_x"}
    assert b"\n@raises(TypeError)\n" in found.content
    ast.parse(found.content, feature_version=(3, 8))


def test_a_file_in_another_encoding_is_left_as_it_is() -> None:
    content = "# coding: latin-1\ndef test_word():\n    assert 'ä'\n".encode("latin-1")
    assert negated(content, ["test_word"], inserted("key")).content == content


CASES = """
import inspect, unittest
from words import *
def given(**values):
    def decorate(function):
        names = inspect.getfullargspec(function).args
        def cases(self):
            for value in values["wanted"]:
                function(self, **{name: value for name in names[1:]})
        return cases
    return decorate
class Test(unittest.TestCase):
    @given(wanted=[3, 3])
    def test_0(self, wanted):
        assert count() == wanted
"""


OLD_PYTEST = """
import builtins, unittest
from words import *
class AssertionError(builtins.AssertionError):
    pass
class Test(unittest.TestCase):
    def setUp(self):
        builtins.AssertionError = AssertionError
    def tearDown(self):
        builtins.AssertionError = AssertionError.__base__
    def test_unittest(self):
        self.assertEqual(count(), 3)
    def test_bare(self):
        assert count() == 3
"""


def test_failures_are_known_where_pytest_has_put_a_class_of_its_own_for_them(
    tmp_path: Path,
) -> None:
    code, names = inserted("key"), {"test_unittest", "test_bare"}
    content = negated(OLD_PYTEST.encode(), names, code).content
    ends = dict(ends_of(ran(tmp_path, content), code.token))
    assert ends == dict.fromkeys(names, "noticed 1")


def test_a_decorator_still_finds_the_arguments_of_a_test(tmp_path: Path) -> None:
    code = inserted("key")
    content = negated(CASES.encode(), ["test_0"], code).content
    assert f"{code.token} noticed 1" in ran(tmp_path, content)


def test_pytest_shows_no_frame_of_its_own_for_a_failure(tmp_path: Path) -> None:
    lay_words(tmp_path)
    content = negated(
        written({"number": "assert count() == 3"}), ["test_0"], inserted("key")
    ).content
    (tmp_path / "test_negated.py").write_bytes(content)
    command = [sys.executable, "-m", "pytest", "--color=no", "test_negated.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "noticed 1" in done.stdout
    places = re.findall(r"^(\S+\.py|<string>):\d+: ", done.stdout, re.M)
    assert set(places) == {"test_negated.py"}


FACTORY = """
import unittest
from words import *
def make(name, wanted):
    class Case(unittest.TestCase):
        def test_count(self):
            self.assertEqual(count(), wanted)
        def test_nothing(self):
            count()
    Case.__name__ = Case.__qualname__ = name
    globals()[name] = Case
for number in range(2):
    make(f"Test{number}", 3)
"""


def test_classes_that_a_function_makes_are_tried(tmp_path: Path) -> None:
    names = {"test_count", "test_nothing"}
    code = inserted("key")
    found = negated(FACTORY.encode(), names, code)
    assert found.tests == names
    ends = ends_of(ran(tmp_path, found.content), code.token)
    assert sorted(ends) == [("test_count", "noticed 1")] * 2 + [("test_nothing", "noticed 0")] * 2


DESCRIBED = """
import unittest
from words import *
def describe_counting():
    def counts(self):
        def counts():
            return count()
        self.assertEqual(counts(), 3)
    def nothing(self):
        count()
    return counts, nothing
class Test(unittest.TestCase):
    test_counts, test_nothing = describe_counting()
"""


def test_functions_within_functions_are_tried_as_in_pytest_describe(tmp_path: Path) -> None:
    code = inserted("key")
    found = negated(DESCRIBED.encode(), {"counts", "nothing"}, code)
    assert found.tests == {"counts", "nothing"}
    printed = ran(tmp_path, found.content)
    ends = dict(ends_of(printed, code.token))
    assert ends == {"test_counts": "noticed 1", "test_nothing": "noticed 0"}, printed


@pytest.mark.parametrize(
    "text",
    [
        "",
        '"""A package of tests."""\n',
        "from __future__ import absolute_import, unicode_literals\n",
        '#!/usr/bin/python\n"""Tests."""\nfrom __future__ import annotations\n',
        '"""Tests."""\nfrom __future__ import annotations\nfrom __future__ import division\nx = 1',
        "from __future__ import annotations; x = 1\n",
        '"""Tests."""; x = 1\n',
        "# only a comment\n",
    ],
)
def test_what_must_come_first_in_a_file_still_does(text: str) -> None:
    rewritten = negated(text.encode(), ["test_it"], inserted("key"), ["test_made"])
    compile(rewritten.content, "tests/__init__.py", "exec", dont_inherit=True)
