from __future__ import annotations

from generator.method import MethodSettings
from generator.writer import WritingExit

from .conftest import Sample

PATCH = """\
# modification 1
```
<file>tests/test_shorten.py</file>
<original>        self.assertEqual(shorten("a long sentence", 9), "a long...")</original>
<patched>        self.assertEqual(shorten("a long sentence", 9), "a long...")

    def test_text_that_just_fits(self):
        self.assertEqual(shorten("just fits", 9), "just fits")</patched>
```
"""
MISPLACED = PATCH.replace("a long sentence", "a longer sentence")


def test_calls_are_answered_until_there_are_none_and_then_one_patch_is_written(
    sample: Sample,
) -> None:
    replies = [
        'The issue names it: `search_method("shorten")` and search_code("nowhere to be found")',
        "search_class_in_file(class_name='ShortenTest', file_name='test_shorten.py')",
        "I know enough.",
        PATCH,
    ]
    written, asked = sample.write("autocoderover", "shorten", replies)
    assert written.exit is WritingExit.SUBMITTED
    assert written.admitted
    first, found, more, patch = asked.questions
    assert "`search_method_in_class(method_name, class_name)`" in first
    assert "10 rounds" in first
    assert "wordtools/shorten.py, lines 4 to 8, shorten:" in found
    assert "Nothing was found." in found
    assert "class ShortenTest(unittest.TestCase):" in more
    assert "def test_long_text_is_cut(self):" in patch
    assert {p.temperature for p in asked.parameters} == {0.0}


def test_a_first_reply_without_calls_is_asked_again_and_bad_calls_are_explained(
    sample: Sample,
) -> None:
    replies = [
        "I would look at the function.",
        "search_everything('shorten') search_method_in_class('shorten') search_class(3)",
        "",
        PATCH,
    ]
    written, asked = sample.write("autocoderover", "shorten", replies)
    assert written.exit is WritingExit.SUBMITTED
    assert "no call in your reply" in asked.questions[1]
    assert "There is no call `search_everything`" in asked.questions[2]
    assert "missing a required argument: 'class_name'" in asked.questions[2]
    assert "`class_name` must be str" in asked.questions[2]


def test_rounds_are_bounded_and_the_last_answers_are_told(sample: Sample) -> None:
    calls = ['search_method("shorten")', 'search_class("ShortenTest")']
    settings = MethodSettings(rounds=2)
    written, asked = sample.write("autocoderover", "shorten", [*calls, PATCH], settings)
    assert written.exit is WritingExit.SUBMITTED
    assert len(asked.questions) == 3
    assert "class ShortenTest" in asked.questions[2]
    assert "# modification 1" in asked.questions[2]


def test_a_patch_that_does_not_apply_is_written_again(sample: Sample) -> None:
    looked = ['search_method("shorten")', "Enough."]
    replies = [*looked, "Add a test.", MISPLACED, PATCH]
    written, asked = sample.write("autocoderover", "shorten", replies)
    assert written.exit is WritingExit.SUBMITTED
    assert "the reply holds no edit" in asked.questions[3]
    assert "the original is not in the file" in asked.questions[4]


def test_after_three_tries_it_is_over(sample: Sample) -> None:
    replies = ['search_method("shorten")', "Enough.", *[MISPLACED] * 9]
    written, asked = sample.write("autocoderover", "shorten", replies)
    assert written.exit is WritingExit.ABSTAINED
    assert len(asked.questions) == 5
    assert "the original is not in the file" in written.reason
