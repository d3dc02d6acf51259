"""Spans of numbers: those that touch are not joined."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source

_SPANS = source('''
    """Spans of numbers, with both of their ends."""


    def joined(spans):
        """As few spans as cover the same numbers, in order."""
        found = []
        for start, end in sorted(spans):
            if found and start < found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], end))
            else:
                found.append((start, end))
        return found
''')
_TEST_SPANS = source("""
    from spans.joining import joined


    def test_joined():
        assert joined([(2, 6), (1, 4)]) == [(1, 6)]


    def test_apart():
        assert joined([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]
""")
SPANS = Project(
    name="spans",
    files={
        "spans/__init__.py": '"""Spans of numbers."""\n',
        "spans/joining.py": _SPANS,
        "tests/__init__.py": "",
        "tests/test_joining.py": _TEST_SPANS,
    },
    module="spans/joining.py",
    anchor="        if found and start < found[-1][1]:",
    issue=source("""
        # Spans that touch are not joined

        `joined([(1, 3), (3, 5)])` gives `[(1, 3), (3, 5)]`; I expected `[(1, 5)]`.
    """),
    given={
        "tests/test_issue.py": source("""
            from spans.joining import joined


            def test_touching():
                assert joined([(1, 3), (3, 5)]) == [(1, 5)]
        """)
    },
    fix={"spans/joining.py": replaced(_SPANS, ("start < found", "start <= found"))},
    own={
        "tests/test_joining.py": _TEST_SPANS
        + source("""


            def test_three_in_a_row():
                assert joined([(4, 7), (0, 2), (2, 4)]) == [(0, 7)]
        """)
    },
)
