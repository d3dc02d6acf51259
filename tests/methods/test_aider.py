from __future__ import annotations

from generator.method import MethodSettings
from generator.writer import WritingExit

from .conftest import Sample

BLOCK = """\
tests/test_shorten.py
```python
<<<<<<< SEARCH
        self.assertEqual(shorten("a long sentence", 9), "a long...")
=======
        self.assertEqual(shorten("a long sentence", 9), "a long...")

    def test_text_that_just_fits(self):
        self.assertEqual(shorten("just fits", 9), "just fits")
>>>>>>> REPLACE
```
"""
FILES = "I need `tests/test_shorten.py`, wordtools/shorten.py and wordtools/missing.py."


def test_files_are_shown_as_named_and_edited(sample: Sample) -> None:
    written, asked = sample.write("aider", "shorten", [FILES, BLOCK])
    assert written.exit is WritingExit.SUBMITTED
    assert written.admitted
    first, second = asked.questions
    assert "wordtools/shorten.py\n4: def shorten(text, width, mark='...')" in first
    assert "class ShortenTest(unittest.TestCase):" in second
    assert "    if len(text) < width:" in second
    assert "not in the project: wordtools/missing.py" in second


def test_what_cannot_be_shown_is_told(sample: Sample) -> None:
    named = "wordtools/link.py, /etc/passwd.txt, ../up.py, wordtools/tables.py and shorten.py"
    written, asked = sample.write("aider", "shorten", [named, BLOCK])
    assert written.exit is WritingExit.SUBMITTED
    assert "too long to be shown" in asked.questions[1]
    assert "1: def table()" in asked.questions[1]
    assert "name_17" not in asked.questions[1]
    assert "wordtools/link.py" in asked.questions[1].partition("not in the project: ")[2]
    assert "root:" not in asked.questions[1]


def test_what_is_wrong_with_an_edit_is_reflected_on_and_what_was_right_stays(
    sample: Sample,
) -> None:
    astray = BLOCK.replace("a long sentence", "a longer sentence")
    new = BLOCK.replace("tests/test_shorten.py", "tests/test_new.py").replace(
        '        self.assertEqual(shorten("a long sentence", 9), "a long...")\n=======',
        "=======",
        1,
    )
    broken = new[: new.index("=======\n")] + "=======\nimport nothing_here\n>>>>>>> REPLACE\n```\n"
    mended = (
        "tests/test_new.py\n<<<<<<< SEARCH\nimport nothing_here\n=======\nimport unittest\n"
        ">>>>>>> REPLACE\n"
    )
    replies = [FILES, "I add a test.", astray + broken, BLOCK + mended]
    written, asked = sample.write("aider", "shorten", replies)
    assert written.exit is WritingExit.SUBMITTED, written
    assert "holds no SEARCH/REPLACE block" in asked.questions[2]
    assert "the original is not in the file" in asked.questions[3]
    assert "These files were changed: tests/test_new.py" in asked.questions[3]
    assert "test_text_that_just_fits" in written.patch


def test_tests_that_cannot_be_collected_are_told_with_the_error(sample: Sample) -> None:
    broken = BLOCK[: BLOCK.index("        self")] + "import unittest\n=======\n"
    broken += "import unittest\nimport nothing_here\n>>>>>>> REPLACE\n"
    written, asked = sample.write("aider", "shorten", [FILES, broken] + [BLOCK] * 3)
    assert "No module named 'nothing_here'" in asked.questions[2]
    assert written.exit is WritingExit.ABSTAINED


def test_there_are_three_reflections_unless_the_user_says_otherwise(sample: Sample) -> None:
    _, asked = sample.write("aider", "shorten", [FILES] + ["Nothing."] * 9)
    assert len(asked.questions) == 1 + 1 + 3
    _, asked = sample.write("aider", "shorten", [FILES] + ["No."] * 9, MethodSettings(rounds=1))
    assert len(asked.questions) == 1 + 1 + 1


def test_only_tests_can_be_edited(sample: Sample) -> None:
    fix = BLOCK.replace("tests/test_shorten.py", "wordtools/shorten.py")
    written, asked = sample.write("aider", "shorten", [FILES, fix, BLOCK])
    assert "it is not a test file" in asked.questions[2]
    assert "wordtools" not in written.patch.replace("from wordtools", "")
