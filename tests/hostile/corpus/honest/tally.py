"""The command, fixed in other ways."""

from __future__ import annotations

from tests.hostile.corpus.projects import TALLY

from .building import honest

HEADS = [
    honest(
        "tally-folded",
        "another way: case folding",
        TALLY,
        {**TALLY.own, **TALLY.refixed(("text.lower()", "text.casefold()"))},
    ),
    honest(
        "tally-keyword",
        "with a keyword that keeps capitals, and a test of it",
        TALLY,
        {
            TALLY.module: TALLY.fix[TALLY.module]
            .replace("def count(text):", "def count(text, keep_case=False):")
            .replace(
                "    for word in text.lower().split():",
                "    for word in (text if keep_case else text.lower()).split():",
            ),
            "tests/test_cli.py": TALLY.own["tests/test_cli.py"]
            + "\n    def test_keep_case(self):\n"
            '        self.assertEqual(count("Go go", keep_case=True), {"Go": 1, "go": 1})\n',
        },
    ),
    honest(
        "tally-deprecation",
        "an old name warns, and is tested",
        TALLY,
        {
            TALLY.module: TALLY.fix[TALLY.module].replace(
                "import sys\n", "import sys\nimport warnings\n"
            )
            + "\n\ndef tally(text):\n"
            '    """The old name of `count`."""\n'
            '    warnings.warn("tally is now count", DeprecationWarning, stacklevel=2)\n'
            "    return count(text)\n",
            "tests/test_cli.py": TALLY.own["tests/test_cli.py"]
            .replace("import count,", "import count, tally,")
            .replace("import count, longest", "import count, longest")
            + "\n    def test_old_name(self):\n        with self.assertWarns(DeprecationWarning):\n"
            '            self.assertEqual(tally("A a"), {"a": 2})\n',
        },
    ),
    honest(
        "tally-variable",
        "the command also honours a variable",
        TALLY,
        {
            **TALLY.own,
            TALLY.module: TALLY.fix[TALLY.module]
            .replace("import sys\n", "import os\nimport sys\n")
            .replace(
                "    for word in sorted(counts):",
                "    backwards = bool(os.environ.get('TALLY_REVERSE'))\n"
                "    for word in sorted(counts, reverse=backwards):",
            ),
        },
    ),
]
