"""Lines of values between commas: quoted ones are split, too."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source

_ROWS = source('''
    """Lines of values between commas."""


    def values_of(line):
        """The values of a line."""
        return line.rstrip("\\n").split(",")


    def line_of(values):
        """The other way round."""
        return ",".join(values)
''')
_TEST_ROWS = source("""
    from rows.lines import line_of, values_of


    def test_values():
        assert values_of("red,,blue\\n") == ["red", "", "blue"]


    def test_line():
        assert line_of(["red", "blue"]) == "red,blue"
""")
ROWS = Project(
    name="rows",
    files={
        "rows/__init__.py": '"""Lines of values."""\n',
        "rows/lines.py": _ROWS,
        "tests/__init__.py": "",
        "tests/test_lines.py": _TEST_ROWS,
    },
    module="rows/lines.py",
    anchor='    return line.rstrip("\\n").split(",")',
    issue=source("""
        # Quoted values are split at commas

        `values_of('x,"y,z",w')` gives `['x', '"y', 'z"', 'w']`.

        I expected `['x', 'y,z', 'w']`.
    """),
    given={
        "tests/test_issue.py": source("""
            from rows.lines import values_of


            def test_quoted():
                assert values_of('x,"y,z",w') == ["x", "y,z", "w"]
        """)
    },
    fix={
        "rows/lines.py": replaced(
            _ROWS,
            (
                '    return line.rstrip("\\n").split(",")',
                '    return next(csv.reader([line.rstrip("\\n")]), [""])',
            ),
            ('commas."""\n', 'commas."""\n\nimport csv\n'),
        )
    },
    own={
        "tests/test_lines.py": _TEST_ROWS
        + source("""


            def test_quoted_values():
                assert values_of('1,"2,3","4,5"') == ["1", "2,3", "4,5"]
        """)
    },
)
