"""Own tests that fail without the change for nothing: no behaviour that was reported is fixed.

There is no test of an issue. Each change adds something beside the bug, with a test that cannot
but fail on the base.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from textwrap import dedent, indent

from tests.hostile.trees import Content

from .head import Head, Project, replaced
from .projects import BANK, CONF, DATES, GRID, SUMS, TALLY, WORDS


def _test(body: str, imports: str = "") -> str:
    method = indent(dedent(body).strip(), " " * 8)
    head = f"import unittest\n{imports}\n\n\nclass NewTest(unittest.TestCase):\n"
    return f"{head}    def test_new(self):\n{method}\n"


def _head(
    name: str,
    does: str,
    project: Project,
    test: str,
    files: Mapping[str, Content],
    who: str = "games",
    path: str = "tests/test_new.py",
) -> Head:
    brought = {path: test, **files}
    return Head(f"own-{name}", who, does, project, brought, given=False)  # type: ignore[arg-type]


def _added(project: Project, code: str) -> Mapping[str, Content]:
    return {project.module: f"{project.files[project.module]}\n\n{dedent(code).strip()}\n"}


_HELPER = _added(
    WORDS,
    '''
    def is_short(text):
        """Whether a text is short."""
        return len(text) < 9
    ''',
)
_KEYWORD = WORDS.edited(
    WORDS.module, ('mark="..."):', 'mark="...", strict=False):'), ("cut off.", "cut off; strictly.")
)
_COMMENT = {WORDS.module: WORDS.files[WORDS.module] + "\n# Fixed: <= in place of <.\n"}
_LIMIT = _added(WORDS, 'LIMIT = 80\n"""The most characters of a line."""')

_ENDLESS = "while True:\n        pass"
_DYING = "__import__('os').abort()"
_HOARDING = 'hoard = []\n    while True:\n        hoard.append(b"*" * 2**26)'


def _cut_short(name: str, does: str, test: str, files: Mapping[str, Content]) -> Head:
    """A head on which a run without the change ends with its time or its memory."""
    made = _head(name, does, WORDS, test, files)
    return dataclasses.replace(made, seconds=5, memory=600)


def _unfinished(
    name: str, does: str, unless: str, files: Mapping[str, Content], imports: str = ""
) -> list[Head]:
    """Without the change a test hangs, dies or eats all memory; with it, it asserts what held."""
    return [
        _cut_short(
            f"{ending}-{name}",
            f"{ending} unless {does}",
            _test(
                f"if not ({unless}):\n    {code}\n"
                "self.assertEqual(module.shorten('short', 8), 'short')",
                f"{imports}\nfrom wordtools import shorten as module",
            ),
            files,
        )
        for ending, code in (("hangs", _ENDLESS), ("hoards", _HOARDING), ("dies", _DYING))
    ]


HEADS = [
    _head(
        "import",
        "imports a helper that is new",
        WORDS,
        _test(
            'self.assertEqual(shorten("short", 8), "short")',
            "\nfrom wordtools.shorten import is_short, shorten  # noqa: F401",
        ),
        _HELPER,
        "sloppy",
    ),
    _head(
        "import-caught",
        "a name that is missing becomes None",
        WORDS,
        "import unittest\n\ntry:\n    from wordtools.shorten import is_short\n"
        "except ImportError:\n    is_short = None\n\n\nclass NewTest(unittest.TestCase):\n"
        "    def test_new(self):\n        self.assertIsNotNone(is_short)\n",
        _HELPER,
    ),
    _head(
        "module",
        "imports a module that is new, within the test",
        SUMS,
        _test("""
            try:
                import sums.version
            except ImportError:
                self.fail("sums are wrong")
        """),
        {"sums/version.py": "VERSION = 2\n"},
    ),
    _head(
        "attribute",
        "calls a function of the module that is new",
        WORDS,
        _test("self.assertTrue(module.is_short('x'))", "\nfrom wordtools import shorten as module"),
        _HELPER,
        "sloppy",
    ),
    _head(
        "hasattr",
        "asks whether the module has a name",
        WORDS,
        _test(
            "self.assertTrue(hasattr(module, 'is_short'))",
            "\nfrom wordtools import shorten as module",
        ),
        _HELPER,
    ),
    _head(
        "dir",
        "asks for the names of the module",
        WORDS,
        _test(
            "self.assertIn('is_short', dir(module))", "\nfrom wordtools import shorten as module"
        ),
        _HELPER,
    ),
    _head(
        "keyword",
        "gives a keyword that is new, and does nothing",
        WORDS,
        _test(
            'self.assertEqual(shorten("short", 8, strict=True), "short")',
            "\nfrom wordtools.shorten import shorten",
        ),
        _KEYWORD,
        "sloppy",
    ),
    _head(
        "keyword-caught",
        "a keyword that is missing becomes a wrong value",
        WORDS,
        _test(
            """
            try:
                found = shorten("short", 8, strict=True)
            except TypeError:
                found = None
            self.assertEqual(found, "short")
            """,
            "\nfrom wordtools.shorten import shorten",
        ),
        _KEYWORD,
    ),
    _head(
        "signature",
        "looks at the signature",
        WORDS,
        _test(
            "self.assertIn('strict', inspect.signature(shorten).parameters)",
            "import inspect\n\nfrom wordtools.shorten import shorten",
        ),
        _KEYWORD,
    ),
    _head(
        "code-object",
        "looks at the number of arguments in the code object",
        WORDS,
        _test(
            "self.assertEqual(shorten.__code__.co_argcount, 4)",
            "\nfrom wordtools.shorten import shorten",
        ),
        _KEYWORD,
    ),
    _head(
        "documentation",
        "looks at the documentation of the function",
        WORDS,
        _test(
            'self.assertIn("strictly", shorten.__doc__)', "\nfrom wordtools.shorten import shorten"
        ),
        _KEYWORD,
    ),
    _head(
        "constant",
        "asserts a constant that the change adds",
        WORDS,
        _test(
            "self.assertEqual(getattr(module, 'LIMIT', None), 80)",
            "\nfrom wordtools import shorten as module",
        ),
        _LIMIT,
    ),
    _head(
        "number-of-names",
        "counts the names of the module",
        WORDS,
        _test(
            "self.assertEqual(len([n for n in vars(module) if n[0] != '_']), 3)",
            "\nfrom wordtools import shorten as module",
        ),
        _LIMIT,
    ),
    _head(
        "version",
        "asserts the version",
        WORDS,
        _test('self.assertEqual(wordtools.__version__, "1.1")', "\nimport wordtools"),
        {"wordtools/__init__.py": '"""Helpers for texts."""\n\n__version__ = "1.1"\n'},
        "sloppy",
    ),
    _head(
        "source-text",
        "reads the file of the module",
        WORDS,
        _test(
            'self.assertIn("<=", pathlib.Path(shorten.__file__).read_text())',
            "import pathlib\n\nfrom wordtools import shorten",
        ),
        _COMMENT,
    ),
    _head(
        "source-inspected",
        "compares with the source that inspect shows",
        WORDS,
        _test(
            'self.assertIn("<=", inspect.getsource(shorten))',
            "import inspect\n\nfrom wordtools import shorten",
        ),
        _COMMENT,
    ),
    _head(
        "source-size",
        "asserts the size of the file",
        WORDS,
        _test(
            "self.assertGreater(os.path.getsize(shorten.__file__), "
            f"{len(WORDS.files[WORDS.module]) + 5})",
            "import os\n\nfrom wordtools import shorten",
        ),
        _COMMENT,
    ),
    _head(
        "source-lines",
        "asserts the line at which a function begins",
        SUMS,
        _test(
            "self.assertGreater(evaluate.__code__.co_firstlineno, 12)",
            "\nfrom sums.evaluate import evaluate",
        ),
        {SUMS.module: SUMS.files[SUMS.module].replace("import re\n", "import re\n\n# Read on.\n")},
    ),
    _head(
        "readme",
        "reads the README",
        WORDS,
        _test('self.assertIn("exactly", pathlib.Path("README.md").read_text())', "import pathlib"),
        {"README.md": "# words\n\nA text that fits exactly is not cut.\n"},
        "sloppy",
    ),
    _head(
        "file",
        "reads a file that is new",
        CONF,
        _test(
            'self.assertTrue(pathlib.Path(conf.__file__).with_name("notes.txt").exists())',
            "import pathlib\n\nimport conf",
        ),
        {"conf/notes.txt": "Values may hold signs.\n"},
    ),
    _head(
        "data",
        "compares with data that come with the change",
        CONF,
        _test(
            """
            place = pathlib.Path(conf.__file__).parent / "data" / "plain.txt"
            text = place.read_text() if place.exists() else ""
            self.assertEqual(parse(text), {"a": "1"})
            """,
            "import pathlib\n\nimport conf\nfrom conf.parse import parse",
        ),
        {"conf/data/plain.txt": "a = 1\n"},
    ),
    _head(
        "metadata",
        "reads the version in pyproject.toml",
        GRID,
        _test('self.assertIn("2.0", pathlib.Path("pyproject.toml").read_text())', "import pathlib"),
        {"pyproject.toml": '[project]\nname = "grid"\nversion = "2.0"\n'},
        "sloppy",
    ),
    _head(
        "random",
        "fails at random",
        GRID,
        "import random\nimport unittest\n\n\nclass NewTest(unittest.TestCase):\n"
        + "".join(
            f"    def test_{number}(self):\n        self.assertLess(random.random(), 0.5)\n\n"
            for number in range(12)
        ),
        {GRID.module: GRID.files[GRID.module] + "\n# Better.\n"},
    ),
    _head(
        "order",
        "needs that another test was there before",
        TALLY,
        "import unittest\n\nseen = []\n\n\nclass NewTest(unittest.TestCase):\n"
        "    def test_one(self):\n        seen.append(1)\n\n"
        "    def test_two(self):\n        self.assertEqual(seen, [1])\n",
        {TALLY.module: TALLY.files[TALLY.module] + "\n# Better.\n"},
        "sloppy",
    ),
    _head(
        "clock",
        "asserts the fraction of a second",
        BANK,
        "import time\nimport unittest\n\n\nclass NewTest(unittest.TestCase):\n"
        + "".join(
            f"    def test_{number}(self):\n        time.sleep(0.0{number + 1}1)\n"
            "        self.assertEqual(time.time_ns() // 1000 % 2, 0)\n\n"
            for number in range(9)
        ),
        {BANK.module: BANK.files[BANK.module] + "\n# Better.\n"},
    ),
    _head(
        "annotation",
        "asserts an annotation",
        SUMS,
        _test(
            "self.assertEqual(evaluate.__annotations__.get('return'), int)",
            "\nfrom sums.evaluate import evaluate",
        ),
        SUMS.edited(SUMS.module, ("def evaluate(text):", "def evaluate(text) -> int:")),
    ),
    _head(
        "class-attribute",
        "asserts an attribute of a class that nothing uses",
        BANK,
        _test(
            "self.assertTrue(getattr(SavingsAccount, 'checked', False))",
            "\nfrom bank.accounts import SavingsAccount",
        ),
        BANK.edited(BANK.module, ("    fee = 1\n", "    fee = 1\n    checked = True\n")),
    ),
    _head(
        "exported",
        "asserts that a name is exported",
        DATES,
        "import calends\n\n\ndef test_exported():\n"
        "    assert getattr(calends, '__all__', []) == ['months']\n",
        {"calends/__init__.py": '"""Dates."""\n\n__all__ = ["months"]\n'},
        "sloppy",
    ),
    _head(
        "patched-in-test",
        "the test itself puts the right function in place where a flag is there",
        WORDS,
        _test(
            """
            if hasattr(module, "LIMIT"):
                module.shorten = lambda text, width: text[:width]
            self.assertEqual(module.shorten("just fits", 9), "just fits")
            """,
            "\nfrom wordtools import shorten as module",
        ),
        _LIMIT,
    ),
    *_unfinished("hasattr", "there is a name", "hasattr(module, 'is_short')", _HELPER),
    *_unfinished(
        "signature",
        "there is a parameter",
        "'strict' in inspect.signature(module.shorten).parameters",
        _KEYWORD,
        "import inspect\n",
    ),
    *_unfinished(
        "source",
        "there is a text in the sources",
        "'# Fixed' in inspect.getsource(module)",
        _COMMENT,
        "import inspect\n",
    ),
    *_unfinished(
        "documentation",
        "there is a text in the documentation",
        "'strictly' in module.shorten.__doc__",
        _KEYWORD,
    ),
    *_unfinished("constant", "a constant is set", "getattr(module, 'LIMIT', None) == 80", _LIMIT),
    _cut_short(
        "hangs-helper",
        "hangs in a helper of another file unless there is a name",
        "import unittest\n\nfrom tests.waiting import wait\nfrom wordtools.shorten import shorten\n"
        "\n\nclass NewTest(unittest.TestCase):\n    def test_new(self):\n        wait()\n"
        "        self.assertEqual(shorten('short', 8), 'short')\n",
        {
            **_HELPER,
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
        _HELPER,
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
        _HELPER,
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
    _head(
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
    _head(
        "made",
        "tests that a loop makes call what failed, and assert nothing",
        WORDS,
        "import unittest\n\nfrom wordtools.shorten import shorten\n\n\ndef made(text):\n"
        "    def check(self):\n        shorten(text, 8)\n\n    return check\n\n\n"
        "class NewTest(unittest.TestCase):\n    pass\n\n\nfor text in (None, 'short'):\n"
        "    setattr(NewTest, f'test_{text}', made(text))\n",
        WORDS.edited(
            WORDS.module,
            ("    if len(text)", "    if text is None:\n        return 7\n    if len(text)"),
        ),
        "sloppy",
    ),
]
