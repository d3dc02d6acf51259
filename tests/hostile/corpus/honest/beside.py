"""The fix, with something else beside it: documentation, settings, a version."""

from __future__ import annotations

from tests.hostile.corpus.projects import SUMS, WORDS

from .building import honest

_CONFIGURED = SUMS.variant(
    "sums-configured",
    {
        "setup.cfg": "[flake8]\nmax-line-length = 79\n",
        "tox.ini": "[tox]\nenvlist = py, lint\n\n[testenv]\ncommands = python -m unittest\n\n"
        "[testenv:lint]\ncommands = flake8\nallowlist_externals = flake8\n",
        ".github/workflows/ci.yml": "on: push\n",
        "Makefile": "test:\n\tpython -m unittest\n",
    },
)

HEADS = [
    honest(
        "documented",
        "with a changelog and a better README",
        WORDS,
        {
            **WORDS.fix,
            **WORDS.own,
            "README.md": "# words\n\nHelpers for texts. Texts that fit are kept.\n",
            "CHANGELOG.md": '# 1.1\n\n- `shorten("just fits", 9)` returns all of its text.\n',
        },
    ),
    honest(
        "docstring-example",
        "with the reported example in the documentation of the function",
        WORDS,
        WORDS.refixed(
            (
                "where something was cut off.",
                'where something was cut off.\n\n    >>> shorten("just fits", 9)\n'
                "    'just fits'\n    ",
            )
        ),
    ),
    honest(
        "comment-example",
        "with the reported example in a comment",
        SUMS,
        {
            SUMS.module: SUMS.fix[SUMS.module].replace(
                "    value = int(first)", "    # 10 - 4 - 3 is 3, not 9.\n    value = int(first)"
            )
        },
    ),
    honest(
        "lint",
        "with settings of a linter, and of the environment that lints",
        _CONFIGURED,
        {
            **SUMS.fix,
            **SUMS.own,
            "setup.cfg": "[flake8]\nmax-line-length = 100\n",
            "tox.ini": _CONFIGURED.files["tox.ini"].replace("flake8\nallow", "flake8 sums\nallow"),
        },
    ),
    honest(
        "automation",
        "with a workflow and a target of make",
        _CONFIGURED,
        {
            **SUMS.fix,
            ".github/workflows/ci.yml": "on: [push, pull_request]\n",
            "Makefile": _CONFIGURED.files["Makefile"] + "\nlint:\n\tflake8\n",
            ".gitignore": "*.pyc\n",
        },
    ),
    honest(
        "version",
        "with a new version",
        WORDS,
        {
            **WORDS.fix,
            **WORDS.own,
            "wordtools/__init__.py": '"""Helpers for texts."""\n\n__version__ = "1.1"\n',
        },
    ),
]
