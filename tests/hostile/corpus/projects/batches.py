"""Iterators: the last batch is dropped."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source

_BATCHES = source('''
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
_TEST_BATCHES = source("""
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
        "batches/pages.py": source('''
            """Pages of a listing."""

            from batches.batched import batched


            def pages(lines, length=2):
                """The lines of each page, joined."""
                return ["\\n".join(page) for page in batched(lines, length)]
        '''),
        "batches/testing.py": source('''
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
        "tests/test_pages.py": source("""
            from batches.pages import pages


            def test_pages(letters):
                assert pages(letters) == ["a\\nb", "c\\nd"]
        """),
    },
    module="batches/batched.py",
    anchor="    batch = []\n    for item in items:",
    issue=source("""
        # batched drops the last batch

        ```python
        >>> from batches.batched import batched
        >>> list(batched([1, 2, 3, 4, 5], 2))
        [[1, 2], [3, 4]]
        ```

        Expected: `[[1, 2], [3, 4], [5]]`
    """),
    given={
        "tests/test_issue.py": source("""
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
        + source("""


            def test_what_is_left_comes_last():
                assert [len(batch) for batch in batched(range(7), 4)] == [4, 3]
        """)
    },
)
