"""How a repository's tests are written and run, as far as it goes beyond plain functions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_CONFIGURATION = ("pytest.ini", "setup.cfg", "tox.ini", "pyproject.toml")
_DEPTH = 3
"""How many folders deep a `conftest.py` is looked for."""
_ERROR = re.compile(
    r"filterwarnings[\s\"'=:,\[()]*error\b|simplefilter\(\s*[\"']error[\"']\s*\)", re.MULTILINE
)


@dataclass(frozen=True)
class TestStyle:
    """What tests look like for one framework.

    `case` is the dotted name of the class that test methods stand in, "" for functions;
    `helpers` says whether they may use pytest's. `setup` is source that is run before an issue's
    statements, with the name of an application in the place of `{application}`. In a framework of
    `applications`, classes that an issue defines belong to one, outside of the test methods.
    """

    __test__ = False

    case: str = ""
    helpers: bool = False
    setup: str = ""
    applications: bool = False


_SITE = """\
import fixgate_django
fixgate_django.configure({application!r})
before_each = fixgate_django.make_tables
__name__ = {application!r}
"""

_STYLES: Mapping[str, TestStyle] = {
    "pytest": TestStyle(helpers=True),
    "sphinx": TestStyle(helpers=True),
    "unittest": TestStyle("unittest.TestCase"),
    "django": TestStyle("django.test.TestCase", setup=_SITE, applications=True),
}


def style_for(framework: str) -> TestStyle:
    """The style of tests for a framework, by the name that recipes give it."""
    return _STYLES.get(framework, TestStyle())


def warnings_are_errors(tree: Path) -> bool:
    """Whether the configuration of the tests says that any warning fails the test it comes in."""
    patterns = ["/".join(["*"] * depth + ["conftest.py"]) for depth in range(_DEPTH + 1)]
    conftests = itertools.chain.from_iterable(tree.glob(pattern) for pattern in patterns)
    files = [*(tree / name for name in _CONFIGURATION), *sorted(conftests)]
    return any(_ERROR.search(_text(file)) for file in files if file.is_file())


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
