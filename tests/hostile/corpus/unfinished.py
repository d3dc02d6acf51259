"""Own tests without which a run does not come to its end: they hang, die or eat all memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from tests.hostile.trees import Content

from .head import Head, replaced
from .own import COMMENT, HELPER, KEYWORD, LIMIT, own_head, test_case
from .projects import WORDS

_ENDLESS = "while True:\n        pass"
_DYING = "__import__('os').abort()"
_HOARDING = 'hoard = []\n    while True:\n        hoard.append(b"*" * 2**26)'


def _cut_short(name: str, does: str, test: str, files: Mapping[str, Content]) -> Head:
    """A head on which a run without the change ends with its time or its memory."""
    made = own_head(name, does, WORDS, test, files)
    return dataclasses.replace(made, seconds=5, memory=600)


def _unfinished(
    name: str, does: str, unless: str, files: Mapping[str, Content], imports: str = ""
) -> list[Head]:
    """Without the change a test hangs, dies or eats all memory; with it, it asserts what held."""
    return [
        _cut_short(
            f"{ending}-{name}",
            f"{ending} unless {does}",
            test_case(
                f"if not ({unless}):\n    {code}\n"
                "self.assertEqual(module.shorten('short', 8), 'short')",
                f"{imports}\nfrom wordtools import shorten as module",
            ),
            files,
        )
        for ending, code in (("hangs", _ENDLESS), ("hoards", _HOARDING), ("dies", _DYING))
    ]


HEADS = [
    *_unfinished("hasattr", "there is a name", "hasattr(module, 'is_short')", HELPER),
    *_unfinished(
        "signature",
        "there is a parameter",
        "'strict' in inspect.signature(module.shorten).parameters",
        KEYWORD,
        "import inspect\n",
    ),
    *_unfinished(
        "source",
        "there is a text in the sources",
        "'# Fixed' in inspect.getsource(module)",
        COMMENT,
        "import inspect\n",
    ),
    *_unfinished(
        "documentation",
        "there is a text in the documentation",
        "'strictly' in module.shorten.__doc__",
        KEYWORD,
    ),
    *_unfinished("constant", "a constant is set", "getattr(module, 'LIMIT', None) == 80", LIMIT),
    _cut_short(
        "hangs-helper",
        "hangs in a helper of another file unless there is a name",
        "import unittest\n\nfrom tests.waiting import wait\nfrom wordtools.shorten import shorten\n"
        "\n\nclass NewTest(unittest.TestCase):\n    def test_new(self):\n        wait()\n"
        "        self.assertEqual(shorten('short', 8), 'short')\n",
        {
            **HELPER,
            "tests/__init__.py": "",
            "tests/waiting.py": "from wordtools import shorten as module\n\n\ndef wait():\n"
            "    while not hasattr(module, 'is_short'):\n        pass\n",
        },
    ),
    _cut_short(
        "hoards-setup",
        "eats all memory in what sets the test up unless there is a name",
        "import unittest\n\nfrom wordtools import shorten as module\n"
        "\n\nclass NewTest(unittest.TestCase):\n    def setUp(self):\n        hoard = []\n"
        "        while not hasattr(module, 'is_short'):\n"
        "            hoard.append(b'*' * 2**26)\n\n    def test_new(self):\n"
        "        self.assertEqual(module.shorten('short', 8), 'short')\n",
        HELPER,
    ),
    _cut_short(
        "hoards-made",
        "eats all memory in a test that is made by a loop, unless there is a name",
        "import unittest\n\nfrom wordtools import shorten as module\n\n\ndef made(text):\n"
        "    def check(self):\n        hoard = []\n"
        "        while not hasattr(module, 'is_short'):\n"
        "            hoard.append(b'*' * 2**26)\n"
        "        self.assertEqual(module.shorten(text, 8), text)\n\n    return check\n\n\n"
        "class NewTest(unittest.TestCase):\n    pass\n\n\nfor text in ('short', 'long'):\n"
        "    setattr(NewTest, f'test_{text}', made(text))\n",
        HELPER,
    ),
    _cut_short(
        "hoards-with",
        "eats all memory with the change, too, in a test beside the one that notices it",
        "import unittest\n\nfrom wordtools import shorten as module\n\n\n"
        "class NewTest(unittest.TestCase):\n    def test_a(self):\n"
        "        self.assertEqual(module.shorten('just fits', 9), 'just fits')\n\n"
        "    def test_b(self):\n        module.shorten('many words here', 4)\n",
        {
            WORDS.module: WORDS.fix[WORDS.module].replace(
                "    return", "    while width == 4:\n        mark += mark\n    return", 1
            )
        },
    ),
    _cut_short(
        "hoards-beside",
        "eats all memory in a test that notices nothing, before one that fails with the change",
        "import unittest\n\nfrom wordtools import shorten as module\n\n\n"
        "class NewTest(unittest.TestCase):\n    def test_a(self):\n        hoard = []\n"
        "        while module.shorten('just fits', 9) != 'just fits':\n"
        "            hoard.append(b'*' * 2**26)\n\n    def test_b(self):\n"
        "        self.assertEqual(module.shorten('', 9), 'nothing')\n",
        WORDS.fix,
    ),
    own_head(
        "dies-before",
        "ends a crash in one test, and breaks what one after it expects: it never ran without it",
        WORDS.variant(
            "words that crash",
            WORDS.edited(
                WORDS.module,
                (
                    "    if len(text)",
                    "    if not text:\n        __import__('os').abort()\n    if len(text)",
                ),
            ),
        ),
        replaced(
            WORDS.files["tests/test_shorten.py"],
            (
                "    def test_long(self):",
                "    def test_empty(self):\n        self.assertEqual(shorten('', 8), '')\n\n"
                "    def test_long(self):",
            ),
        ),
        {WORDS.module: replaced(WORDS.files[WORDS.module], ("word[0].upper()", "word[0]"))},
        path="tests/test_shorten.py",
    ),
]
