"""Test functions are copied with other words, numbers and signs in their examples."""

from __future__ import annotations

import ast
import ipaddress
import itertools
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator.languages import language
from evaluator.languages.named_data import NO_DATA, NamedData
from evaluator.languages.python.comments import without_comments
from evaluator.languages.python.safeguards.other_examples import other_examples
from evaluator.languages.python.safeguards.siblings import siblings
from evaluator.languages.safeguards import OtherExample, OtherExamples
from evaluator.languages.substitutions import Kind, Substitution, substitutions
from evaluator.languages.tree import source_paths
from evaluator.languages.vocabulary import words_of

TEST = '''
import pytest


class TestText:
    @pytest.mark.parametrize("text", ["foo-12", b"bar"])
    def test_text(self, text):
        """Keeps foo."""
        assert found(text, f"foo {text}") == """
            foo
        """


def test_beside():
    assert found("foo", True, 1)
'''
FILE = "tests/test_m.py"


def made(
    test: str,
    tree: Path,
    functions: Sequence[str] = ("test_text",),
    data: NamedData = NO_DATA,
) -> OtherExamples:
    return other_examples({FILE: functions}, {FILE: test.encode()}.get, ["m.py"], tree, data)


def sources(tree: Path) -> tuple[str, ...]:
    return source_paths(tree, language("python"))


def layouts(test: str, tree: Path) -> set[Kind]:
    kinds = {example.substitution.kind for example in made(test, tree).examples}
    return kinds & {Kind.BLANKS, Kind.TABS}


def test_blanks_are_others_in_all_texts_or_in_none(tmp_path: Path) -> None:
    test = "def test_text():\n    text = found({0})\n    assert text == 'is so', {1}\n"
    both = {Kind.BLANKS, Kind.TABS}
    assert layouts(test.format("'so is'", "''"), tmp_path) == both
    assert layouts(test.format("f'so is {x}'", "''"), tmp_path) == set()
    assert layouts(test.format("f'{x}so'", "''"), tmp_path) == both
    assert layouts(test.format("'so is'", "f'is not {x}'"), tmp_path) == both
    assert layouts(test.format("'so is', ' '", "''"), tmp_path) == set()


def words(tree: Path) -> frozenset[str]:
    return words_of(tree, sources(tree), without_comments)


def copies(found: OtherExamples, kind: Kind) -> list[str]:
    """The code of the copies of a kind."""
    module = ast.parse(found.contents[FILE])
    functions = {n.name: n for n in ast.walk(module) if isinstance(n, ast.FunctionDef)}
    wanted = [each for each in found.examples if each.substitution.kind is kind]
    return [ast.unparse(functions[each.function]) for each in wanted]


def test_words_are_others_wherever_they_stand(tmp_path: Path) -> None:
    first, *_ = copies(made(TEST, tmp_path), Kind.WORDS)
    found = made(TEST, tmp_path).examples[0].substitution
    foo, bar = found.texts["foo"], found.texts["bar"]
    assert f"['{foo}-12', b'{bar}']" in first
    assert f"\\n            {foo}\\n" in first
    assert '"""Keeps foo."""' in first
    assert "f'foo {text}'" in first


def test_what_stands_in_data_and_helpers_stays_in_tests_too(tmp_path: Path) -> None:
    test = """
class Command:
    '''Knows bar.'''
    options = {"fooi": 4711}

@fixture
def test_options():
    return ["baz"]

def test_text():
    assert found("fooi", 4711, "bar", 4712, b"baz")

def test_beside():
    assert found("bar", 4712)
"""
    words = copies(made(test, tmp_path), Kind.WORDS)
    assert all(re.search(r"'fooi', 4711, '(?!bar)\w+', 4712, b'baz'", code) for code in words)
    numbers = copies(made(test, tmp_path), Kind.NUMBERS)
    assert all(re.search(r"'fooi', 4711, 'bar', (?!4712)\d+, b'baz'", code) for code in numbers)
    assert words
    assert numbers


def test_what_stood_in_the_file_stands_there_still(tmp_path: Path) -> None:
    found = made(TEST, tmp_path)
    lines = found.contents[FILE].decode().splitlines()
    positions = iter(lines)
    assert all(line in positions for line in TEST.splitlines())
    assert "test_beside" not in {each.original for each in found.examples}


def test_each_copy_is_as_long_as_its_function_and_stands_where_it_is_said_to(
    tmp_path: Path,
) -> None:
    found = made(TEST, tmp_path)
    lines = found.contents[FILE].decode().splitlines()
    assert {_line(each, lines) for each in found.examples} == {True}
    functions = [
        node
        for node in ast.walk(ast.parse(found.contents[FILE]))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_text")
    ]
    assert len({(node.end_lineno or 0) - node.lineno for node in functions}) == 1


def _line(example: OtherExample, lines: Sequence[str]) -> bool:
    named = lines[example.line - 1].strip().startswith(f"def {example.function}(")
    return named and TEST.splitlines()[example.original_line - 1].strip().startswith("def test_t")


def test_numbers_are_others_in_code_and_texts_and_truth_stays(tmp_path: Path) -> None:
    test = 'def test_text():\n    assert found(42, "42 a", 4.25, True, 1) == "42"\n'
    for code in copies(made(test, tmp_path), Kind.NUMBERS):
        assert "42" not in code
        assert "True, 1)" in code
    longer = copies(made(test, tmp_path), Kind.LONGER_NUMBERS)
    assert all(code.count("42") >= 3 for code in longer)


def test_numbers_stay_that_say_where_something_is(tmp_path: Path) -> None:
    test = 'def test_text():\n    assert found("42 a"[:-42], rows[42][7:]["42"]) == 42\n'
    for code in copies(made(test, tmp_path), Kind.NUMBERS):
        assert re.search(r"\('(\d\d) a'\[:-42\], rows\[42\]\[7:\]\['\1'\]\) == \1", code)


def test_what_the_code_knows_stays(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("foo = 'a bar'\nif mode == 12: pass\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_other.py").write_text("wordofatest = 1\n")
    assert "wordofatest" not in words(tmp_path)
    kinds = {each.substitution.kind for each in made(TEST, tmp_path).examples}
    about_parts = (
        *(Kind.WORDS, Kind.LONGER_WORDS, Kind.CAPITALS, Kind.DIGITS, Kind.PIECES, Kind.EMPTY),
        *(Kind.NUMBERS, Kind.LONGER_NUMBERS, Kind.ZERO, Kind.LENGTHS),
    )
    assert kinds.isdisjoint(about_parts)


@pytest.mark.parametrize(
    "naming", ['"data/texts.txt"', '"texts.txt"', 'f"{DATA}/texts.txt"', 'str(DATA / "texts.txt")']
)
def test_what_stands_in_data_that_a_test_names_stays(tmp_path: Path, naming: str) -> None:
    test = "def test_text():\n    assert found({0}) == 'foo is 42', 'b'\n"
    data = NamedData(["tests/data/texts.txt"], lambda _: b"Foo=42")
    free, held = (
        {each.substitution.kind for each in made(test.format(name), tmp_path, data=data).examples}
        for name in ('"text.txt"', naming)
    )
    assert free >= {Kind.WORDS, Kind.NUMBERS, Kind.LETTERS, Kind.TABS, Kind.DECIMALS}
    assert held.isdisjoint({Kind.NUMBERS, Kind.TABS, Kind.DECIMALS})
    first, *_ = copies(made(test.format(naming), tmp_path, data=data), Kind.WORDS)
    assert "'foo " in first
    assert "texts.txt" in first


def test_a_file_that_many_tests_name_is_read_in_part() -> None:
    large = NamedData(
        ["tests/data/a.txt", "tests/data/b.txt"], lambda path: f"{path} ".encode() * 10**6
    )
    assert "b" not in large.words(["a.txt", "b.txt"]) >= {"tests", "data", "a", "txt"}


@given(st.lists(st.ip_addresses().map(str), min_size=1, max_size=4), st.text(max_size=5))
@example(["2001:db8::1"], "fake 2001")
@example(["192.168.0.1"], "at 168")
def test_an_internet_address_becomes_none_that_is_none(addresses: list[str], text: str) -> None:
    texts = [text, *addresses, *(f"https://[{each}]:80/db" for each in addresses)]
    for other in substitutions(texts, [], (), {}):
        assert [ipaddress.ip_address(other(each)) for each in addresses]


def test_what_is_beside_an_address_is_another(tmp_path: Path) -> None:
    test = "def test_text():\n    assert found('fake', '2001:db8::1') == '[2001:db8::1] fake'\n"
    first, *_ = copies(made(test, tmp_path), Kind.WORDS)
    assert "fake" not in first
    assert first.count("2001:db8::1") == 2
    kinds = {example.substitution.kind for example in made(test, tmp_path).examples}
    assert kinds >= {Kind.DIGITS, Kind.NUMBERS}


def test_what_stands_in_comments_only_is_another(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text('"""Splits foo."""\nx = 1  # a bar\n')
    assert Kind.WORDS in {each.substitution.kind for each in made(TEST, tmp_path).examples}


def test_words_are_in_capitals_but_where_their_letters_differ_already(tmp_path: Path) -> None:
    (only,) = copies(made(TEST, tmp_path), Kind.CAPITALS)
    assert "['FOO-12', b'BAR']" in only
    test = 'def test_text():\n    assert found("foo") == "Foo"\n'
    assert not copies(made(test, tmp_path), Kind.CAPITALS)


def test_words_are_longer_where_no_number_may_be_a_width(tmp_path: Path) -> None:
    test = 'def test_text():\n    assert found("foo/") == "foo"\n'
    for code in copies(made(test, tmp_path), Kind.LONGER_WORDS):
        assert re.search(r"found\('([a-z]{8})/'\) == '\1'", code)
    assert copies(made(test.replace("/", "1"), tmp_path), Kind.LONGER_WORDS)
    assert not copies(made(test.replace("/", "8"), tmp_path), Kind.LONGER_WORDS)


def test_words_end_in_a_digit(tmp_path: Path) -> None:
    (only,) = copies(made(TEST, tmp_path), Kind.DIGITS)
    assert re.search(r"\['[a-z]{2}\d-12', b'[a-z]{2}\d'\]", only)


def test_letters_are_others_in_the_same_order_where_they_stand_alone(tmp_path: Path) -> None:
    test = 'def test_text():\n    assert found("b", {"d": "%s a"}) == "b;D"\n'
    (tmp_path / "m.py").write_text("x = point.a\n")
    both = copies(made(test, tmp_path), Kind.LETTERS)
    assert len(both) == 2
    for code in both:
        found = re.fullmatch(
            r".*found\('(.)', \{'(.)': '%s a'\}\) == '(.);(.)'", code, flags=re.DOTALL
        )
        assert found
        first, second, *again = found.groups()
        assert (again, first < second) == ([first, second.upper()], True)
        assert {first, second}.isdisjoint("abds")


@pytest.mark.parametrize(
    ("text", "known"),
    [('"b", "bed"', ""), ('"b"', 'mode == "b"'), ('"b", b=1', ""), ('"{b} %b \\\\b"', "")],
)
def test_letters_stay_that_may_mean_something(tmp_path: Path, text: str, known: str) -> None:
    (tmp_path / "m.py").write_text(known)
    test = f"def test_text():\n    assert found({text})\n"
    kinds = {each.substitution.kind for each in made(test, tmp_path).examples}
    assert Kind.LETTERS not in kinds


def test_a_word_has_another_one_behind_it_where_given_and_expected_agree(tmp_path: Path) -> None:
    test = 'def test_text():\n    assert found("foo=bar=baz") == ["foo", "bar=baz"]\n'
    (only,) = copies(made(test, tmp_path), Kind.PIECES)
    assert re.search(r"'foo=bar=(baz=[a-z]{3})'\) == \['foo', 'bar=\1'\]", only)


def test_what_is_given_and_expected_is_empty_or_zero(tmp_path: Path) -> None:
    test = 'def test_text():\n    assert found("foo", "bar", 7, 8) == ("foo", 7)\n'
    (text,) = copies(made(test, tmp_path), Kind.EMPTY)
    assert "found('', 'bar', 7, 8) == ('', 7)" in text
    (number,) = copies(made(test, tmp_path), Kind.ZERO)
    assert "found('foo', 'bar', 0, 8) == ('foo', 0)" in number


def test_whole_numbers_have_a_half_more_if_they_are_all_in_the_code(tmp_path: Path) -> None:
    test = "def test_text():\n    assert found(1, [3]) == 5\n"
    (only,) = copies(made(test, tmp_path), Kind.HALVES)
    assert "found(1.5, [3.5]) == 5.5" in only
    for other in ('"3 a"', "0.25"):
        assert not copies(made(test.replace("[3]", other), tmp_path), Kind.HALVES)


def test_digits_without_end_are_no_number() -> None:
    text = "7" * 5000
    kinds = {other.kind for other in substitutions([text], [], (), {})}
    assert Kind.NUMBERS not in kinds


NUMBERS = st.lists(st.integers(0, 10**9).map(str), max_size=5)


@given(NUMBERS)
def test_numbers_stay_in_order(numbers: list[str]) -> None:
    for other in substitutions([], numbers, (), {}):
        if other.kind is Kind.NUMBERS:
            assert all(len(new) == len(old) for old, new in other.texts.items())
            ordered = sorted(map(int, numbers))
            assert sorted(int(other(str(n))) for n in ordered) == [
                int(other(str(n))) for n in ordered
            ]


def test_a_text_is_longer_with_each_number_that_is_its_length(tmp_path: Path) -> None:
    test = 'def test_text():\n    assert found("foo", 7, "foo-bar", 12) == 8\n'
    found = copies(made(test, tmp_path), Kind.LENGTHS)
    lengths = {int(code.split(", ")[1]) for code in found}
    assert lengths == {8, 9}
    for code in found:
        text = ast.literal_eval(code.split(", ")[2])
        assert f", {len(text)}, '{text}', 12) == 8" in code


def test_few_of_many_texts_are_longer_and_soon() -> None:
    texts = [f"{word} {word}" for word in map("".join, itertools.product("bcdfgh", repeat=4))]
    began = time.process_time()
    found = list(substitutions(texts, ["9"], (), {}))
    assert time.process_time() - began < 2
    lengths = [each for each in found if each.kind is Kind.LENGTHS]
    assert not lengths
    first, *_ = texts
    found = list(substitutions([first, *(f"{text}." for text in texts)], ["9"], (), {}))
    assert 0 < sum(each.kind is Kind.LENGTHS for each in found) < 20


def test_a_number_stays_that_is_the_length_of_texts_with_and_without_the_word(
    tmp_path: Path,
) -> None:
    test = 'def test_text():\n    assert found("foo", 3, "...")\n'
    assert not copies(made(test, tmp_path), Kind.LENGTHS)


@pytest.mark.parametrize(
    ("code", "alike"),
    [
        ("", False),
        ("""if c == "'": pass""", False),
        ("""if c == '"' or c == "\\"": pass""", False),
        ("""if c == '"' or c == "'": pass""", True),
        ("""if c in "\\"'": pass""", True),
    ],
)
def test_one_quotation_mark_stands_for_the_other_where_the_code_knows_both(
    tmp_path: Path, code: str, alike: bool
) -> None:
    (tmp_path / "m.py").write_text(code)
    test = "def test_text():\n    assert found('a \\'b\\'')\n"
    kinds = {each.substitution.kind for each in made(test, tmp_path).examples}
    assert (Kind.QUOTES in kinds) is alike


CLASSES = """
class Base:
    def test_text(self):
        assert found("foo") == 1


class TestA(Base):
    pass


class TestB:
    def test_text(self):
        assert found("bar") == 2


class TestC:
    class TestB:
        def test_text(self):
            assert found("baz") == 3
"""


BASE, B, INNER = 3, 12, 18


@pytest.mark.parametrize(
    ("test", "lines"),
    [
        (f"{FILE}::TestB::test_text[1]", {B, INNER}),
        (f"{FILE}::TestA::test_text", {BASE, B, INNER}),
        ("tests.test_m.TestC.test_text", {BASE, B, INNER}),
        (f"{FILE}::TestB::test_other", set()),
    ],
)
def test_of_methods_of_one_name_those_are_copied_that_a_test_may_be(
    tmp_path: Path, test: str, lines: set[int]
) -> None:
    examples = made(CLASSES, tmp_path, [test]).examples
    assert {each.original_line for each in examples} == lines


def test_words_that_the_code_lists_become_each_other(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text('KNOWN = {"foo": 1, "baz": 2, "not a word": 3, "qux": 4}\n')
    assert siblings(tmp_path, sources(tmp_path), ["m.py"])["foo"] == ("baz", "qux")
    first, second = copies(made(TEST, tmp_path), Kind.SIBLING)
    assert "['baz-12', b'bar']" in first
    assert "['qux-12', b'bar']" in second


def test_files_that_are_no_utf8_or_no_python_are_left_out(tmp_path: Path) -> None:
    for content in (b"def test_text(:", b"\xff", None):
        found = other_examples({FILE: ["test_text"]}, {FILE: content}.get, [], tmp_path)
        assert found == OtherExamples()


def test_what_is_too_long_to_be_copied_often_is_left_out(tmp_path: Path) -> None:
    lines = "    found('foo')\n" * 400
    assert made(f"def test_text():\n{lines}", tmp_path) == OtherExamples()
    assert made(f"def test_text():\n    found('foo')\n#{'-' * 10**6}\n", tmp_path).examples == ()


def test_a_link_out_of_the_tree_is_not_followed(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tmp_path / "outside.py").write_text('KNOWN = ["foo", "bar", "baz"]\n')
    (tree / "linked.py").symlink_to(tmp_path / "outside.py")
    assert words(tree) == frozenset()
    assert siblings(tree, sources(tree), ["linked.py"]) == {}


def test_numbers_that_cannot_be_written_out_stay(tmp_path: Path) -> None:
    test = "def test_text():\n    assert found(1e999, 42)\n"
    for code in copies(made(test, tmp_path), Kind.NUMBERS):
        assert "1e309, " in code
        assert "42" not in code


def test_what_python_warns_of_or_would_not_write_is_copied_without_a_word(tmp_path: Path) -> None:
    test = f"def test_text():\n    assert found(0x{'f' * 4000}, '\\d 42')\n"
    assert made(test, tmp_path).examples


TEXTS = st.lists(st.text(st.sampled_from("ab Z01'\".\\\n"), max_size=12), max_size=4)


@given(TEXTS)
def test_any_test_can_be_copied(texts: list[str]) -> None:
    test = f"def test_text():\n    assert found({texts!r}, 10) == {texts[:1]!r}\n"
    found = made(test, Path(__file__).parent / "absent")
    module = ast.parse(found.contents.get(FILE, test.encode()))
    names = [node.name for node in module.body if isinstance(node, ast.FunctionDef)]
    assert names == ["test_text", *(each.function for each in found.examples)]


@given(TEXTS, st.lists(st.integers(0, 10**6).map(str), max_size=3))
def test_a_failure_that_says_the_same_with_the_other_texts_is_the_same(
    texts: list[str], numbers: list[str]
) -> None:
    message = "; ".join([*texts, *numbers])
    for other in substitutions(texts, numbers, (), {}):
        assert other.same(other(message), message) or other.reaches_numbers
        assert not other.same(f"{other(message)} and more", message)


def test_that_nothing_was_raised_says_nothing_of_numbers() -> None:
    other = Substitution(Kind.NUMBERS, {"50": "14"})
    assert not other.same("DID NOT RAISE", "DID NOT RAISE")
    assert other.same("14 is too much", "50 is too much")
