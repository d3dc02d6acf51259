"""Changes that fix what is reported and break a neighbour whose existing test they leave alone."""

from __future__ import annotations

from .head import Files, Head, Project
from .projects import BANK, BATCHES, CONF, DATES, GRID, SUMS, TALLY, WORDS


def _head(name: str, does: str, project: Project, files: Files, budget: int = 60) -> Head:
    return Head(f"neighbour-{name}", "sloppy", does, project, files, budget=budget)


_COUNTED = SUMS.variant(
    "sums-counted",
    {
        "tests/test_effort.py": "import unittest\nfrom unittest import mock\n\n"
        "from sums import evaluate\n\n\nclass EffortTest(unittest.TestCase):\n"
        "    def test_reads_once(self):\n"
        "        with mock.patch.object(evaluate, 'tokens', wraps=evaluate.tokens) as spy:\n"
        "            evaluate.evaluate('1')\n"
        "        self.assertEqual(spy.call_count, 1)\n"
    },
)
_SLOW = GRID.variant(
    "grid-large",
    {
        "tests/test_large.py": "import unittest\n\nfrom grid.table import Table\n\n\n"
        "class LargeTest(unittest.TestCase):\n    def test_many_rows(self):\n"
        "        table = Table({'a': n % 97, 'b': n} for n in range(20000))\n"
        "        self.assertEqual(table.sorted_by('a').rows[0], {'a': 0, 'b': 0})\n"
    },
)
_FACADE = WORDS.variant(
    "words-facade",
    {
        "wordtools/__init__.py": '"""Helpers."""\n\n'
        "from wordtools.shorten import initials, shorten\n\n__version__ = '1.0'\n",
        "tests/test_facade.py": "import unittest\n\nimport wordtools\n\n\n"
        "class FacadeTest(unittest.TestCase):\n    def test_names(self):\n"
        "        self.assertEqual(wordtools.initials('a b'), 'AB')\n",
    },
)
_PLUGIN = CONF.variant(
    "conf-lazily",
    {
        "conf/lazily.py": '"""Imports when it is called."""\n\n\ndef numbers(text):\n'
        '    """The numbers of a list."""\n    from conf import parse\n\n'
        "    return [int(part) for part in getattr(parse, 'parse_' + 'list')(text)]\n",
        "tests/test_lazily.py": "import unittest\n\nfrom conf.lazily import numbers\n\n\n"
        "class LazilyTest(unittest.TestCase):\n    def test_numbers(self):\n"
        "        self.assertEqual(numbers('1, 2'), [1, 2])\n",
    },
)
_ORDERED = TALLY.variant(
    "tally-ordered",
    {
        "tests/test_order.py": "import unittest\n\nfrom tally.cli import count\n\n\n"
        "class OrderTest(unittest.TestCase):\n    def test_as_they_come(self):\n"
        "        self.assertEqual(list(count('b a c')), ['b', 'a', 'c'])\n"
    },
)

_KEY = "key=lambda r: (r.get(name) is None, r.get(name) or 0))"
_SORTED = f"return Table(sorted(self.rows, {_KEY})"

HEADS = [
    _head(
        "same-module",
        "a function of the same module",
        WORDS,
        WORDS.refixed(("word[0].upper()", "word[0]")),
    ),
    _head(
        "same-module-one-off",
        "a function of the same module, off by one",
        DATES,
        DATES.refixed(("// 3 + 1", "// 3 + 2")),
    ),
    _head(
        "other-module",
        "a module that the fix has nothing to do with",
        CONF,
        {
            **CONF.fix,
            "conf/dump.py": CONF.files["conf/dump.py"].replace("sorted(settings)", "settings"),
        },
    ),
    _head(
        "transitively",
        "who calls the function, by another default",
        WORDS,
        {
            **WORDS.fix,
            "wordtools/titles.py": WORDS.files["wordtools/titles.py"].replace("=12", "=11"),
        },
    ),
    _head(
        "mark",
        "who calls the function, by another mark",
        WORDS,
        WORDS.refixed(('mark="..."', 'mark="…"')),
    ),
    _head(
        "parameter-gone",
        "who chooses the mark, which no test does",
        WORDS,
        WORDS.refixed((', mark="..."', ""), ("len(mark)] + mark", '3] + "..."')),
    ),
    _head(
        "set-of-tables",
        "who puts tables into a set, which no test does",
        GRID,
        GRID.refixed(
            (
                "    def column(",
                "    def __eq__(self, other):\n"
                "        return isinstance(other, Table) and self.rows == other.rows\n\n"
                "    def column(",
            )
        ),
    ),
    _head(
        "import-name",
        "a module that imports a name that is gone",
        DATES,
        DATES.refixed(("def quarter(", "def quarter_of(")),
    ),
    _head(
        "import-error",
        "a module that cannot be imported any more",
        GRID,
        {**GRID.fix, "grid/report.py": "import grid.colours\n\n\n" + GRID.files["grid/report.py"]},
    ),
    _head(
        "reexport",
        "who takes a name from the package",
        _FACADE,
        {
            **WORDS.fix,
            "wordtools/__init__.py": '"""Helpers."""\n\nfrom wordtools.shorten import shorten\n\n'
            "__version__ = '1.0'\n",
        },
    ),
    _head(
        "lazy-import",
        "who looks a name up when it is called",
        _PLUGIN,
        CONF.refixed(("def parse_list(", "def split_list("), ('"""The parts', '"""All parts'))
        | {
            "tests/test_parse.py": CONF.files["tests/test_parse.py"].replace(
                "parse_list", "split_list"
            )
        },
    ),
    _head(
        "base-class",
        "another method of the hierarchy",
        BANK,
        BANK.refixed(("if amount <= 0:", "if amount <= self.balance:")),
    ),
    _head(
        "exception-type",
        "a handler elsewhere, by another exception",
        BANK,
        {
            **BANK.fix,
            "bank/__init__.py": '"""A bank."""\n\nfrom bank.accounts import Account\n\n\n'
            'class Overdrawn(Exception):\n    """Not enough."""\n',
        },
    ),
    _head(
        "return-type",
        "who compares the result with a list",
        SUMS,
        {
            **SUMS.fix,
            "sums/ledger.py": SUMS.files["sums/ledger.py"].replace(
                "[evaluate(line) for line in lines if line.strip()]",
                "tuple(evaluate(line) for line in lines if line.strip())",
            ),
        },
    ),
    _head(
        "argument-changed",
        "the caller's rows are changed",
        GRID,
        GRID.refixed(
            ("self.rows = list(rows)", "self.rows = rows"),
            (
                _SORTED,
                "self.rows.sort(key=lambda r: r.get(name) or 0)\n        return self",
            ),
        ),
    ),
    _head(
        "shared-state",
        "calls share what they count",
        TALLY,
        TALLY.edited(
            TALLY.module,
            ("def count(text):", "def count(text, counts={}):"),
            ("    counts = {}\n", ""),
            ("text.split():\n        counts", "text.lower().split():\n        counts"),
        ),
    ),
    _head(
        "order",
        "who relies on the order",
        _ORDERED,
        TALLY.refixed(("text.lower().split():", "sorted(text.lower().split()):")),
    ),
    _head(
        "laziness",
        "who takes one batch and no more",
        BATCHES,
        BATCHES.refixed(
            (
                "    batch = []\n    for item",
                "    items = list(items)\n    batch = []\n    for item",
            )
        ),
    ),
    _head(
        "edge",
        "the empty text",
        TALLY,
        TALLY.refixed((', default="")', ")")),
    ),
    _head(
        "exit-code",
        "the exit code where there is nothing",
        TALLY,
        TALLY.refixed(("return 0 if counts else 1", "return 0")),
    ),
    _head(
        "effort",
        "reads its input twice",
        _COUNTED,
        SUMS.refixed(
            ("first, *rest = tokens(text)", "first, *rest = tokens(text) and tokens(text)")
        ),
    ),
    _head(
        "cache",
        "keeps the means of all tables under one name",
        GRID,
        GRID.edited(
            GRID.module,
            ("    def __init__", "    means = {}\n\n    def __init__"),
            (
                "        return sum(values) / len(values)",
                "        known = [value for value in values if value is not None]\n"
                "        key = name, len(values)\n"
                "        if key not in self.means:\n"
                "            self.means[key] = sum(known) / len(known)\n"
                "        return self.means[key]",
            ),
        ),
    ),
    _head(
        "argument",
        "takes what is unknown out of the rows that it is given",
        GRID,
        GRID.edited(
            GRID.module,
            (
                "        self.rows = list(rows)",
                "        for at, row in enumerate(rows):\n"
                "            rows[at] = {k: v for k, v in row.items() if v is not None}\n"
                "        self.rows = list(rows)",
            ),
            (
                "        return sum(values) / len(values)",
                "        known = [value for value in values if value is not None]\n"
                "        return sum(known) / len(known)",
            ),
        ),
    ),
    _head(
        "slow",
        "takes quadratic time for large tables",
        _SLOW,
        GRID.refixed(
            (
                _SORTED,
                "rows, left = [], list(self.rows)\n"
                "        while left:\n"
                f"            row = min(left, {_KEY}\n            left.remove(row)\n"
                "            rows.append(row)\n        return Table(rows)",
            )
        ),
        budget=15,  # all of it is spent, twice
    ),
]
