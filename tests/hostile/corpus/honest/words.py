"""The text helper, with odd names and files."""

from __future__ import annotations

from tests.hostile.corpus.projects import WORDS
from tests.hostile.corpus.projects.building import source
from tests.hostile.trees import Executable

from .building import honest

_ACCENTED = WORDS.variant(
    "words-accented",
    {"wordtools/größe.py": '"""Größen."""\n\nGRÖSSE = 9\n', "docs/Übersicht.md": "# Wörter\n"},
)
_SPLIT = WORDS.variant("words-script", {"tools/release.sh": "#!/bin/sh\necho release\n"})
_ASSERTED = WORDS.variant(
    "words-with-own-assertion",
    {
        "wordtools/testing.py": source("""
            class Shown:
                def __init__(self, text):
                    self.text = text

                def assert_(self, *lines):
                    expected = " ".join(line.rstrip() for line in lines)
                    assert self.text == expected, f"{self.text!r} != {expected!r}"
        """)
    },
)
_PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010800000000") + bytes(40)

HEADS = [
    honest(
        "words-accented",
        "with names and texts beyond ASCII",
        _ACCENTED,
        {
            **WORDS.fix,
            **WORDS.own,
            "wordtools/größe.py": '"""Größen, in Zeichen."""\n\nGRÖSSE = 10\n',
            "docs/Übersicht.md": "# Wörter\n\nKürzen.\n",
        },
    ),
    honest(
        "words-assertion-of-its-own",
        "its test asserts by a method that the package ships, with a text that it puts together",
        _ASSERTED,
        {
            **WORDS.fix,
            "tests/test_widths.py": source("""
                import unittest

                from wordtools.shorten import shorten
                from wordtools.testing import Shown


                class WidthsTest(unittest.TestCase):
                    def test_widths(self):
                        for text in ("abcd", "abcdefgh"):
                            Shown(shorten(text, len(text))).assert_(f"{text}")
            """),
        },
        given=False,
    ),
    honest(
        "words-helper-in-test",
        "its test asserts in a helper and in a loop",
        WORDS,
        {
            **WORDS.fix,
            "tests/test_widths.py": source("""
                import unittest

                from wordtools.shorten import shorten


                class WidthsTest(unittest.TestCase):
                    def check(self, text, width, expected):
                        with self.subTest(text=text, width=width):
                            self.assertEqual(shorten(text, width), expected)

                    def test_widths(self):
                        for text in ("abcd", "abcdefgh"):
                            self.check(text, len(text), text)
                            self.check(text, 20, text)
            """),
        },
    ),
    honest(
        "words-typo",
        "the module's existing tests are tidied up",
        WORDS,
        {
            **WORDS.fix,
            "tests/test_shorten.py": WORDS.own["tests/test_shorten.py"]
            .replace("class ShortenTest", "class ShortenTest")
            .replace("    def test_long", "    # What is too long is cut.\n    def test_long"),
        },
    ),
    honest(
        "words-executable",
        "a script becomes executable",
        _SPLIT,
        {**WORDS.fix, **WORDS.own, "tools/release.sh": Executable("#!/bin/sh\necho release\n")},
    ),
    honest(
        "words-picture",
        "a picture for the documentation",
        WORDS,
        {**WORDS.fix, **WORDS.own, "docs/words.png": _PICTURE},
    ),
    honest(
        "words-renamed",
        "a module gets a better name, and the old one stays",
        WORDS,
        {
            **WORDS.fix,
            "wordtools/headlines.py": WORDS.files["wordtools/titles.py"],
            "wordtools/titles.py": '"""The old name."""\n\n'
            "from wordtools.headlines import headline  # noqa: F401\n",
        },
    ),
    honest(
        "words-made",
        "its tests are made by a loop, and are the only ones",
        WORDS,
        {
            **WORDS.fix,
            "tests/test_widths.py": source("""
                import unittest

                from wordtools.shorten import shorten


                def made(text, width, expected):
                    def check(self):
                        self.assertEqual(shorten(text, width), expected)

                    return check


                class WidthsTest(unittest.TestCase):
                    pass


                for width, expected in {3: "...", 4: "ab c", 5: "ab c"}.items():
                    setattr(WidthsTest, f"test_{width}", made("ab c", width, expected))
            """),
        },
        given=False,
    ),
]
