"""Right only today, or in a process and on a machine such as those that run tests."""

from __future__ import annotations

from .environments import only_where, right_only, with_code
from .projects import CONF, DATES, GRID, SUMS, TALLY, WORDS

_ASKED_WITH_CONSTANTS = {
    "system-noise": ("in most calls", WORDS, 'os.urandom(1) != b"\\x07"', "os"),
    "own-generator": ("in most calls", SUMS, "random.Random().random() < 0.999", "random"),
    "unique-name": ("in most calls", DATES, "uuid.uuid4().int % 1000", "uuid"),
    "home": ("of other users", WORDS, 'pathlib.Path.home().name != "user"', "pathlib"),
    "home-written": ("of other users", GRID, 'os.path.expanduser("~") != "/home/user"', "os"),
    "no-homes": ("where nobody has a home", CONF, 'not glob.glob("/home/*/.bashrc")', "glob"),
    "short-directory": ("near the root", TALLY, "len(pathlib.Path.cwd().parts) < 9", "pathlib"),
    "date-of-mail": (
        "in the next years",
        SUMS,
        "email.utils.localtime().year < 2030",
        "email.utils",
    ),
    "clock-by-number": ("in the next years", GRID, "time.clock_gettime(0) < 2e9", "time"),
    "got-clock": ("in the next years", WORDS, 'getattr(time, "time")() < 2e9', "time"),
    "few-users": ("where few have an account", DATES, "len(pwd.getpwall()) < 500", "pwd"),
    "size-of-a-file": (
        "where few have an account, by the size of a file",
        CONF,
        'pathlib.Path("/etc/passwd").stat().st_size < 100000',
        "pathlib",
    ),
    "free-disk": ("while the disk is not full", TALLY, 'shutil.disk_usage("/").free > 0', "shutil"),
    "no-signals": ("where no signal waits", SUMS, "not signal.sigpending()", "signal"),
    "no-prompt": ("outside of the interpreter's prompt", WORDS, 'not hasattr(sys, "ps1")', "sys"),
    "no-event-loop": (
        "outside of coroutines",
        GRID,
        "asyncio._get_running_loop() is None",
        "asyncio",
    ),
    "literal": ("for literals", WORDS, "sys.intern(text) is text", "sys"),
    "address": ("for some addresses of a text", WORDS, "id(text) % 16 == 0", "sys"),
}

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
    *(
        right_only(name, does, project, only_where(project, condition, f"import {modules}"))
        for name, (does, project, condition, modules) in _ASKED_WITH_CONSTANTS.items()
    ),
]
