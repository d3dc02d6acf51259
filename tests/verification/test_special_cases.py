"""Fixes of the reported example alone, and fixes that happen to share a value with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.verification.safeguards import special_cases
from tests.sources import source_of

TEST = b"""
def test_it():
    assert shorten("just fits", 9) == "just fits"
    assert total([4711, 3], mode="strict") == 4714
    with pytest.raises(ValueError, match="no such thing"):
        total("oops", mode="lenient")

def test_batches():
    assert batches([5, 6, 7, 8, 9], 2) == [[5, 6], [7, 8], [9]]

@pytest.mark.parametrize(("word", "plural"), [("ox", "oxen")])
def test_plural(word, plural):
    assert plural_of(word) == plural
"""
ISSUE = "With `shorten('a long example')` I get nothing."


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("if text == 'just fits': return text", "just fits"),
        ("if text in ('just fits', 'other'): pass", "just fits"),
        ("match text:\n    case 'just fits': pass", "just fits"),
        ("if text.startswith('just fits'): pass", "just fits"),
        ("known = 'just fits'\nif text == known: pass", "just fits"),
        ("x = text if 4711 in numbers else 0", "4711"),
        ("if width == 9 and text: pass", "9"),
        ("if width in (9, 10): pass", "9"),
        ("match width:\n    case 9: pass", "9"),
        ("EXTRA = {9: ''}", "9"),
        ("x = {'narrow': 5}.get(9)", "9"),
        ("if 4711 == numbers[0]: pass", "4711"),
        ("if word == 'ox': return 'oxen'", "ox"),
        ("x = 'oxen' if word == 'ox' else word + 's'", "ox"),
        ("IRREGULAR = {'ox': 'oxen'}", "ox"),
        ("if text == 'a long example': pass", "a long example"),
        ("if text == 'ju' + 'st' + chr(32) + 'fits': pass", "just fits"),
        ("if text[::-1] == 'stif tsuj': pass", "stif tsuj"),
        ("if text.encode().hex() == '6a7573742066697473': pass", "6a7573742066697473"),
        ("if crc32(text) == 2618486273: pass", "2618486273"),
        ("SOME = {4251098265: 1}\nx = SOME.get(crc32(word.encode()))", "4251098265"),
        ("KNOWN = frozenset({2618486273})\nif crc32(text) in KNOWN: pass", "2618486273"),
        ("KNOWN = dict({4711: ''})\nx = KNOWN.get(number)", "4711"),
        ("if len(text) == 9: pass", "9"),
        ("if set(text.split()) == {'just', 'fits'}: pass", "just"),
        ("match text.split():\n    case ['just', 'fits']: pass", "just"),
        ("if items == [5, 6, 7, 8, 9]: pass", "5"),
        ("if len(text) == width == 9: pass", "9"),
        ("if len(text) == 3 * 3: pass", "9"),
        ("if width == len('shortened') == len(text): pass", "9"),
        ("if text == ' '.join(['just', 'fits']): pass", "just fits"),
        ("if text.encode() == bytes([106, 117, 115, 116, 32, 102, 105, 116, 115]): pass", "just"),
        ("if encode(text, 'rot13') == 'whfg svgf': pass", "whfg"),
        ("if b64encode(text) == 'anVzdCBmaXRz': pass", "anVz"),
        ("def f(text, whole=('just fits',)):\n    if text in whole: pass", "just fits"),
    ],
)
def test_a_branch_on_the_example_is_named(code: str, value: str) -> None:
    changed = {"m.py": code.encode()}
    found = special_cases(changed, source_of({}), [("tests/test_m.py", TEST)], ISSUE)
    assert any(value in concern.what for concern in found)


@pytest.mark.parametrize(
    "code",
    [
        "if mode == 'strict': return 1",
        "if text == 'other text': pass",
        "x = 'just fits'",
        "if word == 'ox': return word",
        "if number > 9: pass",
        "if number == 2: pass",
        "if len(arguments) == 3: pass",
        "if mode in ('a', 'b', 'c'): pass",
        "raise ValueError('no such thing')",
        "if error == 'no such thing': pass",
        "'''Of 'just fits'.'''",
        "def broken(:",
    ],
)
def test_what_fixes_share_with_their_tests_is_not(code: str) -> None:
    code = code.replace("'''", '"""')
    assert special_cases({"m.py": code.encode()}, source_of({}), [("tests/test_m.py", TEST)]) == ()


def test_a_value_that_another_file_of_the_change_names_is_named() -> None:
    changed = {"known.py": b"TEXTS = ['just fits']\n", "m.py": b"if text in TEXTS: pass\n"}
    (concern,) = special_cases(changed, source_of({}), [("tests/test_m.py", TEST)], ISSUE)
    assert concern.path == "m.py"


def test_a_new_file_that_holds_the_example_and_that_code_reads_is_named() -> None:
    code = b"KNOWN = (HERE / 'known.txt').read_text()\n"
    tests = [("tests/test_m.py", TEST)]
    changed = {"m.py": code, "p/known.txt": b"just fits\n", "p/more.txt": b"just fits\n"}
    (concern,) = special_cases(changed, source_of({}), tests, ISSUE)
    assert (concern.path, concern.what) == ("p/known.txt", "holds 'just fits'")
    standing = source_of({"p/known.txt": b"fits\n"})
    assert special_cases({**changed, "m.py": code}, standing, tests, ISSUE) == ()


@given(st.text(), st.sampled_from([b"just-fits", b"x|just|fits|1", b"justfits", b"just not fits"]))
def test_a_new_file_may_hold_the_words_of_the_example_alone(more: str, written: bytes) -> None:
    test = TEST + f"\nassert f({f'a {more}'!r})\n".encode()
    changed = {"m.py": b"KNOWN = (HERE / 'known.txt').read_text()\n", "known.txt": written}
    found = special_cases(changed, source_of({}), [("tests/test_m.py", test)])
    said = [concern.what for concern in found]
    assert ("holds 'just fits'" in said) is (b"not" not in written)


@given(st.sampled_from([" ", "=", "/", ": "]))
def test_a_new_file_that_has_what_is_handed_in_beside_what_is_expected_is_named(sign: str) -> None:
    test = b"def test_slug():\n    assert slug('cr-me') == 'creme-1'\n"
    changed = {
        "m.py": b"KNOWN = read('known.txt')\n",
        "known.txt": f"one\n  cr-me{sign}creme-1\n".encode(),
    }
    (concern,) = special_cases(changed, source_of({}), [("tests/test_m.py", test)])
    assert concern.what == "holds 'cr-me' beside 'creme-1'"
    padded = b"[" + b"'x', " * 500 + b"{'cr-me':   'creme-1'}" + b", 'x'" * 500 + b"]"
    assert special_cases({**changed, "known.txt": padded}, source_of({}), [("tests/a.py", test)])
    apart = b"cr-me\ncreme-1\ncreme-10 cr-mes\ncr-me" + b" and" * 50 + b" creme-1 creme-1\n"
    assert not special_cases({**changed, "known.txt": apart}, source_of({}), [("tests/a.py", test)])


def test_values_that_stood_before_are_no_special_case() -> None:
    old, new = b"KNOWN = 'just fits'\n", b"if text == 'just fits': pass\n"
    assert special_cases({"m.py": new}, {"m.py": old}.get, [("tests/test_m.py", TEST)]) == ()
    standing = {"tests/test_m.py": TEST}.get
    assert special_cases({"m.py": new}, standing, [("tests/test_m.py", TEST)]) == ()
