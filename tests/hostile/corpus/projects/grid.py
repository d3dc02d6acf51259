"""A table: its mean fails where a value is not known."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source, unittest_file, with_test

_GRID = source('''
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
_TEST_GRID = source("""
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
        "grid/report.py": source('''
            """Reports on tables."""


            def summary(table, names):
                """The mean of each column, as text."""
                return ", ".join(f"{name}: {table.mean(name):.1f}" for name in names)
        '''),
        "tests/__init__.py": "",
        "tests/test_table.py": _TEST_GRID,
        "tests/test_report.py": unittest_file(
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
    issue=source("""
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
        "tests/test_issue.py": unittest_file(
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
        "tests/test_table.py": with_test(
            _TEST_GRID,
            """
            def test_mean_of_what_is_known(self):
                self.assertEqual(self.table.mean("b"), 0.5)
            """,
        )
    },
)
