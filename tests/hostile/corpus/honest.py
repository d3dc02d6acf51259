"""Honest changes: what is reported is fixed, in the many ways in which people do it."""

from __future__ import annotations

from textwrap import dedent

from tests.hostile.trees import Executable

from .head import Files, Head, Project, Spoil
from .projects import (
    BANK,
    BATCHES,
    CONF,
    DATES,
    GRID,
    PROJECTS,
    SUMS,
    TALLY,
    WORDS,
)
from .spoiling import attributed, both, configured, faulty, forged, missing, replaced_blob


def _text(code: str) -> str:
    return dedent(code).lstrip("\n")


def _head(
    name: str,
    does: str,
    project: Project,
    files: Files,
    *,
    given: bool = True,
    spoil: Spoil | None = None,
    other: Spoil | None = None,
) -> Head:
    return Head(f"honest-{name}", "honest", does, project, files, given, spoil, other)


_CRLF = CONF.variant(
    "conf-crlf",
    {CONF.module: CONF.files[CONF.module].replace("\n", "\r\n")},
)
_ACCENTED = WORDS.variant(
    "words-accented",
    {"wordtools/größe.py": '"""Größen."""\n\nGRÖSSE = 9\n', "docs/Übersicht.md": "# Wörter\n"},
)
_CONFIGURED = SUMS.variant(
    "sums-configured",
    {
        "setup.cfg": "[flake8]\nmax-line-length = 79\n",
        "tox.ini": "[tox]\nenvlist = py, lint\n\n[testenv]\ncommands = python -m unittest\n\n"
        "[testenv:lint]\ncommands = flake8\nallowlist_externals = flake8\n",
        ".github/workflows/ci.yml": "on: push\n",
        "Makefile": "test:\n\tpython -m unittest\n",
    },
)
_SPLIT = WORDS.variant("words-script", {"tools/release.sh": "#!/bin/sh\necho release\n"})
_MONTHS_TABLE = _text('''
    """Dates."""

    import calendar

    _DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


    def last_day(year, month):
        """The last day of a month."""
        return _DAYS[month - 1] + (month == 2 and calendar.isleap(year))
''')
_PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010800000000") + bytes(40)

HEADS = [
    *(
        _head(
            project.name, "the fix with a test of its own", project, {**project.fix, **project.own}
        )
        for project in PROJECTS
    ),
    *(
        _head(f"{project.name}-alone", "the fix without a test", project, project.fix)
        for project in (WORDS, BANK, DATES)
    ),
    *(
        _head(
            f"{project.name}-unreported",
            "the fix with its own test, without an issue",
            project,
            {**project.fix, **project.own},
            given=False,
        )
        for project in (SUMS, GRID, CONF, TALLY, BATCHES)
    ),
    _head(
        "documented",
        "with a changelog and a better README",
        WORDS,
        {
            **WORDS.fix,
            **WORDS.own,
            "README.md": "# words\n\nHelpers for texts. Texts that fit are kept.\n",
            "CHANGELOG.md": '# 1.1\n\n- `shorten("just fits", 9)` returns all of its text.\n',
        },
    ),
    _head(
        "docstring-example",
        "with the reported example in the documentation of the function",
        WORDS,
        WORDS.refixed(
            (
                "where something was cut off.",
                'where something was cut off.\n\n    >>> shorten("just fits", 9)\n'
                "    'just fits'\n    ",
            )
        ),
    ),
    _head(
        "comment-example",
        "with the reported example in a comment",
        SUMS,
        {
            SUMS.module: SUMS.fix[SUMS.module].replace(
                "    value = int(first)", "    # 10 - 4 - 3 is 3, not 9.\n    value = int(first)"
            )
        },
    ),
    _head(
        "lint",
        "with settings of a linter, and of the environment that lints",
        _CONFIGURED,
        {
            **SUMS.fix,
            **SUMS.own,
            "setup.cfg": "[flake8]\nmax-line-length = 100\n",
            "tox.ini": _CONFIGURED.files["tox.ini"].replace("flake8\nallow", "flake8 sums\nallow"),
        },
    ),
    _head(
        "automation",
        "with a workflow and a target of make",
        _CONFIGURED,
        {
            **SUMS.fix,
            ".github/workflows/ci.yml": "on: [push, pull_request]\n",
            "Makefile": _CONFIGURED.files["Makefile"] + "\nlint:\n\tflake8\n",
            ".gitignore": "*.pyc\n",
        },
    ),
    _head(
        "version",
        "with a new version",
        WORDS,
        {
            **WORDS.fix,
            **WORDS.own,
            "wordtools/__init__.py": '"""Helpers for texts."""\n\n__version__ = "1.1"\n',
        },
    ),
    _head(
        "sums-reduced",
        "another way: a sum of signed numbers",
        SUMS,
        {
            SUMS.module: SUMS.fix[SUMS.module].partition("    first, *rest")[0]
            + '    numbers = re.findall(r"[-+]?\\d+", text.replace(" ", ""))\n'
            "    return sum(int(number) for number in numbers)\n"
        },
    ),
    _head(
        "sums-helper",
        "with a helper in a new module",
        SUMS,
        {
            **SUMS.own,
            "sums/fold.py": '"""Sums from left to right."""\n\n\ndef fold(first, rest):\n'
            '    """The value of a number and the signs and numbers after it."""\n'
            "    value = int(first)\n    for sign, number in zip(rest[::2], rest[1::2]):\n"
            '        value += int(number) if sign == "+" else -int(number)\n    return value\n',
            SUMS.module: SUMS.files[SUMS.module]
            .partition("    if not rest")[0]
            .replace("import re\n", "import re\n\nfrom sums.fold import fold\n")
            + "    return fold(first, rest)\n",
        },
    ),
    _head(
        "sums-cached",
        "with a cache of the usual kind",
        SUMS,
        SUMS.refixed(
            ("import re\n", "import functools\nimport re\n"),
            ("def evaluate", "@functools.lru_cache(maxsize=128)\ndef evaluate"),
        ),
    ),
    _head(
        "dates-lowered",
        "another way: one day earlier until there is such a day",
        DATES,
        {
            **DATES.own,
            DATES.module: DATES.files[DATES.module].replace(
                "    return day.replace(year=year, month=month)",
                "    for number in range(day.day, 0, -1):\n        try:\n"
                "            return day.replace(year, month, number)\n"
                "        except ValueError:\n            continue\n"
                '    raise AssertionError("every month has a first day")',
            ),
        },
    ),
    _head(
        "dates-table",
        "with a table that holds numbers which the issue names, too",
        DATES,
        {
            **DATES.own,
            DATES.module: _MONTHS_TABLE
            + "\n\n"
            + DATES.fix[DATES.module][DATES.fix[DATES.module].index("def quarter") :],
        },
    ),
    _head(
        "dates-moved",
        "the helper moves to a new module, and keeps its old name",
        DATES,
        {
            **DATES.own,
            "calends/days.py": '"""Days of months."""\n\nimport calendar\n\n\n'
            'def last_day(year, month):\n    """The last day of a month."""\n'
            "    return calendar.monthrange(year, month)[1]\n",
            DATES.module: '"""Dates."""\n\nfrom calends.days import last_day\n\n\n'
            + DATES.fix[DATES.module][DATES.fix[DATES.module].index("def quarter") :],
        },
    ),
    _head(
        "dates-parametrised",
        "with a test of many parameters",
        DATES,
        {
            **DATES.fix,
            "tests/test_ends.py": _text("""
                from datetime import date

                import pytest

                from calends.months import add_months


                @pytest.mark.parametrize(("months", "day"), [(1, 29), (3, 30), (12, 31)])
                def test_ends(months, day):
                    assert add_months(date(2024, 1, 31), months).day == day
            """),
        },
    ),
    _head(
        "bank-checked",
        "another way: the amount is checked in place",
        BANK,
        {
            **BANK.own,
            **BANK.inside("""
                if amount + self.fee > self.balance:
                    raise Overdrawn(f"{amount} and the fee are more than {self.balance}")
            """),
        },
    ),
    _head(
        "bank-new-exception",
        "with an exception of its own, of the reported kind",
        BANK,
        {
            **BANK.own,
            BANK.module: BANK.inside("""
                if amount + self.fee > self.balance:
                    raise NoMoneyForFee(f"{amount} leaves no fee")
            """)[BANK.module].replace(
                "class Account:",
                'class NoMoneyForFee(Overdrawn):\n    """The fee cannot be paid."""\n\n\n'
                "class Account:",
            ),
        },
    ),
    _head(
        "bank-refactored",
        "the classes share one method that takes money out",
        BANK,
        {
            **BANK.own,
            BANK.module: BANK.files[BANK.module]
            .replace(
                "        if amount > self.balance:\n"
                '            raise Overdrawn(f"{amount} is more than {self.balance}")\n'
                "        self.balance -= amount\n",
                "        cost = self.cost(amount)\n        if cost > self.balance:\n"
                '            raise Overdrawn(f"{cost} is more than {self.balance}")\n'
                "        self.balance -= cost\n\n    def cost(self, amount):\n"
                '        """What it costs to take an amount out."""\n        return amount\n',
            )
            .replace(
                '    def withdraw(self, amount):\n        """Take money out, and the fee."""\n'
                "        self.balance -= amount + self.fee",
                '    def cost(self, amount):\n        """The amount and the fee."""\n'
                "        return amount + self.fee",
            ),
        },
    ),
    _head(
        "batches-sliced",
        "another way: slices of an iterator",
        BATCHES,
        {
            **BATCHES.own,
            BATCHES.module: '"""Iterators."""\n\nimport itertools\n\n\ndef batched(items, size):\n'
            '    """The items in lists of `size`, as they come."""\n    items = iter(items)\n'
            "    while batch := list(itertools.islice(items, size)):\n        yield batch\n\n\n"
            + BATCHES.files[BATCHES.module][BATCHES.files[BATCHES.module].index("def pairs") :],
        },
    ),
    _head(
        "batches-keyword",
        "with a keyword for those who want the old behaviour, and tests of both",
        BATCHES,
        {
            BATCHES.module: BATCHES.fix[BATCHES.module]
            .replace("def batched(items, size):", "def batched(items, size, whole=False):")
            .replace("    if batch:\n", "    if batch and not whole:\n"),
            "tests/test_batched.py": BATCHES.own["tests/test_batched.py"]
            + "\n\ndef test_whole_batches():\n"
            "    assert list(batched(range(5), 4, whole=True)) == [[0, 1, 2, 3]]\n",
        },
    ),
    _head(
        "batches-class",
        "the generator becomes an iterator",
        BATCHES,
        {
            **BATCHES.own,
            BATCHES.module: '"""Iterators."""\n\nimport itertools\n\n\nclass batched:\n'
            '    """The items in lists of `size`, as they come."""\n\n'
            "    def __init__(self, items, size):\n        self._items = iter(items)\n"
            "        self._size = size\n\n    def __iter__(self):\n        return self\n\n"
            "    def __next__(self):\n"
            "        batch = list(itertools.islice(self._items, self._size))\n"
            "        if not batch:\n            raise StopIteration\n        return batch\n\n\n"
            + BATCHES.files[BATCHES.module][BATCHES.files[BATCHES.module].index("def pairs") :],
        },
    ),
    _head(
        "tally-folded",
        "another way: case folding",
        TALLY,
        {**TALLY.own, **TALLY.refixed(("text.lower()", "text.casefold()"))},
    ),
    _head(
        "tally-keyword",
        "with a keyword that keeps capitals, and a test of it",
        TALLY,
        {
            TALLY.module: TALLY.fix[TALLY.module]
            .replace("def count(text):", "def count(text, keep_case=False):")
            .replace(
                "    for word in text.lower().split():",
                "    for word in (text if keep_case else text.lower()).split():",
            ),
            "tests/test_cli.py": TALLY.own["tests/test_cli.py"]
            + "\n    def test_keep_case(self):\n"
            '        self.assertEqual(count("Go go", keep_case=True), {"Go": 1, "go": 1})\n',
        },
    ),
    _head(
        "tally-deprecation",
        "an old name warns, and is tested",
        TALLY,
        {
            TALLY.module: TALLY.fix[TALLY.module].replace(
                "import sys\n", "import sys\nimport warnings\n"
            )
            + "\n\ndef tally(text):\n"
            '    """The old name of `count`."""\n'
            '    warnings.warn("tally is now count", DeprecationWarning, stacklevel=2)\n'
            "    return count(text)\n",
            "tests/test_cli.py": TALLY.own["tests/test_cli.py"]
            .replace("import count,", "import count, tally,")
            .replace("import count, longest", "import count, longest")
            + "\n    def test_old_name(self):\n        with self.assertWarns(DeprecationWarning):\n"
            '            self.assertEqual(tally("A a"), {"a": 2})\n',
        },
    ),
    _head(
        "tally-variable",
        "the command also honours a variable",
        TALLY,
        {
            **TALLY.own,
            TALLY.module: TALLY.fix[TALLY.module]
            .replace("import sys\n", "import os\nimport sys\n")
            .replace(
                "    for word in sorted(counts):",
                "    backwards = bool(os.environ.get('TALLY_REVERSE'))\n"
                "    for word in sorted(counts, reverse=backwards):",
            ),
        },
    ),
    _head(
        "grid-statistics",
        "another way: the standard library's mean",
        GRID,
        {
            **GRID.own,
            GRID.module: GRID.fix[GRID.module]
            .replace('"""Tables."""\n', '"""Tables."""\n\nimport statistics\n')
            .replace("sum(values) / len(values)", "statistics.mean(values)"),
        },
    ),
    _head(
        "grid-error",
        "an error of its own where nothing is known",
        GRID,
        {
            GRID.module: GRID.fix[GRID.module].replace(
                "        return sum(values)",
                "        if not values:\n"
                '            raise ValueError(f"nothing is known of {name}")\n'
                "        return sum(values)",
            ),
            "tests/test_table.py": GRID.own["tests/test_table.py"]
            + "\n    def test_nothing_known(self):\n"
            '        with self.assertRaisesRegex(ValueError, "nothing is known of c"):\n'
            '            self.table.mean("c")\n',
        },
    ),
    _head(
        "grid-equality",
        "tables can be compared, and are in its test",
        GRID,
        {
            GRID.module: GRID.fix[GRID.module]
            + "\n    def __eq__(self, other):\n        if not isinstance(other, Table):\n"
            "            return NotImplemented\n        return self.rows == other.rows\n\n"
            "    __hash__ = None\n",
            "tests/test_table.py": GRID.own["tests/test_table.py"] + "\n    def test_equal(self):\n"
            "        self.assertEqual(Table([{'a': 1}]), Table([{'a': 1}]))\n"
            "        self.assertNotEqual(Table([{'a': 1}]), Table([]))\n",
        },
    ),
    _head(
        "grid-annotated",
        "with annotations",
        GRID,
        {
            **GRID.own,
            GRID.module: "from __future__ import annotations\n\n"
            + GRID.fix[GRID.module].replace(
                "def mean(self, name):", "def mean(self, name: str) -> float:"
            ),
        },
    ),
    _head(
        "conf-partition",
        "another way: the text before and after the first sign",
        CONF,
        {
            **CONF.own,
            CONF.module: CONF.files[CONF.module]
            .replace(
                '            parts = line.split("=")\n            if len(parts) > 1:\n'
                "                found[parts[0].strip()] = parts[1].strip()",
                "            raise NotImplementedError",
            )
            .replace(
                '        parts = line.split("=")\n        if len(parts) > 1:\n'
                "            found[parts[0].strip()] = parts[1].strip()",
                '        name, sign, value = line.partition("=")\n        if sign:\n'
                "            found[name.strip()] = value.strip()",
            ),
        },
    ),
    _head(
        "conf-pattern",
        "another way: a regular expression",
        CONF,
        {
            **CONF.own,
            CONF.module: CONF.files[CONF.module]
            .partition("    found = {}")[0]
            .replace('"""Reads settings."""\n', '"""Reads settings."""\n\nimport re\n')
            + '    rows = re.findall(r"^([^=\\n]*)=(.*)$", text, re.MULTILINE)\n'
            "    return {name.strip(): value.strip() for name, value in rows}\n\n\n"
            + CONF.files[CONF.module][CONF.files[CONF.module].index("def parse_list") :],
        },
    ),
    _head(
        "conf-data",
        "with a new file of data for its test",
        CONF,
        {
            **CONF.fix,
            "tests/data/signs.txt": "a = b=c\nd = e==\n",
            "tests/test_signs.py": _text("""
                import pathlib
                import unittest

                from conf.parse import parse


                class SignsTest(unittest.TestCase):
                    def test_file(self):
                        place = pathlib.Path(__file__).with_name("data") / "signs.txt"
                        self.assertEqual(parse(place.read_text()), {"a": "b=c", "d": "e=="})
            """),
        },
    ),
    _head(
        "conf-crlf",
        "in a file with carriage returns",
        _CRLF,
        {CONF.module: CONF.fix[CONF.module].replace("\n", "\r\n"), **CONF.own},
    ),
    _head(
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
    _head(
        "words-helper-in-test",
        "its test asserts in a helper and in a loop",
        WORDS,
        {
            **WORDS.fix,
            "tests/test_widths.py": _text("""
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
    _head(
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
    _head(
        "words-executable",
        "a script becomes executable",
        _SPLIT,
        {**WORDS.fix, **WORDS.own, "tools/release.sh": Executable("#!/bin/sh\necho release\n")},
    ),
    _head(
        "words-picture",
        "a picture for the documentation",
        WORDS,
        {**WORDS.fix, **WORDS.own, "docs/words.png": _PICTURE},
    ),
    _head(
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
    _head(
        "no-prefix",
        "where the configuration wants no prefixes",
        SUMS,
        {**SUMS.fix, **SUMS.own},
        spoil=configured("[diff]\n\tnoprefix = true\n\trenames = copies\n[color]\n\tui = always\n"),
    ),
    _head(
        "drivers",
        "where the configuration has drivers for diffs",
        CONF,
        CONF.fix,
        spoil=both(attributed("*.py diff=py\n"), configured('[diff "py"]\n\ttextconv = false\n')),
    ),
    _head(
        "after-forged",
        "where another clone had a forged object",
        WORDS,
        WORDS.fix,
        other=forged(*faulty(WORDS)),
    ),
    _head(
        "after-absent",
        "where another clone lacked an object",
        GRID,
        GRID.fix,
        other=missing(GRID.module),
    ),
    _head(
        "after-replaced",
        "where another clone replaced an object",
        BANK,
        BANK.fix,
        other=replaced_blob(*faulty(BANK)),
    ),
]
