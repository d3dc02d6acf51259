"""The projects: a text helper, sums, dates, accounts, batches, a command, a table, settings."""

from __future__ import annotations

from textwrap import dedent, indent

from .head import Project, replaced


def _text(code: str) -> str:
    return dedent(code).lstrip("\n")


def _unittest(module: str, name: str, body: str) -> str:
    method = "".join(f"        {line}\n" for line in dedent(body).strip().splitlines())
    head = f"import unittest\n\n{module}\n\n\nclass {name}(unittest.TestCase):\n"
    return f"{head}    def test_{name.lower()}(self):\n{method}"


def _with_test(text: str, method: str) -> str:
    return f"{text}\n" + "".join(f"    {line}\n" for line in dedent(method).strip().splitlines())


_SHORTEN = _text('''
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
_TEST_SHORTEN = _text("""
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
        "wordtools/titles.py": _text('''
            """Headlines."""

            from wordtools.shorten import shorten


            def headline(text, width=12):
                """A title that fits a column."""
                return shorten(text.title(), width)
        '''),
        "tests/__init__.py": "",
        "tests/test_shorten.py": _TEST_SHORTEN,
        "tests/test_titles.py": _unittest(
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
    issue=_text("""
        # shorten cuts texts that fit

        ```python
        >>> from wordtools.shorten import shorten
        >>> shorten("just fits", 9)
        'just f...'
        ```

        The text has exactly nine characters, so the result should be `'just fits'`.
    """),
    given={
        "tests/test_issue.py": _unittest(
            "from wordtools.shorten import shorten",
            "Fits",
            'self.assertEqual(shorten("just fits", 9), "just fits")',
        )
    },
    fix={"wordtools/shorten.py": replaced(_SHORTEN, ("len(text) < width", "len(text) <= width"))},
    own={
        "tests/test_shorten.py": _with_test(
            _TEST_SHORTEN,
            """
            def test_exact(self):
                self.assertEqual(shorten("exactly!", 8), "exactly!")
            """,
        )
    },
)

_SUMS = _text('''
    """Sums that are written as text."""

    import re


    def tokens(text):
        """The numbers and signs of a sum."""
        return re.findall(r"\\d+|[-+]", text)


    def evaluate(text):
        """The value of a sum such as `1 + 2 - 3`."""
        first, *rest = tokens(text)
        if not rest:
            return int(first)
        value = evaluate(" ".join(rest[1:]))
        return int(first) + value if rest[0] == "+" else int(first) - value
''')
_SUMS_FIXED = _SUMS.partition("    first, *rest")[0] + indent(
    _text("""
        first, *rest = tokens(text)
        value = int(first)
        for sign, number in zip(rest[::2], rest[1::2]):
            value += int(number) if sign == "+" else -int(number)
        return value
    """),
    "    ",
)
_TEST_SUMS = _text("""
    import unittest

    from sums.evaluate import evaluate, tokens


    class EvaluateTest(unittest.TestCase):
        def test_number(self):
            self.assertEqual(evaluate("7"), 7)

        def test_two(self):
            self.assertEqual(evaluate("1 + 2"), 3)
            self.assertEqual(evaluate("5 - 2"), 3)

        def test_tokens(self):
            self.assertEqual(tokens("12+3 -4"), ["12", "+", "3", "-", "4"])
""")
SUMS = Project(
    name="sums",
    files={
        "sums/__init__.py": '"""Sums."""\n',
        "sums/evaluate.py": _SUMS,
        "sums/ledger.py": _text('''
            """Pages of sums."""

            from sums.evaluate import evaluate


            def totals(lines):
                """The values of all lines that hold a sum."""
                return [evaluate(line) for line in lines if line.strip()]
        '''),
        "tests/__init__.py": "",
        "tests/test_evaluate.py": _TEST_SUMS,
        "tests/test_ledger.py": _unittest(
            "from sums.ledger import totals",
            "Ledger",
            'self.assertEqual(totals(["1 + 1", "", "4"]), [2, 4])',
        ),
    },
    module="sums/evaluate.py",
    anchor="    first, *rest = tokens(text)",
    issue=_text("""
        # evaluate subtracts from the wrong end

        ```python
        >>> from sums.evaluate import evaluate
        >>> evaluate("10 - 4 - 3")
        9
        ```

        I expected `3`: sums are read from left to right.
    """),
    given={
        "tests/test_issue.py": _unittest(
            "from sums.evaluate import evaluate",
            "LeftToRight",
            'self.assertEqual(evaluate("10 - 4 - 3"), 3)',
        )
    },
    fix={"sums/evaluate.py": _SUMS_FIXED},
    own={
        "tests/test_evaluate.py": _with_test(
            _TEST_SUMS,
            """
            def test_from_left_to_right(self):
                self.assertEqual(evaluate("20 - 5 + 1 - 2"), 14)
            """,
        )
    },
)

_MONTHS = _text('''
    """Dates."""

    import calendar


    def last_day(year, month):
        """The last day of a month."""
        return calendar.monthrange(year, month)[1]


    def quarter(day):
        """The quarter of the year, from 1."""
        return (day.month - 1) // 3 + 1


    def add_months(day, count):
        """The same day some months later, or the last one of that month."""
        month = day.month - 1 + count
        year, month = day.year + month // 12, month % 12 + 1
        return day.replace(year=year, month=month)
''')
_TEST_MONTHS = _text("""
    from datetime import date

    import pytest

    from calends.months import add_months, last_day, quarter


    def test_next_month(start):
        assert add_months(start, 1) == date(2023, 2, 14)


    def test_next_year():
        assert add_months(date(2023, 11, 5), 3) == date(2024, 2, 5)


    @pytest.mark.parametrize(("month", "days"), [(1, 31), (2, 28), (4, 30)])
    def test_last_day(month, days):
        assert last_day(2023, month) == days


    def test_quarter():
        assert quarter(date(2023, 5, 1)) == 2
""")
DATES = Project(
    name="dates",
    files={
        "calends/__init__.py": '"""Dates."""\n',
        "calends/months.py": _MONTHS,
        "calends/billing.py": _text('''
            """When bills are due."""

            from calends.months import add_months, quarter


            def due(start, count):
                """The days on which `count` monthly bills are due."""
                return [add_months(start, number) for number in range(count)]


            def label(day):
                """The quarter of a bill, as `2023/Q1`."""
                return f"{day.year}/Q{quarter(day)}"
        '''),
        "calends/samples.py": _text('''
            """Dates for examples and tests."""

            from datetime import date

            START = date(2023, 1, 14)
        '''),
        "tests/__init__.py": "",
        "tests/conftest.py": _text("""
            import pytest

            from calends import samples


            @pytest.fixture
            def start():
                return samples.START
        """),
        "tests/test_months.py": _TEST_MONTHS,
        "tests/test_billing.py": _text("""
            from calends.billing import due, label


            def test_due(start):
                assert [day.month for day in due(start, 3)] == [1, 2, 3]


            def test_label(start):
                assert label(start) == "2023/Q1"
        """),
    },
    module="calends/months.py",
    anchor="    month = day.month - 1 + count",
    issue=_text("""
        # add_months fails at the end of a month

        ```python
        from datetime import date
        from calends.months import add_months
        add_months(date(2023, 1, 31), 1)
        ```

        raises `ValueError: day is out of range for month`. It should be the last day of February:
        `datetime.date(2023, 2, 28)`.
    """),
    given={
        "tests/test_issue.py": _text("""
            from datetime import date

            from calends.months import add_months


            def test_end_of_month():
                assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)
        """)
    },
    fix={
        "calends/months.py": replaced(
            _MONTHS,
            (
                "    return day.replace(year=year, month=month)",
                "    return day.replace(year, month, min(day.day, last_day(year, month)))",
            ),
        )
    },
    own={
        "tests/test_months.py": _TEST_MONTHS
        + _text("""


            def test_the_last_day_of_a_shorter_month():
                assert add_months(date(2024, 3, 31), 1) == date(2024, 4, 30)
        """)
    },
)

_ACCOUNTS = _text('''
    """Accounts of a bank."""


    class Overdrawn(Exception):
        """There is not enough money in an account."""


    class Account:
        """An account."""

        def __init__(self, balance=0):
            self.balance = balance

        def deposit(self, amount):
            """Put money in."""
            if amount <= 0:
                raise ValueError("the amount must be positive")
            self.balance += amount

        def withdraw(self, amount):
            """Take money out."""
            if amount > self.balance:
                raise Overdrawn(f"{amount} is more than {self.balance}")
            self.balance -= amount


    class SavingsAccount(Account):
        """An account with a fee on what is taken out."""

        fee = 1

        def withdraw(self, amount):
            """Take money out, and the fee."""
            self.balance -= amount + self.fee
''')
_TEST_ACCOUNTS = _text("""
    import unittest

    from bank.accounts import Account, Overdrawn, SavingsAccount


    class AccountTest(unittest.TestCase):
        def test_deposit(self):
            account = Account(5)
            account.deposit(3)
            self.assertEqual(account.balance, 8)
            with self.assertRaises(ValueError):
                account.deposit(0)

        def test_withdraw(self):
            with self.assertRaises(Overdrawn):
                Account(5).withdraw(6)

        def test_fee(self):
            account = SavingsAccount(10)
            account.withdraw(4)
            self.assertEqual(account.balance, 5)
""")
BANK = Project(
    name="bank",
    files={
        "bank/__init__.py": '"""A bank."""\n\nfrom bank.accounts import Account, Overdrawn\n',
        "bank/accounts.py": _ACCOUNTS,
        "bank/transfer.py": _text('''
            """Money from one account to another."""

            from bank import Overdrawn


            def transfer(source, target, amount):
                """Move money; False where there is not enough."""
                try:
                    source.withdraw(amount)
                except Overdrawn:
                    return False
                target.deposit(amount)
                return True
        '''),
        "tests/__init__.py": "",
        "tests/test_accounts.py": _TEST_ACCOUNTS,
        "tests/test_transfer.py": _unittest(
            "from bank import Account\nfrom bank.transfer import transfer",
            "Transfer",
            """
            source, target = Account(9), Account()
            self.assertTrue(transfer(source, target, 4))
            self.assertEqual((source.balance, target.balance), (5, 4))
            self.assertFalse(transfer(source, target, 6))
            """,
        ),
    },
    module="bank/accounts.py",
    anchor="        self.balance -= amount + self.fee",
    issue=_text("""
        # A savings account can be overdrawn

        ```python
        from bank.accounts import SavingsAccount
        account = SavingsAccount(10)
        account.withdraw(50)
        print(account.balance)
        ```

        prints `-41`. It should raise `Overdrawn`, as other accounts do.
    """),
    given={
        "tests/test_issue.py": _unittest(
            "from bank.accounts import Overdrawn, SavingsAccount",
            "Savings",
            """
            with self.assertRaises(Overdrawn):
                SavingsAccount(10).withdraw(50)
            """,
        )
    },
    fix={
        "bank/accounts.py": replaced(
            _ACCOUNTS,
            ("self.balance -= amount + self.fee", "super().withdraw(amount + self.fee)"),
        )
    },
    own={
        "tests/test_accounts.py": _with_test(
            _TEST_ACCOUNTS,
            """
            def test_the_fee_must_be_there_too(self):
                account = SavingsAccount(10)
                with self.assertRaises(Overdrawn):
                    account.withdraw(10)
                self.assertEqual(account.balance, 10)
            """,
        )
    },
)

_BATCHES = _text('''
    """Iterators."""


    def batched(items, size):
        """The items in lists of `size`, as they come."""
        batch = []
        for item in items:
            batch.append(item)
            if len(batch) == size:
                yield batch
                batch = []


    def pairs(items):
        """Neighbours: (1, 2), (2, 3), ..."""
        items = iter(items)
        before = next(items)
        for item in items:
            yield before, item
            before = item
''')
_TEST_BATCHES = _text("""
    from batches.batched import batched, pairs


    def test_batches():
        assert list(batched("abcd", 2)) == [["a", "b"], ["c", "d"]]


    def test_batches_come_one_by_one():
        seen = []
        numbers = (seen.append(number) or number for number in range(9))
        assert next(batched(numbers, 3)) == [0, 1, 2]
        assert seen == [0, 1, 2]


    def test_pairs():
        assert list(pairs([1, 2, 3])) == [(1, 2), (2, 3)]
""")
BATCHES = Project(
    name="batches",
    files={
        "batches/__init__.py": '"""Iterators."""\n',
        "batches/batched.py": _BATCHES,
        "batches/pages.py": _text('''
            """Pages of a listing."""

            from batches.batched import batched


            def pages(lines, length=2):
                """The lines of each page, joined."""
                return ["\\n".join(page) for page in batched(lines, length)]
        '''),
        "batches/testing.py": _text('''
            """Fixtures for those who test with batches."""

            import pytest


            @pytest.fixture
            def letters():
                """Four letters."""
                return list("abcd")
        '''),
        "conftest.py": 'pytest_plugins = ("batches.testing",)\n',
        "tests/__init__.py": "",
        "tests/test_batched.py": _TEST_BATCHES,
        "tests/test_pages.py": _text("""
            from batches.pages import pages


            def test_pages(letters):
                assert pages(letters) == ["a\\nb", "c\\nd"]
        """),
    },
    module="batches/batched.py",
    anchor="    batch = []\n    for item in items:",
    issue=_text("""
        # batched drops the last batch

        ```python
        >>> from batches.batched import batched
        >>> list(batched([1, 2, 3, 4, 5], 2))
        [[1, 2], [3, 4]]
        ```

        Expected: `[[1, 2], [3, 4], [5]]`
    """),
    given={
        "tests/test_issue.py": _text("""
            from batches.batched import batched


            def test_last_batch():
                assert list(batched([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
        """)
    },
    fix={
        "batches/batched.py": replaced(
            _BATCHES,
            (
                "            batch = []\n\n\ndef pairs",
                "            batch = []\n    if batch:\n        yield batch\n\n\ndef pairs",
            ),
        )
    },
    own={
        "tests/test_batched.py": _TEST_BATCHES
        + _text("""


            def test_what_is_left_comes_last():
                assert [len(batch) for batch in batched(range(7), 4)] == [4, 3]
        """)
    },
)

_TALLY = _text('''
    """Counts words."""

    import sys


    def count(text):
        """How often each word occurs."""
        counts = {}
        for word in text.split():
            counts[word] = counts.get(word, 0) + 1
        return counts


    def longest(text):
        """The longest word, the first of several."""
        return max(text.split(), key=len, default="")


    def main(arguments, out=None):
        """Print how often each word occurs; the exit code is 1 where there is none."""
        counts = count(" ".join(arguments))
        for word in sorted(counts):
            print(word, counts[word], file=out or sys.stdout)
        return 0 if counts else 1
''')
_TEST_TALLY = _text("""
    import io
    import unittest

    from tally.cli import count, longest, main


    class TallyTest(unittest.TestCase):
        def test_count(self):
            self.assertEqual(count("a b a"), {"a": 2, "b": 1})

        def test_longest(self):
            self.assertEqual(longest("one three two"), "three")
            self.assertEqual(longest(""), "")

        def test_main(self):
            out = io.StringIO()
            self.assertEqual(main(["b a", "b"], out), 0)
            self.assertEqual(out.getvalue(), "a 1\\nb 2\\n")

        def test_nothing(self):
            self.assertEqual(main([], io.StringIO()), 1)
""")
TALLY = Project(
    name="tally",
    files={
        "tally/__init__.py": '"""Counts words."""\n',
        "tally/cli.py": _TALLY,
        "tally/cloud.py": _text('''
            """Word clouds."""

            from tally.cli import count


            def sizes(text):
                """The size of each word, 10 for one occurrence, at most 40."""
                return {word: min(10 * number, 40) for word, number in count(text).items()}
        '''),
        "tests/__init__.py": "",
        "tests/test_cli.py": _TEST_TALLY,
        "tests/test_cloud.py": _unittest(
            "from tally.cloud import sizes",
            "Cloud",
            'self.assertEqual(sizes("x y x x x x"), {"x": 40, "y": 10})',
        ),
    },
    module="tally/cli.py",
    anchor="    counts = {}",
    issue=_text("""
        # The first word of a sentence is counted apart

        ```python
        >>> from tally.cli import main
        >>> code = main(["The cat and the dog"])
        The 1
        and 1
        cat 1
        dog 1
        the 1
        ```

        `The` and `the` are one word, so it should print `the 2`.
    """),
    given={
        "tests/test_issue.py": _unittest(
            "import io\n\nfrom tally.cli import main",
            "Capitals",
            """
            out = io.StringIO()
            main(["The cat and the dog"], out)
            self.assertEqual(out.getvalue(), "and 1\\ncat 1\\ndog 1\\nthe 2\\n")
            """,
        )
    },
    fix={
        "tally/cli.py": replaced(
            _TALLY, ("for word in text.split():", "for word in text.lower().split():")
        )
    },
    own={
        "tests/test_cli.py": _with_test(
            _TEST_TALLY,
            """
            def test_case_does_not_matter(self):
                self.assertEqual(count("Go go GO"), {"go": 3})
            """,
        )
    },
)

_GRID = _text('''
    """Tables."""


    class Table:
        """Rows of named values; a value that is not known is None."""

        def __init__(self, rows):
            self.rows = list(rows)

        def column(self, name):
            """The values of a column."""
            return [row.get(name) for row in self.rows]

        def mean(self, name):
            """The mean of the values in a column."""
            values = self.column(name)
            return sum(values) / len(values)

        def sorted_by(self, name):
            """A table with its rows in the order of a column, those without a value last."""
            return Table(sorted(self.rows, key=lambda r: (r.get(name) is None, r.get(name) or 0)))
''')
_TEST_GRID = _text("""
    import unittest

    from grid.table import Table


    class TableTest(unittest.TestCase):
        def setUp(self):
            self.table = Table([{"a": 3, "b": 1}, {"a": 1}, {"a": 2, "b": 0}])

        def test_column(self):
            self.assertEqual(self.table.column("b"), [1, None, 0])

        def test_mean(self):
            self.assertEqual(self.table.mean("a"), 2.0)

        def test_sorted(self):
            self.assertEqual(self.table.sorted_by("b").column("a"), [2, 3, 1])
""")
GRID = Project(
    name="grid",
    files={
        "grid/__init__.py": '"""Tables."""\n',
        "grid/table.py": _GRID,
        "grid/report.py": _text('''
            """Reports on tables."""


            def summary(table, names):
                """The mean of each column, as text."""
                return ", ".join(f"{name}: {table.mean(name):.1f}" for name in names)
        '''),
        "tests/__init__.py": "",
        "tests/test_table.py": _TEST_GRID,
        "tests/test_report.py": _unittest(
            "from grid.report import summary\nfrom grid.table import Table",
            "Report",
            """
            table = Table([{"a": 1, "b": 4}, {"a": 2, "b": 4}])
            self.assertEqual(summary(table, "ab"), "a: 1.5, b: 4.0")
            """,
        ),
    },
    module="grid/table.py",
    anchor="        values = self.column(name)",
    issue=_text("""
        # mean fails where a value is not known

        ```python
        >>> from grid.table import Table
        >>> Table([{"a": 1}, {"a": None}, {"a": 3}]).mean("a")
        Traceback (most recent call last):
          ...
        TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'
        ```

        It should leave out what is not known, and return `2.0`.
    """),
    given={
        "tests/test_issue.py": _unittest(
            "from grid.table import Table",
            "Unknown",
            'self.assertEqual(Table([{"a": 1}, {"a": None}, {"a": 3}]).mean("a"), 2.0)',
        )
    },
    fix={
        "grid/table.py": replaced(
            _GRID,
            (
                "values = self.column(name)",
                "values = [value for value in self.column(name) if value is not None]",
            ),
        )
    },
    own={
        "tests/test_table.py": _with_test(
            _TEST_GRID,
            """
            def test_mean_of_what_is_known(self):
                self.assertEqual(self.table.mean("b"), 0.5)
            """,
        )
    },
)

_CONF = _text('''
    """Reads settings."""


    def parse(text):
        """Settings from lines such as `name = value`; lines without a sign are left out."""
        found = {}
        for line in text.splitlines():
            parts = line.split("=")
            if len(parts) > 1:
                found[parts[0].strip()] = parts[1].strip()
        return found


    def parse_list(text):
        """The parts of a value, separated by commas."""
        return [part.strip() for part in text.split(",") if part.strip()]
''')
_TEST_CONF = _text("""
    import unittest

    from conf.parse import parse, parse_list


    class ParseTest(unittest.TestCase):
        def test_settings(self):
            self.assertEqual(parse("a = 1\\nb=2\\nnothing"), {"a": "1", "b": "2"})

        def test_list(self):
            self.assertEqual(parse_list("x, y,,z"), ["x", "y", "z"])
""")
CONF = Project(
    name="conf",
    files={
        "conf/__init__.py": '"""Settings."""\n',
        "conf/parse.py": _CONF,
        "conf/dump.py": _text('''
            """Writes settings."""


            def dump(settings):
                """Settings as text, in the order of their names."""
                return "".join(f"{name} = {settings[name]}\\n" for name in sorted(settings))
        '''),
        "tests/__init__.py": "",
        "tests/data/dump.txt": "a = 1\nb = two\n",
        "tests/test_dump.py": _unittest(
            "from pathlib import Path\n\nfrom conf.dump import dump",
            "Dump",
            """
            expected = Path(__file__).with_name("data") / "dump.txt"
            self.assertEqual(dump({"b": "two", "a": 1}), expected.read_text())
            """,
        ),
        "tests/test_parse.py": _TEST_CONF,
    },
    module="conf/parse.py",
    anchor="    found = {}",
    issue=_text("""
        # A value with an equals sign is cut

        ```python
        >>> from conf.parse import parse
        >>> parse("url = http://x/?page=1")
        {'url': 'http://x/?page'}
        ```

        Should be `{'url': 'http://x/?page=1'}`.
    """),
    given={
        "tests/test_issue.py": _unittest(
            "from conf.parse import parse",
            "EqualsSign",
            """
            found = parse("url = http://x/?page=1")
            self.assertEqual(found, {"url": "http://x/?page=1"})
            """,
        )
    },
    fix={"conf/parse.py": replaced(_CONF, ('line.split("=")', 'line.split("=", 1)'))},
    own={
        "tests/test_parse.py": _with_test(
            _TEST_CONF,
            """
            def test_value_with_a_sign(self):
                self.assertEqual(parse("flags = a=b=c"), {"flags": "a=b=c"})
            """,
        )
    },
)

PROJECTS = (WORDS, SUMS, DATES, BANK, BATCHES, TALLY, GRID, CONF)
