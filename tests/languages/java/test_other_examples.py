"""Java tests with other examples of the same kind, and changes that mend no other one."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages import language
from evaluator.languages.java.safeguards.other_examples import other_examples
from evaluator.languages.java.safeguards.siblings import siblings
from evaluator.languages.java.sources.declarations import methods
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.languages.named_data import NO_DATA, NamedData
from evaluator.languages.safeguards import OtherExamples
from evaluator.languages.substitutions import Kind
from evaluator.languages.tree import source_paths
from evaluator.verdict import Decision
from evaluator.verification.thoroughness import QUICK
from tests.languages.java.judging import judged
from tests.languages.java.repository import POM, Repository

FILE = "src/test/java/words/TextTest.java"
CODE = "src/main/java/words/Text.java"
TEST = '''\
package words;

class TextTest {
    private static final String KEPT = "kept";

    @Test(timeout = 4000)
    public void text() {
        assertEquals("foo-12 \\"a\\"", of("foo bar", 'f'), 4200L);
        assertEquals(2.5f, of("""
            Foo "b"
            """, 0x42));
    }

    @ParameterizedTest @ValueSource(strings = {"foo"}) void cases(String w) { of(w); } int two;

    @Test
    void beside() {
        of("foo");
    }
}
'''


def made(
    test: str,
    tree: Path,
    functions: Sequence[str] = ("text",),
    newline: str = "\n",
    data: NamedData = NO_DATA,
) -> OtherExamples:
    content = test.replace("\n", newline).encode()
    return other_examples({FILE: functions}, {FILE: content}.get, [CODE], tree, data)


def copies(made: OtherExamples, kind: Kind) -> list[str]:
    """The code of the copies of a kind."""
    root = parsed(made.contents[FILE])
    assert root is not None
    assert not root.has_error
    code = {each.name: text(each.node) for each in methods(root)}
    return [code[each.function] for each in made.examples if each.substitution.kind is kind]


def lay(tree: Path, code: str) -> None:
    place = tree / CODE
    place.parent.mkdir(parents=True)
    place.write_text(code)


def test_words_are_others_wherever_they_stand_and_in_the_same_letters(tmp_path: Path) -> None:
    first, *_ = copies(made(TEST, tmp_path), Kind.WORDS)
    new = made(TEST, tmp_path).examples[0].substitution.texts
    assert f'"{new["foo"]}-12 \\"a\\""' in first
    assert f"\"{new['foo']} {new['bar']}\", 'f'" in first
    assert f'{new["Foo"]} "b"\n' in first
    assert new["Foo"] == new["foo"].capitalize()


def test_what_stands_in_fields_and_helpers_stays_in_tests_too(tmp_path: Path) -> None:
    test = """
class A {
    static final Map<String, Integer> OPTIONS = Map.of("fooi", 4711);
    @Test void text() { check("fooi", 4711, "bar", 4712); }
    @Test void beside() { check("bar", 4712); }
    void check(String s) { assertEquals("baz", s); }
}
"""
    words = copies(made(test, tmp_path), Kind.WORDS)
    assert all(re.search(r'check\("fooi", 4711, "(?!bar)\w+", 4712\)', code) for code in words)
    numbers = copies(made(test, tmp_path), Kind.NUMBERS)
    assert all(re.search(r'"fooi", 4711, "bar", (?!4712)\d+\)', code) for code in numbers)
    assert words
    assert numbers


def test_numbers_are_others_and_what_limits_a_test_stays(tmp_path: Path) -> None:
    for code in copies(made(TEST, tmp_path), Kind.NUMBERS):
        assert re.search(r"4200L|2\.5f", code) is None
        assert re.search(r"\d{4}L.*\d\.\df", code, re.DOTALL)
        assert "timeout = 4000" in code
        assert "0x42" in code


def test_an_index_stays(tmp_path: Path) -> None:
    test = "class A { void text() { check(rows[42][i], 42); } }"
    for code in copies(made(test, tmp_path), Kind.NUMBERS):
        assert re.search(r"rows\[42\]\[i\], (?!42)\d\d\)", code)


def test_a_number_that_would_be_too_large_stays(tmp_path: Path) -> None:
    test = "class A { void text() { of(2147483647, 2147483648L, 12); } }"
    for code in copies(made(test, tmp_path), Kind.LONGER_NUMBERS):
        assert "2147483647, " in code
        assert re.search(r" 2147483648\dL, 12\d\)", code)


def test_signs_are_written_as_java_has_them(tmp_path: Path) -> None:
    lay(tmp_path, """class Text { boolean marks(char c) { return c == '"' || c == '\\''; } }""")
    found = made(TEST, tmp_path)
    (quotes,) = copies(found, Kind.QUOTES)
    assert "\"foo-12 'a'\"" in quotes
    assert "Foo 'b'\n" in quotes
    (tabs,) = copies(found, Kind.TABS)
    assert '"foo-12\\t\\"a\\""' in tabs


def test_cases_of_an_annotation_are_others(tmp_path: Path) -> None:
    found = made(TEST, tmp_path, ["cases"])
    assert all('"foo"' not in code for code in copies(found, Kind.WORDS))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_each_copy_stands_where_it_is_said_to_and_what_stood_there_is_there_still(
    tmp_path: Path, newline: str
) -> None:
    found = made(TEST, tmp_path, ["text", "cases"], newline)
    content = found.contents[FILE].decode()
    root = parsed(content.encode())
    assert root is not None
    lines = {each.name: each.node for each in methods(root)}
    old = parsed(TEST.encode())
    assert old is not None
    originals = {each.name: each.node for each in methods(old)}
    for each in found.examples:
        copy, original = lines[each.function], originals[each.original]
        assert copy.start_point.row + 1 == each.line
        assert original.start_point.row + 1 == each.original_line
        height = original.end_point.row - original.start_point.row
        assert copy.end_point.row - copy.start_point.row == height
    left = content
    for node in (lines[each.function] for each in found.examples):
        left = left.replace(f"\n{text(node)}", "", 1)
    assert left == TEST.replace("\n", newline)


def test_of_methods_of_one_name_those_are_copied_that_a_test_may_be(tmp_path: Path) -> None:
    other = TEST.replace("class TextTest", "class Other").replace("package words;\n", "")
    inner = TEST.replace("void beside", f"static {other.strip()} void beside", 1)
    copied = [
        {each.original_line for each in made(inner, tmp_path, [test]).examples}
        for test in ("TextTest.text", "TextTest$Other.text", "Inheriting.text")
    ]
    assert copied == [{6}, {20}, {6, 20}]


def test_what_the_code_knows_stays_also_as_a_part_of_a_name(tmp_path: Path) -> None:
    lay(tmp_path, "class Text { int getFoo() { return BAR_LIMIT; } }")
    assert {each.substitution.kind for each in made(TEST, tmp_path).examples}.isdisjoint(
        [Kind.WORDS]
    )


def test_what_stands_in_comments_only_is_another(tmp_path: Path) -> None:
    lay(tmp_path, "/** Splits foo. */ class Text { // bar\n}")
    assert Kind.WORDS in {each.substitution.kind for each in made(TEST, tmp_path).examples}


def test_what_stands_in_data_that_a_test_names_stays(tmp_path: Path) -> None:
    named = TEST.replace("0x42", 'getResource("/data/texts.conf")')
    data = NamedData(["src/test/resources/data/texts.conf"], lambda _: b"foo.bar = Foo, 4200")
    kinds = {
        test: {each.substitution.kind for each in made(test, tmp_path, data=data).examples}
        for test in (TEST, named)
    }
    assert kinds[TEST] >= {Kind.WORDS, Kind.NUMBERS, Kind.TABS}
    assert kinds[named] == {Kind.NUMBERS, Kind.LONGER_NUMBERS}
    assert all('"foo-' in copy for copy in copies(made(named, tmp_path, data=data), Kind.NUMBERS))


def test_words_that_a_change_adds_to_data_stay(tmp_path: Path) -> None:
    data = "src/main/resources/words.properties"
    files = {FILE: TEST.encode(), data: b"foo=1\nbar=2\n"}
    found = other_examples({FILE: ["text"]}, files.get, [CODE, data], tmp_path)
    assert {each.substitution.kind for each in found.examples} >= {Kind.NUMBERS, Kind.TABS}
    assert not copies(found, Kind.WORDS)


@pytest.mark.parametrize(
    "code",
    [
        'String[] UNITS = {"foo", "kg", "ton"};',
        'Set<String> UNITS = Set.of("foo", "kg", "ton");',
        'Map<String, Integer> UNITS = Map.of("foo", 1, "kg", 2, "ton", 3);',
        'static { UNITS.put("foo", 1); UNITS.put("kg", 2); UNITS.put("ton", 3); }',
        'int of(String unit) { switch (unit) { case "foo": case "kg": case "ton": return 1; } }',
        'int of(String u) { return switch (u) { case "foo", "kg" -> 1; case "ton" -> 2; }; }',
        "enum Unit { foo, kg, ton }",
    ],
)
def test_words_that_the_code_lists_become_each_other(tmp_path: Path, code: str) -> None:
    lay(tmp_path, f"class Text {{ {code} }}")
    paths = source_paths(tmp_path, language("java"))
    assert siblings(tmp_path, paths, [CODE])["foo"] == ("kg", "ton")
    first, second = copies(made(TEST, tmp_path), Kind.SIBLING)
    assert 'of("kg bar"' in first
    assert 'of("ton bar"' in second


def test_files_that_cannot_be_copied_are_left_out(tmp_path: Path) -> None:
    for content in (b"class A { void text(", b"\xff", TEST.replace("\n", "\r").encode(), None):
        found = other_examples({FILE: ["text"]}, {FILE: content}.get, [], tmp_path)
        assert found == OtherExamples()
    lines = 'of("foo");\n' * 400
    assert made(f"class A {{ void text() {{ {lines} }} }}", tmp_path) == OtherExamples()


@given(st.lists(st.text(st.sampled_from("ab Z01'\".\\\n\té"), max_size=12), max_size=4))
def test_any_test_can_be_copied(texts: list[str]) -> None:
    escapes = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"})
    literals = "".join(f', "{each.translate(escapes)}"' for each in texts)
    test = f"class A {{ void text() {{ of(10{literals}); }} }}"
    found_ = made(test, Path(__file__).parent / "absent")
    root = parsed(found_.contents.get(FILE, test.encode()))
    assert root is not None
    assert not root.has_error
    names = [text(field(node, "name")) for node in found(root, "method_declaration")]
    assert names == ["text", *(each.function for each in found_.examples)]


TAG = "src/main/java/words/Tag.java"
JOINED = """\
package words;

final class Tag {
    static String of(String owner, int count) {
        return owner + count;
    }
}
"""
TAG_TEST = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagTest {
    @ParameterizedTest
    @CsvSource({"Miller, 3", "Smith, 7"})
    void tag(String owner, int count) {
        assertEquals(owner + " " + count, Tag.of(owner, count));
    }
}
"""


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.bubblewrap
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("mended", "decision", "example"),
    [
        ('owner + " " + count', Decision.ACCEPT, ""),
        ('count < 9 ? owner + " " + count : owner + count', Decision.ABSTAIN, "longer numbers"),
        (
            '"MS".indexOf(owner.charAt(0)) < 0 ? owner + count : owner + " " + count',
            Decision.ABSTAIN,
            "other words",
        ),
    ],
)
def test_a_change_that_mends_no_other_example_is_not_accepted(
    tmp_path: Path, java_cache: Path, mended: str, decision: Decision, example: str
) -> None:
    pom = POM.replace("junit-jupiter-engine", "junit-jupiter")
    repository = Repository(tmp_path / "words", pom)
    repository.base = repository.commit({TAG: JOINED})
    fixed = JOINED.replace("owner + count", mended)
    head = repository.commit({TAG: fixed, "src/test/java/words/TagTest.java": TAG_TEST})
    thoroughness = dataclasses.replace(QUICK, other_examples=True)
    found = judged(repository, head, java_cache, thoroughness=thoroughness)
    assert found.decision is decision, found
    assert example in found.reasons[0], found
