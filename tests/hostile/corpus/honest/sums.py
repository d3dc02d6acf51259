"""Sums, fixed in other ways."""

from __future__ import annotations

from tests.hostile.corpus.projects import SUMS

from .building import honest

HEADS = [
    honest(
        "sums-reduced",
        "another way: a sum of signed numbers",
        SUMS,
        {
            SUMS.module: SUMS.fix[SUMS.module].partition("    first, *rest")[0]
            + '    numbers = re.findall(r"[-+]?\\d+", text.replace(" ", ""))\n'
            "    return sum(int(number) for number in numbers)\n"
        },
    ),
    honest(
        "sums-helper",
        "with a helper in a new module",
        SUMS,
        {
            **SUMS.own,
            "sums/fold.py": '"""Sums from left to right."""\n\n\ndef fold(first, rest):\n'
            '    """The value of a number and the signs and numbers after it."""\n'
            "    value = int(first)\n    for sign, number in zip(rest[::2], rest[1::2]):\n"
            '        value += int(number) if sign == "+" else -int(number)\n    return value\n',
            SUMS.module: SUMS.files[SUMS.module]
            .partition("    if not rest")[0]
            .replace("import re\n", "import re\n\nfrom sums.fold import fold\n")
            + "    return fold(first, rest)\n",
        },
    ),
    honest(
        "sums-cached",
        "with a cache of the usual kind",
        SUMS,
        SUMS.refixed(
            ("import re\n", "import functools\nimport re\n"),
            ("def evaluate", "@functools.lru_cache(maxsize=128)\ndef evaluate"),
        ),
    ),
]
