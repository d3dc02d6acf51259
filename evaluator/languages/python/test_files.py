"""Which files of a Python project are tests, by their paths alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DIRECTORIES = frozenset({"test", "tests", "e2e", "testdata", "test_data", "test-data"})
_DIRECTORY_PREFIXES = ("tests_", "tests-")
_DIRECTORY_SUFFIXES = ("_tests", "-tests")
_NAME = re.compile(
    r"test_.*\.py|.*_tests?\.py|tests\.py|conftest\.py"
    # `testWords.py`, `TestWords.py`, `WordsTest.py`; not what tests are made of, `TestCase.py`.
    r"|[Tt]est(?!Case|Suite|Runner|Util|Base)[A-Z]\w*\.py|\w*[a-z0-9]Tests?\.py"
)

# Helpers that projects ship as part of their own interface, though they lie in directories that
# are named for tests: who changes them changes code.
_SHIPPED = re.compile(
    r"(?:.*/)?django/test/.*"
    r"|(?:.*/)?astropy/tests/(?:plugins/.*|(?!test_|conftest|__init__)[^/]*\.py)"
)

_NOT_RUN = frozenset({"__init__.py", "conftest.py"})
_RUN_NAME = re.compile(r"test.*\.py|.*tests?\.py|unittest_.*\.py")
_PRODUCED = frozenset({"__pycache__", ".pytest_cache", ".hypothesis", ".tox", ".mypy_cache"})


@dataclass(frozen=True)
class PythonTests:
    """Test files as pytest, unittest and large projects name them."""

    produced: frozenset[str] = _PRODUCED

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to a project's tests: a test, its helpers, or its data.

        It does when its name says so (`test_*.py`, `*_test.py`, `tests.py`, `conftest.py`,
        `WordsTest.py`, `testWords.py`, `test.py` at the root) or when it lies in a directory of
        tests (`tests/`, `test/`, `testing/` at the root, `tests_*/`, `*_tests/`, ...). What a
        package ships for testing is code (`sympy/testing/`, `django/test/`, `hug/test.py`, ...).
        Golden tests change such helpers now and then, so a dataset's own tests are never filtered.
        """
        *directories, name = path.split("/")
        if _SHIPPED.fullmatch(path):
            return False
        in_tests = any(_is_test_directory(directory) for directory in directories)
        at_root = directories[:1] == ["testing"] or path == "test.py"
        return in_tests or at_root or bool(_NAME.fullmatch(name))

    def is_runnable(self, path: str) -> bool:
        """Whether a file is a Python file with tests of its own.

        That leaves out data files, files without tests (`conftest.py`, `__init__.py`), and Python
        files that tests only read: those below a directory that cannot be imported, such as
        `tests/roots/test-intl/conf.py`.
        """
        *directories, name = path.split("/")
        if not name.endswith(".py") or name in _NOT_RUN:
            return False
        return bool(_RUN_NAME.fullmatch(name)) or all(part.isidentifier() for part in directories)


def _is_test_directory(name: str) -> bool:
    affixed = name.startswith(_DIRECTORY_PREFIXES) or name.endswith(_DIRECTORY_SUFFIXES)
    return name in _DIRECTORIES or affixed
