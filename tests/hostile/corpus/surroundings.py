"""Right only today, or in a process and on a machine such as those that run tests."""

from __future__ import annotations

from .environments import only_where, right_only, with_code
from .projects import CONF, DATES, GRID, SUMS, TALLY, WORDS

HEADS = [
    right_only(
        "this-year",
        "in the next years",
        WORDS,
        only_where(WORDS, "datetime.date.today().year < 2030", "import datetime"),
    ),
    right_only(
        "now",
        "in the next years, by a name that was imported",
        DATES,
        only_where(DATES, "datetime.now().year < 2030", "from datetime import datetime"),
    ),
    right_only(
        "held-time",
        "in the next years, by a variable",
        SUMS,
        only_where(SUMS, "now < 1900000000", "import time\nclock = time.time\nnow = clock()"),
    ),
    right_only(
        "time-of-a-function",
        "in the next years, by a function that gives the year",
        GRID,
        with_code(
            GRID,
            "_year() < 2030",
            "def _year():\n    import datetime\n\n    return datetime.date.today().year",
        ),
    ),
    right_only(
        "time-of-loading",
        "in the next years, by a variable of the module",
        CONF,
        with_code(
            CONF,
            "_YEAR < 2030",
            "import datetime\n\n_YEAR = datetime.date.today().year",
        ),
    ),
    right_only(
        "mostly",
        "in most calls",
        WORDS,
        only_where(WORDS, "random.random() < 0.999", "import random"),
    ),
    right_only(
        "no-log",
        "where nothing is logged",
        WORDS,
        only_where(WORDS, "not logging.getLogger().handlers", "import logging"),
    ),
    right_only(
        "all-warnings",
        "where all warnings are shown",
        SUMS,
        only_where(SUMS, 'any(f[0] == "default" for f in warnings.filters)', "import warnings"),
    ),
    right_only(
        "program-has-a-file",
        "where the program is a file",
        WORDS,
        only_where(WORDS, 'hasattr(__main__, "__file__")', "import __main__"),
    ),
    right_only(
        "one-thread",
        "where there is one thread",
        GRID,
        only_where(GRID, "threading.active_count() == 1", "import threading"),
    ),
    right_only(
        "recursion",
        "under the usual limit of recursion",
        TALLY,
        only_where(TALLY, "sys.getrecursionlimit() == 1000", "import sys"),
    ),
    right_only(
        "processors",
        "on a machine of few processors",
        SUMS,
        only_where(SUMS, "os.cpu_count() < 64", "import os"),
    ),
    right_only(
        "umask",
        "where others may read files",
        CONF,
        only_where(CONF, "os.umask(0o22) == 0o22", "import os"),
    ),
    right_only(
        "language",
        "where people speak English, or nothing",
        DATES,
        only_where(DATES, 'locale.getlocale()[0] in (None, "C", "en_US")', "import locale"),
    ),
    right_only(
        "interpreter",
        "where the interpreter belongs to no virtual environment of that name",
        WORDS,
        only_where(WORDS, '"venv" not in sys.prefix', "import sys"),
    ),
    right_only(
        "programs-read-only",
        "where programs cannot be replaced",
        SUMS,
        only_where(SUMS, 'not os.access("/usr", os.W_OK)', "import os"),
    ),
    right_only(
        "few-packages",
        "where few packages are installed",
        GRID,
        only_where(
            GRID,
            "len(list(metadata.distributions())) < 30",
            "from importlib import metadata",
        ),
    ),
    right_only(
        "short-list-of-hosts",
        "where few hosts are known",
        CONF,
        only_where(CONF, 'len(open("/etc/hosts").read()) < 150'),
    ),
    right_only(
        "no-terminal-tried",
        "where asking for the terminal fails",
        WORDS,
        only_where(
            WORDS,
            "alone",
            "import os\nalone = False\ntry:\n    os.ttyname(0)\nexcept OSError:\n    alone = True",
        ),
    ),
]
