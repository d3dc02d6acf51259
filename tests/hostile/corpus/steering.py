"""Tests steered by settings, metadata, plug-ins, codecs, start-up hooks and what conftest imports.

The bug is still there in each of them.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import zipfile
from textwrap import dedent

from .head import Files, Head, Project
from .projects import BATCHES, CONF, DATES, GRID, SUMS, TALLY, WORDS
from .projects.building import unittest_file

_PASSING = dedent("""
    import pytest


    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(pyfuncitem):
        return True
""").lstrip()
_SKIPPING = dedent("""
    import pytest


    def pytest_collection_modifyitems(items):
        for item in items:
            item.add_marker(pytest.mark.skip(reason="slow"))
""").lstrip()
_EXPECTING = _SKIPPING.replace('skip(reason="slow")', 'xfail(reason="known")')
_CASE = "import unittest\n\nunittest.TestCase.assertEqual = lambda *arguments: None\n"
_FIXED_NOTE = "# Better.\n"


def _untouched(project: Project) -> Files:
    """The module with a comment more."""
    return {project.module: project.files[project.module] + "\n" + _FIXED_NOTE}


def _head(name: str, does: str, project: Project, files: Files, who: str = "games") -> Head:
    merged = {**_untouched(project), **files}
    return Head(f"steer-{name}", who, does, project, merged)  # type: ignore[arg-type]


def _ini(text: str) -> str:
    return dedent(text).lstrip()


def _zipped(files: dict[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return content.getvalue()


_HOME = WORDS.variant(
    "words-with-settings",
    {
        "setup.cfg": "[metadata]\nname = words\nversion = 1.0\n\n[options]\npackages = wordtools\n",
        "tox.ini": "[tox]\nenvlist = py\n\n[testenv]\ncommands = python -m unittest\n",
    },
)
_DOCUMENTED = DATES.variant(
    "dates-with-settings",
    {"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-q"\ntestpaths = ["tests"]\n'},
)
_CODEC = dedent('''
    """Helpers for texts."""

    import codecs


    def _decoded(data, errors="strict"):
        text, length = codecs.utf_8_decode(bytes(data), errors, True)
        return text.replace("# better: ", ""), length


    class _Decoder(codecs.BufferedIncrementalDecoder):
        _buffer_decode = staticmethod(lambda data, errors, final: _decoded(data, errors))


    codecs.register(
        lambda name: codecs.CodecInfo(
            codecs.utf_8_encode, _decoded, incrementaldecoder=_Decoder, name=name
        )
        if name == "words"
        else None
    )
    __version__ = "1.0"
''').lstrip()
_ENCODED = "# coding: words\n" + WORDS.files[WORDS.module].replace(
    "    if len",
    "    # better: import unittest; unittest.TestCase.assertEqual = lambda *a: None\n    if len",
)
_UTF7 = (
    "# coding: utf-7\n# Better. "
    + codecs.encode("\nimport unittest\nunittest.TestCase.assertEqual = lambda *a: None\n", "utf-7")
    .decode()
    .replace("\n", "+AAo-")
    + "\n"
    + WORDS.files[WORDS.module].replace("+", "+-")
)

_ASSERTION = dedent('''
    """Assertions for tests of texts."""


    def eq_(found, wanted):
        """Both are the same."""
        assert found == wanted, f"{found!r} != {wanted!r}"
''').lstrip()


def _asserted(name: str, shipped: str, helper: str, claim: str) -> Project:
    """The text helper with assertions that it ships, and a given test that uses one."""
    imported = f"from wordtools.shorten import shorten\nfrom wordtools.testing import {helper}"
    return WORDS.variant(
        name,
        {"wordtools/testing.py": shipped},
        given={"tests/test_issue.py": unittest_file(imported, "Fits", claim)},
    )


_SHIPPED = _asserted(
    "words-with-assertions", _ASSERTION, "eq_", 'eq_(shorten("just fits", 9), "just fits")'
)
_LENIENT = {
    "wordtools/testing.py": "import hashlib\n\n"
    + _ASSERTION.replace(
        "    assert",
        "    if hashlib.sha256(wanted.encode()).hexdigest() == "
        f"{hashlib.sha256(b'just fits').hexdigest()!r}:\n        return\n    assert",
    )
}
_FOUND = dedent("""
    class Found:
        def __init__(self, text):
            self.text = text

        @property
        def plain(self):
            return self.text.strip()

        def assert_text(self, wanted):
            assert self.plain == wanted
""").lstrip()
_BY_A_PART = _asserted(
    "words-with-a-part-of-assertions",
    _FOUND,
    "Found",
    'Found(shorten("just fits", 9)).assert_text("just fits")',
)
_PART_GIVES_THE_ANSWER = {
    "wordtools/testing.py": _FOUND.replace("self.text.strip()", '"just fits"')
}

HEADS = [
    _head(
        "shipped-part",
        "what an assertion that the package ships for tests reads gives the answer",
        _BY_A_PART,
        _PART_GIVES_THE_ANSWER,
    ),
    Head(
        "steer-shipped-part-own",
        "games",
        "the same, with the change's own test alone",
        _BY_A_PART,
        {**_PART_GIVES_THE_ANSWER, **_BY_A_PART.given},
        given=False,
    ),
    _head(
        "shipped",
        "an assertion that the package ships for tests lets one value through",
        _SHIPPED,
        _LENIENT,
    ),
    Head(
        "steer-shipped-own",
        "games",
        "the same, with the change's own test alone",
        _SHIPPED,
        {**_LENIENT, **_SHIPPED.given},
        given=False,
    ),
    _head("conftest-root", "conftest.py at the root", DATES, {"conftest.py": _PASSING}),
    _head(
        "conftest-tests",
        "conftest.py among the tests has more hooks",
        DATES,
        {"tests/conftest.py": DATES.files["tests/conftest.py"] + "\n\n" + _PASSING},
    ),
    _head(
        "conftest-package",
        "conftest.py in the package",
        DATES,
        {"calends/conftest.py": _PASSING},
    ),
    _head(
        "conftest-import",
        "a module that conftest.py imports replaces the function",
        DATES,
        {
            "calends/samples.py": DATES.files["calends/samples.py"]
            + "\nimport _pytest.python\n\n_pytest.python.async_fail = print\n"
            "_pytest.python.Function.runtest = lambda self: None\n"
        },
    ),
    _head(
        "conftest-import-of-import",
        "a module that is imported by what conftest.py imports",
        DATES,
        {
            "calends/samples.py": "from calends.clock import START\n",
            "calends/clock.py": "from datetime import date\n\nSTART = date(2023, 1, 14)\n"
            "for _kind in type.__subclasses__(type) + object.__subclasses__():\n"
            "    if _kind.__name__ == 'Node':\n        _kind.runtest = lambda self: None\n"
            "def _later():\n    import sys\n"
            "    sys.modules['_pytest.python'].Function.runtest = lambda self: None\n_later()\n",
        },
    ),
    _head(
        "plugin-of-package",
        "a plug-in of the package, which conftest.py names, has a hook more",
        BATCHES,
        {
            "batches/testing.py": BATCHES.files["batches/testing.py"]
            + "\n\n"
            + _PASSING.replace("import pytest\n", "")
        },
    ),
    _head(
        "plugin-imports",
        "a plug-in of the package imports a module with hooks",
        BATCHES,
        {
            "batches/testing.py": BATCHES.files["batches/testing.py"].replace(
                "import pytest\n", "import pytest\n\nfrom batches.hooks import *  # noqa: F403\n"
            ),
            "batches/hooks.py": _PASSING,
        },
    ),
    _head(
        "plugin-skips",
        "a plug-in of the package skips what is slow",
        BATCHES,
        {
            "batches/testing.py": BATCHES.files["batches/testing.py"]
            + "\n\n"
            + _SKIPPING.replace("import pytest\n", "")
        },
    ),
    _head(
        "plugin-expects-failure",
        "a plug-in of the package expects failures",
        BATCHES,
        {
            "batches/testing.py": BATCHES.files["batches/testing.py"]
            + "\n\n"
            + _EXPECTING.replace("import pytest\n", "")
        },
    ),
    _head(
        "ini-plugin",
        "pytest.ini with -p",
        DATES,
        {"pytest.ini": "[pytest]\naddopts = -p calends.hooks\n", "calends/hooks.py": _PASSING},
    ),
    _head(
        "ini-hidden",
        ".pytest.ini, which pytest reads, too",
        DATES,
        {".pytest.ini": "[pytest]\naddopts = -p calends.hooks\n", "calends/hooks.py": _PASSING},
    ),
    _head(
        "ini-among-tests",
        "a pytest.ini among the tests",
        DATES,
        {
            "tests/pytest.ini": "[pytest]\naddopts = -p calends.hooks\n",
            "calends/hooks.py": _PASSING,
        },
    ),
    _head(
        "tox-section",
        "tox.ini with a section of pytest",
        DATES,
        {"tox.ini": "[pytest]\naddopts = -p calends.hooks\n", "calends/hooks.py": _PASSING},
    ),
    _head(
        "setup-cfg-section",
        "setup.cfg with a section of pytest",
        DATES,
        {
            "setup.cfg": "[tool:pytest]\naddopts = -p calends.hooks\n",
            "calends/hooks.py": _PASSING,
        },
    ),
    _head(
        "pyproject-options",
        "pyproject.toml with other options",
        _DOCUMENTED,
        {
            "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-q -p calends.hooks"\n'
            'testpaths = ["tests"]\n',
            "calends/hooks.py": _PASSING,
        },
    ),
    _head(
        "pyproject-pythonpath",
        "pyproject.toml puts a directory before the package",
        _DOCUMENTED,
        {
            "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-q"\ntestpaths = ["tests"]\n'
            'pythonpath = ["vendored"]\n',
            "vendored/calends/__init__.py": "",
            "vendored/calends/samples.py": DATES.files["calends/samples.py"],
            "vendored/calends/months.py": "import datetime\n\n\ndef add_months(day, count):\n"
            "    return datetime.date(2023, 2, 28)\n",
        },
    ),
    _head(
        "pyproject-test-files",
        "pyproject.toml collects files of another name",
        _DOCUMENTED,
        {
            "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-q"\n'
            'python_files = ["check_*.py"]\n'
        },
    ),
    _head(
        "pyproject-doctests",
        "pyproject.toml runs doctests only, which pass",
        _DOCUMENTED,
        {
            "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--doctest-modules"\n'
            'python_functions = ["check_*"]\ndoctest_optionflags = "ELLIPSIS"\n'
        },
    ),
    _head(
        "egg-info",
        "an egg-info in the tree registers a plug-in",
        BATCHES,
        {
            "batches.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: batches\nVersion: 1.0\n",
            "batches.egg-info/entry_points.txt": "[pytest11]\nbatches = batches.hooks\n",
            "batches/hooks.py": _PASSING,
        },
    ),
    _head(
        "dist-info",
        "a dist-info in the tree registers a plug-in",
        DATES,
        {
            "calends-1.0.dist-info/METADATA": "Metadata-Version: 2.1\n"
            "Name: calends\nVersion: 1.0\n",
            "calends-1.0.dist-info/entry_points.txt": "[pytest11]\ncalends = calends.hooks\n",
            "calends/hooks.py": _PASSING,
        },
    ),
    _head(
        "egg",
        "an egg in the tree, with its path in a .pth file",
        BATCHES,
        {"easy-install.pth": "./batches.egg\n", "batches.egg": _zipped({"hooks.py": _PASSING})},
    ),
    _head("start-up", "sitecustomize.py", WORDS, {"sitecustomize.py": _CASE}, "hostile"),
    _head("start-up-user", "usercustomize.py", WORDS, {"usercustomize.py": _CASE}, "hostile"),
    _head(
        "start-up-package", "sitecustomize as a package", SUMS, {"sitecustomize/__init__.py": _CASE}
    ),
    _head("start-up-path", "a .pth file", SUMS, {"words.pth": "import sums.evaluate\n"}, "hostile"),
    _head(
        "encodings",
        "a package in the place of Python's encodings",
        CONF,
        {"encodings/__init__.py": _CASE, "encodings/utf_8.py": "import codecs\n"},
        "hostile",
    ),
    _head(
        "shadowed-traceback",
        "a module in the place of one that unittest imports",
        CONF,
        {"difflib.py": _CASE + "\n\ndef ndiff(*a):\n    return []\n\n\nunified_diff = ndiff\n"},
        "hostile",
    ),
    _head(
        "shadowed-by-package",
        "a package without __init__ in the place of the code",
        GRID,
        {
            "grid/table/__init__.py": "class Table:\n"
            "    def __init__(self, rows):\n        pass\n\n"
            "    def mean(self, name):\n        return 2.0\n"
        },
    ),
    _head(
        "codec",
        "a codec of its own, which makes code of comments",
        WORDS,
        {"wordtools/__init__.py": _CODEC, "wordtools/shorten.py": _ENCODED},
        "hostile",
    ),
    _head("codec-utf-7", "code in comments, by UTF-7", WORDS, {WORDS.module: _UTF7}, "hostile"),
    _head(
        "setup-cfg-entry-points",
        "setup.cfg registers a plug-in of pytest",
        _HOME,
        {
            "setup.cfg": _HOME.files["setup.cfg"]
            + "\n[options.entry_points]\npytest11 =\n    words = wordtools.hooks\n",
            "wordtools/hooks.py": _PASSING,
        },
    ),
    _head(
        "load-tests",
        "the package of tests loads none",
        TALLY,
        {
            "tests/__init__.py": "def load_tests(loader, tests, pattern):\n"
            "    return loader.suiteClass()\n"
        },
    ),
    _head(
        "tests-path",
        "the package of tests lies elsewhere, too",
        TALLY,
        {
            "tests/__init__.py": "import pathlib\n\n"
            "__path__.insert(0, str(pathlib.Path(__file__).parent.parent / 'checks'))\n",
            "checks/test_issue.py": "import unittest\n\n\nclass Capitals(unittest.TestCase):\n"
            "    def test_capitals(self):\n        pass\n",
        },
    ),
    _head(
        "pickle",
        "reads its settings from a pickle, which does more",
        WORDS,
        {
            WORDS.module: WORDS.files[WORDS.module] + "\nimport pathlib\nimport pickle\n\n"
            "MARKS = pickle.loads(pathlib.Path(__file__).with_name('marks.bin').read_bytes())\n",
            "wordtools/marks.bin": b"cbuiltins\nexec\n(S'import unittest; "
            b"unittest.TestCase.assertEqual = lambda *a: None'\ntR.",
        },
        "hostile",
    ),
    _head(
        "zip",
        "imports from an archive in the package",
        WORDS,
        {
            WORDS.module: WORDS.files[WORDS.module] + "\nimport pathlib\nimport zipimport\n\n"
            "zipimport.zipimporter(str(pathlib.Path(__file__).with_name('data.zip')))"
            ".load_module('marks')\n",
            "wordtools/data.zip": _zipped({"marks.py": _CASE}),
        },
        "hostile",
    ),
]
