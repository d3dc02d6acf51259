"""The table, fixed in other ways."""

from __future__ import annotations

from tests.hostile.corpus.projects import GRID

from .building import honest

HEADS = [
    honest(
        "grid-statistics",
        "another way: the standard library's mean",
        GRID,
        {
            **GRID.own,
            GRID.module: GRID.fix[GRID.module]
            .replace('"""Tables."""\n', '"""Tables."""\n\nimport statistics\n')
            .replace("sum(values) / len(values)", "statistics.mean(values)"),
        },
    ),
    honest(
        "grid-error",
        "an error of its own where nothing is known",
        GRID,
        {
            GRID.module: GRID.fix[GRID.module].replace(
                "        return sum(values)",
                "        if not values:\n"
                '            raise ValueError(f"nothing is known of {name}")\n'
                "        return sum(values)",
            ),
            "tests/test_table.py": GRID.own["tests/test_table.py"]
            + "\n    def test_nothing_known(self):\n"
            '        with self.assertRaisesRegex(ValueError, "nothing is known of c"):\n'
            '            self.table.mean("c")\n',
        },
    ),
    honest(
        "grid-equality",
        "tables can be compared, and are in its test",
        GRID,
        {
            GRID.module: GRID.fix[GRID.module]
            + "\n    def __eq__(self, other):\n        if not isinstance(other, Table):\n"
            "            return NotImplemented\n        return self.rows == other.rows\n\n"
            "    __hash__ = None\n",
            "tests/test_table.py": GRID.own["tests/test_table.py"] + "\n    def test_equal(self):\n"
            "        self.assertEqual(Table([{'a': 1}]), Table([{'a': 1}]))\n"
            "        self.assertNotEqual(Table([{'a': 1}]), Table([]))\n",
        },
    ),
    honest(
        "grid-annotated",
        "with annotations",
        GRID,
        {
            **GRID.own,
            GRID.module: "from __future__ import annotations\n\n"
            + GRID.fix[GRID.module].replace(
                "def mean(self, name):", "def mean(self, name: str) -> float:"
            ),
        },
    ),
]
