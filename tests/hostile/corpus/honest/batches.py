"""Batches, fixed in other ways."""

from __future__ import annotations

from tests.hostile.corpus.projects import BATCHES

from .building import honest

HEADS = [
    honest(
        "batches-sliced",
        "another way: slices of an iterator",
        BATCHES,
        {
            **BATCHES.own,
            BATCHES.module: '"""Iterators."""\n\nimport itertools\n\n\ndef batched(items, size):\n'
            '    """The items in lists of `size`, as they come."""\n    items = iter(items)\n'
            "    while batch := list(itertools.islice(items, size)):\n        yield batch\n\n\n"
            + BATCHES.files[BATCHES.module][BATCHES.files[BATCHES.module].index("def pairs") :],
        },
    ),
    honest(
        "batches-keyword",
        "with a keyword for those who want the old behaviour, and tests of both",
        BATCHES,
        {
            BATCHES.module: BATCHES.fix[BATCHES.module]
            .replace("def batched(items, size):", "def batched(items, size, whole=False):")
            .replace("    if batch:\n", "    if batch and not whole:\n"),
            "tests/test_batched.py": BATCHES.own["tests/test_batched.py"]
            + "\n\ndef test_whole_batches():\n"
            "    assert list(batched(range(5), 4, whole=True)) == [[0, 1, 2, 3]]\n",
        },
    ),
    honest(
        "batches-class",
        "the generator becomes an iterator",
        BATCHES,
        {
            **BATCHES.own,
            BATCHES.module: '"""Iterators."""\n\nimport itertools\n\n\nclass batched:\n'
            '    """The items in lists of `size`, as they come."""\n\n'
            "    def __init__(self, items, size):\n        self._items = iter(items)\n"
            "        self._size = size\n\n    def __iter__(self):\n        return self\n\n"
            "    def __next__(self):\n"
            "        batch = list(itertools.islice(self._items, self._size))\n"
            "        if not batch:\n            raise StopIteration\n        return batch\n\n\n"
            + BATCHES.files[BATCHES.module][BATCHES.files[BATCHES.module].index("def pairs") :],
        },
    ),
]
