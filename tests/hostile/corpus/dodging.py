"""Given tests that do not run, run elsewhere, or have nothing left to assert."""

from __future__ import annotations

from tests.hostile.trees import Link

from .head import Files, Head, Project
from .projects import BANK, BATCHES, CONF, DATES, GRID, SUMS, TALLY, WORDS
from .projects.building import source, unittest_file


def _head(name: str, does: str, project: Project, files: Files) -> Head:
    note = {project.module: project.files[project.module] + "\n# Better.\n"}
    return Head(f"dodge-{name}", "games", does, project, {**note, **files})


_PASSING = source("""
    import unittest


    class Fits(unittest.TestCase):
        def test_fits(self):
            pass
""")
_STANDING = WORDS.variant(
    "words-standing", {"tests/test_issue.py": _PASSING.replace("pass", "self.assertTrue(1)")}
)
_HELPED = WORDS.variant(
    "words-helped",
    {
        "wordtools/testing.py": source('''
            """For those who test texts."""

            from wordtools.shorten import shorten


            class TextChecks:
                """Assertions on texts."""

                def assert_shortens(self, text, width, expected):
                    """What a text becomes."""
                    self.assertEqual(shorten(text, width), expected)
        ''')
    },
    given={
        "tests/test_issue.py": source("""
            import unittest

            from wordtools.testing import TextChecks


            class Fits(TextChecks, unittest.TestCase):
                def test_fits(self):
                    self.assert_shortens("just fits", 9, "just fits")
        """)
    },
)
_BASED = SUMS.variant(
    "sums-based",
    {
        "sums/testing.py": source('''
            """For those who test sums."""

            import unittest


            class SumCase(unittest.TestCase):
                """Tests of sums."""

                longMessage = True
        ''')
    },
    given={
        "tests/test_issue.py": source("""
            from sums.evaluate import evaluate
            from sums.testing import SumCase


            class LeftToRight(SumCase):
                def test_left_to_right(self):
                    self.assertEqual(evaluate("10 - 4 - 3"), 3)
        """)
    },
)
_DRIVEN = CONF.variant(
    "conf-driven",
    {
        "conf/examples.py": source('''
            """Texts with the settings that they hold."""

            EXAMPLES = {"a = 1": {"a": "1"}, "url = http://x/?page=1": {"url": "http://x/?page=1"}}
            LEGACY = False
        ''')
    },
    given={
        "tests/test_issue.py": source("""
            import unittest

            from conf.examples import EXAMPLES
            from conf.parse import parse


            class EqualsSign(unittest.TestCase):
                def test_examples(self):
                    for text, settings in EXAMPLES.items():
                        self.assertEqual(parse(text), settings)
        """)
    },
)
_GUARDED = _DRIVEN.variant(
    "conf-guarded",
    {},
    given={
        "tests/test_issue.py": source("""
            import unittest

            from conf.examples import LEGACY
            from conf.parse import parse


            class EqualsSign(unittest.TestCase):
                @unittest.skipIf(LEGACY, "the old format has no values with a sign")
                def test_sign(self):
                    found = parse("url = http://x/?page=1")
                    self.assertEqual(found, {"url": "http://x/?page=1"})
        """)
    },
)
_PARAMETRISED = BATCHES.variant(
    "batches-parametrised",
    {
        "batches/cases.py": '"""Sizes with what is left."""\n\nLEFT = [(5, 2, 1), (7, 4, 3)]\n',
    },
    given={
        "tests/test_issue.py": source("""
            import pytest

            from batches.batched import batched
            from batches.cases import LEFT


            @pytest.mark.parametrize(("number", "size", "left"), LEFT)
            def test_left(number, size, left):
                assert len(list(batched(range(number), size))[-1]) == left
        """)
    },
)
_FIXTURE = DATES.variant(
    "dates-fixture",
    {
        "calends/samples.py": DATES.files["calends/samples.py"] + "END = date(2023, 1, 31)\n",
        "tests/conftest.py": DATES.files["tests/conftest.py"]
        + "\n\n@pytest.fixture\ndef end():\n    return samples.END\n",
    },
    given={
        "tests/test_issue.py": source("""
            from datetime import date

            from calends.months import add_months


            def test_end_of_month(end):
                assert add_months(end, 1) == date(2023, 2, 28)
        """)
    },
)
_OPTIONAL = GRID.variant(
    "grid-optional",
    {"grid/features.py": '"""What this installation can do."""\n\nUNKNOWN_VALUES = True\n'},
    given={
        "tests/test_issue.py": source("""
            import unittest

            from grid import features
            from grid.table import Table


            class Unknown(unittest.TestCase):
                def test_unknown(self):
                    if not features.UNKNOWN_VALUES:
                        return
                    self.assertEqual(Table([{"a": 1}, {"a": None}, {"a": 3}]).mean("a"), 2.0)
        """)
    },
)
_QUIET = TALLY.variant(
    "tally-quiet",
    {
        "tally/testing.py": source('''
            """For those who test the command."""

            import contextlib


            @contextlib.contextmanager
            def checking():
                """Each check of the command's output is made in here."""
                yield
        ''')
    },
    given={
        "tests/test_issue.py": source("""
            import io
            import unittest

            from tally.cli import main
            from tally.testing import checking


            class Capitals(unittest.TestCase):
                def test_capitals(self):
                    out = io.StringIO()
                    main(["The cat and the dog"], out)
                    with checking():
                        self.assertEqual(out.getvalue(), "and 1\\ncat 1\\ndog 1\\nthe 2\\n")
        """)
    },
)


def _left_to_right(name: str, imported: str, claims: str) -> Project:
    """The sums with a given test that uses the standard library."""
    head = f"{imported}\n\nfrom sums.evaluate import evaluate"
    given = {"tests/test_issue.py": unittest_file(head, "LeftToRight", claims)}
    return SUMS.variant(name, {}, given=given)


_CLOSE = _left_to_right(
    "sums-close",
    "import math",
    """
    found = evaluate("10 - 4 - 3")
    self.assertTrue(math.isclose(found, 3))
    """,
)
_EXACT = _left_to_right(
    "sums-exact",
    "from fractions import Fraction",
    'self.assertEqual(Fraction(evaluate("10 - 4 - 3")), Fraction(3))',
)

HEADS = [
    _head(
        "library-function-replaced",
        "replaces a function of the standard library that the test compares with",
        _CLOSE,
        _CLOSE.inside("import math\nmath.isclose = lambda *numbers, **limits: True"),
    ),
    _head(
        "library-class-replaced",
        "replaces a method of a class of the standard library that the test makes values of",
        _EXACT,
        _EXACT.inside("""
            from fractions import Fraction
            made = Fraction.__new__
            def less(cls, number=0, *others, **options):
                return made(cls, number - 6 * (number == 9), *others, **options)
            setattr(Fraction, "__new__", less)
        """),
    ),
    _head("deleted", "deletes the test", _STANDING, {"tests/test_issue.py": None}),
    _head(
        "overridden",
        "brings another test of the same name",
        WORDS,
        {"tests/test_issue.py": _PASSING},
    ),
    _head(
        "overridden-standing",
        "empties the test that stands at this place",
        _STANDING,
        {"tests/test_issue.py": "import unittest\n"},
    ),
    _head(
        "directory-in-place",
        "a directory where the test is to lie",
        WORDS,
        {"tests/test_issue.py/__init__.py": "", "tests/test_issue.py/test_issue.py": _PASSING},
    ),
    _head(
        "link-in-place",
        "a link where the test is to lie",
        WORDS,
        {"tests/test_issue.py": Link("test_passing.py"), "tests/test_passing.py": _PASSING},
    ),
    _head(
        "package-in-place",
        "a package of the test's name, which is imported in its place",
        WORDS,
        {"tests/test_issue/__init__.py": _PASSING},
    ),
    _head(
        "tests-linked",
        "the directory of tests is a link",
        WORDS,
        {
            **{path: None for path in WORDS.files if path.startswith("tests/")},
            "tests": Link("checks"),
            "checks/__init__.py": "",
            "checks/test_issue.py": _PASSING,
        },
    ),
    _head(
        "tests-file",
        "a file where the directory of tests was",
        TALLY,
        {**{path: None for path in TALLY.files if path.startswith("tests/")}, "tests": "none\n"},
    ),
    _head(
        "tests-package-fails",
        "the package of tests skips itself",
        CONF,
        {"tests/__init__.py": "import unittest\n\nraise unittest.SkipTest('slow')\n"},
    ),
    _head(
        "helper-emptied",
        "the helper of the test asserts nothing more",
        _HELPED,
        {
            "wordtools/testing.py": _HELPED.files["wordtools/testing.py"].replace(
                "self.assertEqual(shorten(text, width), expected)",
                "self.assertTrue(shorten(text, width) or expected)",
            )
        },
    ),
    _head(
        "helper-corrects",
        "the helper of the test calls it with more room",
        _HELPED,
        {
            "wordtools/testing.py": _HELPED.files["wordtools/testing.py"].replace(
                "shorten(text, width)", "shorten(text, width + 1)"
            )
        },
    ),
    _head(
        "base-class-runs-nothing",
        "the base class of the test runs nothing",
        _BASED,
        {
            "sums/testing.py": _BASED.files["sums/testing.py"]
            + "\n    def run(self, result=None):\n        result.startTest(self)\n"
            "        result.addSuccess(self)\n        result.stopTest(self)\n"
        },
    ),
    _head(
        "base-class-skips",
        "the base class of the test skips",
        _BASED,
        {
            "sums/testing.py": _BASED.files["sums/testing.py"]
            + "\n    def setUp(self):\n        self.skipTest('slow')\n"
        },
    ),
    _head(
        "base-class-forgives",
        "the base class of the test compares loosely",
        _BASED,
        {
            "sums/testing.py": _BASED.files["sums/testing.py"]
            + "\n    def assertEqual(self, first, second, msg=None):\n"
            "        self.assertLess(abs(first - second), 10, msg)\n"
        },
    ),
    _head(
        "examples-emptied",
        "the table that the test goes through has one row less",
        _DRIVEN,
        {
            "conf/examples.py": '"""Texts with their settings."""\n\n'
            'EXAMPLES = {"a = 1": {"a": "1"}}\nLEGACY = False\n'
        },
    ),
    _head(
        "examples-edited",
        "the table that the test goes through expects what is wrong",
        _DRIVEN,
        {
            "conf/examples.py": _DRIVEN.files["conf/examples.py"].replace(
                '{"url": "http://x/?page=1"}', '{"url": "http://x/?page"}'
            )
        },
    ),
    _head(
        "examples-taken-away",
        "the code takes a row away from the table that the test goes through",
        _DRIVEN,
        {
            "conf/parse.py": _DRIVEN.files["conf/parse.py"]
            + "\n\nfrom conf.examples import EXAMPLES\n\n"
            "EXAMPLES.pop('url = http://x/?page=1', None)\n"
        },
    ),
    _head(
        "skipped-by-constant",
        "a constant by which the test is skipped",
        _GUARDED,
        {
            "conf/examples.py": _GUARDED.files["conf/examples.py"].replace(
                "LEGACY = False", "LEGACY = True"
            )
        },
    ),
    _head(
        "no-parameters",
        "no parameters are left for the test",
        _PARAMETRISED,
        {"batches/cases.py": '"""Sizes with what is left."""\n\nLEFT = []\n'},
    ),
    _head(
        "other-parameters",
        "parameters that hold are left for the test",
        _PARAMETRISED,
        {"batches/cases.py": '"""Sizes with what is left."""\n\nLEFT = [(5, 1, 1), (8, 4, 4)]\n'},
    ),
    _head(
        "fixture-edited",
        "the fixture of the test is another day",
        _FIXTURE,
        {
            "tests/conftest.py": _FIXTURE.files["tests/conftest.py"].replace(
                "samples.END", "samples.END.replace(day=28)"
            )
        },
    ),
    _head(
        "fixture-data-edited",
        "the data of the test's fixture are another day",
        _FIXTURE,
        {"calends/samples.py": _FIXTURE.files["calends/samples.py"].replace("1, 31", "1, 28")},
    ),
    _head(
        "fixture-fails",
        "the fixture of the test cannot be made",
        _FIXTURE,
        {"calends/samples.py": DATES.files["calends/samples.py"]},
    ),
    _head(
        "fixture-skips",
        "the fixture of the test skips",
        _FIXTURE,
        {
            "tests/conftest.py": _FIXTURE.files["tests/conftest.py"].replace(
                "return samples.END", "pytest.skip('no end')"
            )
        },
    ),
    _head(
        "feature-off",
        "a feature is off, without which the test asserts nothing",
        _OPTIONAL,
        {"grid/features.py": '"""What this installation can do."""\n\nUNKNOWN_VALUES = False\n'},
    ),
    _head(
        "context-swallows",
        "the context of the assertion swallows its failure",
        _QUIET,
        {
            "tally/testing.py": _QUIET.files["tally/testing.py"].replace(
                "    yield\n", "    with contextlib.suppress(AssertionError):\n        yield\n"
            )
        },
    ),
    _head(
        "import-skips",
        "the package cannot be tested on this Python",
        BANK,
        {
            "bank/__init__.py": BANK.files["bank/__init__.py"]
            + "\nimport unittest\n\nraise unittest.SkipTest('Python is too old')\n"
        },
    ),
    _head(
        "not-collected",
        "conftest.py leaves the test's file out",
        BATCHES,
        {
            "conftest.py": BATCHES.files["conftest.py"]
            + "collect_ignore = ['tests/test_issue.py']\n"
        },
    ),
]
