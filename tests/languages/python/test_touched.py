"""Which functions a change touches, and whether it touches what runs on import."""

from __future__ import annotations

import pytest

from evaluator.diff import Changes
from evaluator.regressions.existing import touched

BEFORE = '''
import json

LIMIT = 3


def first():
    """A text."""
    return 1


class Box:
    size = 2

    @property
    def value(self):
        return 1

    @value.setter
    def value(self, new):
        pass
'''


@pytest.mark.parametrize(
    ("old", "new", "lines", "loaded"),
    [
        ("    return 1\n\n\nclass", "    return 2\n\n\nclass", {7}, False),
        ("# nothing", "# nothing", set(), False),
        ("import json", "import json\nimport re", set(), False),
        ("import json", "", set(), True),
        ("LIMIT = 3", "LIMIT = 4", set(), True),
        ("size = 2", "size = 3", set(), True),
        ("        pass", "        self.new = new", {15, 19}, False),
        ("LIMIT = 3", "LIMIT = 3\n\n\ndef helper():\n    pass", set(), False),
        ("    size = 2", "    size = 2\n\n    def __eq__(self, other):\n        pass", set(), True),
        ("def first", "def renamed", {7}, True),
        ("LIMIT = 3", "LIMIT = ", set(), True),
    ],
)
def test_of_a_module(old: str, new: str, lines: set[int], loaded: bool) -> None:
    after = BEFORE.replace(old, new)
    found = touched(Changes({"box.py": after.encode()}), {"box.py": BEFORE.encode()}.get)
    assert found.functions.get("box.py", frozenset()) == lines
    assert found.loaded == ({"box.py"} if loaded else set())


def test_data_touches_the_package_that_holds_it() -> None:
    changes = Changes({"pkg/words.txt": b"new", "docs/index.md": b"new"})
    found = touched(changes, {"pkg/__init__.py": b"", "pkg/words.txt": b""}.get)
    assert found.loaded == found.files == {"pkg/__init__.py"}
