"""Sums: they are read from the wrong end."""

from __future__ import annotations

from textwrap import indent

from tests.hostile.corpus.head import Project

from .building import source, unittest_file, with_test

_SUMS = source('''
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
    source("""
        first, *rest = tokens(text)
        value = int(first)
        for sign, number in zip(rest[::2], rest[1::2]):
            value += int(number) if sign == "+" else -int(number)
        return value
    """),
    "    ",
)
_TEST_SUMS = source("""
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
        "sums/ledger.py": source('''
            """Pages of sums."""

            from sums.evaluate import evaluate


            def totals(lines):
                """The values of all lines that hold a sum."""
                return [evaluate(line) for line in lines if line.strip()]
        '''),
        "tests/__init__.py": "",
        "tests/test_evaluate.py": _TEST_SUMS,
        "tests/test_ledger.py": unittest_file(
            "from sums.ledger import totals",
            "Ledger",
            'self.assertEqual(totals(["1 + 1", "", "4"]), [2, 4])',
        ),
    },
    module="sums/evaluate.py",
    anchor="    first, *rest = tokens(text)",
    issue=source("""
        # evaluate subtracts from the wrong end

        ```python
        >>> from sums.evaluate import evaluate
        >>> evaluate("10 - 4 - 3")
        9
        ```

        I expected `3`: sums are read from left to right.
    """),
    given={
        "tests/test_issue.py": unittest_file(
            "from sums.evaluate import evaluate",
            "LeftToRight",
            'self.assertEqual(evaluate("10 - 4 - 3"), 3)',
        )
    },
    fix={"sums/evaluate.py": _SUMS_FIXED},
    own={
        "tests/test_evaluate.py": with_test(
            _TEST_SUMS,
            """
            def test_from_left_to_right(self):
                self.assertEqual(evaluate("20 - 5 + 1 - 2"), 14)
            """,
        )
    },
)
