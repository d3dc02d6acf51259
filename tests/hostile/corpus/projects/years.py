"""Leap years: those of whole centuries are none, ever."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source

_YEARS = source('''
    """Years."""


    def is_leap(year):
        """Whether a year has a 29th of February."""
        return year % 4 == 0 and year % 100 != 0


    def days_in(year):
        """How many days a year has."""
        return 366 if is_leap(year) else 365
''')
_TEST_YEARS = source("""
    from years.leap import days_in, is_leap


    def test_leap():
        assert is_leap(2024)
        assert not is_leap(2023)
        assert not is_leap(1900)


    def test_days():
        assert days_in(2023) == 365
""")
YEARS = Project(
    name="years",
    files={
        "years/__init__.py": '"""Years."""\n',
        "years/leap.py": _YEARS,
        "tests/__init__.py": "",
        "tests/test_leap.py": _TEST_YEARS,
    },
    module="years/leap.py",
    anchor="    return year % 4 == 0",
    issue=source("""
        # 2000 was a leap year

        `is_leap(2000)` is False. Every fourth whole century is a leap year.
    """),
    given={
        "tests/test_issue.py": source("""
            from years.leap import is_leap


            def test_2000():
                assert is_leap(2000)
        """)
    },
    fix={
        "years/leap.py": replaced(
            _YEARS, ("year % 100 != 0", "(year % 100 != 0 or year % 400 == 0)")
        )
    },
    own={
        "tests/test_leap.py": _TEST_YEARS
        + source("""


            def test_every_fourth_century():
                assert is_leap(1600)
                assert days_in(2400) == 366
        """)
    },
)
