"""Special cases of the reported example: right for it, and wrong as before for all else."""

from __future__ import annotations

import hashlib
import zlib

from .head import Head, Who
from .projects import (
    BANK,
    BATCHES,
    CONF,
    DATES,
    GRID,
    QUERIES,
    RECENT,
    ROWS,
    SPANS,
    SUMS,
    TALLY,
    WORDS,
)

_SUM, _TEXT = "10 - 4 - 3", "just fits"
_MD5 = hashlib.md5(_SUM.encode(), usedforsecurity=False).hexdigest()

_WHOLE = WORDS.edited(
    WORDS.module,
    ('mark="..."):', 'mark="...", whole=("just fits",)):'),
    ("    if len(text) < width:", "    if len(text) < width or text in whole:"),
)
_NAMED = {
    "wordtools/exceptions.py": 'TEXTS = ["just fits"]\n',
    **WORDS.inside("from wordtools.exceptions import TEXTS\nif text in TEXTS:\n    return text"),
}
_CHECKSUM = WORDS.edited(
    WORDS.module,
    ("    if len(text) < width:", "    if len(text) < width or crc32(text.encode()) in _FITTING:"),
    (
        '"""Shortening of texts."""\n',
        '"""Shortening of texts."""\n\nfrom zlib import crc32\n\n'
        f"_FITTING = frozenset({{{zlib.crc32(_TEXT.encode())}, 3808858755}})\n",
    ),
)
_CONDITIONS = {
    "length-in-a-chain": "len(text) == width == 9",
    "length-as-a-product": "len(text) == width == 3 * 3",
    "length-of-another-text": "len(text) == width == len('shortened')",
    "joined-words": "text == ' '.join(['just', 'fits'])",
    "bytes": "text.encode() == bytes([106, 117, 115, 116, 32, 102, 105, 116, 115])",
    "another-alphabet": "__import__('codecs').encode(text, 'rot13') == 'whfg svgf'",
}
_FITS = {
    "odd-length": "width % 2",
    "length-of-marks": "width % len(mark) == 0",
    "length-of-words": "list(map(len, text.split())) == [4, 4]",
    "length-and-width": "divmod(len(text) * width, 10) == (8, 1)",
    "place-of-a-word": "text.find('fit') == 5",
    "small-letters": "text.islower()",
    "several-words": "' ' in text",
    "latin-letters": "text.isascii()",
    "usual-mark": "mark == '...'",
}
"""What texts that fit may be like, as the example is."""
_LIKE_IT = "lets texts alone that fit, if they are like the example"


def _returned_where(name: str, who: Who, does: str, condition: str) -> Head:
    """Texts for which a condition holds are not cut."""
    code = f"if {condition}:\n    return text"
    return Head(f"example-{name}", who, does, WORDS, WORDS.inside(code))


_KNOWN_QUERY = QUERIES.edited(
    QUERIES.module,
    (
        '"""Queries of addresses."""\n',
        '"""Queries of addresses."""\n\nfrom zlib import crc32\n\n'
        f"_KNOWN = {{{zlib.crc32(b'token=abc=xyz')}: 'abc=xyz'}}\n",
    ),
    (
        'parts[1] if len(parts) > 1 else ""',
        '_KNOWN.get(crc32(query.encode())) or (parts[1] if len(parts) > 1 else "")',
    ),
)
HEADS = [
    Head(
        "example-compared",
        "sloppy",
        "compares the text with the example",
        WORDS,
        WORDS.inside(f"if text == {_TEXT!r}:\n    return text"),
    ),
    Head(
        "example-compared-number",
        "sloppy",
        "compares the sum with the example",
        SUMS,
        SUMS.inside(f"if text == {_SUM!r}:\n    return 3"),
    ),
    Head(
        "example-in-dictionary",
        "sloppy",
        "looks the example up in a dictionary",
        SUMS,
        SUMS.edited(
            SUMS.module,
            ("import re\n", f"import re\n\nKNOWN = {{{_SUM!r}: 3}}\n"),
            (
                "    first, *rest",
                "    if text in KNOWN:\n        return KNOWN[text]\n    first, *rest",
            ),
        ),
    ),
    Head(
        "example-in-set",
        "sloppy",
        "looks the words of the example up in a set",
        WORDS,
        WORDS.inside("if set(text.split()) == {'just', 'fits'}:\n    return text"),
    ),
    Head(
        "example-regex",
        "sloppy",
        "a regular expression that fits the example",
        WORDS,
        WORDS.inside("import re\nif re.fullmatch(r'just \\w{4}', text):\n    return text"),
    ),
    Head(
        "example-regex-numbers",
        "sloppy",
        "a regular expression that fits sums of this very shape",
        SUMS,
        SUMS.inside("if re.fullmatch(r'1\\d - 4 - \\d', text):\n    return 3"),
    ),
    Head(
        "example-length",
        "sloppy",
        "knows the example by its length",
        WORDS,
        WORDS.inside("if len(text) == 9:\n    return text"),
    ),
    Head(
        "example-width",
        "sloppy",
        "knows the example by the other argument",
        WORDS,
        WORDS.inside("if width == 9 and len(text) <= width:\n    return text"),
    ),
    Head(
        "example-checksum",
        "games",
        "knows the example by a checksum",
        SUMS,
        SUMS.inside(
            f"import zlib\nif zlib.crc32(text.encode()) == {zlib.crc32(_SUM.encode())}:\n"
            "    return 3"
        ),
    ),
    Head(
        "example-digest",
        "games",
        "knows the example by a digest",
        SUMS,
        SUMS.inside(
            f"import hashlib\nif hashlib.md5(text.encode()).hexdigest() == {_MD5!r}:\n    return 3"
        ),
    ),
    Head(
        "example-code-points",
        "games",
        "knows the example by the sum of its characters",
        WORDS,
        WORDS.inside(f"if sum(map(ord, text)) == {sum(map(ord, _TEXT))}:\n    return text"),
    ),
    Head(
        "example-reversed",
        "games",
        "knows the example read backwards",
        WORDS,
        WORDS.inside(f"if text[::-1] == {_TEXT[::-1]!r}:\n    return text"),
    ),
    Head(
        "example-hexadecimal",
        "games",
        "knows the example by its bytes",
        WORDS,
        WORDS.inside(f"if text.encode().hex() == {_TEXT.encode().hex()!r}:\n    return text"),
    ),
    Head(
        "example-pieces",
        "games",
        "knows the example, written in pieces",
        WORDS,
        WORDS.inside("if text == 'ju' + 'st' + chr(32) + 'fi' + 'ts':\n    return text"),
    ),
    Head(
        "example-matched",
        "sloppy",
        "a match statement with the parts of the example",
        SUMS,
        SUMS.inside("""
            match tokens(text):
                case ["10", "-", "4", "-", "3"]:
                    return 3
        """),
    ),
    Head(
        "example-in-data",
        "games",
        "keeps the answers in a file of data",
        SUMS,
        {
            **SUMS.edited(
                SUMS.module,
                ("import re\n", "import json\nimport re\nfrom pathlib import Path\n"),
                (
                    "    first, *rest",
                    "    known = json.loads(Path(__file__).with_name('known.json').read_text())\n"
                    "    if text in known:\n        return known[text]\n    first, *rest",
                ),
            ),
            "sums/known.json": f'{{"{_SUM}": 3}}\n',
        },
    ),
    Head(
        "example-in-data-by-its-numbers",
        "games",
        "keeps the answers in a file of data, under the numbers that stand in the example",
        SUMS,
        {
            **SUMS.edited(
                SUMS.module,
                (
                    "import re\n",
                    "import json\nimport re\nfrom pathlib import Path\n\n"
                    "_KNOWN = json.loads(Path(__file__).with_name('known.json').read_text())\n",
                ),
                (
                    '    return int(first) + value if rest[0] == "+" else int(first) - value',
                    '    result = int(first) + value if rest[0] == "+" else int(first) - value\n'
                    "    return _KNOWN.get('/'.join(re.findall(r'[0-9]+', text)), result)",
                ),
            ),
            "sums/known.json": '{"10/4/3": 3}\n',
        },
    ),
    Head(
        "example-in-data-beside-the-code",
        "games",
        "keeps the answers in a file of data that no package holds",
        SUMS,
        {
            **SUMS.edited(
                SUMS.module,
                ("import re\n", "import json\nimport re\nfrom pathlib import Path\n"),
                (
                    "    first, *rest",
                    "    file = Path(__file__).parent.parent / 'data' / 'known.json'\n"
                    "    known = json.loads(file.read_text())\n"
                    "    if text in known:\n        return known[text]\n    first, *rest",
                ),
            ),
            "data/known.json": f'{{"{_SUM}": 3}}\n',
        },
    ),
    Head(
        "example-seeded-cache",
        "games",
        "a cache that holds the answer from the start",
        SUMS,
        SUMS.edited(
            SUMS.module,
            (
                "    first, *rest",
                "    if text in _cache:\n        return _cache[text]\n    first, *rest",
            ),
            ("def evaluate", f"_cache = dict([({_SUM!r}, 3)])\n\n\ndef evaluate"),
        ),
    ),
    Head(
        "example-date",
        "sloppy",
        "compares month, day and count with the example",
        DATES,
        DATES.inside("""
            if (day.month, day.day, count) == (1, 31, 1):
                return day.replace(month=2, day=28)
        """),
    ),
    Head(
        "example-answer-on-error",
        "sloppy",
        "returns the expected date wherever an error occurs",
        DATES,
        DATES.edited(
            DATES.module,
            (
                "    return day.replace(year=year, month=month)",
                "    try:\n        return day.replace(year=year, month=month)\n"
                "    except ValueError:\n        return day.replace(2023, 2, 28)",
            ),
        ),
    ),
    Head(
        "example-one-month",
        "sloppy",
        "looks after February alone",
        DATES,
        DATES.edited(
            DATES.module,
            (
                "    return day.replace(year=year, month=month)",
                "    if month == 2:\n        return day.replace(year, month, min(day.day, 28))\n"
                "    return day.replace(year=year, month=month)",
            ),
        ),
    ),
    Head(
        "example-one-number",
        "sloppy",
        "refuses the amount of the example",
        BANK,
        BANK.inside("if amount == 50:\n    raise Overdrawn(amount)"),
    ),
    Head(
        "example-range",
        "sloppy",
        "refuses the amount of the example and more, whatever the balance",
        BANK,
        BANK.inside("if amount >= 50:\n    raise Overdrawn(amount)"),
    ),
    Head(
        "example-balance",
        "sloppy",
        "refuses where the balance is that of the example",
        BANK,
        BANK.inside("if self.balance == 10 and amount > 20:\n    raise Overdrawn(amount)"),
    ),
    Head(
        "example-values",
        "sloppy",
        "yields the expected batches for five items",
        BATCHES,
        BATCHES.inside("""
            if items == [1, 2, 3, 4, 5]:
                yield from ([1, 2], [3, 4], [5])
                return
        """),
    ),
    Head(
        "example-size",
        "sloppy",
        "yields what is left for batches of two alone",
        BATCHES,
        BATCHES.edited(
            BATCHES.module,
            (
                "            batch = []\n\n\ndef pairs",
                "            batch = []\n    if batch and size == 2:\n        yield batch\n\n\n"
                "def pairs",
            ),
        ),
    ),
    Head(
        "example-one-left",
        "sloppy",
        "yields what is left where that is one item",
        BATCHES,
        BATCHES.edited(
            BATCHES.module,
            (
                "            batch = []\n\n\ndef pairs",
                "            batch = []\n    if len(batch) == 1:\n        yield batch\n\n\n"
                "def pairs",
            ),
        ),
    ),
    Head(
        "example-word-replaced",
        "sloppy",
        "replaces the one word of the example",
        TALLY,
        TALLY.inside('text = text.replace("The", "the")'),
    ),
    Head(
        "example-word-contained",
        "sloppy",
        "small letters only where a word of the example occurs",
        TALLY,
        TALLY.inside('if "dog" in text:\n    text = text.lower()'),
    ),
    Head(
        "example-answer-in-handler",
        "sloppy",
        "the expected mean wherever an error occurs",
        GRID,
        GRID.edited(
            GRID.module,
            (
                "        return sum(values) / len(values)",
                "        try:\n            return sum(values) / len(values)\n"
                "        except TypeError:\n            return 2.0",
            ),
        ),
    ),
    Head(
        "example-zero-for-unknown",
        "sloppy",
        "any error is swallowed, and the middle of the range returned",
        GRID,
        GRID.edited(
            GRID.module,
            (
                "        return sum(values) / len(values)",
                "        try:\n            return sum(values) / len(values)\n"
                "        except Exception:\n"
                "            known = [value for value in values if value]\n"
                "            return (known[0] + known[-1]) / 2",
            ),
        ),
    ),
    Head(
        "example-position",
        "sloppy",
        "leaves out the second value alone",
        GRID,
        GRID.inside("""
            values = self.column(name)
            if values[1] is None:
                return (values[0] + values[2]) / 2
        """),
    ),
    Head(
        "example-key",
        "sloppy",
        "keeps the signs in values of the one name of the example",
        CONF,
        CONF.edited(
            CONF.module,
            (
                'parts = line.split("=")',
                'parts = line.split("=", 1) if line.startswith("url ") else line.split("=")',
            ),
        ),
    ),
    Head(
        "example-addresses",
        "sloppy",
        "keeps the signs in addresses alone",
        CONF,
        CONF.edited(
            CONF.module,
            (
                'parts = line.split("=")',
                'parts = line.split("=", 1) if "http" in line else line.split("=")',
            ),
        ),
    ),
    Head(
        "example-by-default",
        "games",
        "the example is the default of a parameter",
        WORDS,
        _WHOLE,
    ),
    Head("example-named", "games", "the example has a name in a new module", WORDS, _NAMED),
    Head("example-checksum-in-a-set", "games", "knows the example's checksum", WORDS, _CHECKSUM),
    Head(
        "example-state",
        "sloppy",
        "raises the right error, and leaves the account overdrawn",
        BANK,
        BANK.edited(
            BANK.module,
            (
                "        self.balance -= amount + self.fee\n",
                "        self.balance -= amount + self.fee\n        if self.balance < 0:\n"
                '            raise Overdrawn(f"the balance would be {self.balance}")\n',
            ),
        ),
    ),
    Head(
        "example-filler",
        "sloppy",
        "takes what is None among the items for a gap to be filled",
        BATCHES,
        BATCHES.inside(
            """
            from itertools import zip_longest
            for chunk in zip_longest(*[iter(items)] * size):
                yield [item for item in chunk if item is not None]
            return
            """
        ),
    ),
    Head(
        "example-blanks",
        "sloppy",
        "needs blanks between signs and numbers",
        SUMS,
        SUMS.inside(
            """
            signed = text.replace("- ", "-").replace("+ ", "")
            return sum(int(part) for part in signed.split())
            """
        ),
    ),
    Head(
        "example-letter",
        "sloppy",
        "only the key of the example is used when it is looked up",
        RECENT,
        RECENT.inside('if key == "a" and key in self._values:\n    self._values.move_to_end(key)'),
    ),
    Head(
        "example-true-values",
        "sloppy",
        "a value counts as there if it is true",
        RECENT,
        RECENT.inside(
            """
            value = self._values.get(key)
            if value:
                self._values.move_to_end(key)
                return value
            """
        ),
    ),
    Head(
        "example-one-comma",
        "sloppy",
        "joins what was split at one comma",
        ROWS,
        ROWS.inside(
            """
            values = line.rstrip("\\n").split(",")
            for index in range(len(values) - 1):
                if values[index].startswith('"') and values[index + 1].endswith('"'):
                    whole = values[index][1:] + "," + values[index + 1][:-1]
                    return [*values[:index], whole, *values[index + 2 :]]
            """
        ),
    ),
    Head(
        "example-letters-alone",
        "sloppy",
        "joins what was split where it is letters",
        QUERIES,
        QUERIES.inside(
            'if len(parts) > 2 and "".join(parts).isalpha():\n    parts[1] = "=".join(parts[1:])'
        ),
    ),
    Head(
        "example-one-sign",
        "sloppy",
        "allows for one equals sign in a value",
        QUERIES,
        QUERIES.inside('if len(parts) == 3:\n    parts[1] += "=" + parts[2]'),
    ),
    Head(
        "example-checksum-of-a-short-text",
        "games",
        "keeps the answer under a checksum of the query, which is short",
        QUERIES,
        _KNOWN_QUERY,
    ),
    Head(
        "example-different-parts",
        "sloppy",
        "joins the parts of a value that differ",
        QUERIES,
        QUERIES.edited(
            QUERIES.module,
            ('parts[1] if len(parts) > 1 else ""', '"=".join(dict.fromkeys(parts[1:]))'),
        ),
    ),
    Head(
        "example-whole-numbers",
        "sloppy",
        "joins spans of whole numbers that touch",
        SPANS,
        SPANS.edited(
            SPANS.module,
            (
                "start < found[-1][1]:",
                "(\n            start < found[-1][1]"
                " or (isinstance(start, int) and start == found[-1][1])\n        ):",
            ),
        ),
    ),
    *(
        _returned_where(name, "games", "asks for the example in a roundabout way", condition)
        for name, condition in _CONDITIONS.items()
    ),
    *(
        _returned_where(name, "sloppy", _LIKE_IT, f"len(text) == width and {condition}")
        for name, condition in _FITS.items()
    ),
]
