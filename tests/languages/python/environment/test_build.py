"""Environments as a whole: real uv, real interpreters, an index on loopback."""

from __future__ import annotations

import dataclasses
import datetime
import os
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.environment.types import Uncompiled
from evaluator.errors import EnvironmentBuildError, InterpreterMissingError
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.interpreter import (
    RELEASED,
    Interpreter,
    find_interpreters,
    of_its_time,
)
from evaluator.languages.python.environment.requirements import read_requirement_files
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.sandbox.process import ProcessSandbox

from .conftest import MakeRecipe, Write, backend_project

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
BUILDER = """
import sys
from pathlib import Path
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.sandbox.process import ProcessSandbox
cache, url, python, tree = sys.argv[1:]
environments = PythonBuilder(Path(cache), sandbox=ProcessSandbox(), index_url=url)
recipe = PythonRecipe(python=(python,), packages=("alpha", "beta"))
print(environments.build(recipe, date=None, tree=Path(tree), tree_key="t").python)
"""


def build(
    environments: PythonBuilder, recipe: PythonRecipe, tree: Path, **options: Any
) -> PythonEnvironment:
    date = options.pop("date", datetime.date(2021, 1, 1))
    return environments.build(recipe, date=date, tree=tree, tree_key="tree", **options)


def told(environment: PythonEnvironment, code: str, *path: Path) -> str:
    """What a program prints in the environment."""
    variables = {"PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(environment.python), "-c", code]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def start_builder(cache: Path, index: Any, tree: Path) -> subprocess.Popen[str]:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    arguments = [str(cache), f"{index.url}/simple", version, str(tree)]
    command = [sys.executable, "-c", BUILDER, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)


def test_packages_are_those_of_the_date(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0", uploaded="2019-01-01T00:00:00Z")
    index.add_wheel("alpha", "2.0", uploaded="2022-01-01T00:00:00Z")
    environment = build(environments, recipe("alpha"), write_tree({}))
    assert environment.packages == ("alpha==1.0",)
    assert told(environment, "import alpha; print(alpha.VERSION)") == "1.0"


def test_a_date_in_the_recipe_wins_and_newer_packages_are_exempt(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    for name in ("alpha", "beta"):
        index.add_wheel(name, "1.0", uploaded="2019-01-01T00:00:00Z")
        index.add_wheel(name, "2.0", uploaded="2023-01-01T00:00:00Z")
    wanted = recipe(
        "alpha", "beta", resolve_as_of=datetime.date(2020, 1, 1), newer_packages=("beta",)
    )
    environment = build(environments, wanted, write_tree({}), date=datetime.date(2024, 1, 1))
    assert environment.packages == ("alpha==1.0", "beta==2.0")


def test_a_package_that_was_uploaded_again_later_is_taken_whatever_its_date(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0", uploaded="2019-01-01T00:00:00Z")
    index.add_wheel("alpha", "2.0", uploaded="2023-01-01T00:00:00Z")
    index.add_wheel("beta", "2.1", uploaded="2023-01-01T00:00:00Z")
    date = datetime.date(2020, 1, 1)
    environment = build(environments, recipe("alpha", "beta"), write_tree({}), date=date)
    assert environment.packages == ("alpha==1.0", "beta==2.1")
    assert told(environment, "import beta; print(beta.VERSION)") == "2.1"
    with pytest.raises(EnvironmentBuildError, match="cannot be built"):
        build(environments, recipe("alpha>=2"), write_tree({"a": ""}), date=date)


def test_what_resolves_alike_shares_one_virtual_environment(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    tree = write_tree({})
    first = build(environments, recipe("alpha"), tree)
    second = build(environments, recipe("alpha==1.0", variables={"A": "1"}), tree)
    assert first.python == second.python
    assert first.key != second.key


def test_built_once_it_is_found_without_network(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    index.add_wheel("alpha", "1.0")
    tree = write_tree({"setup.py": "from setuptools import setup\nsetup(name='own')\n"})
    wanted = recipe("alpha", install="metadata")
    first = build(environments, wanted, tree)
    asked = len(index.requested)
    offline = PythonBuilder(tmp_path / "cache", sandbox=ProcessSandbox(), offline=True)
    assert build(offline, wanted, tree) == first
    assert len(index.requested) == asked


def test_without_network_what_was_never_built_says_so(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    offline = PythonBuilder(tmp_path / "cache", sandbox=ProcessSandbox(), offline=True)
    with pytest.raises(EnvironmentBuildError, match="without network") as caught:
        build(offline, recipe("alpha"), write_tree({}))
    assert "alpha" in caught.value.log


def test_two_processes_at_once_build_one_environment(
    environments: PythonBuilder, index: Any, write_tree: Write, tmp_path: Path
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_wheel("beta", "1.0")
    builders = [start_builder(tmp_path / "cache", index, write_tree({})) for _ in range(2)]
    outputs = [builder.communicate(timeout=120)[0] for builder in builders]
    assert [builder.returncode for builder in builders] == [0, 0]
    assert outputs[0] == outputs[1]
    made = [path for path in (tmp_path / "cache" / "environments").iterdir() if path.is_dir()]
    assert len(made) == 1


def test_a_build_that_was_killed_is_done_again(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_wheel("beta", "1.0")
    index.hold = "beta-1.0-py3-none-any.whl"
    builder = start_builder(tmp_path / "cache", index, write_tree({}))
    assert index.held.wait(60)
    shelf = tmp_path / "cache" / "environments"
    assert any(path.is_dir() for path in shelf.iterdir())
    os.killpg(builder.pid, signal.SIGKILL)
    builder.communicate()
    index.hold = ""
    environment = build(environments, recipe("alpha", "beta"), write_tree({}), date=None)
    assert told(environment, "import alpha, beta; print(beta.VERSION)") == "1.0"
    assert [path for path in shelf.iterdir() if path.is_dir()] == [environment.python.parents[1]]


def test_a_release_without_wheels_is_built(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_sdist("alpha", "1.0")
    environment = build(environments, recipe("alpha"), write_tree({}))
    assert told(environment, "import alpha; print(alpha.VERSION)") == "1.0"


def test_what_names_no_build_tool_is_built_as_of_a_date_before_the_usual_one(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_old_sdist("alpha", "1.0", "2018-06-01T00:00:00Z")
    index.add_old_sdist("alpha", "2.0", "2019-02-01T00:00:00Z")
    index.add_wheel("wheel", "0.24", uploaded="2014-07-06T00:00:00Z")
    index.add_wheel("wheel", "0.33", uploaded="2019-01-27T00:00:00Z")
    index.add_setuptools("2019-02-05T00:00:00Z", "alpha", "1.0", wheel="0.30")
    date = datetime.date(2018, 12, 30)
    environment = build(environments, recipe("alpha"), write_tree({}), date=date)
    assert told(environment, "import alpha; print(alpha.VERSION)") == "1.0"
    assert environment.packages == ("alpha==1.0",)


def test_what_was_uploaded_again_is_found_as_of_a_date_before_that(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("atomicwrites", "1.4.1", uploaded="2022-07-08T18:31:40Z")
    environment = build(environments, recipe("atomicwrites"), write_tree({}))
    assert environment.packages == ("atomicwrites==1.4.1",)


def test_a_failing_build_shows_its_last_lines_and_the_recipe(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    cause = "for n in range(100): print('line', n)\nraise SystemExit('no compiler for alpha')"
    index.add_sdist("alpha", "1.0", before=cause)
    wanted = recipe("alpha")
    with pytest.raises(EnvironmentBuildError, match="no compiler for alpha") as caught:
        build(environments, wanted, write_tree({}))
    assert len(caught.value.log.splitlines()) <= 40
    assert "line 99" in caught.value.log
    assert caught.value.recipe == str(wanted)


def test_an_unknown_release_is_named(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    with pytest.raises(EnvironmentBuildError, match="alpha==3"):
        build(environments, recipe("alpha==3"), write_tree({}))


def test_a_missing_interpreter_is_named_with_the_way_to_get_it(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    with pytest.raises(InterpreterMissingError, match=r"Python 3\.99 .* `uv python install 3\.99`"):
        build(environments, recipe(python=("3.99",)), write_tree({}))


def test_the_first_interpreter_with_wheels_is_taken(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.13", "3.12", "3.11", "3.10", "3.9", "3.8")
    installed = find_interpreters(PythonRecipe(python=candidates))
    if len(installed) < 2:
        pytest.skip("needs two Python interpreters: `uv python install 3.12 3.11`")
    second = installed[1].minor
    digits = second.replace(".", "")
    index.add_wheel("alpha", "1.0", tag=f"cp{digits}-cp{digits}-linux_x86_64")
    index.add_wheel("alpha", "0.9", tag=f"cp{digits}-cp{digits}-linux_aarch64")
    environment = build(environments, recipe("alpha", python=candidates), write_tree({}))
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    assert told(environment, code) == second


def test_the_project_itself_is_never_installed(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_wheel("plugin", "1.0", requires=("Own-Project>=2",))
    index.add_wheel("own-project", "3.0")
    tree = write_tree({"pyproject.toml": '[project]\nname = "own_project"\nversion = "1.5"\n'})
    assert build(environments, recipe("plugin"), tree).packages == ("plugin==1.0",)


def test_requirement_files_and_locks_of_the_tree_count(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    for version in ("1.0", "2.0"):
        index.add_wheel("alpha", version, requires=("beta",))
        index.add_wheel("beta", version)
    lock = '[[package]]\nname = "beta"\nversion = "1.0"\nsource = { registry = "x" }\n'
    tree = write_tree({"tests.txt": "alpha<2\n", "uv.lock": lock})
    wanted = recipe(requirement_files=("tests.txt", "uv.lock"))
    assert build(environments, wanted, tree).packages == ("alpha==1.0", "beta==1.0")


@pytest.mark.parametrize(
    ("asked", "pins"),
    [
        ("Beta-Two>=1.1\n", ()),
        ("beta_two>=1\nbeta-two<1\n", ()),
        ("beta-two>=1\n", ("beta-two==1.0",)),
        ("beta-two>=1.1; python_version < '3'\n", ("beta-two==1.0",)),
        ("alpha>=2\n", ("beta-two==1.0",)),
    ],
)
def test_a_pin_that_the_project_itself_rules_out_is_left_out(
    write_tree: Write, asked: str, pins: tuple[str, ...]
) -> None:
    """gunicorn's lock file is older than what its pyproject.toml asks for."""
    lock = '[[package]]\nname = "beta-two"\nversion = "1.0"\n'
    tree = write_tree({"tests.txt": asked, "uv.lock": lock})
    assert read_requirement_files(tree, ["uv.lock", "tests.txt"])[1] == pins


@pytest.mark.parametrize("name", ["beta @ git+file:///elsewhere#x", "-r /etc/passwd #", "./x #"])
def test_a_lock_cannot_name_a_place_to_fetch_from(write_tree: Write, name: str) -> None:
    rows = [f'[[package]]\nname = "{one}"\nversion = "1.0"\n' for one in (name, "alpha")]
    tree = write_tree({"uv.lock": "".join(rows)})
    assert read_requirement_files(tree, ["uv.lock"]) == ((), ("alpha==1.0",))


def test_a_requirement_file_that_is_absent_is_named(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    with pytest.raises(EnvironmentBuildError, match=r"tests\.txt is not in the tree"):
        build(environments, recipe(requirement_files=("tests.txt",)), write_tree({}))


def test_where_a_build_fails_the_next_interpreter_is_tried(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.13", "3.12", "3.11", "3.10", "3.9", "3.8")
    installed = find_interpreters(PythonRecipe(python=candidates))
    if len(installed) < 2:
        pytest.skip("needs two Python interpreters: `uv python install 3.12 3.11`")
    first, second = (interpreter.minor for interpreter in installed[:2])
    cause = (
        f"import sys\nif '%d.%d' % sys.version_info[:2] == {first!r}: raise SystemExit('too new')"
    )
    index.add_sdist("alpha", "1.0", before=cause)
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    for _ in range(2):
        environment = build(environments, recipe("alpha", python=candidates), write_tree({}))
        assert told(environment, code) == second
    kept = environment.python.parents[2].parent / "choices"
    assert len(list(kept.glob("*.complete"))) == 1


def test_where_the_nearest_interpreters_fail_one_of_the_time_is_tried(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.13", "3.12", "3.11", "3.10", "3.6", "3.8")
    if {"3.6", "3.8"} - {i.minor for i in find_interpreters(PythonRecipe(python=candidates))}:
        pytest.skip("needs old Python interpreters: `uv python install 3.8 3.6`")
    too_new = "import sys\nif sys.version_info >= (3, 9): raise SystemExit('too new')"
    index.add_sdist("alpha", "1.0", before=too_new)
    environment = build(environments, recipe("alpha", python=candidates), write_tree({}))
    assert told(environment, "import sys; print(sys.version_info[1])") == "8"


@given(st.dates(datetime.date(2010, 1, 1)), st.sets(st.sampled_from(sorted(RELEASED))))
def test_the_interpreter_of_a_time_is_the_newest_that_there_was(
    date: datetime.date, minors: set[str]
) -> None:
    interpreters = [Interpreter(Path(), f"{minor}.1", Path()) for minor in minors]
    found = of_its_time(interpreters, date)
    assert len(found) == bool(minors)
    for interpreter in found:
        released = RELEASED[interpreter.minor]
        there = {day for minor in minors if (day := RELEASED[minor]) <= date}
        assert released == max(there, default=min(RELEASED[minor] for minor in minors))
    assert of_its_time(interpreters, None) == ()


def test_packages_for_tests_that_cannot_be_built_are_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    for name in ("broken", "broken-too"):
        index.add_sdist(name, "1.0", before="raise SystemExit('mysql.h: not found')")
    index.add_wheel("alpha", "1.0", requires=("broken",))
    wanted = recipe("alpha", "broken", "Broken_Too", optional_packages=("broken", "broken-too"))
    found = [build(environments, wanted, write_tree({})) for _ in range(2)]
    assert [environment.packages for environment in found] == [("alpha==1.0",)] * 2
    assert {frozenset(environment.unbuilt) for environment in found} == {
        frozenset({"broken", "broken-too"})
    }
    built = [path for path in index.requested if path.endswith(".tar.gz")]
    index.requested.clear()
    assert built
    assert build(environments, wanted, write_tree({})).unbuilt
    assert index.requested == []


def test_what_a_lock_file_pins_is_not_asked_for_by_it(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_sdist("broken", "1.0", before="raise SystemExit('mysql.h: not found')")
    index.add_wheel("alpha", "1.0", requires=("broken",))
    lock = "".join(
        f'[[package]]\nname = "{name}"\nversion = "1.0"\n\n' for name in ("alpha", "broken")
    )
    wanted = recipe("alpha", optional_packages=("alpha",), requirement_files=("poetry.lock",))
    found = build(environments, wanted, write_tree({"poetry.lock": lock}))
    assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("broken",))


def test_packages_for_tests_that_no_index_has_any_more_are_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    wanted = recipe("alpha", "withdrawn", optional_packages=("alpha", "withdrawn"))
    found = build(environments, wanted, write_tree({}))
    assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("withdrawn",))
    with pytest.raises(EnvironmentBuildError, match="was not found in the package registry"):
        build(environments, dataclasses.replace(wanted, optional_packages=()), write_tree({}))


@pytest.mark.parametrize(
    ("versions", "is_said"), [("2 2.7", True), ("2.7 3.4", False), ("", False)]
)
def test_a_project_for_python_2_is_named_as_that(
    environments: PythonBuilder,
    recipe: MakeRecipe,
    write_tree: Write,
    versions: str,
    is_said: bool,
) -> None:
    names = [f"Programming Language :: Python :: {version}" for version in versions.split()]
    setup = f"from setuptools import setup\nsetup(name='own', classifiers={names!r})\n"
    with pytest.raises(EnvironmentBuildError) as failed:
        build(environments, recipe("withdrawn"), write_tree({"setup.py": setup}))
    assert is_said is ("it is for Python 2, and fixgate runs Python 3" in str(failed.value))


def test_packages_for_tests_whose_archives_nobody_takes_any_more_are_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_file("packed", "Packed-1.0.tar.bz2", b"")
    index.add_wheel("packed", "2.0")
    wanted = recipe("alpha", "packed<2", optional_packages=("packed",))
    found = build(environments, wanted, write_tree({}))
    assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("packed",))


def test_what_no_index_has_is_left_out_for_the_interpreter_that_builds_the_rest(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    installed = find_interpreters(PythonRecipe(python=("3.13", "3.12", "3.11")))
    if len(installed) < 2:
        pytest.skip("needs two Python interpreters: `uv python install 3.12 3.11`")
    first, second = (interpreter.minor for interpreter in installed[:2])
    too_new = (
        f"import sys; sys.version_info[:2] != ({second.replace('.', ', ')}) and sys.exit('no')"
    )
    index.add_sdist("alpha", "1.0", before=too_new)
    wanted = recipe("alpha", "withdrawn", optional_packages=("withdrawn",), python=(first, second))
    for _ in range(2):
        found = build(environments, wanted, write_tree({}))
        assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("withdrawn",))
        assert told(found, "import sys; print('%d.%d' % sys.version_info[:2])") == second


@pytest.mark.parametrize("cause", ["MemoryError", "OSError(28, 'No space left on device')"])
def test_nothing_is_left_out_because_a_machine_was_exhausted(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, cause: str
) -> None:
    index.add_sdist("greedy", "1.0", before=f"raise {cause}")
    wanted = recipe("greedy", optional_packages=("greedy",))
    with pytest.raises(EnvironmentBuildError, match="cannot be built") as failed:
        build(environments, wanted, write_tree({}))
    assert cause in failed.value.log
    assert "fixgate.yml" not in str(failed.value)


def test_what_a_project_needs_itself_is_not_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_sdist("broken", "1.0", before="raise SystemExit('mysql.h: not found')")
    index.add_sdist("optional", "1.0", before="raise SystemExit('mysql.h: not found')")
    wanted = recipe("broken", "optional", optional_packages=("optional",))
    with pytest.raises(EnvironmentBuildError, match="cannot be built") as failed:
        build(environments, wanted, write_tree({}))
    assert "mysql.h: not found" in failed.value.log
    assert "write what does under `environment: packages` in .github/fixgate.yml" in str(
        failed.value
    )


UNCOMPILED: Mapping[str, str] = {
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "b"\nbackend-path = ["."]\n',
    "b.py": "raise SystemExit('error: llhttp.h: not found')",
    "setup.py": "from setuptools import Extension, setup\n"
    "setup(name='own', ext_modules=[Extension('own._fast', ['own/_fast.c'], optional=True)])\n",
    "own/__init__.py": "",
    "own/_fast.c": "",
    "tests/test_own.py": "import pytest\n",
}


NO_CYTHON = "import sys\nsys.exit(\"error: '_headers.pxi' not found\")\n"


def test_modules_of_which_cython_makes_nothing_are_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    index.add_wheel("cython", "3.0", {"cython.py": NO_CYTHON})
    for name in ("pytest", "setuptools", "wheel"):
        index.add_wheel(name, "40.0")
    files = {path.replace(".c", ".pyx"): text for path, text in UNCOMPILED.items()}
    environment = build_members(environments, write_tree(files))
    reason = "error: '_headers.pxi' not found"
    assert environment.uncompiled == (Uncompiled("compiled modules of the project", reason),)


@pytest.mark.parametrize("changed", ["own/__init__.py", "own/_fast.c"])
def test_modules_that_cannot_be_compiled_and_are_optional_are_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write, changed: str
) -> None:
    for name in ("pytest", "setuptools", "wheel"):
        index.add_wheel(name, "40.0")
    tree = write_tree(UNCOMPILED)
    without = (Uncompiled("compiled modules of the project", "error: llhttp.h: not found"),)
    for _ in range(2):
        environment = build_members(environments, tree)
        assert (environment.uncompiled, environment.recipe.install) == (without, "metadata")
    if changed.endswith(".py"):
        assert build_members(environments, tree, [changed]).uncompiled == without
    else:
        with pytest.raises(EnvironmentBuildError, match=r"llhttp\.h: not found"):
            build_members(environments, tree, [changed])


def test_what_is_left_out_of_one_tree_is_tried_again_for_the_next(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    """Its own build, which a change may have written, says nothing of other trees."""
    for name in ("pytest", "setuptools", "wheel"):
        index.add_wheel(name, "40.0")
    assert build_members(environments, write_tree(UNCOMPILED)).uncompiled
    whole = {path: UNCOMPILED[path] for path in UNCOMPILED if path not in ("b.py", "own/_fast.c")}
    backend = backend_project("own", "1", {"own/_fast.so": ""})["backend.py"]
    whole["pyproject.toml"] = whole["pyproject.toml"].replace('"b"', '"backend"')
    tree = write_tree({**whole, "backend.py": backend})
    recipe = dataclasses.replace(discover_recipe(tree), python=(PYTHON,))
    date = datetime.date(2021, 1, 1)
    built = environments.build(recipe, date=date, tree=tree, tree_key="another tree")
    assert (built.uncompiled, built.recipe.install) == ((), "wheel")


@pytest.mark.parametrize(
    ("old", "new"),
    [(", optional=True", ""), ("tests/test_own.py", ".github/fixgate.yml")],
    ids=["needed", "by the user"],
)
def test_modules_that_cannot_be_compiled_are_not_left_out_where_they_are_needed(
    environments: PythonBuilder, index: Any, write_tree: Write, old: str, new: str
) -> None:
    for name in ("pytest", "setuptools", "wheel"):
        index.add_wheel(name, "40.0")
    files = {path.replace(old, new): text.replace(old, new) for path, text in UNCOMPILED.items()}
    if ".github/fixgate.yml" in files:
        files[".github/fixgate.yml"] = "environment: {install: wheel}\n"
    with pytest.raises(EnvironmentBuildError, match=r"llhttp\.h: not found"):
        build_members(environments, write_tree(files))


MEMBER = '[project]\nname = "{0}"\nversion = "2"\ndependencies = {1}\n'
PLUG_IN = '[project.entry-points.shop]\nx = "{0}:x"\n'
BROKEN = "raise SystemExit('error: mysql.h: not found')"
REASON = "broken cannot be built: error: mysql.h: not found"


def shop(**needed: list[str]) -> dict[str, str]:
    """The files of a repository whose root is no project; each below it needs packages."""
    files = {"tests/test_shop.py": "import core\n"}
    for name, packages in needed.items():
        files[f"{name}/pyproject.toml"] = MEMBER.format(name, packages) + PLUG_IN.format(name)
        files[f"{name}/{name}.py"] = ""
    return files


def build_members(
    environments: PythonBuilder, tree: Path, changed: Collection[str] = ()
) -> PythonEnvironment:
    recipe = dataclasses.replace(discover_recipe(tree), python=(PYTHON,))
    return build(environments, recipe, tree, changed=changed)


def test_a_member_that_needs_what_cannot_be_built_is_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_wheel("alpha", "1.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree(shop(core=["alpha"], data=["core", "broken"], pages=["data"], cart=["core"]))
    changed = ("core/core.py", "data/README.md", "database.py")
    found = [build_members(environments, tree, changed) for _ in range(2)]
    for environment in found:
        assert environment.packages == ("alpha==1.0", "pytest==7.0")
        assert environment.unbuilt == ("broken",)
        left_out = (Uncompiled("data", REASON), Uncompiled("pages", REASON))
        assert environment.uncompiled == left_out
        assert environment.recipe.import_roots == ("", "cart", "core")
    written = {file.parent.name for file in found[0].overlays[0].rglob("PKG-INFO")}
    assert written == {"core.egg-info", "cart.egg-info"}


def test_a_member_stays_out_where_a_package_is_added(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    for name in ("pytest", "alpha"):
        index.add_wheel(name, "1.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree(shop(core=[], data=["broken"]))
    recipe = build_members(environments, tree).recipe.adding("alpha")
    environment = build(environments, recipe, tree)
    assert "alpha==1.0" in environment.packages
    assert environment.uncompiled == (Uncompiled("data", REASON),)


@pytest.mark.parametrize("changed", ["data/data.py", "pages/pages.py", "data/pyproject.toml"])
def test_a_member_that_is_changed_is_not_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write, changed: str
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree(shop(core=[], data=["broken"], pages=["data"]))
    assert build_members(environments, tree).unbuilt == ("broken",)
    with pytest.raises(EnvironmentBuildError, match=r"(?s)cannot be built.*mysql\.h: not found"):
        build_members(environments, tree, [changed])


@pytest.mark.parametrize("untold", [False, True])
def test_a_member_may_need_what_cannot_be_built_through_others(
    environments: PythonBuilder, index: Any, write_tree: Write, untold: bool
) -> None:
    """What only a build tells of its requirements fails before anything is resolved."""
    index.add_wheel("pytest", "7.0")
    index.add_wheel("driver", "1.0", requires=("layer",))
    index.add_wheel("layer", "1.0", requires=("broken",))
    index.add_sdist("broken", "1.0", before=BROKEN, untold=untold)
    tree = write_tree(shop(core=[], data=["driver"]))
    environment = build_members(environments, tree, ["core/core.py"])
    assert [each.place for each in environment.uncompiled] == ["data"]


WORKSPACE = '[tool.uv.workspace]\nmembers = ["core", "data"]\n'


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": MEMBER.format("root", ["broken"]) + WORKSPACE},
        {
            "pyproject.toml": MEMBER.format("root", ["data"])
            + WORKSPACE
            + "[build-system]\nrequires = []\n"
        },
        {"core/pyproject.toml": MEMBER.format("core", ["broken"])},
        {".github/fixgate.yml": "environment: {packages: [pytest, broken]}"},
    ],
    ids=["by the root", "by a member that the root needs", "by every member", "by the user"],
)
def test_what_all_need_is_not_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write, files: Mapping[str, str]
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree({**shop(core=[], data=["broken"]), **files})
    with pytest.raises(EnvironmentBuildError, match=r"mysql\.h: not found"):
        build_members(environments, tree)


def test_a_root_that_is_no_package_only_gathers_its_members(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    root = {"pyproject.toml": MEMBER.format("root", ["core", "data"]) + WORKSPACE}
    environment = build_members(
        environments, write_tree({**shop(core=[], data=["broken"]), **root})
    )
    assert environment.uncompiled == (Uncompiled("data", REASON),)


def test_what_only_a_later_interpreter_allows_is_built_for_it(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.10", "3.11", "3.12", "3.13")
    installed = find_interpreters(PythonRecipe(python=candidates))
    if len(installed) < 2:
        pytest.skip("needs two Python interpreters: `uv python install 3.12 3.11`")
    second = installed[1].minor
    index.add_sdist("alpha", "1.0")
    wanted = recipe(f"alpha; python_version >= '{second}'", python=candidates)
    newer = recipe("alpha", f"beta; python_version < '{second}'", python=candidates)
    assert build(environments, wanted, write_tree({})).packages == ()
    environment = build(environments, newer, write_tree({}))
    assert environment.packages == ("alpha==1.0",)
