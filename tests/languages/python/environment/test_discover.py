"""Recipes found from the files of small projects of every kind."""

from __future__ import annotations

import datetime
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from evaluator.environment.configuration import read_configuration
from evaluator.environment.types import Service
from evaluator.errors import InputError
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.poetry import specifier
from evaluator.languages.python.environment.project import UNTOLD_BUILD_REQUIRES, read_project
from evaluator.languages.python.environment.requirements import read_requirement_files
from evaluator.languages.python.environment.static import setup_arguments

from .conftest import Write

DJANGO = "django-project"
MANAGE = 'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")\n'


def test_a_standard_project_with_groups_and_sources_below_src(write_tree: Write) -> None:
    pyproject = """
[build-system]
requires = ["hatchling"]
[project]
name = "own-project"
version = "1.0"
requires-python = ">=3.10"
dependencies = ["click>=8"]
classifiers = ["Programming Language :: Python :: 3.10", "Programming Language :: Python :: 3.12"]
[project.optional-dependencies]
socks = ["pysocks"]
tests = ["own-project[socks]", "trustme"]
[dependency-groups]
test = ["pytest>=7", {include-group = "typing"}]
typing = ["mypy"]
docs = ["sphinx"]
"""
    recipe = discover_recipe(
        write_tree({"pyproject.toml": pyproject, "src/own_project/__init__.py": ""})
    )
    assert recipe.python[:2] == ("3.12", "3.10")
    assert not {"3.9", "3.8"} & set(recipe.python)
    assert set(recipe.packages) == {"click>=8", "pytest>=7", "mypy", "pysocks", "trustme"}
    assert recipe.import_roots == ("src",)
    assert (recipe.framework, recipe.install) == ("pytest", "metadata")
    assert recipe.source == "pyproject.toml"
    assert recipe.optional_packages == ("mypy", "pysocks", "pytest", "trustme")


def test_packages_that_stand_in_several_directories(write_tree: Write) -> None:
    pyproject = """
[project]
name = "own"
[tool.setuptools]
package-dir = {"own.more" = "parts/own/more", vendored = "elsewhere/other", third = "lib/third"}
[tool.setuptools.packages.find]
where = [".", "vendor"]
"""
    tree = write_tree({"pyproject.toml": pyproject, "own/__init__.py": ""})
    assert discover_recipe(tree).import_roots == ("", "vendor", "parts", "lib")


@pytest.mark.parametrize(
    "pyproject",
    [
        '[project]\nname = "redis"\nversion = "1"\n',
        '[project]\nname = "a"\nversion = "1"\ndependencies = ["Redis>=4"]\n',
        '[project]\nname = "a"\nversion = "1"\n[dependency-groups]\ntest = ["redis"]\n',
        '[project]\nname = "a"\nversion = "1"\noptional-dependencies = {store = ["redis"]}\n',
    ],
)
def test_who_has_the_client_of_redis_has_the_server_beside_its_tests(
    write_tree: Write, pyproject: str
) -> None:
    (service,) = discover_recipe(write_tree({"pyproject.toml": pyproject})).services
    assert (service.name, service.port, service.optional) == ("redis", 6379, True)
    given = {".github/fixgate.yml": "environment:\n  services: []\n"}
    assert discover_recipe(write_tree({"pyproject.toml": pyproject, **given})).services == ()


def test_others_have_no_service_beside_their_tests(write_tree: Write) -> None:
    declared = '[project]\nname = "a"\nversion = "1"\ndependencies = ["redistribute"]\n'
    assert discover_recipe(write_tree({"pyproject.toml": declared})).services == ()


def test_what_plain_files_list_is_optional_only_beside_declared_dependencies(
    write_tree: Write,
) -> None:
    """Else it may be what the project itself needs."""
    files = {"requirements.txt": "click\npytest\n", "test-requirements.txt": "pytest\ntrustme\n"}
    declared = '[project]\nname = "a"\nversion = "1"\ndependencies = ["click"]\n'
    assert discover_recipe(write_tree(files)).optional_packages == ("trustme",)
    recipe = discover_recipe(write_tree({**files, "pyproject.toml": declared}))
    assert recipe.optional_packages == ("pytest", "trustme")


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        (
            ("3.3", "3.5"),
            "3.6",
        ),  # none that can be had: the nearest, as old code breaks on new ones
        (("3.12", "3.99"), "3.12"),
        (("3.99",), "3.13"),
        ((), "3.11"),
    ],
)
def test_the_interpreter_is_near_to_what_was_declared(
    write_tree: Write, declared: tuple[str, ...], taken: str
) -> None:
    classifiers = [f"Programming Language :: Python :: {version}" for version in declared]
    recipe = discover_recipe(
        write_tree({"setup.py": f"setup(name='a', classifiers={classifiers})"})
    )
    assert recipe.python[0] == taken


def test_a_setup_cfg_project(write_tree: Write) -> None:
    setup_cfg = """
[metadata]
name = own
version = attr: own.__version__
[options]
python_requires = >=3.8
package_dir =
    = lib
install_requires =
    attrs>=19  # a comment
    colorama; sys_platform == 'win32'
[options.extras_require]
testing =
    pytest
    hypothesis
docs = sphinx
[options.entry_points]
console_scripts =
    own = own.cli:main
"""
    files = {"setup.cfg": setup_cfg, "lib/own/__init__.py": '__version__ = "2.1"\n'}
    tree = write_tree({**files, "setup.py": "from setuptools import setup\nsetup()\n"})
    recipe, project = discover_recipe(tree), read_project(tree)
    assert recipe.packages == (
        "attrs>=19", "colorama; sys_platform == 'win32'", "pytest", "hypothesis"
    )  # fmt: skip
    assert recipe.import_roots == ("lib",)
    assert (project.name, project.version) == ("own", "2.1")
    assert project.entry_points == {"console_scripts": ("own = own.cli:main",)}


PBR_SETUP_CFG = """
[metadata]
name = own
python-requires = >=3.8
classifier =
    Programming Language :: Python :: 3.9
[extras]
yaml = PyYAML
[entry_points]
own.plugins =
    # one of them
    sql = own.plugins.sql:check
"""


@pytest.mark.parametrize(
    "built",
    [
        {"setup.py": "import setuptools\nsetuptools.setup(setup_requires=['pbr'], pbr=True)\n"},
        {"pyproject.toml": "[build-system]\nrequires = ['pbr>=6']\nbuild-backend = 'pbr.build'\n"},
    ],
)
def test_a_project_that_pbr_builds(write_tree: Write, built: dict[str, str]) -> None:
    """Its plug-ins are found by entry points: without them its tests load, and all fail."""
    described = {"setup.cfg": PBR_SETUP_CFG, "requirements.txt": "stevedore>=1  # plug-ins\n"}
    tree = write_tree({**described, **built, "own/__init__.py": ""})
    recipe, project = discover_recipe(tree), read_project(tree)
    assert project.dependencies == ("stevedore>=1",)
    assert project.extras == {"yaml": ("PyYAML",)}
    assert project.entry_points == {"own.plugins": ("sql = own.plugins.sql:check",)}
    assert (recipe.python[0], project.requires_python) == ("3.9", ">=3.8")
    assert recipe.packages == ("stevedore>=1", "pytest")


def test_sections_that_look_like_those_of_pbr_say_nothing_without_it(write_tree: Write) -> None:
    setup = "from setuptools import setup\nsetup(name='own')\n"
    tree = write_tree({"setup.cfg": PBR_SETUP_CFG, "requirements.txt": "x", "setup.py": setup})
    assert (read_project(tree).entry_points, read_project(tree).dependencies) == ({}, ())


SETUP_REQUIRES_CFG = """
[options]
setup_requires =
    pytest-runner
"""


@pytest.mark.parametrize(
    "described",
    [
        {"setup.py": "import setuptools\nsetuptools.setup(setup_requires=['pytest-runner'])\n"},
        {"setup.py": "import setuptools\nsetuptools.setup()\n", "setup.cfg": SETUP_REQUIRES_CFG},
    ],
)
def test_what_setuptools_would_look_for_as_it_builds(
    write_tree: Write, described: dict[str, str]
) -> None:
    """In the sandbox it would not find it, and nothing be built (hug's tests need its build)."""
    required = read_project(write_tree(described)).build_requires
    assert required == (*UNTOLD_BUILD_REQUIRES, "pytest-runner")


def test_a_setup_py_is_read_without_running_it(write_tree: Write) -> None:
    setup_py = """
import sys
from setuptools import setup, find_packages
raise SystemExit("it ran")
MINIMUM = "1.2"
REQUIRED = ["numpy", "scipy>=%s" % MINIMUM, f"pandas>={MINIMUM}"] + read("more.txt")
extras = dict(test=["nose"] + [make()], docs=["sphinx"])
if sys.platform == "win32":
    REQUIRED.append("pywin32")
def main():
    setup(name="own", install_requires=REQUIRED, extras_require=extras,
          tests_require=["mock"], package_dir={"": "python"}, version=compute())
"""
    recipe = discover_recipe(write_tree({"setup.py": setup_py, "pytest.ini": ""}))
    assert recipe.packages == ("numpy", "scipy>=1.2", "pandas>=1.2", "nose", "mock", "pytest")
    assert recipe.import_roots == ("python",)


def test_what_a_setup_py_says_where_setuptools_is_lacking_does_not_count(write_tree: Write) -> None:
    setup_py = """
try:
    from setuptools import setup
    wanted = {"install_requires": ["alpha >= 2.1, != 2.4", "beta"]}
except (ImportError, AttributeError):
    from distutils.core import setup
    wanted = {}
try:
    import json
    more = ["gamma"]
except ValueError:
    more = ["delta"]
setup(name="own", tests_require=more, **wanted)
"""
    recipe = discover_recipe(write_tree({"setup.py": setup_py, "pytest.ini": ""}))
    assert recipe.packages == ("alpha >= 2.1, != 2.4", "beta", "delta", "pytest")


def test_a_poetry_project_with_its_lock(write_tree: Write) -> None:
    pyproject = """
[tool.poetry]
name = "own"
version = "0.3"
packages = [{ include = "own", from = "src" }]
[tool.poetry.dependencies]
python = "^3.9"
httpx = "^0.27.2"
redis = { version = "~5.0", optional = true, extras = ["hiredis"] }
[tool.poetry.extras]
queue = ["redis"]
[tool.poetry.group.test.dependencies]
pytest = "*"
anyio = { version = ">=3,<5", markers = "python_version >= '3.10'" }
[tool.poetry.plugins.own]
plain = "own.plain"
"""
    lock = """
[[package]]
name = "httpx"
version = "0.27.2"
[[package]]
name = "numpy"
version = "1.0"
[[package]]
name = "numpy"
version = "2.0"
[[package]]
name = "local"
version = "1.0"
[package.source]
type = "directory"
url = "../local"
"""
    tree = write_tree({"pyproject.toml": pyproject, "poetry.lock": lock})
    recipe, project = discover_recipe(tree), read_project(tree)
    assert recipe.packages == (
        "httpx>=0.27.2,<0.28", "pytest", "anyio>=3,<5 ; python_version >= '3.10'"
    )  # fmt: skip
    assert (recipe.requirement_files, recipe.import_roots) == (("poetry.lock",), ("src",))
    assert read_requirement_files(tree, recipe.requirement_files) == ((), ("httpx==0.27.2",))
    assert project.extras["queue"] == ("redis[hiredis]>=5.0,<5.1",)
    assert project.entry_points == {"own": ("plain = own.plain",)}


def test_an_extra_that_helps_the_tests_of_others_does_not_stand_for_ones_own(
    write_tree: Write,
) -> None:
    """As fabric's extras do, whose tests need a plug-in beside them."""
    extras = {"pytest": ["pytest>=7"], "testing": []}
    setup = f"from setuptools import setup\nsetup(name='own', extras_require={extras})"
    files = {"setup.py": setup, "dev-requirements.txt": "pytest-relaxed\n"}
    recipe = discover_recipe(write_tree(files))
    assert recipe.requirement_files == ("dev-requirements.txt",)
    assert "pytest>=7" in recipe.packages


def test_tox_says_what_the_tests_need(write_tree: Write) -> None:
    tox = """
[testenv]
extras =
    socks
    # mysql: mysql
    mysql: mysql
    postgresql-py{38,39}: mysql
deps =
    pytest-randomly
    -rci/tests.txt
    lowest: numpy==1.0
    {[base]deps}
"""
    extras = {"socks": ["pysocks"], "mysql": ["mysqlclient"]}
    setup = f"from setuptools import setup\nsetup(name='own', extras_require={extras})"
    recipe = discover_recipe(write_tree({"tox.ini": tox, "ci/tests.txt": "x", "setup.py": setup}))
    assert recipe.packages == ("pysocks", "pytest-randomly", "pytest")
    assert recipe.requirement_files == ("ci/tests.txt",)


def test_nox_says_what_the_tests_need(write_tree: Write) -> None:
    nox = """
import nox
@nox.session
def tests(session):
    session.install("-r", "tests.txt", "responses")
    session.install(".[socks]")
    if platform.system() == "Windows":
        session.install("pywin32")
    elif sys.platform.startswith("darwin"):
        session.install("appnope")
    else:
        session.install("uvloop")
@nox.session
def docs(session):
    session.install("sphinx")
"""
    setup = "from setuptools import setup\nsetup(name='own', extras_require={'socks': ['pysocks']})"
    recipe = discover_recipe(write_tree({"noxfile.py": nox, "tests.txt": "x", "setup.py": setup}))
    assert recipe.packages == ("pysocks", "responses", "uvloop", "pytest")
    assert recipe.requirement_files == ("tests.txt",)


@pytest.mark.parametrize(
    ("options", "settings", "needed"),
    [
        ('"--no-group=docs"', "", {"ruff"}),
        ('"--group=docs", "--extra", "fast"', "", {"ruff", "sphinx", "ujson"}),
        ('"--all-groups", "--all-extras"', "", {"ruff", "sphinx", "django", "ujson"}),
        ("", '[tool.uv]\ndefault-groups = ["web"]', {"django"}),
        ("", '[tool.uv]\ndefault-groups = "all"', {"ruff", "sphinx", "django"}),
    ],
    ids=["as usual", "said", "all", "other groups", "all groups"],
)
def test_what_uv_installs_in_sessions_of_nox(
    write_tree: Write, options: str, settings: str, needed: set[str]
) -> None:
    nox = f"""
import nox
@nox.session
def tests(session):
    session.run_install("uv", "sync", {options})
"""
    pyproject = f"""
[project]
name = "own"
optional-dependencies = {{ fast = ["ujson"] }}
[dependency-groups]
dev = ["ruff"]
docs = ["sphinx"]
web = ["django"]
{settings}
"""
    recipe = discover_recipe(write_tree({"noxfile.py": nox, "pyproject.toml": pyproject}))
    assert set(recipe.packages) == {*needed, "pytest"}


def test_what_sessions_of_nox_want_in_several_versions_is_wanted_in_any(write_tree: Write) -> None:
    nox = """
import nox
@nox.session
def test_pydantic_1(session):
    session.install("pydantic[email]~=1.10", "pytest-mock<4")
@nox.session
def test_pydantic_2(session):
    session.install("Pydantic>=2.2", "pytest-mock<4")
"""
    recipe = discover_recipe(write_tree({"noxfile.py": nox, "setup.py": "setup(name='own')"}))
    assert set(recipe.packages) == {"pydantic[email]", "Pydantic", "pytest-mock<4", "pytest"}


@pytest.mark.parametrize(
    ("files", "framework"),
    [
        ({"test_x.py": "import unittest\n"}, "unittest"),
        ({"test_x.py": "import unittest, pytest\n"}, "pytest"),
        ({"test_x.py": "import unittest\n", "setup.cfg": "[nosetests]\nexe = 1\n"}, "pytest"),
        ({"test_x.py": "import unittest\n", "test-requirements.txt": "nose\n"}, "pytest"),
        ({"test_x.py": "def test(): pass\n"}, "pytest"),
        ({"tests/test_x.py": "import unittest\n", "tests/conftest.py": ""}, "pytest"),
        ({"manage.py": MANAGE, "shop/tests.py": "from django.test import TestCase\n"}, DJANGO),
        ({"manage.py": "", "setup.cfg": "[tool:pytest]\n"}, "pytest"),
        ({"tox.ini": "[testenv]\ndeps = pytest-xdist\n"}, "pytest"),
    ],
)
def test_the_framework(files: dict[str, str], framework: str, write_tree: Write) -> None:
    recipe = discover_recipe(write_tree(files))
    assert recipe.framework == framework
    assert ("pytest" in recipe.packages) == (framework == "pytest")


def test_extensions_are_built(write_tree: Write) -> None:
    extension = "setup(name='own', ext_modules=[Extension('x', ['x.c'])])"
    setup = f"from setuptools import Extension, setup\n{extension}"
    assert discover_recipe(write_tree({"setup.py": setup})).install == "wheel"


def test_the_repository_has_the_last_word(write_tree: Write) -> None:
    fixgate = """
policy: strict
environment:
  python: "3.8"
  framework: unittest
  packages: [numpy]
  resolve_as_of: 2021-05-01
  install: make inplace
  variables: {LANG: C.UTF-8}
  services:
    - name: web
      command: [python, -m, http.server]
"""
    pyproject = '[project]\nname = "own"\ndependencies = ["click"]\n'
    recipe = discover_recipe(
        write_tree({".github/fixgate.yml": fixgate, "pyproject.toml": pyproject, "src/a.py": ""})
    )
    assert (recipe.python, recipe.framework, recipe.packages) == (("3.8",), "unittest", ("numpy",))
    assert recipe.resolve_as_of == datetime.date(2021, 5, 1)
    assert recipe.services == (Service("web", ("python", "-m", "http.server")),)
    assert recipe.import_roots == ("src",)
    assert recipe.source == ".github/fixgate.yml, pyproject.toml"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("environment:\n  pyton: 3.9\n", r"line 2, environment\.pyton: unknown key `pyton`; known"),
        ("environment:\n  install: x\n  python: 3.9\n", r"line 3, .*python.* is a float; write"),
        ("environment:\n  packages:\n    - numpy\n    - 'a b'\n", r"line 2, .*`a b` is not a req"),
        ("environment:\n  packages:\n    - numpy\n    - 7\n", r"line 4, .*packages\[1\].* a int"),
        ("environment:\n  services:\n  - name: x\n    cmd: y\n", r"line 4, .*services\[0\]\.cmd"),
        ("environment:\n  import_roots: [/etc]\n", "line 2, .*`/etc` leads out of the repository"),
        ("environment: []\n", "line 1, .*`environment` is not a mapping; write keys below it"),
        ("- 1\n", "the file is not a mapping"),
        ("a: [\n", r"\.github/fixgate\.yml: not valid YAML"),
        ("a: 2021-99-99\n", r"\.github/fixgate\.yml: not valid YAML"),
    ],
)
def test_a_broken_configuration_is_refused_by_line_and_key(
    text: str, complaint: str, write_tree: Write
) -> None:
    with pytest.raises(InputError, match=complaint) as caught:
        discover_recipe(write_tree({".github/fixgate.yml": text}))
    assert ".github/fixgate.yml" in str(caught.value)


def test_a_broken_pyproject_is_named(write_tree: Write) -> None:
    with pytest.raises(InputError, match=r"pyproject\.toml: not valid TOML"):
        discover_recipe(write_tree({"pyproject.toml": "[project"}))


def test_an_empty_tree_still_has_a_recipe(write_tree: Write) -> None:
    recipe = discover_recipe(write_tree({}))
    assert (recipe.framework, recipe.packages, recipe.install) == ("pytest", ("pytest",), "")


@pytest.mark.parametrize(
    ("constraint", "expected"),
    [("^1.2.3", ">=1.2.3,<2"), ("^0.2.3", ">=0.2.3,<0.3"), ("^0.0.3", ">=0.0.3,<0.0.4"),
     ("^0", ">=0,<1"), ("~1.2.3", ">=1.2.3,<1.3"), ("~1", ">=1,<2"), ("*", ""), ("1.2", "==1.2"),
     (">=1,<2", ">=1,<2"), ("^1 || ^2", "")],
)  # fmt: skip
def test_poetry_constraints(constraint: str, expected: str) -> None:
    assert specifier(constraint) == expected


@given(st.lists(st.integers(0, 99), min_size=1, max_size=4), st.sampled_from("^~"))
def test_a_poetry_constraint_allows_the_version_that_it_names(
    numbers: list[int], operator: str
) -> None:
    version = ".".join(map(str, numbers))
    assert version in SpecifierSet(specifier(operator + version))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text())
def test_no_text_breaks_the_readers(tmp_path: Path, text: str) -> None:
    for name in ("setup.py", "setup.cfg", "tox.ini", "noxfile.py", "requirements.txt"):
        (tmp_path / name).write_text(text, encoding="utf-8", errors="replace")
    assert isinstance(setup_arguments(tmp_path / "setup.py"), dict)
    discover_recipe(tmp_path)
    read_requirement_files(tmp_path, ["requirements.txt"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=string.ascii_letters + ":-[]{}\n \"'#&*!|>%@`0123456789"))
def test_a_configuration_is_read_or_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / ".github").mkdir(exist_ok=True)
    (tmp_path / ".github" / "fixgate.yml").write_text(text, encoding="utf-8")
    try:
        told = str(read_configuration(tmp_path, "python"))
    except InputError as error:
        told = str(error)
    assert told == "{}" or told.startswith(".github/fixgate.yml")
