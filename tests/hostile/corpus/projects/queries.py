"""Queries of addresses: a value ends at its first equals sign."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source

_QUERIES = source('''
    """Queries of addresses."""


    def parse(query):
        """The values of a query, by their names."""
        values = {}
        for pair in query.split("&"):
            parts = pair.split("=")
            values[parts[0]] = parts[1] if len(parts) > 1 else ""
        return values
''')
_TEST_QUERIES = source("""
    import unittest

    from queries.parsing import parse


    class ParsingTest(unittest.TestCase):
        def test_two(self):
            self.assertEqual(parse("page=2&all"), {"page": "2", "all": ""})
""")
QUERIES = Project(
    name="queries",
    files={
        "queries/__init__.py": '"""Queries of addresses."""\n',
        "queries/parsing.py": _QUERIES,
        "tests/__init__.py": "",
        "tests/test_parsing.py": _TEST_QUERIES,
    },
    module="queries/parsing.py",
    anchor='        values[parts[0]] = parts[1] if len(parts) > 1 else ""',
    issue=source("""
        # Values are cut at an equals sign

        ```python
        >>> from queries.parsing import parse
        >>> parse("token=abc=xyz")
        {'token': 'abc'}
        ```

        The value should be `abc=xyz`.
    """),
    given={
        "tests/test_issue.py": source("""
            import unittest

            from queries.parsing import parse


            class Signs(unittest.TestCase):
                def test_signs(self):
                    self.assertEqual(parse("token=abc=xyz"), {"token": "abc=xyz"})
        """)
    },
    fix={
        "queries/parsing.py": replaced(_QUERIES, ('pair.split("=")', 'pair.split("=", 1)')),
    },
    own={
        "tests/test_parsing.py": _TEST_QUERIES
        + "\n    def test_signs_in_values(self):\n"
        + '        self.assertEqual(parse("sum=1=1&all"), {"sum": "1=1", "all": ""})\n'
    },
)
