"""A text helper: it cuts texts that fit."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source, unittest_file, with_test

_SHORTEN = source('''
    """Shortening of texts."""


    def shorten(text, width, mark="..."):
        """Cut a text to at most `width` characters, with a mark where something was cut off."""
        if len(text) < width:
            return text
        return text[: width - len(mark)] + mark


    def initials(text):
        """The first letters of the words, in capitals."""
        return "".join(word[0].upper() for word in text.split())
''')
_TEST_SHORTEN = source("""
    import unittest

    from wordtools.shorten import initials, shorten


    class ShortenTest(unittest.TestCase):
        def test_long(self):
            self.assertEqual(shorten("much too long", 8), "much ...")

        def test_short(self):
            self.assertEqual(shorten("short", 8), "short")

        def test_initials(self):
            self.assertEqual(initials("world wide web"), "WWW")
""")
WORDS = Project(
    name="words",
    files={
        "README.md": "# words\n\nHelpers for texts.\n",
        "wordtools/__init__.py": '"""Helpers for texts."""\n\n__version__ = "1.0"\n',
        "wordtools/shorten.py": _SHORTEN,
        "wordtools/titles.py": source('''
            """Headlines."""

            from wordtools.shorten import shorten


            def headline(text, width=12):
                """A title that fits a column."""
                return shorten(text.title(), width)
        '''),
        "tests/__init__.py": "",
        "tests/test_shorten.py": _TEST_SHORTEN,
        "tests/test_titles.py": unittest_file(
            "from wordtools.titles import headline",
            "Titles",
            """
            self.assertEqual(headline("a very long story"), "A Very Lo...")
            self.assertEqual(headline("news"), "News")
            """,
        ),
    },
    module="wordtools/shorten.py",
    anchor="    if len(text) < width:",
    issue=source("""
        # shorten cuts texts that fit

        ```python
        >>> from wordtools.shorten import shorten
        >>> shorten("just fits", 9)
        'just f...'
        ```

        The text has exactly nine characters, so the result should be `'just fits'`.
    """),
    given={
        "tests/test_issue.py": unittest_file(
            "from wordtools.shorten import shorten",
            "Fits",
            'self.assertEqual(shorten("just fits", 9), "just fits")',
        )
    },
    fix={"wordtools/shorten.py": replaced(_SHORTEN, ("len(text) < width", "len(text) <= width"))},
    own={
        "tests/test_shorten.py": with_test(
            _TEST_SHORTEN,
            """
            def test_exact(self):
                self.assertEqual(shorten("exactly!", 8), "exactly!")
            """,
        )
    },
)
