"""Environments that lack something: it is found, added, reported, and can be kept."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from evaluator.demo.sample import git
from evaluator.steps import JudgingStep
from tests.hostile.packages import add_pytest
from tests.languages.python.environment.conftest import Index
from tests.languages.python.frameworks.conftest import interpreters

from .conftest import Fixgate, Lay

SETUP = "from setuptools import setup\nsetup(name='own')\n"
CODE = "def double(number):\n    return number + number + 1\n"
FIXED = CODE.replace(" + 1", "")
TESTS = """
    import unittest

    import yaml
    from own import double


    class DoubleTest(unittest.TestCase):
        def test_type(self):
            self.assertIsInstance(double(yaml.one()), int)
"""
NEW_TEST = """
        def test_value(self):
            self.assertEqual(double(21), 42)
"""
MODULE = {"yaml.py": "def one():\n    return 1\n"}


@pytest.fixture
def repository(lay: Lay) -> Path:
    return lay(
        {"setup.py": SETUP, "own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": TESTS}
    )


def test_what_tests_import_is_found_and_kept(run: Fixgate, repository: Path, index: Index) -> None:
    index.add_wheel("pyyaml", "1.0", MODULE)
    done = run("environment", "--write")
    assert done.returncode == 0, done.stderr
    assert "added: pyyaml (module yaml)" in done.stdout
    assert "1 of 1 test files ran: 1 tests pass, 0 fail" in done.stdout
    written = (repository / ".github" / "fixgate.yml").read_text()
    assert written == 'environment:\n  additional_packages: ["pyyaml"]\n'
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "what fixgate added")
    again = json.loads(run("environment", "--json").stdout)
    assert (again["ready"], again["added"], again["packages"]) == (True, [], ["pyyaml==1.0"])


def test_what_is_imported_as_a_test_runs_is_found_too(run: Fixgate, lay: Lay, index: Index) -> None:
    late = TESTS.replace("    import yaml\n", "").replace(
        "(self):", "(self):\n            import yaml"
    )
    lay({"setup.py": SETUP, "own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": late})
    index.add_wheel("pyyaml", "1.0", MODULE)
    said = json.loads(run("environment", "--json").stdout)
    assert [each["package"] for each in said["added"]] == ["pyyaml"]
    assert (said["passed"], said["failed"]) == (1, 0)


@pytest.mark.parametrize(
    ("files", "added"),
    [({"tests/yaml/__init__.py": ""}, ["pyyaml"]), ({"yaml/__init__.py": ""}, [])],
    ids=["a part of the tests", "its own"],
)
@pytest.mark.usefixtures("repository")
def test_what_has_the_name_of_a_part_of_the_tests_is_found(
    run: Fixgate, lay: Lay, index: Index, files: dict[str, str], added: list[str]
) -> None:
    lay(files)
    index.add_wheel("pyyaml", "1.0", MODULE)
    said = json.loads(run("environment", "--json").stdout)
    assert [each["package"] for each in said["added"]] == added


WITH_HELPERS = TESTS.replace("import yaml", "from tools import one").replace("yaml.one", "one")


@pytest.mark.parametrize(
    "files",
    [
        {"test/test_own.py": WITH_HELPERS, "test/tools.py": MODULE["yaml.py"]},
        {
            "test/test_own.py": WITH_HELPERS,
            "test/tools.py": MODULE["yaml.py"],
            "test/__init__.py": "",
        },
        {"test/test_own.py": TESTS.replace("import yaml", "").replace("yaml.one()", "1")},
    ],
    ids=["helpers", "helpers in a package", "a name of the standard library"],
)
def test_tests_are_run_from_their_own_directory_where_that_is_needed(
    run: Fixgate, lay: Lay, index: Index, files: dict[str, str]
) -> None:
    index.add_wheel("tools", "1.0", {"tools.py": "a stranger's"})
    repository = lay({"setup.py": SETUP, "own.py": CODE, **files})
    done = run("environment", "--write")
    assert "added: test (directory test)" in done.stdout, done.stdout
    assert "1 of 1 test files ran: 1 tests pass, 0 fail" in done.stdout
    written = (repository / ".github" / "fixgate.yml").read_text()
    assert written == 'environment:\n  import_roots: ["", "test"]\n'
    lay({"own.py": FIXED, "test/test_own.py": files["test/test_own.py"] + NEW_TEST})
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert (said["decision"], said["added_packages"]) == ("accept", ["test"])
    assert not any("tools" in path for path in index.requested)


def test_code_is_not_run_from_its_own_directory(run: Fixgate, lay: Lay) -> None:
    files = {"own/__init__.py": "from tools import double\n", "own/tools.py": CODE}
    tests = TESTS.replace("import yaml", "").replace("yaml.one()", "1")
    lay({"setup.py": SETUP, **files, "tests/__init__.py": "", "tests/test_own.py": tests})
    said = json.loads(run("environment", "--json").stdout)
    assert (said["ready"], said["added"]) == (False, [])


@pytest.mark.parametrize(
    "code",
    [
        "import cStringIO\n",
        "print 'words'\n",
        "try:\n    pass\nexcept OSError, e:\n    pass\n",
        "TEXTS = (str, unicode)\n",
    ],
)
def test_code_for_python_2_is_named_as_that(run: Fixgate, lay: Lay, code: str) -> None:
    files = {"own.py": CODE, "tests/__init__.py": "", "tests/helpers.py": code}
    tests = OLD_TESTS.replace("import old", "import tests.helpers")
    lay({"setup.py": SETUP, **files, "tests/test_own.py": tests})
    lay({"own.py": FIXED, "tests/test_own.py": tests + NEW_TEST})
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert said["reasons"][0]["reason"].endswith("is for Python 2, and fixgate runs Python 3")


def test_a_locale_that_is_not_installed_is_named_as_that(run: Fixgate, lay: Lay) -> None:
    code = 'import locale\nlocale.setlocale(locale.LC_ALL, "tlh_QO.UTF-8")\n'
    files = {"own.py": CODE, "tests/__init__.py": "", "tests/helpers.py": code}
    tests = OLD_TESTS.replace("import old", "import tests.helpers")
    lay({"setup.py": SETUP, **files, "tests/test_own.py": tests})
    lay({"own.py": FIXED, "tests/test_own.py": tests + NEW_TEST})
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert said["reasons"][0]["rule"] == "tests_not_loaded"
    assert said["reasons"][0]["reason"].endswith("by `apt-get install locales-all`")


def test_each_part_of_a_namespace_is_found(run: Fixgate, lay: Lay, index: Index) -> None:
    uses = "import unittest\nimport azure.core\nimport azure.identity\n"
    test = "class UseTest(unittest.TestCase):\n    def test_use(self):\n        pass\n"
    lay(
        {
            "setup.py": SETUP,
            "own.py": CODE,
            "tests/__init__.py": "",
            "tests/test_use.py": uses + test,
        }
    )
    index.add_wheel("azure-core", "1.0", {"azure/core/__init__.py": ""})
    index.add_wheel("azure-identity", "1.0", {"azure/identity/__init__.py": ""})
    said = json.loads(run("environment", "--json").stdout)
    assert [each["package"] for each in said["added"]] == ["azure-core", "azure-identity"]
    assert said["ready"]


def test_a_file_with_a_table_of_its_own_is_left_alone(
    run: Fixgate, lay: Lay, repository: Path, index: Index
) -> None:
    index.add_wheel("pyyaml", "1.0", MODULE)
    lay({".github/fixgate.yml": "environment:\n  framework: unittest  # as ever\n"})
    done = run("environment", "--write")
    assert done.returncode == 2
    assert 'has a table `environment`: write `additional_packages: ["pyyaml"]` in it' in done.stderr
    assert "# as ever" in (repository / ".github" / "fixgate.yml").read_text()


def test_a_change_is_judged_with_what_its_base_lacks(
    run: Fixgate, lay: Lay, repository: Path, index: Index
) -> None:
    index.add_wheel("pyyaml", "1.0", MODULE)
    lay({"own.py": FIXED, "tests/test_own.py": TESTS + NEW_TEST})
    done = run("verify", "--base", "HEAD~1", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["added_packages"] == ["pyyaml"]
    assert (
        "added to the environment: pyyaml (module yaml)" in run("verify", "--base", "HEAD~1").stdout
    )


def test_a_change_cannot_have_packages_installed(
    run: Fixgate, lay: Lay, repository: Path, index: Index
) -> None:
    index.add_wheel("pyyaml", "1.0", MODULE)
    index.add_wheel("stranger", "1.0")
    lay(
        {
            "own.py": FIXED,
            "tests/test_own.py": "import stranger\n" + TESTS.replace("    import", "import"),
        }
    )
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert "stranger" not in str(said["added_packages"])
    assert not [path for path in index.requested if "stranger" in path]


def test_what_is_in_no_index_is_reported_with_what_to_write(
    run: Fixgate, lay: Lay, repository: Path
) -> None:
    lay({"own.py": FIXED, "tests/test_own.py": TESTS + NEW_TEST})
    done = run("verify", "--base", "HEAD~1", "--json")
    said = json.loads(done.stdout)
    assert done.returncode == 3
    assert [reason["rule"] for reason in said["reasons"]] == ["tests_not_loaded"]
    assert said["reasons"][0]["reason"] == (
        "tests/test_own.py cannot be loaded, with the change or without it: "
        "ModuleNotFoundError: No module named 'yaml'; write the package that has the module yaml "
        "under `environment: additional_packages` in .github/fixgate.yml"
    )
    ready = run("environment")
    assert ready.returncode == 1
    assert "cannot be loaded: tests/test_own.py: ModuleNotFoundError" in ready.stdout


def test_what_many_files_lack_is_said_once(run: Fixgate, lay: Lay, repository: Path) -> None:
    lay({f"tests/test_{name}.py": "import yaml\n" for name in ("one", "two")})
    said = [line for line in run("environment").stdout.splitlines() if "cannot be loaded" in line]
    reason = "ModuleNotFoundError: No module named 'yaml'"
    assert said == [f"cannot be loaded: tests/test_one.py and 2 more: {reason}"]


def test_a_package_without_the_module_is_not_kept(
    run: Fixgate, repository: Path, index: Index
) -> None:
    index.add_wheel("pyyaml", "1.0", {"other.py": ""})
    said = json.loads(run("environment", "--json").stdout)
    assert (said["ready"], said["added"], said["packages"]) == (False, [], [])


LACKING = ("yaml", "attr", "bs4")


@pytest.fixture
def lacking(lay: Lay) -> Path:
    """A repository whose three test files lack a package each."""
    files = {f"tests/test_{each}.py": TESTS.replace("yaml", each) for each in LACKING}
    return lay({"setup.py": SETUP, "own.py": FIXED, "tests/__init__.py": "", **files})


def _add(index: Index, package: str, module: str, requires: tuple[str, ...] = ()) -> None:
    index.add_wheel(package, "1.0", {f"{module}.py": "def one():\n    return 1\n"}, requires)


@pytest.mark.usefixtures("lacking")
def test_what_is_lacking_is_added_in_one_round(run: Fixgate, index: Index) -> None:
    _add(index, "pyyaml", "yaml")
    _add(index, "attrs", "attr")
    _add(index, "beautifulsoup4", "bs4")
    done = run("environment", "--json")
    said = json.loads(done.stdout)
    assert said["ready"]
    assert {each["package"] for each in said["added"]} == {"attrs", "beautifulsoup4", "pyyaml"}
    assert done.stderr.count(JudgingStep.SAMPLE) == 2  # without them, and with them


@pytest.mark.usefixtures("lacking")
def test_one_that_cannot_be_installed_keeps_no_other_away(run: Fixgate, index: Index) -> None:
    _add(index, "pyyaml", "yaml")
    _add(index, "attrs", "attr", requires=("nowhere",))
    _add(index, "beautifulsoup4", "bs4")
    said = json.loads(run("environment", "--json").stdout)
    assert [each["package"] for each in said["added"]] == ["beautifulsoup4", "pyyaml"]
    assert list(said["unloaded"]) == ["tests/test_attr.py"]


@pytest.mark.usefixtures("lacking")
def test_one_without_the_module_is_not_kept_beside_others(run: Fixgate, index: Index) -> None:
    _add(index, "pyyaml", "yaml")
    _add(index, "attrs", "other")
    _add(index, "beautifulsoup4", "bs4")
    said = json.loads(run("environment", "--json").stdout)
    assert said["packages"] == ["beautifulsoup4==1.0", "pyyaml==1.0"]
    assert list(said["unloaded"]) == ["tests/test_attr.py"]


def test_what_hangs_is_stopped_and_named(run: Fixgate, lay: Lay) -> None:
    hanging = TESTS.replace("yaml.one()", "1").replace("import yaml", "import time")
    hanging += "\n        def test_wait(self):\n            time.sleep(1000)\n"
    files = {"tests/test_a.py": hanging, "tests/test_b.py": hanging}
    lay({"setup.py": SETUP, "own.py": FIXED, "tests/__init__.py": "", **files})
    said = json.loads(run("environment", "--seconds", "4", "--json").stdout)
    assert (said["ready"], said["passed"]) == (True, 1)
    assert said["stopped_in"] == ["tests.test_a.DoubleTest.test_wait"]
    assert said["not_reached"] == ["tests/test_b.py"]
    lines = run("environment", "--seconds", "4").stdout.splitlines()
    assert "1 of 2 test files ran: 1 tests pass, 1 fail" in lines
    assert any(re.fullmatch(r"stopped after [4-9] seconds in tests.*test_wait", x) for x in lines)
    assert "not reached before that: tests/test_b.py" in lines


def test_a_given_test_that_cannot_be_loaded_rejects_nothing(
    run: Fixgate, lay: Lay, repository: Path, tmp_path: Path
) -> None:
    lay({"own.py": FIXED})
    git(repository, "checkout", "--quiet", "-b", "tests", "HEAD~1")
    lay({"tests/test_more.py": TESTS.replace("DoubleTest", "MoreTest")})
    patch = tmp_path / "more.patch"
    patch.write_text(git(repository, "diff", "HEAD~1", "HEAD"))
    done = run("verify", "--base", "main~1", "--head", "main", "--tests", str(patch), "--json")
    rules = [reason["rule"] for reason in json.loads(done.stdout)["reasons"]]
    assert (done.returncode, rules) == (3, ["tests_not_loaded"])


SKIPPING = """
    import unittest

    from own import double

    try:
        import yaml
    except ImportError:
        yaml = None


    @unittest.skipUnless(yaml, "REASON")
    class DoubleTest(unittest.TestCase):
        def test_type(self):
            self.assertIsInstance(double(yaml.one()), int)
"""
EXTRA = SETUP.replace("'own'", "'own', extras_require={'yaml': ['PyYAML>=1']}")
TOX = "[testenv]\ndeps =\n    yaml: PyYAML>=1\n"


@pytest.mark.parametrize(
    ("files", "reason", "added"),
    [
        ({"setup.py": EXTRA}, "pyyaml is not installed", ["PyYAML>=1"]),
        ({"setup.py": SETUP, "tox.ini": TOX}, "Requires PyYAML.", ["PyYAML>=1"]),
        ({"setup.py": SETUP}, "could not import 'yaml': No module named 'yaml'", ["pyyaml"]),
        ({"setup.py": SETUP}, "Requires PyYAML.", []),
        ({"setup.py": EXTRA}, "Windows only", []),
        ({"setup.py": SETUP}, "yaml not installed", ["pyyaml"]),
        ({"setup.py": SETUP}, "unittest finds no typing here", []),
    ],
)
def test_what_tests_are_skipped_for_is_added(
    run: Fixgate, lay: Lay, index: Index, files: dict[str, str], reason: str, added: list[str]
) -> None:
    index.add_wheel("pyyaml", "1.0", MODULE)
    tests = SKIPPING.replace("REASON", reason.replace('"', "'"))
    lay({"own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": tests, **files})
    lay({"own.py": FIXED, "tests/test_own.py": tests + NEW_TEST})
    done = run("verify", "--base", "HEAD~1", "--json")
    said = json.loads(done.stdout)
    assert said["added_packages"] == added, done.stderr
    assert said["decision"] == ("accept" if added else "abstain")


def test_old_packages_find_what_each_environment_had(run: Fixgate, lay: Lay, index: Index) -> None:
    index.add_wheel("old", "1.0", {"old.py": "import pkg_resources\n"})
    index.add_wheel("setuptools", "80.0", {"pkg_resources.py": ""})
    setup = SETUP.replace("'own'", "'own', install_requires=['old']")
    tests = "import unittest\n\nimport old\n\n\nclass OldTest(unittest.TestCase):\n"
    tests += "    def test_old(self):\n        self.assertTrue(old)\n"
    lay({"setup.py": setup, "own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": tests})
    said = json.loads(run("environment", "--json").stdout)
    assert ([each["package"] for each in said["added"]], said["ready"]) == (["setuptools<81"], True)


OLD_TESTS = TESTS.replace("import yaml\n", "import old\n").replace("yaml.one()", "1")
CLASSIFIERS = "classifiers=['Programming Language :: Python :: 3.12']"
OLD_PACKAGES = {
    "module": ("import imp\n", "3.10", "3.1"),
    "name": ("import asyncio\nhook = asyncio.coroutine\n", "3.10", "3.1"),
    "imported name": ("from inspect import getargspec\n", "3.10", "3.1"),
    "expression": ("found = dict(name for name in (), )\n", "3.6", "3.7"),
    "generator": ("def ends():\n    raise StopIteration\n    yield\nlist(ends())\n", "3.6", "3.7"),
}
"""What a package holds, a Python that runs it, and how the bound begins below which all do."""


@pytest.mark.parametrize(("old", "python", "bound"), OLD_PACKAGES.values(), ids=OLD_PACKAGES)
def test_packages_that_this_python_cannot_run_are_run_by_an_older_one(
    run: Fixgate, lay: Lay, index: Index, old: str, python: str, bound: str
) -> None:
    if not {python, "3.12"} <= {*interpreters()}:
        pytest.skip(f"Python {python} and 3.12 are not installed")
    index.add_wheel("old", "1.0", {"old.py": old})
    needs = f"'own', install_requires=['old==1.0'], {CLASSIFIERS}"
    tests = "import unittest\n\nimport old\n\n\nclass OldTest(unittest.TestCase):\n"
    tests += "    def test_old(self):\n        self.assertTrue(old)\n"
    files = {"own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": tests}
    repository = lay({"setup.py": SETUP.replace("'own'", needs), **files})
    done = run("environment", "--write")
    assert done.returncode == 0, done.stdout
    assert f"added: python<{bound}" in done.stdout
    written = (repository / ".github" / "fixgate.yml").read_text()
    assert written.startswith(f'environment:\n  python: ["{python[:3]}')
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "what fixgate added")
    again = json.loads(run("environment", "--json").stdout)
    assert (again["ready"], again["added"]) == (True, [])


@pytest.mark.parametrize("loads", [True, False])
def test_what_no_newer_python_loads_is_tried_with_one_of_its_time(
    run: Fixgate, lay: Lay, loads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a newer one refuses has no name: a wrong style for `logging` in vobject's tests, say."""
    if not {"3.12", "3.13"} <= {*interpreters()}:
        pytest.skip("Python 3.12 and 3.13 are not installed")
    refuses = f"sys.version_info >= (3, 13) or {not loads}"
    helper = f"import sys\n\nif {refuses}:\n    raise ValueError('wrong style')\n"
    setup = SETUP.replace("'own'", f"'own', {CLASSIFIERS.replace('3.12', '3.13')}")
    tests = OLD_TESTS.replace("import old", "import tests.helpers")
    own = {"setup.py": setup, "own.py": CODE, "tests/__init__.py": "", "tests/helpers.py": helper}
    repository = lay({**own, "tests/test_own.py": tests})
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2024-01-05T12:00:00+00:00")
    identity = ("-c", "user.name=someone", "-c", "user.email=someone@example.org")
    amend = ("commit", "--quiet", "--amend", "--no-edit")
    subprocess.run(["git", "-C", str(repository), *identity, *amend], check=True)
    said = json.loads(run("environment", "--json").stdout)
    assert [each["package"] for each in said["added"]] == (["python<3.13"] if loads else [])
    assert said["ready"] == loads


GRIDLY_TESTS = TESTS.replace("import yaml", "from gridly import cell").replace(
    "yaml.one()", "cell()"
)
NEWER = "from setuptools import setup\nsetup(name='own', install_requires=['gridly>=4.2'],"
NEWER += " classifiers=['Framework :: Gridly', 'Framework :: Gridly :: 4.2'])\n"


@pytest.fixture
def behind(lay: Lay, index: Index) -> Path:
    """A project that uses what the newest release of its framework no longer has."""
    files = {"own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": GRIDLY_TESTS}
    lay({"setup.py": NEWER, **files})
    index.add_wheel("gridly", "5.0", {"gridly.py": "def cells():\n    return [1]\n"})
    return lay({"own.py": FIXED, "tests/test_own.py": GRIDLY_TESTS + NEW_TEST})


def test_a_framework_goes_back_to_what_the_project_was_tested_with(
    run: Fixgate, behind: Path, index: Index
) -> None:
    index.add_wheel("gridly", "4.2.7", {"gridly.py": "def cell():\n    return 1\n"})
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert (said["decision"], said["added_packages"]) == ("accept", ["gridly<4.3"])


def test_a_framework_that_cannot_go_back_is_named(run: Fixgate, behind: Path) -> None:
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert said["added_packages"] == []
    assert said["reasons"][0]["reason"].endswith(
        "the project was tested with gridly 4.2, and no such release can be installed here: write "
        "one under `environment: additional_packages` in .github/fixgate.yml"
    )


@pytest.fixture
def lately(lay: Lay, index: Index) -> Path:
    """A project that uses what a release of its time lacks."""
    files = {"own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": GRIDLY_TESTS}
    lay({"setup.py": SETUP.replace("'own'", "'own', install_requires=['gridly<6']"), **files})
    index.add_wheel("gridly", "4.0", {"gridly.py": "def cells():\n    return [1]\n"})
    return lay({"own.py": FIXED, "tests/test_own.py": GRIDLY_TESTS + NEW_TEST})


def test_a_wheel_that_came_later_is_found(run: Fixgate, lately: Path, index: Index) -> None:
    later = "2998-01-01T00:00:00Z"
    index.add_wheel("gridly", "5.0", {"gridly.py": "def cell():\n    return 1\n"}, uploaded=later)
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert (said["decision"], said["added_packages"]) == ("accept", ["gridly"])
    assert 'newer_packages: ["gridly"]' in run("environment").stdout


def test_a_release_that_cannot_be_imported_gives_way_to_a_newer_one(
    run: Fixgate, lately: Path, index: Index
) -> None:
    # Compiled modules have the names of their sources in tracebacks, which are not there.
    broken = "exec(compile('raise ValueError', 'src/gridly.pyx', 'exec'))\n"
    index.add_wheel("gridly", "4.5", {"gridly.py": broken})
    later = "2998-01-01T00:00:00Z"
    index.add_wheel("gridly", "5.0", {"gridly.py": "def cell():\n    return 1\n"}, uploaded=later)
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert (said["decision"], said["added_packages"]) == ("accept", ["gridly"])


def test_where_no_release_has_a_name_it_is_said_what_to_write(run: Fixgate, lately: Path) -> None:
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert said["added_packages"] == []
    assert said["reasons"][0]["reason"].endswith(
        "another release of gridly may mend that: write one under `environment: "
        "additional_packages` in .github/fixgate.yml"
    )


def test_where_no_older_python_is_allowed_the_answer_says_what_is_needed(
    run: Fixgate, lay: Lay, index: Index
) -> None:
    if "3.12" not in interpreters():
        pytest.skip("no Python 3.12 is installed")
    index.add_wheel("old", "1.0", {"old.py": "import imp\n"})
    setup = SETUP.replace("'own'", "'own', install_requires=['old'], python_requires='>=3.12'")
    files = {"own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": OLD_TESTS}
    lay({"setup.py": setup, **files})
    lay({"own.py": FIXED, "tests/test_own.py": OLD_TESTS + NEW_TEST})
    said = json.loads(run("verify", "--base", "HEAD~1", "--json").stdout)
    assert said["added_packages"] == []
    assert said["reasons"][0]["reason"].endswith(
        "No module named 'imp'; it needs an interpreter with imp: write its versions under "
        "`environment: python` in .github/fixgate.yml"
    )


FAILS_HERE = {"tidy.py": "raise OSError('libtidy.so: not found')\n"}
PERHAPS = """
    try:
        import tidy
    except ImportError:
        tidy = None
    from own import double


    def test_type():
        assert isinstance(double(1), int)
"""
FOR_TESTS = "'own', extras_require={'test': ['pytidylib', 'pytest']}"


@pytest.mark.parametrize(
    ("asked", "tests", "is_left_out"),
    [
        (FOR_TESTS, PERHAPS, True),
        (FOR_TESTS, PERHAPS.replace("tidy = None", "raise"), False),
        ("'own', install_requires=['pytidylib', 'pytest']", PERHAPS, False),
    ],
    ids=["for some tests", "for all tests", "of the project"],
)
def test_a_package_for_tests_that_cannot_be_imported_is_left_out(
    run: Fixgate, lay: Lay, index: Index, asked: str, tests: str, is_left_out: bool
) -> None:
    add_pytest(index)
    index.add_wheel("pytidylib", "1.0", FAILS_HERE)
    files = {"setup.py": SETUP.replace("'own'", asked), "own.py": CODE, "tests/test_own.py": tests}
    repository = lay(files)
    done = run("environment", "--write")
    assert ("cannot be installed here: pytidylib" in done.stdout) is is_left_out, done.stdout
    assert ("1 tests pass" in done.stdout) is is_left_out
    written = repository / ".github" / "fixgate.yml"
    if is_left_out:
        assert 'without_packages: ["pytidylib"]' in written.read_text()
    again = json.loads(run("environment", "--json").stdout)
    assert again["added"] == []
    assert again["ready"] is is_left_out
    assert again["unbuilt"] == ["pytidylib"] * is_left_out


def test_who_waits_is_told_which_package_is_built(run: Fixgate, lay: Lay, index: Index) -> None:
    index.add_sdist("slow", "1.0")
    setup = SETUP.replace("'own'", "'own', install_requires=['slow']")
    tests = TESTS.replace("import yaml", "import slow").replace("yaml.one()", "1")
    lay({"setup.py": setup, "own.py": CODE, "tests/__init__.py": "", "tests/test_own.py": tests})
    done = run("environment")
    assert done.returncode == 0, done.stderr
    steps = [line.partition(" s  ")[2] for line in done.stderr.splitlines()]
    assert steps[:4] == [
        "laying down the base commit",
        "building the environment",
        "asking packages without wheels what they need",
        "building slow and what else has no wheel",
    ]
