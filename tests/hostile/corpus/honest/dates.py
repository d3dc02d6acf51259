"""Dates, fixed in other ways."""

from __future__ import annotations

from tests.hostile.corpus.projects import DATES
from tests.hostile.corpus.projects.building import source

from .building import honest

_MONTHS_TABLE = source('''
    """Dates."""

    import calendar

    _DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


    def last_day(year, month):
        """The last day of a month."""
        return _DAYS[month - 1] + (month == 2 and calendar.isleap(year))
''')

HEADS = [
    honest(
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
    honest(
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
    honest(
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
    honest(
        "dates-parametrised",
        "with a test of many parameters",
        DATES,
        {
            **DATES.fix,
            "tests/test_ends.py": source("""
                from datetime import date

                import pytest

                from calends.months import add_months


                @pytest.mark.parametrize(("months", "day"), [(1, 29), (3, 30), (12, 31)])
                def test_ends(months, day):
                    assert add_months(date(2024, 1, 31), months).day == day
            """),
        },
    ),
]
