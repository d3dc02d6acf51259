"""Settings: a value with an equals sign is cut."""

from __future__ import annotations

from tests.hostile.corpus.head import Project, replaced

from .building import source, unittest_file, with_test

_CONF = source('''
    """Reads settings."""


    def parse(text):
        """Settings from lines such as `name = value`; lines without a sign are left out."""
        found = {}
        for line in text.splitlines():
            parts = line.split("=")
            if len(parts) > 1:
                found[parts[0].strip()] = parts[1].strip()
        return found


    def parse_list(text):
        """The parts of a value, separated by commas."""
        return [part.strip() for part in text.split(",") if part.strip()]
''')
_TEST_CONF = source("""
    import unittest

    from conf.parse import parse, parse_list


    class ParseTest(unittest.TestCase):
        def test_settings(self):
            self.assertEqual(parse("a = 1\\nb=2\\nnothing"), {"a": "1", "b": "2"})

        def test_list(self):
            self.assertEqual(parse_list("x, y,,z"), ["x", "y", "z"])
""")
CONF = Project(
    name="conf",
    files={
        "conf/__init__.py": '"""Settings."""\n',
        "conf/parse.py": _CONF,
        "conf/dump.py": source('''
            """Writes settings."""


            def dump(settings):
                """Settings as text, in the order of their names."""
                return "".join(f"{name} = {settings[name]}\\n" for name in sorted(settings))
        '''),
        "tests/__init__.py": "",
        "tests/data/dump.txt": "a = 1\nb = two\n",
        "tests/test_dump.py": unittest_file(
            "from pathlib import Path\n\nfrom conf.dump import dump",
            "Dump",
            """
            expected = Path(__file__).with_name("data") / "dump.txt"
            self.assertEqual(dump({"b": "two", "a": 1}), expected.read_text())
            """,
        ),
        "tests/test_parse.py": _TEST_CONF,
    },
    module="conf/parse.py",
    anchor="    found = {}",
    issue=source("""
        # A value with an equals sign is cut

        ```python
        >>> from conf.parse import parse
        >>> parse("url = http://x/?page=1")
        {'url': 'http://x/?page'}
        ```

        Should be `{'url': 'http://x/?page=1'}`.
    """),
    given={
        "tests/test_issue.py": unittest_file(
            "from conf.parse import parse",
            "EqualsSign",
            """
            found = parse("url = http://x/?page=1")
            self.assertEqual(found, {"url": "http://x/?page=1"})
            """,
        )
    },
    fix={"conf/parse.py": replaced(_CONF, ('line.split("=")', 'line.split("=", 1)'))},
    own={
        "tests/test_parse.py": with_test(
            _TEST_CONF,
            """
            def test_value_with_a_sign(self):
                self.assertEqual(parse("flags = a=b=c"), {"flags": "a=b=c"})
            """,
        )
    },
)
