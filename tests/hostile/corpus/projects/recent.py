"""A cache that forgets what was not used for longest: looking something up is no use."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source

_RECENT = source('''
    """What was used last."""

    from collections import OrderedDict


    class Recent:
        """As many values as there is room for; the one that was not used for longest goes."""

        def __init__(self, room):
            self.room = room
            self._values = OrderedDict()

        def __len__(self):
            return len(self._values)

        def put(self, key, value):
            """Keep a value, which is a use of its key."""
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self) > self.room:
                self._values.popitem(last=False)

        def find(self, key, default=None):
            """The value of a key, or else the default."""
            return self._values.get(key, default)
''')
_TEST_RECENT = source("""
    from recent.values import Recent


    def test_what_was_put_first_goes():
        recent = Recent(2)
        for key in (10, 20, 30):
            recent.put(key, str(key))
        assert len(recent) == 2
        assert recent.find(10) is None
        assert recent.find(30) == "30"
""")
RECENT = Project(
    name="recent",
    files={
        "recent/__init__.py": '"""What was used last."""\n',
        "recent/values.py": _RECENT,
        "tests/__init__.py": "",
        "tests/test_values.py": _TEST_RECENT,
    },
    module="recent/values.py",
    anchor="        return self._values.get(key, default)",
    issue=source("""
        # find is no use

        ```python
        recent = Recent(2)
        recent.put("a", 1)
        recent.put("b", 2)
        recent.find("a")
        recent.put("c", 3)
        recent.find("a")  # None
        ```

        `a` was used after `b`, so `b` should be gone, and `a` still there.
    """),
    given={
        "tests/test_issue.py": source("""
            from recent.values import Recent


            def test_find_is_a_use():
                recent = Recent(2)
                recent.put("a", 1)
                recent.put("b", 2)
                recent.find("a")
                recent.put("c", 3)
                assert recent.find("a") == 1
                assert recent.find("b") is None
        """)
    },
    fix={
        "recent/values.py": replaced(
            _RECENT,
            (
                "        return self._values.get(key, default)",
                "        if key in self._values:\n            self._values.move_to_end(key)\n"
                "        return self._values.get(key, default)",
            ),
        )
    },
    own={
        "tests/test_values.py": _TEST_RECENT
        + source("""


            def test_what_was_found_stays():
                recent = Recent(3)
                for key in ("red", "blue", "green"):
                    recent.put(key, len(key))
                recent.find("red")
                recent.put("black", 5)
                assert recent.find("red") == 3
                assert recent.find("blue", 0) == 0
        """)
    },
)
