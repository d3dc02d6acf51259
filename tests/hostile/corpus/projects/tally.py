"""A command that counts words: capitals count apart."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source, unittest_file, with_test

_TALLY = source('''
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
_TEST_TALLY = source("""
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
        "tally/cloud.py": source('''
            """Word clouds."""

            from tally.cli import count


            def sizes(text):
                """The size of each word, 10 for one occurrence, at most 40."""
                return {word: min(10 * number, 40) for word, number in count(text).items()}
        '''),
        "tests/__init__.py": "",
        "tests/test_cli.py": _TEST_TALLY,
        "tests/test_cloud.py": unittest_file(
            "from tally.cloud import sizes",
            "Cloud",
            'self.assertEqual(sizes("x y x x x x"), {"x": 40, "y": 10})',
        ),
    },
    module="tally/cli.py",
    anchor="    counts = {}",
    issue=source("""
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
        "tests/test_issue.py": unittest_file(
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
        "tests/test_cli.py": with_test(
            _TEST_TALLY,
            """
            def test_case_does_not_matter(self):
                self.assertEqual(count("Go go GO"), {"go": 3})
            """,
        )
    },
)
