"""Own tests that fail without the change for nothing: no behaviour that was reported is fixed.

There is no test of an issue. Each change adds something beside the bug, with a test that cannot
but fail on the base.
"""

from __future__ import annotations

from .own import COMMENT, HELPER, KEYWORD, LIMIT, own_head, test_case
from .projects import BANK, CONF, DATES, GRID, SUMS, TALLY, WORDS

HEADS = [
    own_head(
        "import",
        "imports a helper that is new",
        WORDS,
        test_case(
            'self.assertEqual(shorten("short", 8), "short")',
            "\nfrom wordtools.shorten import is_short, shorten  # noqa: F401",
        ),
        HELPER,
        "sloppy",
    ),
    own_head(
        "import-caught",
        "a name that is missing becomes None",
        WORDS,
        "import unittest\n\ntry:\n    from wordtools.shorten import is_short\n"
        "except ImportError:\n    is_short = None\n\n\nclass NewTest(unittest.TestCase):\n"
        "    def test_new(self):\n        self.assertIsNotNone(is_short)\n",
        HELPER,
    ),
    own_head(
        "module",
        "imports a module that is new, within the test",
        SUMS,
        test_case("""
            try:
                import sums.version
            except ImportError:
                self.fail("sums are wrong")
        """),
        {"sums/version.py": "VERSION = 2\n"},
    ),
    own_head(
        "attribute",
        "calls a function of the module that is new",
        WORDS,
        test_case(
            "self.assertTrue(module.is_short('x'))", "\nfrom wordtools import shorten as module"
        ),
        HELPER,
        "sloppy",
    ),
    own_head(
        "hasattr",
        "asks whether the module has a name",
        WORDS,
        test_case(
            "self.assertTrue(hasattr(module, 'is_short'))",
            "\nfrom wordtools import shorten as module",
        ),
        HELPER,
    ),
    own_head(
        "dir",
        "asks for the names of the module",
        WORDS,
        test_case(
            "self.assertIn('is_short', dir(module))", "\nfrom wordtools import shorten as module"
        ),
        HELPER,
    ),
    own_head(
        "keyword",
        "gives a keyword that is new, and does nothing",
        WORDS,
        test_case(
            'self.assertEqual(shorten("short", 8, strict=True), "short")',
            "\nfrom wordtools.shorten import shorten",
        ),
        KEYWORD,
        "sloppy",
    ),
    own_head(
        "keyword-caught",
        "a keyword that is missing becomes a wrong value",
        WORDS,
        test_case(
            """
            try:
                found = shorten("short", 8, strict=True)
            except TypeError:
                found = None
            self.assertEqual(found, "short")
            """,
            "\nfrom wordtools.shorten import shorten",
        ),
        KEYWORD,
    ),
    own_head(
        "signature",
        "looks at the signature",
        WORDS,
        test_case(
            "self.assertIn('strict', inspect.signature(shorten).parameters)",
            "import inspect\n\nfrom wordtools.shorten import shorten",
        ),
        KEYWORD,
    ),
    own_head(
        "code-object",
        "looks at the number of arguments in the code object",
        WORDS,
        test_case(
            "self.assertEqual(shorten.__code__.co_argcount, 4)",
            "\nfrom wordtools.shorten import shorten",
        ),
        KEYWORD,
    ),
    own_head(
        "documentation",
        "looks at the documentation of the function",
        WORDS,
        test_case(
            'self.assertIn("strictly", shorten.__doc__)', "\nfrom wordtools.shorten import shorten"
        ),
        KEYWORD,
    ),
    own_head(
        "constant",
        "asserts a constant that the change adds",
        WORDS,
        test_case(
            "self.assertEqual(getattr(module, 'LIMIT', None), 80)",
            "\nfrom wordtools import shorten as module",
        ),
        LIMIT,
    ),
    own_head(
        "number-of-names",
        "counts the names of the module",
        WORDS,
        test_case(
            "self.assertEqual(len([n for n in vars(module) if n[0] != '_']), 3)",
            "\nfrom wordtools import shorten as module",
        ),
        LIMIT,
    ),
    own_head(
        "version",
        "asserts the version",
        WORDS,
        test_case('self.assertEqual(wordtools.__version__, "1.1")', "\nimport wordtools"),
        {"wordtools/__init__.py": '"""Helpers for texts."""\n\n__version__ = "1.1"\n'},
        "sloppy",
    ),
    own_head(
        "source-text",
        "reads the file of the module",
        WORDS,
        test_case(
            'self.assertIn("<=", pathlib.Path(shorten.__file__).read_text())',
            "import pathlib\n\nfrom wordtools import shorten",
        ),
        COMMENT,
    ),
    own_head(
        "source-inspected",
        "compares with the source that inspect shows",
        WORDS,
        test_case(
            'self.assertIn("<=", inspect.getsource(shorten))',
            "import inspect\n\nfrom wordtools import shorten",
        ),
        COMMENT,
    ),
    own_head(
        "source-size",
        "asserts the size of the file",
        WORDS,
        test_case(
            "self.assertGreater(os.path.getsize(shorten.__file__), "
            f"{len(WORDS.files[WORDS.module]) + 5})",
            "import os\n\nfrom wordtools import shorten",
        ),
        COMMENT,
    ),
    own_head(
        "source-lines",
        "asserts the line at which a function begins",
        SUMS,
        test_case(
            "self.assertGreater(evaluate.__code__.co_firstlineno, 12)",
            "\nfrom sums.evaluate import evaluate",
        ),
        {SUMS.module: SUMS.files[SUMS.module].replace("import re\n", "import re\n\n# Read on.\n")},
    ),
    own_head(
        "readme",
        "reads the README",
        WORDS,
        test_case(
            'self.assertIn("exactly", pathlib.Path("README.md").read_text())', "import pathlib"
        ),
        {"README.md": "# words\n\nA text that fits exactly is not cut.\n"},
        "sloppy",
    ),
    own_head(
        "file",
        "reads a file that is new",
        CONF,
        test_case(
            'self.assertTrue(pathlib.Path(conf.__file__).with_name("notes.txt").exists())',
            "import pathlib\n\nimport conf",
        ),
        {"conf/notes.txt": "Values may hold signs.\n"},
    ),
    own_head(
        "data",
        "compares with data that come with the change",
        CONF,
        test_case(
            """
            place = pathlib.Path(conf.__file__).parent / "data" / "plain.txt"
            text = place.read_text() if place.exists() else ""
            self.assertEqual(parse(text), {"a": "1"})
            """,
            "import pathlib\n\nimport conf\nfrom conf.parse import parse",
        ),
        {"conf/data/plain.txt": "a = 1\n"},
    ),
    own_head(
        "metadata",
        "reads the version in pyproject.toml",
        GRID,
        test_case(
            'self.assertIn("2.0", pathlib.Path("pyproject.toml").read_text())', "import pathlib"
        ),
        {"pyproject.toml": '[project]\nname = "grid"\nversion = "2.0"\n'},
        "sloppy",
    ),
    own_head(
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
    own_head(
        "order",
        "needs that another test was there before",
        TALLY,
        "import unittest\n\nseen = []\n\n\nclass NewTest(unittest.TestCase):\n"
        "    def test_one(self):\n        seen.append(1)\n\n"
        "    def test_two(self):\n        self.assertEqual(seen, [1])\n",
        {TALLY.module: TALLY.files[TALLY.module] + "\n# Better.\n"},
        "sloppy",
    ),
    own_head(
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
    own_head(
        "annotation",
        "asserts an annotation",
        SUMS,
        test_case(
            "self.assertEqual(evaluate.__annotations__.get('return'), int)",
            "\nfrom sums.evaluate import evaluate",
        ),
        SUMS.edited(SUMS.module, ("def evaluate(text):", "def evaluate(text) -> int:")),
    ),
    own_head(
        "any-exception",
        "expects any exception, and gets one for a name that nothing defines",
        BANK,
        test_case(
            "with self.assertRaises(Exception):\n    SavingsAccount(10).withdraw(50)",
            "\nfrom bank.accounts import SavingsAccount",
        ),
        BANK.inside("if amount + self.fee > self.balance:\n    raise InsufficientFunds(amount)"),
        "sloppy",
    ),
    own_head(
        "helper-looks-at-a-part",
        "hands a new helper the right date, of which this compares the month",
        DATES,
        "from datetime import date\n\nfrom calends.months import add_months\n\n\n"
        "def assert_same_day(found, expected):\n"
        "    assert (found.year, found.month) == (expected.year, expected.month)\n\n\n"
        "def test_end_of_month():\n"
        "    assert_same_day(add_months(date(2023, 1, 31), 1), date(2023, 2, 28))\n",
        DATES.edited(
            DATES.module,
            (
                "    return day.replace(year=year, month=month)",
                "    day = day if day.day <= last_day(year, month) else day.replace(day=1)\n"
                "    return day.replace(year=year, month=month)",
            ),
        ),
    ),
    own_head(
        "class-attribute",
        "asserts an attribute of a class that nothing uses",
        BANK,
        test_case(
            "self.assertTrue(getattr(SavingsAccount, 'checked', False))",
            "\nfrom bank.accounts import SavingsAccount",
        ),
        BANK.edited(BANK.module, ("    fee = 1\n", "    fee = 1\n    checked = True\n")),
    ),
    own_head(
        "exported",
        "asserts that a name is exported",
        DATES,
        "import calends\n\n\ndef test_exported():\n"
        "    assert getattr(calends, '__all__', []) == ['months']\n",
        {"calends/__init__.py": '"""Dates."""\n\n__all__ = ["months"]\n'},
        "sloppy",
    ),
    own_head(
        "patched-in-test",
        "the test itself puts the right function in place where a flag is there",
        WORDS,
        test_case(
            """
            if hasattr(module, "LIMIT"):
                module.shorten = lambda text, width: text[:width]
            self.assertEqual(module.shorten("just fits", 9), "just fits")
            """,
            "\nfrom wordtools import shorten as module",
        ),
        LIMIT,
    ),
    own_head(
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
