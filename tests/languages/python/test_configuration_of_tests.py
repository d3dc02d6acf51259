"""Files that steer how tests are run, and those that only look as if."""

from __future__ import annotations

import pytest

from evaluator.languages.python.safeguards.loaded_first import loaded_first
from evaluator.languages.python.safeguards.test_configuration import deciding
from tests.sources import source_of


@pytest.mark.parametrize(
    ("path", "roots", "steers"),
    [
        ("json.py", ("",), True),
        ("json/__init__.py", (".",), True),
        ("src/json.py", ("src",), True),
        ("src/json.py", ("",), False),
        ("package/json.py", ("",), False),
        ("json/more.py", ("",), True),
        ("types/more.py", ("",), False),
        ("json.md", ("",), False),
        ("test/support.py", ("",), False),
    ],
)
def test_names_that_are_taken(path: str, roots: tuple[str, ...], steers: bool) -> None:
    taken = {"json", "test", "types"}
    source = {"types/__init__.py": b""}.get
    found = deciding({path: b"x"}, source, taken=taken, roots=roots)
    assert [concern.path for concern in found] == [path] * steers


@pytest.mark.parametrize(
    ("changed", "steers"),
    [
        ({"grid/table/__init__.py": b"x"}, True),
        ({"grid/table/__init__.py": b"x", "grid/table.py": b"y"}, True),
        ({"grid/table/__init__.py": b"x", "grid/table.py": None}, False),
        ({"grid/cells/__init__.py": b"x"}, False),
    ],
)
def test_a_package_in_the_place_of_a_module(changed: dict[str, bytes | None], steers: bool) -> None:
    found = deciding(changed, {"grid/table.py": b""}.get)
    assert [concern.path for concern in found] == ["grid/table/__init__.py"] * steers


_EQ = "def eq_(a, b):\n    assert a == b\n"


@pytest.mark.parametrize(
    ("path", "new", "steers"),
    [
        ("package/testing/assertions.py", _EQ.replace("==", "is not"), True),
        ("package/_testing.py", _EQ + "def assert_all(*values):\n    pass\n", True),
        ("package/testing/assertions.py", "", True),
        ("package/testing/assertions.py", _EQ + "def client():\n    pass\n", False),
        ("package/values.py", "", False),
        ("tests/testing.py", "", False),
    ],
)
def test_assertions_that_a_package_ships(path: str, new: str, steers: bool) -> None:
    found = deciding({path: new.encode()}, {path: _EQ.encode()}.get)
    assert [concern.path for concern in found] == [path] * steers


@pytest.mark.parametrize(
    ("path", "old", "new", "steers"),
    [
        ("pyproject.toml", "[project]\nversion='1'", "[project]\nversion='2'", False),
        ("pyproject.toml", "", "[project.entry-points.pytest11]\nx='y'", True),
        ("pyproject.toml", "", "[tool.poetry.plugins.pytest11]\nx='y'", True),
        ("pyproject.toml", "", "[tool.pytest.ini_options]\naddopts='-x'", True),
        ("pyproject.toml", "", "[[[", True),
        ("setup.cfg", "[metadata]\nname=a", "[metadata]\nname=b", False),
        ("setup.cfg", "", "[options.entry_points]\npytest11=\n x=y", True),
        ("setup.cfg", "", "[flake8]\nmax-line-length=100", False),
        ("setup.cfg", "", "[coverage:run]\nplugins=evil", True),
        ("setup.cfg", "", "[coverage:report]\nexclude_lines=x", False),
        ("setup.cfg", "", "[aliases]\ntest=evil", True),
        ("pyproject.toml", "", "[tool.ruff]\nline-length=100", False),
        ("pyproject.toml", "", "[tool.mypy]\nplugins=['x']", False),
        ("pyproject.toml", "", "[tool.pytest.ini_options]\nmarkers=['slow: x']", False),
        ("pyproject.toml", "", "[build-system]\nbuild-backend='evil'", True),
        ("pyproject.toml", "", "[build-system]\nbackend-path=['.']", True),
        ("pyproject.toml", "", "[tool.hatch.build.hooks.custom]\npath='x.py'", True),
        (
            "pyproject.toml",
            "[build-system]\nrequires=['a']",
            "[build-system]\nrequires=['b']",
            False,
        ),
        ("tox.ini", "", "[testenv:lint]\ncommands=ruff check", False),
        ("tox.ini", "", "[testenv:docs]\ndeps=sphinx", False),
        ("tox.ini", "[testenv]\nx=1", "[testenv]\nallowlist_externals=make", False),
        ("tox.ini", "[pytest]\naddopts=-x", "# why\n[pytest]\naddopts =  -x", False),
        ("tox.ini", "[pytest]\naddopts=-x", "[pytest]\naddopts=-x -p evil", True),
        ("pytest.ini", "", "[pytest]\naddopts=-p evil", True),
        (".coveragerc", "", "[run]\nplugins=evil", True),
        ("manage.py", "x = 1", "# why\nx  =  1", False),
        ("manage.py", "x = 1", "x = 2", True),
        ("shop/settings.py", "DEBUG = 1", "DEBUG = 2", False),
        ("shop/settings.py", "", "TEST_RUNNER = 'shop.Runner'", True),
        ("shop/management/commands/test.py", "", "class Command: pass", True),
        ("shop/management/commands/load.py", "", "class Command: pass", False),
        ("conftest.py", "x = 1", "# why\nx  =  1", False),
        ("conftest.py", "x = 1", "x = 2", True),
        ("setup.py", "setup(version='1')", "setup(version='2')", False),
        ("setup.py", "setup(install_requires=['a'])", "setup(install_requires=['a', 'b'])", False),
        (
            "setup.py",
            "VERSION = '1'\nsetup(version=VERSION)",
            "VERSION = '2'\nsetup(version=VERSION)",
            False,
        ),
        ("setup.py", "setup(version='1')", "setup(version=exec('x'))", True),
        ("setup.py", "setup()", "setup(entry_points={'pytest11': ['x=y']})", True),
        ("setup.py", "setup()", "import os\nsetup()", True),
        ("w.egg-info/entry_points.txt", "", "[pytest11]\nx=y", True),
        ("src/w-1.dist-info/METADATA", "", "x", True),
        ("PKG-INFO", "", "x", True),
        ("tests/data/projects/w.egg-info/PKG-INFO", "", "x", False),
        ("meson.build", "project('x')", "project('y')", True),
        ("MANIFEST.in", "", "include x", False),
        (".github/workflows/ci.yml", "", "x", False),
        ("docs/conf.py", "", "x", False),
        ("deep/sitecustomize/__init__.py", "", "x", True),
        ("pytest.toml", "", "x", True),
        ("setup.py", "", "x", True),
        ("vendor/setup.py", "", "x", False),
        ("x.pth", "", "x", True),
        ("tests/conftest.py", "", "x", True),
    ],
)
def test_files_that_steer(path: str, old: str, new: str, steers: bool) -> None:
    source = {path: old.encode()}.get
    assert bool(deciding({path: new.encode()}, source)) is steers


CONFTEST = b"from tests.helpers import *\nimport package\npytest_plugins = ['tests.fixtures']\n"
FILES = {
    "tests/conftest.py": CONFTEST,
    "tests/helpers.py": b"from .deeper import x\n",
    "tests/deeper.py": b"x = 1\n",
    "tests/fixtures.py": b"",
    "tests/test_a.py": b"",
    "package/__init__.py": b"",
    "package/plugin.py": b"",
    "package/other.py": b"",
    "pytest.ini": b"[pytest]\naddopts = -q -p package.other --p-not package",
}


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("tests/helpers.py", "is imported by conftest.py"),
        ("tests/deeper.py", "is imported by conftest.py"),
        ("tests/fixtures.py", "is loaded as a plug-in of pytest"),
        ("package/plugin.py", "is loaded as a plug-in of pytest"),
        ("package/other.py", "is loaded as a plug-in of pytest"),
        ("package/__init__.py", ""),
        ("tests/test_a.py", ""),
        ("README", ""),
    ],
)
def test_what_pytest_loads_first(path: str, what: str) -> None:
    found = loaded_first(
        {path: b"x = 2"}, FILES.get, ["tests/conftest.py"], plugins=["package.plugin"]
    )
    assert [concern.what for concern in found] == [what] * bool(what)


@pytest.mark.parametrize(
    ("name", "settings", "loads"),
    [
        ("tox.ini", "[testenv:mypy]\ncommands =\n    python -m mypy -p package\n", False),
        ("tox.ini", "[pytest]\naddopts =\n    -q\n    -p package\n", True),
        ("setup.cfg", "[tool:pytest]\naddopts = -ppackage\n", True),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = ['-p', 'package']\n", True),
        ("pyproject.toml", "[tool.pdm.scripts]\ntypes = 'mypy -p package'\n", False),
        ("setup.cfg", "not settings: -p package", True),
    ],
)
def test_a_plug_in_is_an_option_of_pytest(name: str, settings: str, loads: bool) -> None:
    source = source_of({name: settings.encode(), "package/__init__.py": b""})
    assert bool(loaded_first({"package/__init__.py": b"x = 2"}, source, [])) is loads


def test_a_new_conftest_is_followed() -> None:
    changed = {"a/conftest.py": b"import near", "a/near.py": b"x = 1", "a/test/far.py": b"x = 1"}
    assert loaded_first(changed, source_of({}), []) == ()
    changed = {"tests/conftest.py": b"import near", "tests/near.py": b"x = 1"}
    assert [c.path for c in loaded_first(changed, source_of({}), [])] == ["tests/near.py"]


IMPORTED = """\
import pytest
from package import one, two

CITIES = ["Adelaide"]

def test_data():
    return CITIES

class TestOne:
    \"\"\"What one does.\"\"\"

    def test_one(self):
        assert one() == 1

@pytest.fixture
def test_client():
    return 1
"""


@pytest.mark.parametrize(
    ("before", "after", "steers"),
    [
        ("one() == 1", "one() == 2", False),
        (
            "        assert one() == 1",
            "        pass\n\n    def test_more(self):\n        pass",
            False,
        ),
        ("\nclass TestOne", "\ndef test_more():\n    pass\n\nclass TestOne", False),
        ("What one does", "What it does", False),
        ("\nclass", "\nclass TestMore:\n    def test_more(self):\n        pass\n\nclass", False),
        ('["Adelaide"]', '["Adelaide", "Brisbane"]', True),
        ("return CITIES", "return []", True),
        ("return 1", "return 2", True),
        ("from package import one, two", "from package import one", True),
        ("class TestOne:", "class TestOne(Case):", False),
        ("    def test_one", "    steering = one()\n\n    def test_one", True),
        ("    def test_one", "    def setup_method(self):\n        pass\n\n    def test_one", True),
        ("import pytest", "import pytest =", True),
    ],
)
def test_tests_that_conftest_imports_steer_no_others(before: str, after: str, steers: bool) -> None:
    path = "tests/test_package.py"
    conftest = b"from test_package import CITIES, test_data\n"
    source = source_of({path: IMPORTED.encode(), "tests/conftest.py": conftest})
    assert before in IMPORTED
    changed = {path: IMPORTED.replace(before, after, 1).encode()}
    assert bool(loaded_first(changed, source, ["tests/conftest.py"])) is steers
