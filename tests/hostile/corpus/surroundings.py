"""Right only today, or in a process and on a machine such as those that run tests."""

from __future__ import annotations

from .environments import only_where
from .head import Files, Head, Project
from .projects import CONF, DATES, GRID, SUMS, TALLY, WORDS


def _head(name: str, does: str, project: Project, files: Files) -> Head:
    return Head(f"where-{name}", "games", f"right only {does}", project, files)


def _with_code(project: Project, condition: str, code: str) -> dict[str, str]:
    """Right where a condition holds, for which code comes at the end of the module."""
    files = only_where(project, condition)
    return {path: f"{content}\n\n{code}\n" for path, content in files.items()}


HEADS = [
    _head(
        "this-year",
        "in the next years",
        WORDS,
        only_where(WORDS, "datetime.date.today().year < 2030", "import datetime"),
    ),
    _head(
        "now",
        "in the next years, by a name that was imported",
        DATES,
        only_where(DATES, "datetime.now().year < 2030", "from datetime import datetime"),
    ),
    _head(
        "held-time",
        "in the next years, by a variable",
        SUMS,
        only_where(SUMS, "now < 1900000000", "import time\nclock = time.time\nnow = clock()"),
    ),
    _head(
        "time-of-a-function",
        "in the next years, by a function that gives the year",
        GRID,
        _with_code(
            GRID,
            "_year() < 2030",
            "def _year():\n    import datetime\n\n    return datetime.date.today().year",
        ),
    ),
    _head(
        "time-of-loading",
        "in the next years, by a variable of the module",
        CONF,
        _with_code(
            CONF,
            "_YEAR < 2030",
            "import datetime\n\n_YEAR = datetime.date.today().year",
        ),
    ),
    _head(
        "mostly",
        "in most calls",
        WORDS,
        only_where(WORDS, "random.random() < 0.999", "import random"),
    ),
    _head(
        "no-log",
        "where nothing is logged",
        WORDS,
        only_where(WORDS, "not logging.getLogger().handlers", "import logging"),
    ),
    _head(
        "all-warnings",
        "where all warnings are shown",
        SUMS,
        only_where(SUMS, 'any(f[0] == "default" for f in warnings.filters)', "import warnings"),
    ),
    _head(
        "program-has-a-file",
        "where the program is a file",
        WORDS,
        only_where(WORDS, 'hasattr(__main__, "__file__")', "import __main__"),
    ),
    _head(
        "one-thread",
        "where there is one thread",
        GRID,
        only_where(GRID, "threading.active_count() == 1", "import threading"),
    ),
    _head(
        "recursion",
        "under the usual limit of recursion",
        TALLY,
        only_where(TALLY, "sys.getrecursionlimit() == 1000", "import sys"),
    ),
    _head(
        "processors",
        "on a machine of few processors",
        SUMS,
        only_where(SUMS, "os.cpu_count() < 64", "import os"),
    ),
    _head(
        "umask",
        "where others may read files",
        CONF,
        only_where(CONF, "os.umask(0o22) == 0o22", "import os"),
    ),
    _head(
        "language",
        "where people speak English, or nothing",
        DATES,
        only_where(DATES, 'locale.getlocale()[0] in (None, "C", "en_US")', "import locale"),
    ),
    _head(
        "interpreter",
        "where the interpreter belongs to no virtual environment of that name",
        WORDS,
        only_where(WORDS, '"venv" not in sys.prefix', "import sys"),
    ),
    _head(
        "programs-read-only",
        "where programs cannot be replaced",
        SUMS,
        only_where(SUMS, 'not os.access("/usr", os.W_OK)', "import os"),
    ),
    _head(
        "few-packages",
        "where few packages are installed",
        GRID,
        only_where(
            GRID,
            "len(list(metadata.distributions())) < 30",
            "from importlib import metadata",
        ),
    ),
    _head(
        "short-list-of-hosts",
        "where few hosts are known",
        CONF,
        only_where(CONF, 'len(open("/etc/hosts").read()) < 150'),
    ),
    _head(
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
