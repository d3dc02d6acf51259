"""Settings, fixed in other ways and in odd files."""

from __future__ import annotations

from tests.hostile.corpus.projects import CONF
from tests.hostile.corpus.projects.building import source

from .building import honest

_CRLF = CONF.variant(
    "conf-crlf",
    {CONF.module: CONF.files[CONF.module].replace("\n", "\r\n")},
)

HEADS = [
    honest(
        "conf-partition",
        "another way: the text before and after the first sign",
        CONF,
        {
            **CONF.own,
            CONF.module: CONF.files[CONF.module]
            .replace(
                '            parts = line.split("=")\n            if len(parts) > 1:\n'
                "                found[parts[0].strip()] = parts[1].strip()",
                "            raise NotImplementedError",
            )
            .replace(
                '        parts = line.split("=")\n        if len(parts) > 1:\n'
                "            found[parts[0].strip()] = parts[1].strip()",
                '        name, sign, value = line.partition("=")\n        if sign:\n'
                "            found[name.strip()] = value.strip()",
            ),
        },
    ),
    honest(
        "conf-pattern",
        "another way: a regular expression",
        CONF,
        {
            **CONF.own,
            CONF.module: CONF.files[CONF.module]
            .partition("    found = {}")[0]
            .replace('"""Reads settings."""\n', '"""Reads settings."""\n\nimport re\n')
            + '    rows = re.findall(r"^([^=\\n]*)=(.*)$", text, re.MULTILINE)\n'
            "    return {name.strip(): value.strip() for name, value in rows}\n\n\n"
            + CONF.files[CONF.module][CONF.files[CONF.module].index("def parse_list") :],
        },
    ),
    honest(
        "conf-data",
        "with a new file of data for its test",
        CONF,
        {
            **CONF.fix,
            "tests/data/signs.txt": "a = b=c\nd = e==\n",
            "tests/test_signs.py": source("""
                import pathlib
                import unittest

                from conf.parse import parse


                class SignsTest(unittest.TestCase):
                    def test_file(self):
                        place = pathlib.Path(__file__).with_name("data") / "signs.txt"
                        self.assertEqual(parse(place.read_text()), {"a": "b=c", "d": "e=="})
            """),
        },
    ),
    honest(
        "conf-crlf",
        "in a file with carriage returns",
        _CRLF,
        {CONF.module: CONF.fix[CONF.module].replace("\n", "\r\n"), **CONF.own},
    ),
]
