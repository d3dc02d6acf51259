"""Dates: adding a month fails at the end of a month."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source

_MONTHS = source('''
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
_TEST_MONTHS = source("""
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
        "calends/billing.py": source('''
            """When bills are due."""

            from calends.months import add_months, quarter


            def due(start, count):
                """The days on which `count` monthly bills are due."""
                return [add_months(start, number) for number in range(count)]


            def label(day):
                """The quarter of a bill, as `2023/Q1`."""
                return f"{day.year}/Q{quarter(day)}"
        '''),
        "calends/samples.py": source('''
            """Dates for examples and tests."""

            from datetime import date

            START = date(2023, 1, 14)
        '''),
        "tests/__init__.py": "",
        "tests/conftest.py": source("""
            import pytest

            from calends import samples


            @pytest.fixture
            def start():
                return samples.START
        """),
        "tests/test_months.py": _TEST_MONTHS,
        "tests/test_billing.py": source("""
            from calends.billing import due, label


            def test_due(start):
                assert [day.month for day in due(start, 3)] == [1, 2, 3]


            def test_label(start):
                assert label(start) == "2023/Q1"
        """),
    },
    module="calends/months.py",
    anchor="    month = day.month - 1 + count",
    issue=source("""
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
        "tests/test_issue.py": source("""
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
        + source("""


            def test_the_last_day_of_a_shorter_month():
                assert add_months(date(2024, 3, 31), 1) == date(2024, 4, 30)
        """)
    },
)
