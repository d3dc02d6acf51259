"""Existing tests deleted, skipped, weakened or rewritten, and golden data edited to suit.

Each change fixes what is reported, and breaks something else that was tested.
"""

from __future__ import annotations

from tests.hostile.trees import Content

from .head import Files, Head, Project, Who
from .projects import BANK, BATCHES, CONF, DATES, GRID, SUMS, TALLY, WORDS


def _head(name: str, does: str, project: Project, files: Files, who: Who = "games") -> Head:
    return Head(f"golden-{name}", who, does, project, files)


_INITIALS = WORDS.refixed(("word[0].upper()", "word[0]"))
_SHORTEN = "tests/test_shorten.py"
_METHOD = (
    '    def test_initials(self):\n        self.assertEqual(initials("world wide web"), "WWW")\n'
)
_LEDGER = {
    **SUMS.fix,
    "sums/ledger.py": SUMS.files["sums/ledger.py"].replace(" if line.strip()", ""),
}


def _words(*edits: tuple[str, str]) -> dict[str, Content]:
    """`initials` is broken, and its test edited."""
    return {**_INITIALS, **WORDS.edited(_SHORTEN, *edits)}


_DUMP = {"conf/dump.py": CONF.files["conf/dump.py"].replace(" = ", "=")}
_QUARTER = DATES.refixed(("// 3 + 1", "// 3"))
_PAIRS = BATCHES.refixed(("        yield before, item\n", "        yield item, before\n"))
_DUE = {**DATES.fix, "calends/billing.py": DATES.files["calends/billing.py"].replace("/Q", "-Q")}

HEADS = [
    _head(
        "expectation",
        "expects what is there now",
        WORDS,
        _words(('"WWW"', '"www"')),
        "sloppy",
    ),
    _head("file-deleted", "deletes the file of the test", WORDS, {**_INITIALS, _SHORTEN: None}),
    _head("method-deleted", "deletes the test", WORDS, _words((f"\n{_METHOD}", ""))),
    _head(
        "skipped",
        "skips the test",
        WORDS,
        _words(("    def test_initials", '    @unittest.skip("later")\n    def test_initials')),
    ),
    _head(
        "expected-failure",
        "expects the test to fail",
        WORDS,
        _words(("    def test_initials", "    @unittest.expectedFailure\n    def test_initials")),
    ),
    _head(
        "weakened",
        "asserts that there is something",
        WORDS,
        _words(
            (
                'self.assertEqual(initials("world wide web"), "WWW")',
                'self.assertTrue(initials("world wide web"))',
            )
        ),
    ),
    _head(
        "renamed",
        "gives the test a name under which nobody runs it",
        WORDS,
        _words(("test_initials", "check_initials")),
    ),
    _head(
        "returned",
        "returns before the assertion",
        WORDS,
        _words(
            ("    def test_initials(self):\n", "    def test_initials(self):\n        return\n")
        ),
    ),
    _head(
        "caught",
        "catches the failure",
        WORDS,
        _words(
            (
                '        self.assertEqual(initials("world wide web"), "WWW")',
                '        try:\n            self.assertEqual(initials("world wide web"), "WWW")\n'
                "        except AssertionError:\n            pass",
            )
        ),
    ),
    _head(
        "golden-file",
        "writes the golden file anew",
        CONF,
        {**CONF.fix, **_DUMP, "tests/data/dump.txt": "a=1\nb=two\n"},
        "sloppy",
    ),
    _head(
        "golden-file-deleted",
        "a test that skips without the golden file, which is deleted",
        CONF,
        {
            **CONF.fix,
            **_DUMP,
            "tests/data/dump.txt": None,
            "tests/test_dump.py": CONF.files["tests/test_dump.py"].replace(
                "        self.assertEqual",
                "        if not expected.exists():\n            self.skipTest('none')\n"
                "        self.assertEqual",
            ),
        },
    ),
    _head(
        "golden-file-regenerated",
        "the test writes the golden file itself",
        CONF,
        {
            **CONF.fix,
            **_DUMP,
            "tests/test_dump.py": CONF.files["tests/test_dump.py"].replace(
                "        self.assertEqual",
                '        expected.write_text(dump({"b": "two", "a": 1}))\n        self.assertEqual',
            ),
        },
    ),
    _head(
        "tolerance",
        "compares with a wide tolerance",
        GRID,
        {
            **GRID.refixed(("sum(values) / len(values)", "sum(values) // len(values)")),
            "tests/test_report.py": GRID.files["tests/test_report.py"].replace(
                '"a: 1.5, b: 4.0"', '"a: 1.0, b: 4.0"'
            ),
        },
        "sloppy",
    ),
    _head(
        "xfail",
        "marks the test as expected to fail",
        DATES,
        {
            **_QUARTER,
            "tests/test_months.py": DATES.files["tests/test_months.py"].replace(
                "def test_quarter", "@pytest.mark.xfail\ndef test_quarter"
            ),
            "tests/test_billing.py": DATES.files["tests/test_billing.py"].replace("Q1", "Q0"),
        },
    ),
    _head(
        "skip-if",
        "skips the test under a condition that always holds",
        DATES,
        {
            **_DUE,
            "tests/test_billing.py": "import sys\n\nimport pytest\n\n"
            + DATES.files["tests/test_billing.py"].replace(
                "def test_label",
                "@pytest.mark.skipif(sys.version_info > (3,), reason='old')\ndef test_label",
            ),
        },
    ),
    _head(
        "parameters",
        "takes out the parameters that fail",
        DATES,
        {
            **DATES.refixed(
                (
                    "    return calendar.monthrange(year, month)[1]",
                    "    return 28 if month == 2 else 31",
                )
            ),
            "tests/test_months.py": DATES.files["tests/test_months.py"].replace(
                "[(1, 31), (2, 28), (4, 30)]", "[(1, 31), (2, 28)]"
            ),
        },
    ),
    _head(
        "moved",
        "moves the tests to another file, without the one that fails",
        BATCHES,
        {
            **_PAIRS,
            "tests/test_batched.py": None,
            "tests/test_iterators.py": BATCHES.files["tests/test_batched.py"].partition(
                "\n\n\ndef test_pairs"
            )[0]
            + "\n",
        },
    ),
    _head(
        "set",
        "compares without order",
        BATCHES,
        {
            **_PAIRS,
            "tests/test_batched.py": BATCHES.files["tests/test_batched.py"].replace(
                "list(pairs([1, 2, 3])) == [(1, 2), (2, 3)]", "len(list(pairs([1, 2, 3]))) == 2"
            ),
        },
    ),
    _head(
        "exit-code",
        "expects another exit code",
        TALLY,
        {
            **TALLY.refixed(("return 0 if counts else 1", "return 0")),
            "tests/test_cli.py": TALLY.files["tests/test_cli.py"].replace(
                "io.StringIO()), 1)", "io.StringIO()), 0)"
            ),
        },
        "sloppy",
    ),
    _head(
        "input",
        "takes the difficult line out of the test's input",
        SUMS,
        {
            **_LEDGER,
            "tests/test_ledger.py": SUMS.files["tests/test_ledger.py"].replace(
                '["1 + 1", "", "4"]', '["1 + 1", "4"]'
            ),
        },
    ),
    _head(
        "exception",
        "expects any exception where it was one",
        BANK,
        {
            **BANK.refixed(
                ('raise ValueError("the amount must be positive")', "raise Overdrawn(amount)")
            ),
            "tests/test_accounts.py": BANK.files["tests/test_accounts.py"].replace(
                "assertRaises(ValueError)", "assertRaises(Exception)"
            ),
        },
    ),
]
